/* SPDX-License-Identifier: ISC */
/*
 * test_rpcwalk_nfs42.c: the operations that NFSv4.1 (RFC 8881), NFSv4.2
 * (RFC 7862) and extended attributes (RFC 8276) add, and the callbacks.
 */
#include "rpcwalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compoundkit.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* channel_attrs4, RFC 8881 18.36.1: without and with ca_rdma_ird */
#define CHANNEL		"#0 #1048576 #1048576 #4096 #8 #64 #0"
#define RDMA_CHANNEL	"#0 #1048576 #1048576 #4096 #8 #64 #1 #16"
/* state_protect_ops4: two bitmaps */
#define PROTECT_OPS	"#2 #0 #7 #1 #16"
#define IMPL_ID		"'kernel.org' 'Linux 6.1' " NFSTIME
#define DEVICE		"<16>"
/* netloc4, RFC 7862 4.9.1: a name, a URL, an address */
#define NETLOCS		"#1 'host' #2 'nfs://host' #3 'tcp' '10.0.0.1.8.1'"

/* Arguments, by the sections of RFC 8881 sec. 18. */
static const struct compoundkit_row arguments41[] = {
	/* BACKCHANNEL_CTL: AUTH_NONE, AUTH_SYS, RPCSEC_GSS parameters */
	{ 40, "#1073741824 #3 #0 #1 <4> 'client' #0 #0 #2 #4 #5 "
	  "#6 #1 'server' 'us'", "BACKCHANNEL_CTL" },
	/* BIND_CONN_TO_SESSION: sessid, dir, use_conn_in_rdma_mode */
	{ 41, SESSION "#3 #0", "BIND_CONN_TO_SESSION" },
	/* EXCHANGE_ID: verifier, ownerid, flags, state_protect4_a, impl_id */
	{ 42, "<8> 'owner' #257 #0 #0", "EXCHANGE_ID" },
	{ 42, "<8> 'owner' #257 #1 " PROTECT_OPS " #1 " IMPL_ID,
	  "EXCHANGE_ID" },
	/* SP4_SSV: ops, hash algorithms, encryption algorithms, two words */
	{ 42, "<8> 'owner' #257 #2 " PROTECT_OPS
	  " #2 'sha1' 'sha256' #1 'aes' #4 #1 #0", "EXCHANGE_ID" },
	/* CREATE_SESSION: clientid, sequence, flags, channels, program */
	{ 43, "@77 #1 #3 " CHANNEL RDMA_CHANNEL " #1073741824 #2 "
	  "#1 <4> 'client' #0 #0 #0 #0", "CREATE_SESSION" },
	{ 44, SESSION, "DESTROY_SESSION" },
	{ 45, STATEID, "FREE_STATEID" },
	/* GET_DIR_DELEGATION: signal, types, delays, child and dir attrs */
	{ 46, "#0 #1 #60 " NFSTIME NFSTIME " #1 #2 #2 #3 #4",
	  "GET_DIR_DELEGATION" },
	/* GETDEVICEINFO: deviceid, layout_type, maxcount, notify_types */
	{ 47, DEVICE "#1 #4096 #1 #6", "GETDEVICEINFO" },
	{ 48, "#1 #10 @0 <8>", "GETDEVICELIST" },
	/* LAYOUTCOMMIT: offset, length, reclaim, stateid, new offset, time */
	{ 49, "@0 @100 #0 " STATEID " #1 @99 #1 " NFSTIME " #1 'body'",
	  "LAYOUTCOMMIT" },
	{ 49, "@0 @100 #0 " STATEID " #0 #0 #1 #0", "LAYOUTCOMMIT" },
	/* LAYOUTGET: signal, type, iomode, offset, length, minlength, ... */
	{ 50, "#0 #1 #2 @0 @100 @4 " STATEID " #4096", "LAYOUTGET" },
	{ 51, "#0 #1 #3 #1 @0 @100 " STATEID " 'body'", "LAYOUTRETURN" },
	{ 51, "#0 #1 #3 #2", "LAYOUTRETURN" },
	{ 51, "#0 #1 #3 #3", "LAYOUTRETURN" },
	{ 52, "#1", "SECINFO_NO_NAME" },
	/* SEQUENCE: sessionid, sequenceid, slotid, highest_slotid, cache */
	{ 53, SESSION "#12 #3 #15 #1", "SEQUENCE slot=3/15" },
	{ 54, "'ssv' 'digest'", "SET_SSV" },
	{ 55, "#2 " STATEID STATEID, "TEST_STATEID" },
	{ 55, "#0", "TEST_STATEID" },
	{ 56, "#1 #1 #2", "WANT_DELEGATION" },
	{ 56, "#1 #4", "WANT_DELEGATION" },
	{ 56, "#1 #6", "WANT_DELEGATION" },
	{ 57, "@77", "DESTROY_CLIENTID" },
	{ 58, "#0", "RECLAIM_COMPLETE" },
};

static const struct compoundkit_row results41[] = {
	{ 40, "#0", "BACKCHANNEL_CTL/0" },
	{ 41, "#0 " SESSION "#3 #0", "BIND_CONN_TO_SESSION/0" },
	/* EXCHANGE_ID: clientid, sequenceid, flags, state_protect4_r, */
	/* minor_id, major_id, scope, impl_id */
	{ 42, "#0 @77 #1 #2 #0 @0 'major' 'scope' #0", "EXCHANGE_ID/0" },
	{ 42, "#0 @77 #1 #2 #1 " PROTECT_OPS " @0 'major' 'scope' #1 "
	  IMPL_ID, "EXCHANGE_ID/0" },
	/* SP4_SSV: ops, hash, encryption, length, window, handles */
	{ 42, "#0 @77 #1 #2 #2 " PROTECT_OPS " #0 #0 #20 #8 "
	  "#2 'handle' 'h2' @0 'major' 'scope' #0", "EXCHANGE_ID/0" },
	{ 42, "#10017", "EXCHANGE_ID/10017" },
	{ 43, "#0 " SESSION "#1 #3 " RDMA_CHANNEL CHANNEL,
	  "CREATE_SESSION/0" },
	{ 44, "#0", "DESTROY_SESSION/0" },
	{ 45, "#0", "FREE_STATEID/0" },
	/* GET_DIR_DELEGATION: GDD4_OK, GDD4_UNAVAIL */
	{ 46, "#0 #0 <8> " STATEID " #1 #60 #0 #1 #2",
	  "GET_DIR_DELEGATION/0" },
	{ 46, "#0 #1 #1", "GET_DIR_DELEGATION/0" },
	{ 46, "#10008", "GET_DIR_DELEGATION/10008" },
	/* GETDEVICEINFO: type, address, notification; TOOSMALL: mincount */
	{ 47, "#0 #1 'address' #1 #6", "GETDEVICEINFO/0" },
	{ 47, "#10005 #8192", "GETDEVICEINFO/10005" },
	{ 47, "#2", "GETDEVICEINFO/2" },
	/* GETDEVICELIST: cookie, verifier, deviceids, eof */
	{ 48, "#0 @2 <8> #2 " DEVICE DEVICE " #1", "GETDEVICELIST/0" },
	{ 49, "#0 #1 @100", "LAYOUTCOMMIT/0" },
	{ 49, "#0 #0", "LAYOUTCOMMIT/0" },
	/* LAYOUTGET: return_on_close, stateid, layouts */
	{ 50, "#0 #1 " STATEID " #2 @0 @100 #2 #1 'body' @100 @9 #1 #1 #0",
	  "LAYOUTGET/0" },
	{ 50, "#10058 #1", "LAYOUTGET/10058" },
	{ 50, "#10059", "LAYOUTGET/10059" },
	{ 51, "#0 #1 " STATEID, "LAYOUTRETURN/0" },
	{ 51, "#0 #0", "LAYOUTRETURN/0" },
	{ 52, "#0 #1 #6 'oid' #0 #2", "SECINFO_NO_NAME/0" },
	/* SEQUENCE: ..., target_highest_slotid, status_flags */
	{ 53, "#0 " SESSION "#12 #3 #15 #31 #0", "SEQUENCE/0 slot=3/15" },
	{ 53, "#10052", "SEQUENCE/10052" },
	{ 54, "#0 'digest'", "SET_SSV/0" },
	{ 55, "#0 #2 #0 #10025", "TEST_STATEID/0" },
	{ 56, "#0 #1 " STATEID " #0 " ACE, "WANT_DELEGATION/0" },
	{ 56, "#0 #3 #0", "WANT_DELEGATION/0" },
	{ 57, "#10074", "DESTROY_CLIENTID/10074" },
	{ 58, "#0", "RECLAIM_COMPLETE/0" },
};

/* RFC 7862 sec. 15, RFC 8276 sec. 8.4. */
static const struct compoundkit_row arguments42[] = {
	{ 59, STATEID " @4096 @8192", "ALLOCATE n=8192 o=4096" },
	{ 59, STATEID " @0 @4294967296", "ALLOCATE n=4294967295 o=0" },
	/* COPY: stateids, offsets, count, consecutive, synchronous, servers */
	{ 60, STATEID STATEID " @1 @2 @3 #1 #0 #0", "COPY n=3 o=2" },
	{ 60, STATEID STATEID " @1 @2 @3 #1 #0 #3 " NETLOCS,
	  "COPY n=3 o=2" },
	{ 61, STATEID " #1 'host'", "COPY_NOTIFY" },
	{ 61, STATEID " #3 'tcp6' '::.8.1'", "COPY_NOTIFY" },
	{ 62, STATEID " @4096 @8192", "DEALLOCATE n=8192 o=4096" },
	{ 63, STATEID " @0 @100 #1 #16", "IO_ADVISE" },
	/* LAYOUTERROR: offset, length, stateid, (deviceid, status, opnum) */
	{ 64, "@0 @100 " STATEID " #2 " DEVICE "#5 #38 " DEVICE "#6 #25",
	  "LAYOUTERROR" },
	/* LAYOUTSTATS: ..., read, write (count, bytes), deviceid, update */
	{ 65, "@0 @100 " STATEID " @1 @2 @3 @4 " DEVICE "#4 'update'",
	  "LAYOUTSTATS" },
	{ 66, STATEID, "OFFLOAD_CANCEL" },
	{ 67, STATEID, "OFFLOAD_STATUS" },
	{ 68, STATEID " @8192 #4096", "READ_PLUS n=4096 o=8192" },
	{ 69, STATEID " @8192 #1", "SEEK" },
	/* WRITE_SAME: stateid, stable; offset, block size, count, ... */
	{ 70, STATEID " #2 @100 @512 @8 @0 #0 @0 'pattern'",
	  "WRITE_SAME o=100 s=2" },
	{ 71, STATEID STATEID " @1 @2 @3", "CLONE n=3 o=2" },
	{ 72, "'user.a'", "GETXATTR name=user.a" },
	/* SETXATTR: option, key, value */
	{ 73, "#0 'user.a' 'value'", "SETXATTR name=user.a" },
	{ 74, "@0 #4096", "LISTXATTRS" },
	{ 75, "'user.a'", "REMOVEXATTR name=user.a" },
};

static const struct compoundkit_row results42[] = {
	{ 59, "#0", "ALLOCATE/0" },
	/* COPY: callback id, count, committed, verifier; requirements */
	{ 60, "#0 #0 @3 #2 0102030405060708 #1 #1",
	  "COPY/0 n=3 s=2 v=0102030405060708" },
	{ 60, "#0 #1 " STATEID " @0 #0 0102030405060708 #1 #0",
	  "COPY/0 n=0 s=0 v=0102030405060708" },
	/* NFS4ERR_OFFLOAD_NO_REQS: requirements */
	{ 60, "#10094 #1 #1", "COPY/10094" },
	{ 60, "#10004", "COPY/10004" },
	{ 61, "#0 " NFSTIME STATEID " #3 " NETLOCS, "COPY_NOTIFY/0" },
	{ 62, "#0", "DEALLOCATE/0" },
	{ 63, "#0 #1 #16", "IO_ADVISE/0" },
	{ 64, "#0", "LAYOUTERROR/0" },
	{ 65, "#0", "LAYOUTSTATS/0" },
	{ 66, "#0", "OFFLOAD_CANCEL/0" },
	{ 67, "#0 @77 #1 #0", "OFFLOAD_STATUS/0 n=77" },
	{ 67, "#0 @77 #0", "OFFLOAD_STATUS/0 n=77" },
	/* READ_PLUS: eof; data of 5, a hole of 4096, data of 3 bytes */
	{ 68, "#0 #1 #3 #0 @0 'hello' #1 @5 @4096 #0 @4101 'end'",
	  "READ_PLUS/0 n=8" },
	{ 68, "#0 #1 #0", "READ_PLUS/0 n=0" },
	{ 68, "#5", "READ_PLUS/5" },
	{ 69, "#0 #1 @4096", "SEEK/0" },
	{ 69, "#6", "SEEK/6" },
	{ 70, "#0 #0 @4096 #2 0102030405060708",
	  "WRITE_SAME/0 n=4096 s=2 v=0102030405060708" },
	{ 71, "#10004", "CLONE/10004" },
	{ 72, "#0 'value'", "GETXATTR/0" },
	{ 73, "#0 " CINFO, "SETXATTR/0" },
	/* LISTXATTRS: cookie, names, eof */
	{ 74, "#0 @2 #2 'user.a' 'user.bcd' #1", "LISTXATTRS/0" },
	{ 75, "#10095", "REMOVEXATTR/10095" },
	{ 75, "#0 " CINFO, "REMOVEXATTR/0" },
};

/* RFC 8881 sec. 20, RFC 7862 sec. 16. */
static const struct compoundkit_row cb_arguments[] = {
	{ 3, "'abcd' #1 #24", "CB_GETATTR fh=61626364" },
	/* CB_RECALL: stateid, truncate, fh */
	{ 4, STATEID " #0 'abcd'", "CB_RECALL fh=61626364" },
	/* CB_LAYOUTRECALL: type, iomode, changed; file, fsid, all */
	{ 5, "#1 #3 #0 #1 'abcd' @0 @100 " STATEID,
	  "CB_LAYOUTRECALL fh=61626364" },
	{ 5, "#1 #3 #0 #2 @1 @2", "CB_LAYOUTRECALL" },
	{ 5, "#1 #3 #0 #3", "CB_LAYOUTRECALL" },
	/* CB_NOTIFY: stateid, fh, (mask, values) */
	{ 6, STATEID "'abcd' #2 #1 #4 'v' #1 #8 'vals'",
	  "CB_NOTIFY fh=61626364" },
	{ 7, "'abcd' #1 " STATEID " #0 " ACE, "CB_PUSH_DELEG fh=61626364" },
	{ 8, "#100 #1 #3", "CB_RECALL_ANY" },
	{ 9, "#100 #1 #3", "CB_RECALLABLE_OBJ_AVAIL" },
	{ 10, "#7", "CB_RECALL_SLOT" },
	/* CB_SEQUENCE: as SEQUENCE, and (sessionid, (sequenceid, slot)) */
	{ 11, SESSION "#1 #0 #7 #0 #0", "CB_SEQUENCE slot=0/7" },
	{ 11, SESSION "#1 #2 #7 #0 #2 " SESSION "#2 #5 #0 #6 #1 "
	  SESSION "#0", "CB_SEQUENCE slot=2/7" },
	{ 12, "#0 #1", "CB_WANTS_CANCELLED" },
	{ 13, "'abcd' " OWNER, "CB_NOTIFY_LOCK fh=61626364" },
	{ 14, "#1 #1 #2 'v'", "CB_NOTIFY_DEVICEID" },
	/* CB_OFFLOAD: fh, stateid; result, or bytes copied until an error */
	{ 15, "'abcd' " STATEID " #0 #0 @4096 #2 0102030405060708",
	  "CB_OFFLOAD n=4096 s=2 v=0102030405060708 fh=61626364" },
	{ 15, "'abcd' " STATEID " #28 @4096", "CB_OFFLOAD fh=61626364" },
	{ 10044, "", "CB_ILLEGAL" },
};

static const struct compoundkit_row cb_results[] = {
	{ 3, "#0 " FATTR, "CB_GETATTR/0" },
	{ 3, "#10001", "CB_GETATTR/10001" },
	{ 4, "#0", "CB_RECALL/0" },
	{ 5, "#10060", "CB_LAYOUTRECALL/10060" },
	{ 6, "#0", "CB_NOTIFY/0" },
	{ 7, "#0", "CB_PUSH_DELEG/0" },
	{ 8, "#0", "CB_RECALL_ANY/0" },
	{ 9, "#0", "CB_RECALLABLE_OBJ_AVAIL/0" },
	{ 10, "#0", "CB_RECALL_SLOT/0" },
	{ 11, "#0 " SESSION "#1 #2 #7 #7", "CB_SEQUENCE/0 slot=2/7" },
	{ 11, "#10052", "CB_SEQUENCE/10052" },
	{ 12, "#0", "CB_WANTS_CANCELLED/0" },
	{ 13, "#0", "CB_NOTIFY_LOCK/0" },
	{ 14, "#0", "CB_NOTIFY_DEVICEID/0" },
	{ 15, "#0", "CB_OFFLOAD/0" },
	{ 10044, "#10044", "CB_ILLEGAL/10044" },
};

static void
every_nfs41_operation_is_walked_to_its_end(void **state)
{
	(void)state;
	compoundkit_arguments(arguments41, COUNT(arguments41), 0);
	compoundkit_covers(arguments41, COUNT(arguments41), 40, 58);
	compoundkit_results(results41, COUNT(results41), 0);
	compoundkit_covers(results41, COUNT(results41), 40, 58);
}

static void
every_nfs42_operation_is_walked_to_its_end(void **state)
{
	(void)state;
	compoundkit_arguments(arguments42, COUNT(arguments42), 0);
	compoundkit_covers(arguments42, COUNT(arguments42), 59, 75);
	compoundkit_results(results42, COUNT(results42), 0);
	compoundkit_covers(results42, COUNT(results42), 59, 75);
}

static void
every_callback_is_walked_to_its_end(void **state)
{
	(void)state;
	compoundkit_arguments(cb_arguments, COUNT(cb_arguments), 1);
	compoundkit_covers(cb_arguments, COUNT(cb_arguments), 3, 15);
	compoundkit_results(cb_results, COUNT(cb_results), 1);
	compoundkit_covers(cb_results, COUNT(cb_results), 3, 15);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_nfs41_operation_is_walked_to_its_end),
		cmocka_unit_test(every_nfs42_operation_is_walked_to_its_end),
		cmocka_unit_test(every_callback_is_walked_to_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

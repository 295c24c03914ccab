/* SPDX-License-Identifier: ISC */
/*
 * nfs.h: the ONC-RPC programs, procedures and COMPOUND operations that are
 * known by name, as const tables, and flat operation numbers for them.
 *
 * Pure.  Every procedure and every COMPOUND operation of every known program
 * has an op id from 0 to NFS_OP_COUNT - 1, so that a counter per operation is
 * an array.  Program keys and operation names are those of DESIGN sec. 4:
 * names of RFC 1094 (NFSv2, MOUNT 1), 1813 (NFSv3, MOUNT 3, NLM 4), 7530,
 * 8881, 7862 and 8276 (NFSv4.x and its callbacks), 1833 (portmap, rpcbind);
 * procedures of programs whose names no RFC gives, and numbers inside a table
 * that no one has assigned, are PROC_<n>.  What lies past a table's end has
 * no op id: NFS_OP_NONE, and the number itself is what can be shown.
 */
#ifndef NFSRATED_NFS_H
#define NFSRATED_NFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NFS_PROG_PORTMAP	100000
#define NFS_PROG_NFS		100003
#define NFS_PROG_MOUNT		100005
#define NFS_PROG_NFSCB		0x40000000

#define NFS_OP_COUNT	400	/* capacity; _Static_assert'ed in nfs.c */
#define NFS_OP_NONE	0xffff	/* a program, or number, without a table */

/* What an operation does to data; all else is NFS_KIND_OTHER. */
enum nfs_kind {
	NFS_KIND_OTHER,
	NFS_KIND_READ,
	NFS_KIND_WRITE,
	NFS_KIND_COMMIT
};

struct nfs_program {
	const char	*key;		/* "nfs3", "mount1", ... */
	uint32_t	 prog, vers;
	uint16_t	 first_op;	/* op id of procedure 0 */
	uint16_t	 procs;		/* procedures with an op id */
	uint16_t	 first_compound_op; /* op id of COMPOUND operation 0 */
	uint16_t	 compound_ops;	/* op ids from there, the last of them
					 * ILLEGAL, which is number 10044; 0
					 * but for nfs4 and nfscb1 */
};

/* The known programs, ended by one with key NULL; in order of op ids. */
const struct nfs_program *nfs_programs(void);
/* By number; NULL when it is not in the table. */
const struct nfs_program *nfs_program_find(uint32_t prog, uint32_t vers);
/* NULL for NFS_OP_NONE and other numbers that are no op id. */
const struct nfs_program *nfs_program_of(uint16_t op);

/*
 * A call that may be believed: known program and version, or any program
 * number that is assigned or dynamic (RFC 5531 sec. 13.1: 0x00000001 to
 * 0x5fffffff) with vers <= 64 and proc <= 1024.
 */
bool	nfs_call_plausible(uint32_t prog, uint32_t vers, uint32_t proc);

/* Op id or NFS_OP_NONE. */
uint16_t nfs_proc_op(uint32_t prog, uint32_t vers, uint32_t proc);
/* The same for a COMPOUND operation; the program may be NULL. */
uint16_t nfs_compound_op(const struct nfs_program *, uint32_t opnum);

/* Never NULL: "WRITE"; "NONE" for what is no op id. */
const char *nfs_op_name(uint16_t op);
enum nfs_kind nfs_op_kind(uint16_t op);
/* Is this op id an RPC procedure (true) or an operation inside COMPOUND? */
bool	nfs_op_is_procedure(uint16_t op);

/*
 * Name of a status of an NFS program ("NFS3ERR_NOENT", "NFS4ERR_DELAY",
 * "NFSERR_STALE" for v2; "NFS3_OK"), of MOUNT 3 or of NLM 4; a number without
 * a name is printed into buf ("STATUS_12345").  RFC 1094 2.3.1, 1813 2.6,
 * 5.1.5 and 6.3.2, 8881 15.1, 7862 11.1, 8276 8.5.  The program may be NULL.
 */
const char *nfs_status_name(const struct nfs_program *, uint32_t status,
	    char *buf, size_t size);
/* NFS3ERR_JUKEBOX or NFS4ERR_DELAY. */
bool	nfs_status_is_delay(const struct nfs_program *, uint32_t status);
/* Whether the results of this operation carry a status, 0 of it success. */
bool	nfs_op_has_status(uint16_t op);

#endif

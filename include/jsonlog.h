/* SPDX-License-Identifier: ISC */
/*
 * jsonlog.h: a line of the rate log: the object of an interval as json.h has
 * it, and one more member, "log", with all that the object leaves out, so that
 * the sample can be made of it again (jsonread.h).
 *
 * "log" is an object; members that would be empty or zero are left out, and so
 * are zeros at the end of an array.  Arrays of counts, in their order:
 *
 *  watch    watched_ns, first packet, last packet (ns after the start; less
 *           than 0 for late ones)
 *  start    ns of the start that "time" does not show;  length: ns
 *  depth    ns: integral of outstanding calls
 *  duty     bins, bins with input, longest gap in ns
 *  split    ns in each state, in the order of "split"
 *  untrusted  ns
 *  write, read, commit   for latency, request, server, reply: [timed, sum in
 *           us, max in us]
 *  hidden   bytes of WRITE, READ where some calls hide theirs
 *  ops      [program, operation, calls, replies, errors, retransmits, hidden,
 *           max in us, sum in us, timed, bytes]
 *  cells    {series: [bucket, count, bucket, count, ...]}, buckets as
 *           histogram.h numbers them
 *  status   [program, status, count]
 *  sizes    {"write": [[size, 1 if up to it, calls, bytes, timed, sum in us,
 *           depth sum]], "read": ...}
 *  clients  [address, now, total]; users [uid, now, total];
 *  files    [first bytes of the handle, their number, name or null, key, now,
 *           total], where now and total are [calls, replies, errors,
 *           retransmits, write calls, write bytes, read calls, read bytes,
 *           timed, sum in us, bytes answered UNSTABLE, of these stable
 *           since, COMMITs, sum and most of how long they waited in us]
 *  expect   value, ratio and cause_share with all digits
 *  counted  the counts of an interval without data, as of any other
 *
 * Pure.
 */
#ifndef NFSRATED_JSONLOG_H
#define NFSRATED_JSONLOG_H

#include "judgement.h"
#include "sample.h"
#include "textbuf.h"

/* The judgement may be NULL. */
void	jsonlog_second(struct textbuf *, const struct sample *,
	    const struct judgement *);
/* Intervals that the log does not have: they were lost before this time. */
void	jsonlog_lost(struct textbuf *, int64_t time_ns, uint64_t intervals);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * oplist.h: the operations of a sample or of the totals in the order in which
 * they are shown: by program, version and number.
 */
#ifndef NFSRATED_OPLIST_H
#define NFSRATED_OPLIST_H

#include "sample.h"
#include "totals.h"

#define OPLIST_MAX	(NFS_OP_COUNT + TOTALS_OTHER_OPS)
#define OPLIST_NAME	32	/* longest key or name, with the NUL */

struct oplist {
	uint32_t	n;
	const struct totals_op *op[OPLIST_MAX];
	struct totals_op row[SAMPLE_OPS];	/* of a sample */
};

/* Rows of which anything is not 0; pointers into the totals, or itself. */
void	oplist_of_sample(struct oplist *, const struct sample *);
void	oplist_of_totals(struct oplist *, const struct totals *);

/* "nfs3", or "<program>.<version>" into buf. */
const char *oplist_key(const struct totals_op *, char buf[OPLIST_NAME]);
/* "WRITE", or "PROC_<n>" into buf. */
const char *oplist_name(const struct totals_op *, char buf[OPLIST_NAME]);
/* Do two rows belong to one program and version? */
bool	oplist_same_program(const struct totals_op *,
	    const struct totals_op *);
/* Bytes of the row are known: not all of its calls were encrypted. */
bool	oplist_has_bytes(const struct totals_op *);

#endif

/* SPDX-License-Identifier: ISC */
/* nfs.c: names, kinds and numbers of ONC-RPC programs and operations. */
#include "nfs.h"

#include <stdio.h>

#define OP_ILLEGAL		10044	/* RFC 8881 sec. 18.52 */
#define FIRST_COMPOUND_OP	3	/* 0, 1 and 2 are not assigned */

#define NFS3ERR_JUKEBOX		10008
#define NFS4ERR_DELAY		10008

enum status_family {
	FAMILY_NONE, FAMILY_V2, FAMILY_V3, FAMILY_V4, FAMILY_MOUNT3, FAMILY_NLM4
};

/* The place of each program in the table. */
enum program_place {
#define NFS_PROGRAM(key, prog, vers, family) AT_##key,
#include "nfs_ops.inc"
	PROGRAMS
};

/*
 * The op ids.  FIRST_x and END_x bound a program's ids, COMPOUND_x is where
 * its COMPOUND operations begin; the enumerators with a trailing underscore
 * take one step back, so that bounds use up no ids.
 */
enum op_id {
#define NFS_PROGRAM(key, prog, vers, family)	\
	FIRST_##key, FIRST_##key##_ = FIRST_##key - 1,
#define NFS_PROC(key, n, name, kind, status, args, results)	\
	PROC_##key##_##n,
#define NFS_COMPOUND(key)	\
	COMPOUND_##key, COMPOUND_##key##_ = COMPOUND_##key - 1,
#define NFS_OP(key, n, name, kind, status, args, results)	\
	OP_##key##_##n,
#define NFS_END(key)	\
	END_##key, END_##key##_ = END_##key - 1,
#include "nfs_ops.inc"
	OPS
};

_Static_assert(OPS <= NFS_OP_COUNT, "more operations than counters");

/* Every number stands in the place that it names. */
#define NFS_PROC(key, n, name, kind, status, args, results)	\
	_Static_assert(PROC_##key##_##n == FIRST_##key + (n), #key " " #name);
#define NFS_OP(key, n, name, kind, status, args, results)	\
	_Static_assert(OP_##key##_##n == COMPOUND_##key + (n),	\
	    #key " " #name);
#include "nfs_ops.inc"

/* One line per program; the bounds were made above. */
static const struct nfs_program programs[PROGRAMS + 1] = {
#define NFS_PROGRAM(key, prog, vers, family)	\
	{ #key, prog, vers, FIRST_##key, COMPOUND_##key - FIRST_##key, \
	    COMPOUND_##key, END_##key - COMPOUND_##key },
#include "nfs_ops.inc"
};

static const uint8_t families[PROGRAMS] = {
#define NFS_PROGRAM(key, prog, vers, family)	FAMILY_##family,
#include "nfs_ops.inc"
};

struct op_facts {
	const char	*name;
	uint8_t		 program;	/* enum program_place */
	uint8_t		 kind;		/* enum nfs_kind */
	bool		 procedure, has_status;
};

static const struct op_facts ops[OPS] = {
#define NFS_PROC(key, n, name, kind, status, args, results)	\
	{ #name, AT_##key, NFS_KIND_##kind, true, (status) == 1 },
#define NFS_OP(key, n, name, kind, status, args, results)	\
	{ #name, AT_##key, NFS_KIND_##kind, false, (status) == 1 },
#include "nfs_ops.inc"
};

struct status_name {
	uint8_t		 family;	/* enum status_family */
	uint32_t	 status;
	const char	*name;
};

static const struct status_name status_names[] = {
#define NFS_STATUS(family, number, name)	\
	{ FAMILY_##family, number, #name },
#include "nfs_status.inc"
};

const struct nfs_program *
nfs_programs(void)
{
	return programs;
}

const struct nfs_program *
nfs_program_find(uint32_t prog, uint32_t vers)
{
	const struct nfs_program *p;

	for (p = programs; p->key != NULL; p++)
		if (p->prog == prog && p->vers == vers)
			return p;
	return NULL;
}

const struct nfs_program *
nfs_program_of(uint16_t op)
{
	return op < OPS ? &programs[ops[op].program] : NULL;
}

bool
nfs_call_plausible(uint32_t prog, uint32_t vers, uint32_t proc)
{
	return prog >= 1 && prog <= 0x5fffffff && vers <= 64 && proc <= 1024;
}

uint16_t
nfs_proc_op(uint32_t prog, uint32_t vers, uint32_t proc)
{
	const struct nfs_program *p = nfs_program_find(prog, vers);

	if (p == NULL || proc >= p->procs)
		return NFS_OP_NONE;
	return (uint16_t)(p->first_op + proc);
}

uint16_t
nfs_compound_op(const struct nfs_program *p, uint32_t opnum)
{
	uint16_t illegal;

	if (p == NULL || p->compound_ops == 0)
		return NFS_OP_NONE;
	illegal = (uint16_t)(p->compound_ops - 1);
	if (opnum == OP_ILLEGAL)
		return (uint16_t)(p->first_compound_op + illegal);
	if (opnum < FIRST_COMPOUND_OP || opnum >= illegal)
		return NFS_OP_NONE;
	return (uint16_t)(p->first_compound_op + opnum);
}

const char *
nfs_op_name(uint16_t op)
{
	return op < OPS ? ops[op].name : "NONE";
}

enum nfs_kind
nfs_op_kind(uint16_t op)
{
	return op < OPS ? (enum nfs_kind)ops[op].kind : NFS_KIND_OTHER;
}

bool
nfs_op_is_procedure(uint16_t op)
{
	return op < OPS && ops[op].procedure;
}

bool
nfs_op_has_status(uint16_t op)
{
	return op < OPS && ops[op].has_status;
}

static uint8_t
family_of(const struct nfs_program *p)
{
	if (p == NULL || p->key == NULL)
		return FAMILY_NONE;
	return families[ops[p->first_op].program];
}

const char *
nfs_status_name(const struct nfs_program *p, uint32_t status, char *buf,
    size_t size)
{
	uint8_t family = family_of(p);
	size_t i, n = sizeof(status_names) / sizeof(status_names[0]);

	for (i = 0; i < n; i++)
		if (status_names[i].family == family &&
		    status_names[i].status == status)
			return status_names[i].name;
	(void)snprintf(buf, size, "STATUS_%u", (unsigned int)status);
	return buf;
}

bool
nfs_status_is_delay(const struct nfs_program *p, uint32_t status)
{
	switch (family_of(p)) {
	case FAMILY_V3:
		return status == NFS3ERR_JUKEBOX;
	case FAMILY_V4:
		return status == NFS4ERR_DELAY;
	default:
		return false;
	}
}

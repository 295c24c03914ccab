/* SPDX-License-Identifier: ISC */
/*
 * recordings.h: an output that writes what was recorded to a file when an
 * episode starts, named after it: nfsrated-20261130T202801Z-stall.pcap.
 */
#ifndef NFSRATED_RECORDINGS_H
#define NFSRATED_RECORDINGS_H

#include <stddef.h>

#include "sink.h"

#define RECORDINGS_NAME_MAX	64

struct recordings_config {
	/* Asks for what was recorded; takes it once it is there (malloc'ed). */
	void		(*want)(void *ctx);
	void		*(*take)(void *ctx, size_t *len);
	/* A new file by name, and it is whole; -1 and errno. */
	int		(*create)(void *ctx, const char *name);
	int		(*commit)(void *ctx, const char *name);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct sink *recordings_new(const struct recordings_config *);
/* The name of an episode's file (pure). */
void	recordings_name(const struct episode *,
	    char name[RECORDINGS_NAME_MAX]);

#endif

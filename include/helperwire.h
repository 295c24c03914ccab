/* SPDX-License-Identifier: ISC */
/*
 * helperwire.h: what the main process and its helper say to each other: whole
 * messages on a socket pair, some with a descriptor.
 */
#ifndef NFSRATED_HELPERWIRE_H
#define NFSRATED_HELPERWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "helper.h"

#define HELPERWIRE_TEXT_MAX	HELPER_FACTS_MAX

enum helperwire_what {
	/* to the helper */
	HELPERWIRE_OPEN, HELPERWIRE_CREATE, HELPERWIRE_COMMIT,
	HELPERWIRE_CHECK,	/* these are answered */
	HELPERWIRE_COMMAND, HELPERWIRE_MESSAGE,
	/* from it */
	HELPERWIRE_ANSWER, HELPERWIRE_NOTE
};

struct helperwire {
	struct helperwire_head {
		uint32_t	what;
		uint32_t	serial;	/* of a request and its answer */
		uint32_t	file;
		int32_t		number;	/* errno, or priority */
	} head;
	size_t		len;		/* of the text */
	char		text[HELPERWIRE_TEXT_MAX + 1];	/* and a NUL */
	int		fd;		/* -1 none */
};

/* Both give 1, or 0 at the end, or -1 and errno. */
int	helperwire_send(int sock, const struct helperwire *, bool wait);
/* A message that is no such one has an unknown "what".  fd is the caller's. */
int	helperwire_receive(int sock, struct helperwire *);

/* The process itself (helperserve.c); never returns. */
void	helperserve(const struct helper_config *, int sock)
	    __attribute__((noreturn));

#endif

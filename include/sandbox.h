/* SPDX-License-Identifier: ISC */
/*
 * sandbox.h: from here on only the system calls that the program needs; the
 * only user of libseccomp.
 *
 * What stays possible: reading and writing what is open, waiting, memory,
 * threads, time, asking about interfaces by a socket that is there, packet
 * filters, signals to itself.  What does not: opening files, new sockets
 * (a server may accept connections), connecting, executing, new processes,
 * changing users.  A process that tries is killed, or, to find out what a
 * system's libraries need, reported to the kernel's log and let go on.
 *
 * Threads that are started later are in it as well.
 */
#ifndef NFSRATED_SANDBOX_H
#define NFSRATED_SANDBOX_H

#include <stdbool.h>

#define SANDBOX_ERROR_MAX	256

enum sandbox_mode {
	SANDBOX_KILL,
	SANDBOX_LOG,		/* for debugging */
	SANDBOX_OFF
};

struct sandbox_config {
	enum sandbox_mode mode;
	bool		server;		/* accepts connections */
	bool		terminal;	/* of curses */
};

/*
 * Also sets no_new_privs.  0, or -1 and one line of text.  In builds with
 * sanitizers, which need more calls, and with SANDBOX_OFF, it does nothing;
 * where there is no seccomp it warns.
 */
int	sandbox_enter(const struct sandbox_config *,
	    char err[SANDBOX_ERROR_MAX]);
/* False when sandbox_enter does nothing in this build. */
bool	sandbox_is_built(void);

#endif

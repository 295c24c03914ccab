/* SPDX-License-Identifier: ISC */
/*
 * helper.h: a process outside of the sandbox that does what the main one
 * cannot: it opens the files that were named beforehand, sends messages to
 * syslog, and runs one command.
 *
 * It is forked before the sandbox is entered, gives up privileges as the main
 * process does, and reads requests from a socket.  What it opens, executes and
 * logs was decided before: a request names a file by its number, a file in a
 * directory by a plain name.  It ends when the main process does, and after
 * the commands that it still has to run.
 *
 * The main process never waits for it longer than HELPER_WAIT_MS.
 *
 * Life: start; use, from one thread, but for helper_message; stop.
 */
#ifndef NFSRATED_HELPER_H
#define NFSRATED_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "privdrop.h"

#define HELPER_FILES_MAX	8
#define HELPER_ERROR_MAX	256
#define HELPER_WAIT_MS		2000
#define HELPER_FACTS_MAX	4096	/* bytes of a command's environment */
#define HELPER_NAME_MAX		100	/* of a file in a directory */

enum helper_kind {
	HELPER_APPEND,		/* made if it is not there */
	HELPER_READ,
	HELPER_REPLACE,		/* written anew, and put in place */
	HELPER_DIRECTORY,	/* files in it, each as with REPLACE */
	HELPER_NEW		/* the same, without a commit, and only those
				 * that are not there */
};

struct helper_file {
	const char	*path;
	enum helper_kind kind;
	/* DIRECTORY: the oldest with this prefix and suffix go, so that there
	 * are no more than so many, and bytes */
	const char	*prefix, *suffix;
	uint32_t	 files_max;
	uint64_t	 bytes_max;
	bool		 shared;	/* REPLACE: every user may read it */
};

struct helper_config {
	struct helper_file file[HELPER_FILES_MAX];
	uint32_t	 files;
	char		*const *command;	/* with arguments; or NULL */
	int64_t		 timeout_ns;	/* of the command */
	/* Messages go to syslog under this name; NULL: back to the main
	 * process, helper_run. */
	const char	*syslog_name;
	struct privdrop	 who;		/* no chroot */
};

struct helper;

/* NULL and one line of text.  No threads may run. */
struct helper *helper_start(const struct helper_config *,
	    char err[HELPER_ERROR_MAX]);
/*
 * Ends it when it has run what it has to; waits for that up to wait_ms.  NULL
 * is fine.
 */
void	helper_stop(struct helper *, int wait_ms);

/* Readable when helper_run has something to do. */
int	helper_fd(const struct helper *);
/* Takes the messages of commands to log_notice; never waits. */
void	helper_run(struct helper *);
/* It is gone, whatever the reason. */
bool	helper_is_gone(const struct helper *);

/* APPEND, READ: a descriptor, or -1 and errno. */
int	helper_open(struct helper *, uint32_t file);
/*
 * REPLACE (name NULL) and DIRECTORY: a new file that is seen under its name
 * after the commit.  A descriptor, or -1 and errno.
 */
int	helper_create(struct helper *, uint32_t file, const char *name);
int	helper_commit(struct helper *, uint32_t file, const char *name);
/* Could a file be made where this one is?  0, or -1 and errno. */
int	helper_check(struct helper *, uint32_t file);

/*
 * Runs the command with these facts ("NFSRATED_X=value", each ended by a NUL)
 * in its environment, after those that run or wait already.  False when they
 * are too many, or no facts.
 */
bool	helper_command(struct helper *, const char *facts, size_t len);
/* A line for syslog, of a priority of syslog(3).  Thread-safe; never waits. */
void	helper_message(void *helper, int priority, const char *line);

#endif

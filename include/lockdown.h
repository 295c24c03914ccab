/* SPDX-License-Identifier: ISC */
/*
 * lockdown.h: from a program that may do much to one that may do nothing but
 * its work (DESIGN sec. 8): the helper process, another user, no capabilities,
 * the sandbox.
 *
 * Life: start, when all that needs privileges is open and no thread runs;
 * enter, when all else is open; use; stop.
 */
#ifndef NFSRATED_LOCKDOWN_H
#define NFSRATED_LOCKDOWN_H

#include <stdbool.h>

#include "helper.h"
#include "options.h"
#include "privdrop.h"

#define LOCKDOWN_ERROR_MAX	512
#define LOCKDOWN_NONE		UINT32_MAX

struct lockdown {
	const struct options *options;
	struct privdrop	 who;
	struct helper	*helper;	/* NULL: nothing is asked of it */
	char		**command;	/* the words of --alert */
	/* numbers of its files, or LOCKDOWN_NONE */
	uint32_t	 log, config, state, textfile, recorder, save;
};

/*
 * Finds the user (with --daemon as root and without --user: nfsrated, if there
 * is one) and starts the helper.  state is a file that is to be replaced, or
 * NULL; saves: files are to be made in the current directory.  0, or -1 and
 * one line of text.
 */
int	lockdown_start(struct lockdown *, const struct options *,
	    const char *state, bool saves, char err[LOCKDOWN_ERROR_MAX]);
/*
 * Refuses what would fail later: a log that this user cannot make anew, a
 * directory that he cannot write.
 */
int	lockdown_check(struct lockdown *, char err[LOCKDOWN_ERROR_MAX]);
/*
 * There is no way back.  terminal: curses will be used.
 */
int	lockdown_enter(struct lockdown *, bool terminal,
	    char err[LOCKDOWN_ERROR_MAX]);
/* Ends the helper; waits for commands it runs, up to wait_ms. */
void	lockdown_stop(struct lockdown *, int wait_ms);

/* For ratelog_new; ctx is the lockdown. */
int	lockdown_open_log(void *ctx, const char *path);
/* A recording; ctx is the lockdown. */
int	lockdown_create_recording(void *ctx, const char *name);
int	lockdown_commit_recording(void *ctx, const char *name);
/* A new file in the directory that it was started in; ctx is the lockdown. */
int	lockdown_create_save(void *ctx, const char *name);
/* The text file of metrics; ctx is the lockdown. */
int	lockdown_create_textfile(void *ctx);
int	lockdown_commit_textfile(void *ctx);
/* For what is kept; ctx is the lockdown. */
int	lockdown_create_state(void *ctx);
int	lockdown_commit_state(void *ctx);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * program.h: wires source, judgement and outputs together, waits for them,
 * and shuts down.
 */
#ifndef NFSRATED_PROGRAM_H
#define NFSRATED_PROGRAM_H

#include "daemonize.h"
#include "options.h"

#define PROGRAM_EXIT_USAGE	2

/*
 * Does what the options ask for, until that is done or a signal ends it; gives
 * the exit status.  signal_fd never blocks, and gives the number of each
 * signal that came as a byte.
 */
int	program_run(const struct options *, struct lifeline *, int signal_fd);

#endif

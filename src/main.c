/* SPDX-License-Identifier: ISC */
/*
 * main.c: the options, the signals, and then the program.
 */
#include <bsd/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "about.h"
#include "log.h"
#include "options.h"
#include "plugin.h"
#include "program.h"

#ifndef NFSRATED_VERSION
#define NFSRATED_VERSION "unknown"
#endif

/* Signals go through it to where the program waits. */
static int signal_pipe[2];

static void
on_signal(int number)
{
	const unsigned char byte = (unsigned char)number;
	int saved_errno = errno;

	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = 0;	/* full of signals that were not looked at */
	errno = saved_errno;
}

static int
catch_signals(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa;
	size_t i;

	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return -1;
	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = on_signal;
	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
	return 0;
}

static int
print(char *text)
{
	int res = EXIT_SUCCESS;

	if (text == NULL || fputs(text, stdout) == EOF ||
	    fflush(stdout) == EOF) {
		log_error("standard output: %s", strerror(errno));
		res = EXIT_FAILURE;
	}
	free(text);
	return res;
}

static int
refuse(const struct options *options, const char *why)
{
	struct textbuf text = { 0 };

	if (!options->check) {
		log_error("%s", why);
		return PROGRAM_EXIT_USAGE;
	}
	plugin_unknown(&text, why);
	print(text.data);
	return PLUGIN_UNKNOWN;
}

/* In the background, if that is asked for. */
static int
run(const struct options *options)
{
	struct lifeline lifeline = { .fd = -1 };
	int status = 0;

	if (options->daemon && !lifeline_fork(&lifeline, &status))
		return status;
	if (status != 0 || catch_signals() != 0) {
		log_error("start: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	return program_run(options, &lifeline, signal_pipe[0]);
}

int
main(int argc, char **argv)
{
	struct options options;
	char err[OPTIONS_ERROR_MAX];
	int status;

	setproctitle_init(argc, argv, environ);
	options_init(&options);
	if (options_parse(&options, argc, argv, err) != 0) {
		status = refuse(&options, err);
	} else if (options.help)
		status = print(options_help());
	else if (options.version)
		status = print(about_text(NFSRATED_VERSION, options.verbose));
	else if (options.configtest)
		status = EXIT_SUCCESS;
	else
		status = run(&options);
	options_clear(&options);
	return status;
}

/* SPDX-License-Identifier: ISC */
/*
 * optiontable.h: what can be set, and the one table of options that serves
 * the command line, the configuration file, the help and the manual's test.
 */
#ifndef NFSRATED_OPTIONTABLE_H
#define NFSRATED_OPTIONTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr.h"
#include "optvalue.h"
#include "sandbox.h"

#define OPTIONS_MAX		64	/* entries of the table */
#define OPTIONS_INTERFACES_MAX	16
#define OPTIONS_SERVERS_MAX	32
#define OPTIONS_PORTS_MAX	64
#define OPTIONS_EXPECT_MAX	8

/* Text is borrowed from argv, or owned (options_clear). */
struct options {
	int64_t		 interval_ns;
	uint64_t	 count;		/* intervals, 0 without end */

	/* source */
	const char	*interface[OPTIONS_INTERFACES_MAX];
	uint32_t	 interfaces;
	const char	*read;		/* a capture file */
	const char	*play;		/* a rate log */
	const char	*netstat;	/* rows of netstat -w 1 */
	bool		 demo;

	/* traffic */
	const char	*filter;
	struct addr	 server[OPTIONS_SERVERS_MAX];
	uint32_t	 servers;
	uint16_t	 port[OPTIONS_PORTS_MAX];	/* default 2049 */
	uint32_t	 ports;
	int64_t		 snaplen;
	int64_t		 buffer_mib;
	bool		 promisc;

	/* output */
	bool		 text, json, total, human, numeric, report;
	double		 speed;		/* of a recording on the screen; 0 as
					 * fast as it can be; < 0 not said */
	const char	*log;

	/* expectation */
	struct expect_spec expect[OPTIONS_EXPECT_MAX];
	uint32_t	 expects;
	double		 link_bps;	/* 0 unknown */
	double		 tolerance_percent;
	struct of_last	 of_last;
	bool		 always;
	const char	*alert;		/* a command line, see words.h */
	int64_t		 alert_timeout, alert_repeat;	/* seconds */
	int64_t		 alert_limit;	/* an hour */

	/* daemon */
	bool		 daemon;
	const char	*pidfile, *user, *chroot;
	const char	*config;
	bool		 configtest;
	const char	*metrics, *textfile, *recorder;
	int64_t		 recorder_files, recorder_mib;	/* that are kept */
	enum sandbox_mode sandbox;

	/* check plug-in */
	bool		 check;
	struct plugin_range warning, critical;

	bool		 help, version, verbose;

	/* for reading all of it again */
	int		 argc;
	char		**argv;
	char		*file_text;	/* owned */
};

enum option_group {
	OPTION_SOURCE, OPTION_TRAFFIC, OPTION_OUTPUT, OPTION_EXPECTATION,
	OPTION_DAEMON, OPTION_CHECK, OPTION_OTHER
};

enum option_only {		/* on the command line it replaces in a file */
	OPTION_ANY,		/* the same option */
	OPTION_ONE_SOURCE,	/* all sources */
	OPTION_ONE_FORM,	/* all forms of output */
	OPTION_COMMAND_LINE,	/* may not stand in a file */
	OPTION_ONLIES
};

struct option_entry {
	enum option_group group;
	int		 letter;	/* 0 none */
	const char	*name;		/* without dashes */
	const char	*argument;	/* NULL none */
	const char	*help;
	enum option_only only;
	bool		 later;		/* not in this build */
	bool		 quiet;		/* the manual alone tells of it */
	bool		 reload;	/* may change while it runs */
	int		 (*parse)(struct options *,
			    const struct option_entry *, const char *,
			    char err[OPTVALUE_ERROR_MAX]);
	size_t		 offset;	/* of its member */
	size_t		 count_offset;	/* of a list's length */
	double		 min, max;	/* of a number or a length */
};

/*
 * The entries in the order of help and manual; their parse functions take a
 * text that stays as long as the options.
 */
const struct option_entry *option_table(size_t *entries);
/* Whether both have the same value of an option. */
bool	option_same(const struct option_entry *, const struct options *,
	    const struct options *);

#endif

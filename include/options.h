/* SPDX-License-Identifier: ISC */
/*
 * options.h: the command line and the configuration file to a struct, or an
 * error text.  Never prints, never exits.
 *
 * What the command line says takes the place of what the file says of the
 * same option; a source or a form of output on the command line takes the
 * place of every other one in the file.
 */
#ifndef NFSRATED_OPTIONS_H
#define NFSRATED_OPTIONS_H

#include "optiontable.h"

#define OPTIONS_ERROR_MAX	512

void	options_init(struct options *);		/* the defaults */
void	options_clear(struct options *);

/*
 * Reads the command line and, if it names one, the configuration file.  Gives
 * 0, or -1 and one line of text.  With help or version set nothing else
 * counts.  argv may be reordered.
 */
int	options_parse(struct options *, int argc, char **argv,
	    char err[OPTIONS_ERROR_MAX]);

/*
 * The same command line again, with the configuration file as it is by now:
 * config is a descriptor of it, that is taken over, or -1.  Text of the options
 * is good as long as both are.
 */
int	options_parse_again(struct options *, const struct options *before,
	    int config, char err[OPTIONS_ERROR_MAX]);

/* What --help says, in at most 24 lines of 80 columns; the caller frees it. */
char	*options_help(void);

#endif

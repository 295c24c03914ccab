/* SPDX-License-Identifier: ISC */
/*
 * about.h: what this program is made of and where it runs, for a report of a
 * fault.
 */
#ifndef NFSRATED_ABOUT_H
#define NFSRATED_ABOUT_H

/*
 * The version; with verbose also, a line each, compiler, libraries, kernel,
 * terminal, and whether packets can be captured.  NULL when memory is short;
 * the caller frees it.
 */
char	*about_text(const char *version, int verbose);

#endif

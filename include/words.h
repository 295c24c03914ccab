/* SPDX-License-Identifier: ISC */
/*
 * words.h: a command line to words, as a shell does it, but nothing more:
 * blanks part words; '...' and "..." hold blanks; \ takes the next character
 * as it is, also inside "...".  Pure.
 */
#ifndef NFSRATED_WORDS_H
#define NFSRATED_WORDS_H

#include <stddef.h>

#define WORDS_MAX	64

/*
 * A list ended by NULL, to be freed as a whole by free(); NULL and a reason
 * when there is no word, a quote is not closed, or there are too many words.
 */
char	**words_split(const char *text, const char **why);

#endif

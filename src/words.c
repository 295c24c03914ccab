/* SPDX-License-Identifier: ISC */
/*
 * words.c: a command line to words.
 */
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	" \t\r\n"

/* Copies a word; gives what follows it, NULL when a quote is not closed. */
static const char *
take_word(const char *p, char **to)
{
	char quote = '\0';

	for (; *p != '\0' && (quote != '\0' || strchr(BLANKS, *p) == NULL);
	    p++) {
		if (*p == quote)
			quote = '\0';
		else if (quote == '\0' && (*p == '\'' || *p == '"'))
			quote = *p;
		else if (*p == '\\' && quote != '\'') {
			if (*++p == '\0')
				return NULL;
			*(*to)++ = *p;
		} else
			*(*to)++ = *p;
	}
	*(*to)++ = '\0';
	return quote == '\0' ? p : NULL;
}

char **
words_split(const char *text, const char **why)
{
	char **words, *to;
	size_t n = 0;

	/* The words never need more room than the text. */
	words = malloc((WORDS_MAX + 1) * sizeof(*words) + strlen(text) + 1);
	if (words == NULL) {
		*why = "memory is short";
		return NULL;
	}
	to = (char *)(words + WORDS_MAX + 1);
	*why = "is empty";
	for (text += strspn(text, BLANKS); *text != '\0';
	    text += strspn(text, BLANKS)) {
		*why = "has too many words";
		if (n == WORDS_MAX)
			break;
		words[n++] = to;
		*why = "has a quote that is not closed";
		if ((text = take_word(text, &to)) == NULL)
			break;
	}
	words[n] = NULL;
	if (text != NULL && *text == '\0' && n > 0)
		return words;
	free(words);
	return NULL;
}

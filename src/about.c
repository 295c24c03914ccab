/* SPDX-License-Identifier: ISC */
/*
 * about.c: what this program is made of and where it runs.
 */
#include "about.h"

#include <sys/socket.h>
#include <sys/utsname.h>

#include <archive.h>
#include <curses.h>
#include <errno.h>
#include <jansson.h>
#include <langinfo.h>
#include <locale.h>
#include <microhttpd.h>
#include <pcap/pcap.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
print_libraries(FILE *f)
{
	const struct scmp_version *seccomp = seccomp_version();

#ifdef __VERSION__
	fprintf(f, "compiler      %s\n", __VERSION__);
#endif
	fprintf(f, "%s\n", pcap_lib_version());
	fprintf(f, "%s\n", curses_version());
	fprintf(f, "%s\n", archive_version_details());
	fprintf(f, "jansson       %s\n", JANSSON_VERSION);
	fprintf(f, "libmicrohttpd %s\n", MHD_get_version());
	if (seccomp != NULL)
		fprintf(f, "libseccomp    %u.%u.%u\n", seccomp->major,
		    seccomp->minor, seccomp->micro);
}

static void
print_machine(FILE *f)
{
	const char *term = getenv("TERM");
	struct utsname u;

	if (uname(&u) == 0)
		fprintf(f, "kernel        %s %s %s\n", u.sysname, u.release,
		    u.machine);
	if (setlocale(LC_CTYPE, "") == NULL)
		fprintf(f, "locale        the one that is set does not "
		    "exist\n");
	else
		fprintf(f, "locale        %s (%s)\n", setlocale(LC_CTYPE,
		    NULL), nl_langinfo(CODESET));
	fprintf(f, "terminal      %s\n", term == NULL || term[0] == '\0' ?
	    "none" : term);
}

static void
print_capture(FILE *f)
{
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fprintf(f, "capture       no, as uid %lu: %s\n",
		    (unsigned long)geteuid(), strerror(errno));
	else
		fprintf(f, "capture       yes, as uid %lu\n",
		    (unsigned long)geteuid());
	if (fd >= 0)
		close(fd);
}

char *
about_text(const char *version, int verbose)
{
	char *text = NULL;
	size_t len;
	FILE *f;

	if ((f = open_memstream(&text, &len)) == NULL)
		return NULL;
	fprintf(f, "nfsrated %s\n", version);
	if (verbose) {
		print_libraries(f);
		print_machine(f);
		print_capture(f);
	}
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

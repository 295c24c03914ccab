/* SPDX-License-Identifier: ISC */
/*
 * test_corpus.c: every file of tests/corpus through its fuzz target.
 *
 * The seeds, and what fuzzing found wrong once.  This needs no libFuzzer, so
 * that it is a test like any other, with any compiler and sanitizer.  A target
 * runs in a process of its own: an abort, a sanitizer's exit or a loop without
 * end is a failed case here, and its files are then run again one by one to
 * name the bad ones.
 *
 * usage: test_corpus [TARGET FILE ...]
 *	with arguments, only these files, in this process: for a debugger
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzzkit.h"
#include "testkit.h"

#define FILE_MAX	(1U << 20)
#define PATH_SIZE	512
#define SECONDS_ALL	120	/* more is a loop without end */
#define SECONDS_ONE	20

static const struct target {
	const char	*name;
	void		 (*run)(const uint8_t *, size_t);
} targets[] = {
	{ "capture", target_capture },
	{ "config", target_config },
	{ "frame", target_frame },
	{ "judge", target_judge },
	{ "learned", target_learned },
	{ "netstat", target_netstat },
	{ "ratelog", target_ratelog },
	{ "rdma", target_rdma },
	{ "record", target_record },
	{ "tcp", target_tcp },
	{ "walk", target_walk },
};
#define TARGETS	(sizeof(targets) / sizeof(targets[0]))

static void
run_file(const struct target *t, const char *path)
{
	static uint8_t data[FILE_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;
	uint8_t *copy;

	if (fd < 0 || (len = read(fd, data, sizeof(data))) < 0)
		err(1, "%s", path);
	close(fd);
	copy = testkit_copy(data, (size_t)len);
	t->run(copy, (size_t)len);
	testkit_free(copy);
}

/* The files of a target, in order of their names. */
static int
list_files(const struct target *t, char directory[PATH_SIZE],
    struct dirent ***files)
{
	int n;

	snprintf(directory, PATH_SIZE, "tests/corpus/%s", t->name);
	n = scandir(directory, files, NULL, alphasort);
	if (n < 0)
		fail_msg("%s: there are no seeds", directory);
	return n;
}

/* In a process of its own: whether it ended well. */
static bool
survives(const struct target *t, const char *directory,
    struct dirent *const *files, int n)
{
	char path[PATH_SIZE * 2];
	int i, status;
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) < 0)
		fail_msg("fork");
	if (pid == 0) {
		alarm(n == 1 ? SECONDS_ONE : SECONDS_ALL);
		for (i = 0; i < n; i++) {
			snprintf(path, sizeof(path), "%s/%s", directory,
			    files[i]->d_name);
			if (files[i]->d_name[0] != '.')
				run_file(t, path);
		}
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		fail_msg("waitpid");
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
every_file_passes(void **state)
{
	const struct target *t = *state;
	char directory[PATH_SIZE];
	struct dirent **files;
	int i, n, bad = 0;

	n = list_files(t, directory, &files);
	assert_true(n > 2);		/* more than . and .. */
	if (!survives(t, directory, files, n))
		for (i = 0; i < n; i++)
			if (!survives(t, directory, &files[i], 1)) {
				print_error("%s/%s\n", directory,
				    files[i]->d_name);
				bad++;
			}
	for (i = 0; i < n; i++)
		free(files[i]);
	free(files);
	assert_int_equal(bad, 0);
}

static int
run_named(char *argv[])
{
	size_t i;

	for (i = 0; i < TARGETS; i++)
		if (strcmp(argv[1], targets[i].name) == 0)
			break;
	if (i == TARGETS)
		errx(2, "there is no target %s", argv[1]);
	for (argv += 2; *argv != NULL; argv++)
		run_file(&targets[i], *argv);
	return 0;
}

int
main(int argc, char *argv[])
{
	struct CMUnitTest tests[TARGETS];
	size_t i;

	if (argc > 1)
		return run_named(argv);
	for (i = 0; i < TARGETS; i++) {
		union {
			const struct target *from;
			void	*to;
		} state = { &targets[i] };

		tests[i] = (struct CMUnitTest){ targets[i].name,
		    every_file_passes, NULL, NULL, state.to };
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

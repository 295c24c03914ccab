/* SPDX-License-Identifier: ISC */
/*
 * test_metricshttp.c: pages over HTTP, and who asks for them in what way.
 */
#include "metricshttp.h"

#include <sys/types.h>
#include <sys/socket.h>

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BIG		(16 * 1024 * 1024)	/* more than kernels hold */

static struct metricshttp *http;
static char answer[BIG + 4096];
static size_t answer_len;

static int
setup(void **state)
{
	struct endpoint e = { .port = 0 };
	char err[METRICSHTTP_ERROR_MAX];

	(void)state;
	addr_parse("127.0.0.1", &e.addr);
	http = metricshttp_open(&e, err);
	return http == NULL || metricshttp_start(http) != 0;
}

static int
teardown(void **state)
{
	(void)state;
	metricshttp_close(http);
	return 0;
}

static void
put(const char *metrics, int64_t good_until_ns)
{
	struct textbuf t[METRICSHTTP_PAGES] = { { 0 } };

	textbuf_str(&t[METRICSHTTP_CLASSIC], metrics);
	textbuf_printf(&t[METRICSHTTP_OPENMETRICS], "open %s", metrics);
	textbuf_printf(&t[METRICSHTTP_STATUS], "<p>%s", metrics);
	assert_int_equal(metricshttp_put(http, t, good_until_ns), 0);
	assert_null(t[0].data);
}

static int
connect_to(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
	    .sin_port = htons(metricshttp_port(http)),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const void *sa = &in;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	const struct timeval limit = { .tv_sec = 20 };

	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	assert_int_equal(connect(fd, sa, sizeof(in)), 0);
	return fd;
}

/* All that comes, into "answer". */
static void
drain(int fd)
{
	ssize_t n;

	answer_len = 0;
	while ((n = recv(fd, answer + answer_len,
	    sizeof(answer) - 1 - answer_len, 0)) > 0)
		answer_len += (size_t)n;
	answer[answer_len] = '\0';
	close(fd);
}

static void
say(int fd, const char *data, size_t len)
{
	assert_int_equal(send(fd, data, len, MSG_NOSIGNAL), (ssize_t)len);
}

static void
ask(const char *request)
{
	int fd = connect_to();

	say(fd, request, strlen(request));
	drain(fd);
}

#define ANSWERED(status)	\
	assert_true(strncmp(answer, "HTTP/1.1 " status " ", 13) == 0)
#define GET(path)	"GET " path " HTTP/1.1\r\nHost: x\r\n"

static const char *
body(void)
{
	const char *p = strstr(answer, "\r\n\r\n");

	assert_non_null(p);
	return p + 4;
}

static void
each_page_has_its_type(void **state)
{
	(void)state;
	put("x 1\n", INT64_MAX);
	ask(GET("/metrics") "\r\n");
	ANSWERED("200");
	assert_string_equal(body(), "x 1\n");
	assert_non_null(strstr(answer,
	    "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
	ask(GET("/metrics")
	    "Accept: application/openmetrics-text; version=1.0.0\r\n\r\n");
	assert_string_equal(body(), "open x 1\n");
	assert_non_null(strstr(answer, "Content-Type: application/"
	    "openmetrics-text; version=1.0.0; charset=utf-8\r\n"));
	ask(GET("/") "\r\n");
	assert_string_equal(body(), "<p>x 1\n");
	assert_non_null(strstr(answer, "Content-Type: text/html;"));
	assert_non_null(strstr(answer, "default-src 'none'"));
}

static void
the_latest_page_is_served(void **state)
{
	(void)state;
	put("x 1\n", INT64_MAX);
	put("x 2\n", INT64_MAX);
	ask(GET("/metrics") "\r\n");
	assert_string_equal(body(), "x 2\n");
}

static void
before_there_is_anything_it_says_so(void **state)
{
	(void)state;
	ask(GET("/metrics") "\r\n");
	ANSWERED("503");
	ask(GET("/healthz") "\r\n");
	ANSWERED("503");
}

static void
health_has_its_time(void **state)
{
	(void)state;
	put("x 1\n", INT64_MAX);
	ask(GET("/healthz") "\r\n");
	ANSWERED("200");
	put("x 1\n", 1);
	ask(GET("/healthz") "\r\n");
	ANSWERED("503");
	ask(GET("/metrics") "\r\n");
	ANSWERED("200");
}

static void
a_head_has_no_body(void **state)
{
	(void)state;
	put("x 1\n", INT64_MAX);
	ask("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
	ANSWERED("200");
	assert_non_null(strstr(answer, "Content-Length: 4\r\n"));
	assert_string_equal(body(), "");
}

static void
other_methods_and_paths_are_refused(void **state)
{
	static const char *const methods[] = { "POST", "PUT", "DELETE",
	    "OPTIONS", "TRACE", "CONNECT", "BREW" };
	uint64_t served, refused;
	char request[256];
	size_t i;

	(void)state;
	put("x 1\n", INT64_MAX);
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		snprintf(request, sizeof(request), "%s /metrics HTTP/1.1\r\n"
		    "Host: x\r\nContent-Length: 5\r\n\r\nhello", methods[i]);
		ask(request);
		ANSWERED("405");
		assert_non_null(strstr(answer, "Allow: GET, HEAD\r\n"));
	}
	ask(GET("/metrics/") "\r\n");
	ANSWERED("404");
	ask(GET("/../../etc/passwd") "\r\n");
	ANSWERED("404");
	metricshttp_counts(http, &served, &refused);
	assert_int_equal(served, 0);
	assert_int_equal(refused, i + 2);
}

/* Whatever it is, it is answered or hung up on, and the next is served. */
static void
malformed_requests_harm_nobody(void **state)
{
	static const char *const requests[] = {
		"\r\n\r\n", "GET\r\n\r\n", "GET /metrics\r\n\r\n",
		"GET /metrics HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n",
		"GET /metrics HTTP/1.1\r\n\r\n",
		"GET http://x/metrics HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /%00%ff%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: "
		    "99999999999999999999\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n"
		    "\r\n",
		"GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
		    "chunked\r\n\r\nffffffffffffffffff\r\n",
		"GET /metrics HTTP/1.1\r\n: :::\r\n\tx\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
	};
	char long_one[64 * 1024];
	size_t i;
	int fd;

	(void)state;
	put("x 1\n", INT64_MAX);
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		fd = connect_to();
		say(fd, requests[i], i == 4 ? 8 : strlen(requests[i]));
		shutdown(fd, SHUT_WR);
		drain(fd);
	}
	memset(long_one, 'a', sizeof(long_one));
	memcpy(long_one, "GET /", 5);
	fd = connect_to();
	send(fd, long_one, sizeof(long_one), MSG_NOSIGNAL);
	drain(fd);
	if (answer_len > 0)
		assert_true(strncmp(answer, "HTTP/1.1 4", 10) == 0);
	ask(GET("/metrics") "\r\n");
	assert_string_equal(body(), "x 1\n");
}

/* Who reads slowly gets the page it began with, whole. */
static void
a_slow_reader_has_its_page_while_others_get_new_ones(void **state)
{
	char *big = malloc(BIG + 1);
	int fd;

	(void)state;
	memset(big, '1', BIG);
	big[BIG] = '\0';
	put(big, INT64_MAX);
	fd = connect_to();
	say(fd, GET("/metrics") "\r\n", strlen(GET("/metrics") "\r\n"));
	assert_int_equal(recv(fd, answer, 1, MSG_PEEK), 1);
	put("x 2\n", INT64_MAX);
	ask(GET("/metrics") "\r\n");
	assert_string_equal(body(), "x 2\n");
	drain(fd);
	assert_string_equal(body(), big);
	free(big);
}

/*
 * More than one address may have: who is too many is hung up on or waits, and
 * is served when the others are gone.
 */
static void
many_connections_that_say_nothing_are_bounded(void **state)
{
	int fd[3 * METRICSHTTP_CONNECTIONS], i;

	(void)state;
	put("x 1\n", INT64_MAX);
	for (i = 0; i < 3 * METRICSHTTP_CONNECTIONS; i++)
		fd[i] = connect_to();
	for (i = 0; i < 3 * METRICSHTTP_CONNECTIONS; i++)
		close(fd[i]);
	for (i = 0; i < 100; i++) {
		ask(GET("/metrics") "\r\n");
		if (answer_len > 0)
			break;
		usleep(50 * 1000);
	}
	assert_string_equal(body(), "x 1\n");
}

static void
who_takes_too_long_is_hung_up_on(void **state)
{
	const char *const get = GET("/metrics") "\r\n";
	int drip = connect_to(), reader;
	char *big = malloc(BIG + 1);

	(void)state;
	assert_non_null(big);
	memset(big, '1', BIG);
	big[BIG] = '\0';
	put(big, INT64_MAX);
	say(drip, get, 10);
	reader = connect_to();
	say(reader, get, strlen(get));
	assert_int_equal(recv(reader, answer, 1, 0), 1);
	metricshttp_hang_up(http, 0);		/* nobody came before */
	assert_int_equal(recv(reader, answer, 1, 0), 1);
	metricshttp_hang_up(http, INT64_MAX);
	drain(drip);
	assert_int_equal(answer_len, 0);
	drain(reader);
	assert_true(answer_len < BIG);
	put("x 1\n", INT64_MAX);
	ask(get);
	assert_string_equal(body(), "x 1\n");
	free(big);
}

static void
a_port_that_is_taken_is_an_error(void **state)
{
	struct endpoint e = { .port = metricshttp_port(http) };
	char err[METRICSHTTP_ERROR_MAX], want[METRICSHTTP_ERROR_MAX];

	(void)state;
	addr_parse("127.0.0.1", &e.addr);
	assert_null(metricshttp_open(&e, err));
	snprintf(want, sizeof(want), "127.0.0.1:%u: Address already in use",
	    e.port);
	assert_string_equal(err, want);
}

static void
it_may_be_closed_before_it_was_started(void **state)
{
	struct endpoint e = { .port = 0 };	/* every address */
	char err[METRICSHTTP_ERROR_MAX];
	struct metricshttp *h;

	(void)state;
	h = metricshttp_open(&e, err);
	assert_non_null(h);
	assert_true(metricshttp_port(h) > 0);
	metricshttp_close(h);
	metricshttp_close(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(each_page_has_its_type),
		CASE(the_latest_page_is_served),
		CASE(before_there_is_anything_it_says_so),
		CASE(health_has_its_time),
		CASE(a_head_has_no_body),
		CASE(other_methods_and_paths_are_refused),
		CASE(malformed_requests_harm_nobody),
		CASE(a_slow_reader_has_its_page_while_others_get_new_ones),
		CASE(many_connections_that_say_nothing_are_bounded),
		CASE(who_takes_too_long_is_hung_up_on),
		CASE(a_port_that_is_taken_is_an_error),
		CASE(it_may_be_closed_before_it_was_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

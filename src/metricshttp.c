/* SPDX-License-Identifier: ISC */
/*
 * metricshttp.c: pages of text over HTTP, from a thread of its own.
 *
 * A page is one response, which all connections share that send it: a client
 * that is slow holds on to the page it began with, not to a copy.
 */
#include "metricshttp.h"

#include <sys/types.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "metricsout.h"

#define BACKLOG		64
#define CONNECTION_BYTES (16 * 1024)	/* memory for headers */

/* What never changes. */
enum fixed { OK, STALE, NOTHING_YET, NOT_FOUND, NOT_ALLOWED, FIXED };

struct visitor {
	int		 fd;		/* the library's; -1 none */
	int64_t		 since_ns;
};

struct metricshttp {
	int		 fd;
	uint16_t	 port;
	struct MHD_Daemon *daemon;
	struct MHD_Response *fixed[FIXED];
	pthread_mutex_t	 mutex;		/* of these three */
	struct MHD_Response *page[METRICSHTTP_PAGES];
	int64_t		 good_until_ns;
	struct visitor	 visitor[METRICSHTTP_CONNECTIONS];
	atomic_uint_fast64_t served, refused;
};

/* The socket. */

static int
listen_on(const struct sockaddr *sa, socklen_t len)
{
	const int yes = 1, no = 0;
	int error, fd = socket(sa->sa_family, SOCK_STREAM | SOCK_CLOEXEC |
	    SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (sa->sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	if (bind(fd, sa, len) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static int
listen_v4(const uint8_t *address, uint16_t port)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
	    .sin_port = htons(port) };
	const void *sa = &in;

	memcpy(&in.sin_addr, address, sizeof(in.sin_addr));
	return listen_on(sa, sizeof(in));
}

static int
listen_v6(const uint8_t *address, uint16_t port)
{
	struct sockaddr_in6 in = { .sin6_family = AF_INET6,
	    .sin6_port = htons(port) };
	const void *sa = &in;

	memcpy(&in.sin6_addr, address, sizeof(in.sin6_addr));
	return listen_on(sa, sizeof(in));
}

/* Every address: of both kinds, or where there is no IPv6 of the other. */
static int
open_socket(const struct endpoint *e)
{
	static const struct addr any;
	int fd;

	if (addr_is_ipv4(&e->addr))
		return listen_v4(e->addr.b + 12, e->port);
	fd = listen_v6(e->addr.b, e->port);
	if (fd < 0 && errno == EAFNOSUPPORT && addr_equal(&e->addr, &any))
		fd = listen_v4(e->addr.b + 12, e->port);
	return fd;
}

static uint16_t
port_of(int fd)
{
	struct sockaddr_storage ss = { 0 };
	socklen_t len = sizeof(ss);
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	void *sa = &ss;

	if (getsockname(fd, sa, &len) != 0)
		return 0;
	memcpy(&in, &ss, sizeof(in));
	memcpy(&in6, &ss, sizeof(in6));
	return ntohs(ss.ss_family == AF_INET ? in.sin_port : in6.sin6_port);
}

/* Responses. */

static void
head(struct MHD_Response *r, const char *type)
{
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "Content-Security-Policy",
	    "default-src 'none'; style-src 'unsafe-inline'");
}

/* The texts are constant, but not for the library's interface. */
static struct MHD_Response *
fixed_response(const char *text)
{
	union {
		const char *c;
		void	*v;
	} data = { .c = text };
	struct MHD_Response *r = MHD_create_response_from_buffer(strlen(text),
	    data.v, MHD_RESPMEM_PERSISTENT);

	if (r != NULL)
		head(r, "text/plain; charset=utf-8");
	return r;
}

static int
make_fixed(struct metricshttp *h)
{
	static const char *const texts[FIXED] = {
		[OK] = "ok\n", [STALE] = "no interval for some time\n",
		[NOTHING_YET] = "no interval yet\n",
		[NOT_FOUND] = "there are /, /metrics and /healthz\n",
		[NOT_ALLOWED] = "GET and HEAD only\n"
	};
	int i;

	for (i = 0; i < FIXED; i++)
		if ((h->fixed[i] = fixed_response(texts[i])) == NULL)
			return -1;
	MHD_add_response_header(h->fixed[NOT_ALLOWED], MHD_HTTP_HEADER_ALLOW,
	    "GET, HEAD");
	return 0;
}

static struct MHD_Response *
page_response(struct textbuf *t, enum metricshttp_page page)
{
	const char *type = "text/html; charset=utf-8";
	struct MHD_Response *r;

	r = MHD_create_response_from_buffer(t->len, t->data,
	    MHD_RESPMEM_MUST_FREE);
	if (r == NULL)
		return NULL;
	memset(t, 0, sizeof(*t));
	if (page != METRICSHTTP_STATUS)
		type = metricsout_content_type(
		    page == METRICSHTTP_OPENMETRICS ?
		    METRICSOUT_OPENMETRICS : METRICSOUT_CLASSIC);
	head(r, type);
	if (page != METRICSHTTP_STATUS)
		MHD_add_response_header(r, MHD_HTTP_HEADER_VARY, "Accept");
	return r;
}

/* Requests: in the library's thread. */

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static enum MHD_Result
send_fixed(struct metricshttp *h, struct MHD_Connection *c,
    unsigned int status, enum fixed which)
{
	if (status < 400)
		atomic_fetch_add(&h->served, 1);
	else
		atomic_fetch_add(&h->refused, 1);
	return MHD_queue_response(c, status, h->fixed[which]);
}

static enum MHD_Result
send_page(struct metricshttp *h, struct MHD_Connection *c,
    enum metricshttp_page page)
{
	enum MHD_Result res = MHD_NO;
	bool there;

	pthread_mutex_lock(&h->mutex);
	if ((there = h->page[page] != NULL))
		res = MHD_queue_response(c, MHD_HTTP_OK, h->page[page]);
	pthread_mutex_unlock(&h->mutex);
	if (!there)
		return send_fixed(h, c, MHD_HTTP_SERVICE_UNAVAILABLE,
		    NOTHING_YET);
	atomic_fetch_add(&h->served, 1);
	return res;
}

static enum MHD_Result
send_health(struct metricshttp *h, struct MHD_Connection *c)
{
	int64_t good;

	pthread_mutex_lock(&h->mutex);
	good = h->good_until_ns;
	pthread_mutex_unlock(&h->mutex);
	if (now_ns() <= good)
		return send_fixed(h, c, MHD_HTTP_OK, OK);
	return send_fixed(h, c, MHD_HTTP_SERVICE_UNAVAILABLE, STALE);
}

static enum metricshttp_page
wanted(struct MHD_Connection *c)
{
	const char *accept = MHD_lookup_connection_value(c, MHD_HEADER_KIND,
	    MHD_HTTP_HEADER_ACCEPT);

	return metricsout_choose(accept) == METRICSOUT_OPENMETRICS ?
	    METRICSHTTP_OPENMETRICS : METRICSHTTP_CLASSIC;
}

/* A response at the first call: a body is not read. */
static enum MHD_Result
on_request(void *ctx, struct MHD_Connection *c, const char *path,
    const char *method, const char *version, const char *body,
    size_t *body_len, void **state)
{
	struct metricshttp *h = ctx;

	(void)version;
	(void)body;
	(void)body_len;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return send_fixed(h, c, MHD_HTTP_METHOD_NOT_ALLOWED,
		    NOT_ALLOWED);
	if (strcmp(path, "/metrics") == 0)
		return send_page(h, c, wanted(c));
	if (strcmp(path, "/") == 0)
		return send_page(h, c, METRICSHTTP_STATUS);
	if (strcmp(path, "/healthz") == 0)
		return send_health(h, c);
	return send_fixed(h, c, MHD_HTTP_NOT_FOUND, NOT_FOUND);
}

/*
 * Who is here: also in the library's thread, which tells the end before it
 * closes the socket.  So a descriptor that stands here is the visitor's.
 */

static struct visitor *
arrive(struct metricshttp *h, int fd)
{
	struct visitor *v;

	for (v = h->visitor; v < h->visitor + METRICSHTTP_CONNECTIONS; v++)
		if (v->fd < 0) {
			v->fd = fd;
			v->since_ns = now_ns();
			return v;
		}
	return NULL;
}

static void
on_connection(void *ctx, struct MHD_Connection *c, void **visitor,
    enum MHD_ConnectionNotificationCode code)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(c,
	    MHD_CONNECTION_INFO_CONNECTION_FD);
	struct metricshttp *h = ctx;
	struct visitor *v = *visitor;

	pthread_mutex_lock(&h->mutex);
	if (code == MHD_CONNECTION_NOTIFY_STARTED && info != NULL)
		*visitor = arrive(h, info->connect_fd);
	else if (v != NULL)
		v->fd = -1;
	pthread_mutex_unlock(&h->mutex);
}

void
metricshttp_hang_up(struct metricshttp *h, int64_t before_ns)
{
	const struct visitor *v;

	pthread_mutex_lock(&h->mutex);
	for (v = h->visitor; v < h->visitor + METRICSHTTP_CONNECTIONS; v++)
		if (v->fd >= 0 && v->since_ns < before_ns)
			shutdown(v->fd, SHUT_RDWR);
	pthread_mutex_unlock(&h->mutex);
}

/* Life. */

struct metricshttp *
metricshttp_open(const struct endpoint *e, char err[METRICSHTTP_ERROR_MAX])
{
	struct metricshttp *h = calloc(1, sizeof(*h));
	char name[ENDPOINT_STRLEN];
	int i;

	for (i = 0; h != NULL && i < METRICSHTTP_CONNECTIONS; i++)
		h->visitor[i].fd = -1;
	if (h != NULL && (h->fd = open_socket(e)) >= 0) {
		pthread_mutex_init(&h->mutex, NULL);
		h->port = port_of(h->fd);
		return h;
	}
	snprintf(err, METRICSHTTP_ERROR_MAX, "%s: %s",
	    endpoint_print(e, name, sizeof(name)), strerror(errno));
	free(h);
	return NULL;
}

uint16_t
metricshttp_port(const struct metricshttp *h)
{
	return h->port;
}

/* Signals are for the other threads. */
int
metricshttp_start(struct metricshttp *h)
{
	sigset_t all, before;

	if (make_fixed(h) != 0) {
		errno = ENOMEM;
		return -1;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	h->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD |
	    MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL, on_request, h,
	    MHD_OPTION_LISTEN_SOCKET, h->fd,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned int)METRICSHTTP_CONNECTIONS,
	    MHD_OPTION_PER_IP_CONNECTION_LIMIT,
	    (unsigned int)METRICSHTTP_PER_ADDRESS,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)METRICSHTTP_TIMEOUT,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
	    MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (h->daemon == NULL) {
		errno = errno != 0 ? errno : EIO;
		return -1;
	}
	h->fd = -1;			/* the library's */
	return 0;
}

static void
destroy(struct MHD_Response *const *r, int n)
{
	for (; n > 0; n--, r++)
		if (*r != NULL)
			MHD_destroy_response(*r);
}

void
metricshttp_close(struct metricshttp *h)
{
	if (h == NULL)
		return;
	if (h->daemon != NULL)
		MHD_stop_daemon(h->daemon);
	if (h->fd >= 0)
		close(h->fd);
	destroy(h->page, METRICSHTTP_PAGES);
	destroy(h->fixed, FIXED);
	pthread_mutex_destroy(&h->mutex);
	free(h);
}

int
metricshttp_put(struct metricshttp *h,
    struct textbuf pages[METRICSHTTP_PAGES], int64_t good_until_ns)
{
	struct MHD_Response *now[METRICSHTTP_PAGES] = { NULL }, *before;
	int i;

	for (i = 0; i < METRICSHTTP_PAGES; i++)
		if (pages[i].failed || (now[i] = page_response(&pages[i],
		    (enum metricshttp_page)i)) == NULL)
			break;
	if (i < METRICSHTTP_PAGES) {
		destroy(now, METRICSHTTP_PAGES);
		for (i = 0; i < METRICSHTTP_PAGES; i++)
			textbuf_free(&pages[i]);
		errno = ENOMEM;
		return -1;
	}
	pthread_mutex_lock(&h->mutex);
	for (i = 0; i < METRICSHTTP_PAGES; i++) {
		before = h->page[i];
		h->page[i] = now[i];
		now[i] = before;
	}
	h->good_until_ns = good_until_ns;
	pthread_mutex_unlock(&h->mutex);
	destroy(now, METRICSHTTP_PAGES);
	return 0;
}

void
metricshttp_counts(const struct metricshttp *h, uint64_t *served,
    uint64_t *refused)
{
	*served = atomic_load(&h->served);
	*refused = atomic_load(&h->refused);
}

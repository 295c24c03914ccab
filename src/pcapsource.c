/* SPDX-License-Identifier: ISC */
/*
 * pcapsource.c: one capture file or one live interface to packets.
 */
#include "pcapsource.h"

#include <sys/types.h>

#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ifchoice.h"
#include "link.h"
#include "log.h"
#include "packetsocket.h"
#include "pcapfilter.h"

#define BATCH		4096

/* Beyond it, nanoseconds do not fit into 64 bits with a fraction. */
#define SEC_MAX		INT64_C(9223372035)

struct pcapsource {
	const struct pcapsource_config *config;
	const char	*name;
	pcap_t		*pcap;
	struct unpack	*unpack;	/* of a file */
	FILE		*stream;
	int		 fd;		/* of an interface */
	int		 linktype;
	bool		 later;		/* opened before its interface */
	uint16_t	 ifindex;
	uint32_t	 whole;		/* live: captured, what is so long is
					 * not trimmed by the filter */
	uint32_t	 drops;		/* since the start */
	struct ifdrops	 ifdrops;
	int		 hardware;	/* of the interface; -1 any */
	int64_t		 fraction_ns;	/* unit of the headers' fraction */
	uint64_t	 packets;
	char		 error[PCAPSOURCE_ERROR_MAX];
};

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, PCAPSOURCE_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

void
pcapsource_config_init(struct pcapsource_config *config)
{
	memset(config, 0, sizeof(*config));
	config->snaplen = PCAPSOURCE_SNAPLEN;
	config->buffer_mib = PCAPSOURCE_BUFFER_MIB;
	config->gather_ms = PCAPSOURCE_GATHER_MS;
	config->batch = BATCH;
}

static int64_t
within_bounds(int64_t sec)
{
	if (sec > SEC_MAX)
		return SEC_MAX;
	return sec < -SEC_MAX ? -SEC_MAX : sec;
}

int64_t
pcapsource_time(int64_t sec, int64_t nsec)
{
	/* libpcap reads a pcap file's unsigned 32 bits as signed ones. */
	if (sec < 0 && sec >= INT32_MIN)
		sec += INT64_C(1) << 32;
	sec = within_bounds(within_bounds(sec) + nsec / NSEC_PER_SEC);
	return sec * NSEC_PER_SEC + nsec % NSEC_PER_SEC;
}

static void
deliver(u_char *ctx, const struct pcap_pkthdr *h, const u_char *data)
{
	void *user = ctx;
	struct pcapsource *s = user;
	struct packet p;

	p.time_ns = pcapsource_time(h->ts.tv_sec,
	    h->ts.tv_usec * s->fraction_ns);
	p.data = bytes_of(data, h->caplen);
	p.wire_len = h->len > h->caplen ? h->len : h->caplen;
	p.trimmed = h->caplen < h->len && h->caplen < s->whole;
	p.linktype = s->linktype;
	p.ifindex = s->ifindex;
	s->packets++;
	s->config->packet(s->config->ctx, &p);
}

static void
note_linktype(struct pcapsource *s)
{
	const char *name;

	s->linktype = pcap_datalink(s->pcap);
	if (link_supported(s->linktype))
		return;
	name = pcap_datalink_val_to_name(s->linktype);
	log_warning("%s: link type %d (%s) is not known here: its packets "
	    "are counted, not read", s->name, s->linktype,
	    name != NULL ? name : "no name");
}

/* Compiles and sets; -1 when it does not compile. */
static int
set_filter(struct pcapsource *s, const char *text)
{
	struct bpf_program program;
	int res;

	if (pcap_compile(s->pcap, &program, text, 1,
	    PCAP_NETMASK_UNKNOWN) != 0)
		return -1;
	res = pcap_setfilter(s->pcap, &program);
	pcap_freecode(&program);
	return res == 0 ? 0 : -1;
}

/* The further expression alone, so that its error is told as its own. */
static int
set_own_filter(struct pcapsource *s, enum pcapsource_fault *fault, char *err)
{
	const char *filter = s->config->filter;

	if (filter == NULL || set_filter(s, filter) == 0)
		return 0;
	*fault = PCAPSOURCE_USAGE;
	return fail(err, "filter \"%s\": %s; see pcap-filter(7)", filter,
	    pcap_geterr(s->pcap));
}

/* The filter that looks behind as many tags as this kind of link can have. */
static int
set_full_filter(struct pcapsource *s, bool again, char *err)
{
	const struct pcapsource_config *config = s->config;
	const struct pcapfilter_live live = {
		config->filter, config->port, config->ports
	};
	struct bpf_program program = { 0 };
	int res;

	res = s->stream != NULL ?
	    pcapfilter_file(s->pcap, config->filter, &program) :
	    pcapfilter_live(s->pcap, &live, &program);
	if (res == 0)
		res = pcapfilter_set(s->pcap, &program, again);
	pcap_freecode(&program);
	if (res != 0)
		fail(err, "%s: filter: %s", s->name, pcap_geterr(s->pcap));
	return res;
}

int
pcapsource_refilter(struct pcapsource *s, char err[PCAPSOURCE_ERROR_MAX])
{
	return s->stream != NULL ? 0 : set_full_filter(s, true, err);
}

/* files */

static int
open_file(const char *name, char *err)
{
	int fd;

	if (strcmp(name, "-") == 0)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		fail(err, "%s: %s", name, strerror(errno));
	return fd;
}

static int
not_a_capture(struct pcapsource *s, const char *why, char *err)
{
	const char *damage = unpack_error(s->unpack);

	if (damage != NULL)
		fail(err, "%s: %s", s->name, damage);
	else if (unpack_stopped(s->unpack))
		fail(err, "%s: interrupted", s->name);
	else if (feof(s->stream) && ftello(s->stream) == 0)
		fail(err, "%s: is empty", s->name);
	else
		fail(err, "%s: is no capture that can be read: %s; a "
		    "rate log is for --play, rows of netstat are for "
		    "--netstat", s->name, why);
	fclose(s->stream);
	return -1;
}

static int
prepare_file(struct pcapsource *s, enum pcapsource_fault *fault, char *err)
{
	const struct pcapsource_config *config = s->config;
	char why[PCAP_ERRBUF_SIZE];
	int fd;

	if ((fd = open_file(s->name, err)) < 0)
		return -1;
	s->unpack = unpack_open(fd, config->wait, config->wait_ctx, why,
	    sizeof(why));
	if (s->unpack == NULL)
		return fail(err, "%s: %s", s->name, why);
	s->stream = unpack_stream(s->unpack);
	s->pcap = pcap_fopen_offline_with_tstamp_precision(s->stream,
	    PCAP_TSTAMP_PRECISION_NANO, why);
	if (s->pcap == NULL)
		return not_a_capture(s, why, err);
	if (set_own_filter(s, fault, err) != 0 ||
	    (config->filter != NULL &&
	    set_full_filter(s, false, err) != 0))
		return -1;
	note_linktype(s);
	return 0;
}

/* What was read before has been delivered. */
static enum pcapsource_result
file_failed(struct pcapsource *s)
{
	const char *why = unpack_error(s->unpack);

	if (unpack_stopped(s->unpack))
		return PCAPSOURCE_ENDED;
	if (why == NULL)
		why = pcap_geterr(s->pcap);
	fail(s->error, "%s: %s after %llu packet%s, at byte %lld: %s",
	    s->name,
	    strncmp(why, "truncated", 9) == 0 ? "cut short" : "unreadable",
	    (unsigned long long)s->packets, s->packets == 1 ? "" : "s",
	    (long long)ftello(s->stream), why);
	return PCAPSOURCE_FAILED;
}

/* interfaces */

static int
no_permission(const char *name, char *err)
{
	char self[256];
	ssize_t n;

	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	return fail(err, "%s: no permission to capture (CAP_NET_RAW is "
	    "missing): run it as root, or once: sudo setcap "
	    "cap_net_raw,cap_net_admin=eip %s", name,
	    n > 0 ? self : "nfsrated");
}

static int
no_such_interface(const char *name, char *err)
{
	fail(err, "%s: no such interface; there are: any", name);
	ifchoice_list(err, PCAPSOURCE_ERROR_MAX);
	return -1;
}

static int
not_activated(struct pcapsource *s, int status, enum pcapsource_fault *fault,
    char *err)
{
	const char *why = pcap_geterr(s->pcap);

	if (status == PCAP_ERROR_NO_SUCH_DEVICE ||
	    status == PCAP_ERROR_IFACE_NOT_UP)
		*fault = PCAPSOURCE_ABSENT;
	switch (status) {
	case PCAP_ERROR_PERM_DENIED:
	case PCAP_ERROR_PROMISC_PERM_DENIED:
		return no_permission(s->name, err);
	case PCAP_ERROR_NO_SUCH_DEVICE:
		return no_such_interface(s->name, err);
	case PCAP_ERROR_IFACE_NOT_UP:
		return fail(err, "%s: the interface is down", s->name);
	default:
		return fail(err, "%s: %s%s%s", s->name,
		    pcap_statustostr(status), why[0] != '\0' ? ": " : "", why);
	}
}

static int
activate(struct pcapsource *s, enum pcapsource_fault *fault, char *err)
{
	const struct pcapsource_config *config = s->config;
	int status;

	pcap_set_snaplen(s->pcap, config->snaplen);
	pcap_set_buffer_size(s->pcap, config->buffer_mib * 1024 * 1024);
	pcap_set_promisc(s->pcap, config->promisc);
	pcap_set_timeout(s->pcap, config->gather_ms);
	pcap_set_tstamp_precision(s->pcap, PCAP_TSTAMP_PRECISION_NANO);
	status = pcap_activate(s->pcap);
	if (status < 0)
		return not_activated(s, status, fault, err);
	if (status > 0)
		log_warning("%s: %s: %s", s->name, pcap_statustostr(status),
		    pcap_geterr(s->pcap));
	if (pcap_get_tstamp_precision(s->pcap) != PCAP_TSTAMP_PRECISION_NANO)
		s->fraction_ns = NSEC_PER_USEC;
	/* "any": version 2 names the interface. */
	if (pcap_datalink(s->pcap) == DLT_LINUX_SLL)
		pcap_set_datalink(s->pcap, DLT_LINUX_SLL2);
	return 0;
}

static void
forget(u_char *ctx, const struct pcap_pkthdr *h, const u_char *data)
{
	(void)ctx;
	(void)h;
	(void)data;
}

/* "any" reads links of all kinds; what came before it is unbound goes. */
static int
make_silent(struct pcapsource *s)
{
	if (packetsocket_unbind(s->fd) != 0)
		return -1;
	while (pcap_dispatch(s->pcap, BATCH, forget, NULL) > 0)
		;
	return 0;
}

static int
prepare_live(struct pcapsource *s, enum pcapsource_fault *fault, char *err)
{
	char why[PCAP_ERRBUF_SIZE];

	if ((s->pcap = pcap_create(s->later ? "any" : s->name, why)) == NULL)
		return fail(err, "%s: %s", s->name, why);
	if (activate(s, fault, err) != 0 ||
	    set_own_filter(s, fault, err) != 0 ||
	    set_full_filter(s, false, err) != 0)
		return -1;
	if (pcap_setnonblock(s->pcap, 1, why) != 0)
		return fail(err, "%s: %s", s->name, why);
	if ((s->fd = pcap_get_selectable_fd(s->pcap)) < 0 ||
	    (s->later && make_silent(s) != 0))
		return fail(err, "%s: cannot be polled", s->name);
	note_linktype(s);
	s->whole = (uint32_t)pcap_snapshot(s->pcap);
	s->hardware = s->later ? -1 : packetsocket_hardware(s->fd);
	ifdrops_open(&s->ifdrops, s->name);
	return 0;
}

int
pcapsource_bind(struct pcapsource *s, unsigned int system_ifindex)
{
	int before = s->hardware;

	if (packetsocket_bind(s->fd, system_ifindex, s->config->promisc) != 0)
		return -1;
	s->hardware = packetsocket_hardware(s->fd);
	if (s->later || s->hardware == before)
		return 0;
	packetsocket_unbind(s->fd);
	s->hardware = before;
	errno = EPROTOTYPE;
	return -1;
}

/* both */

static struct pcapsource *
source_new(const struct pcapsource_config *config, const char *name, char *err)
{
	struct pcapsource *s;

	if ((s = calloc(1, sizeof(*s))) == NULL) {
		fail(err, "%s: %s", name, strerror(errno));
		return NULL;
	}
	s->config = config;
	s->name = name;
	s->fd = s->ifdrops.fd[0] = s->ifdrops.fd[1] = -1;
	s->fraction_ns = 1;
	return s;
}

struct pcapsource *
pcapsource_open_file(const struct pcapsource_config *config, const char *name,
    enum pcapsource_fault *fault, char err[PCAPSOURCE_ERROR_MAX])
{
	struct pcapsource *s;

	*fault = PCAPSOURCE_OPEN;
	if ((s = source_new(config, name, err)) == NULL)
		return NULL;
	if (prepare_file(s, fault, err) == 0)
		return s;
	pcapsource_close(s);
	return NULL;
}

struct pcapsource *
pcapsource_open_live(const struct pcapsource_config *config, const char *name,
    uint16_t ifindex, bool later, enum pcapsource_fault *fault,
    char err[PCAPSOURCE_ERROR_MAX])
{
	struct pcapsource *s;

	*fault = PCAPSOURCE_OPEN;
	if ((s = source_new(config, name, err)) == NULL)
		return NULL;
	s->ifindex = ifindex;
	s->later = later;
	if (prepare_live(s, fault, err) == 0)
		return s;
	pcapsource_close(s);
	return NULL;
}

void
pcapsource_close(struct pcapsource *s)
{
	if (s == NULL)
		return;
	if (s->pcap != NULL)
		pcap_close(s->pcap);	/* and the stream of a file */
	if (s->unpack != NULL)
		unpack_free(s->unpack);
	ifdrops_close(&s->ifdrops);
	free(s);
}

enum pcapsource_result
pcapsource_read(struct pcapsource *s)
{
	int n;

	n = pcap_dispatch(s->pcap, s->config->batch, deliver,
	    (u_char *)(void *)s);
	if (n > 0)
		return s->stream != NULL || n >= s->config->batch ?
		    PCAPSOURCE_MORE :
		    PCAPSOURCE_SOME;
	if (n == 0)
		return s->stream != NULL ? PCAPSOURCE_ENDED : PCAPSOURCE_SOME;
	if (s->stream != NULL)
		return file_failed(s);
	fail(s->error, "%s: %s", s->name, pcap_geterr(s->pcap));
	return PCAPSOURCE_FAILED;
}

const char *
pcapsource_error(const struct pcapsource *s)
{
	return s->error;
}

int
pcapsource_fd(const struct pcapsource *s)
{
	return s->fd;
}

uint64_t
pcapsource_packets(const struct pcapsource *s)
{
	return s->packets;
}

bool
pcapsource_drops(struct pcapsource *s, uint32_t *kernel, uint32_t *interface)
{
	uint32_t more;

	if (s->stream != NULL || !packetsocket_drops(s->fd, &more))
		return false;
	s->drops += more;
	*kernel = s->drops;
	*interface = ifdrops_read(&s->ifdrops);
	return true;
}

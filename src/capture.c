/* SPDX-License-Identifier: ISC */
/*
 * capture.c: live interfaces or a capture file as one stream of packets.
 */
#include "capture.h"

#include <sys/types.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "pcapmerge.h"

/* An interface, or the file. */
struct member {
	const char		*name;
	struct pcapsource	*source;
	struct capture_counter	 drops, ifdrops;
	unsigned int		 ifindex;	/* the system's number */
	bool			 down;
	bool			 refused;	/* another kind of link */
};

struct capture {
	struct capture_config	 config;
	struct pcapsource_config *how;		/* of the sources */
	struct member		 member[CAPTURE_INTERFACES_MAX];
	uint32_t		 members;
	struct pcapmerge	*merge;		/* of several, or NULL */
	bool			 more;		/* there is more at once */
	atomic_bool		 stop;
	int			 wake_fd;	/* for capture_break */
	int			 ask_fd;	/* about interfaces */
};

void
capture_counter_feed(struct capture_counter *c, uint32_t reading)
{
	uint32_t more = reading - c->last;

	if (more < UINT32_C(1) << 31)
		c->total += more;
	c->last = reading;
}

static bool
ask_interface(const struct capture *c, const char *name, unsigned long what,
    struct ifreq *ifr)
{
	memset(ifr, 0, sizeof(*ifr));
	snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%s", name);
	return ioctl(c->ask_fd, what, ifr) == 0;
}

/* The system's number of an interface; 0 when it is not there. */
static unsigned int
ask_ifindex(const struct capture *c, const char *name)
{
	struct ifreq ifr;

	return ask_interface(c, name, SIOCGIFINDEX, &ifr) &&
	    ifr.ifr_ifindex > 0 ? (unsigned int)ifr.ifr_ifindex : 0;
}

static bool
is_any(const struct member *m)
{
	return strcmp(m->name, "any") == 0;
}

static bool
is_up(const struct capture *c, const struct member *m)
{
	struct ifreq ifr;

	return is_any(m) ||
	    (ask_interface(c, m->name, SIOCGIFFLAGS, &ifr) &&
	    (ifr.ifr_flags & IFF_UP));
}

static void
went_down(struct member *m, const char *why)
{
	log_warning("%s; waiting for it to come back", why);
	m->down = true;
	m->refused = false;
}

static int
open_live(struct capture *c, uint32_t i, enum pcapsource_fault *fault,
    char *err)
{
	struct member *m = &c->member[i];

	m->name = c->config.interface[i];
	m->source = pcapsource_open_live(c->how, m->name, (uint16_t)i, false,
	    fault, err);
	m->ifindex = ask_ifindex(c, m->name);
	if (m->source != NULL || !c->config.patient ||
	    *fault != PCAPSOURCE_ABSENT)
		return m->source != NULL ? 0 : -1;
	m->source = pcapsource_open_live(c->how, m->name, (uint16_t)i, true,
	    fault, err);
	if (m->source == NULL)
		return -1;
	m->ifindex = 0;
	log_warning("%s: is not there, or down; waiting for it", m->name);
	m->down = true;
	return 0;
}

static int
open_members(struct capture *c, enum pcapsource_fault *fault, char *err)
{
	struct member *m = c->member;

	c->how = &c->config.how;
	if (c->config.file != NULL) {
		m->name = c->config.file;
		m->source = pcapsource_open_file(c->how, m->name, fault, err);
		c->members = 1;
		return m->source != NULL ? 0 : -1;
	}
	if (c->config.interfaces > 1) {
		c->merge = pcapmerge_new(c->how, c->config.interfaces);
		if (c->merge == NULL) {
			snprintf(err, CAPTURE_ERROR_MAX, "%s",
			    strerror(errno));
			return -1;
		}
		c->how = pcapmerge_config(c->merge);
	}
	for (; c->members < c->config.interfaces; c->members++)
		if (open_live(c, c->members, fault, err) != 0)
			return -1;
	return 0;
}

struct capture *
capture_open(const struct capture_config *config,
    enum pcapsource_fault *fault, char err[CAPTURE_ERROR_MAX])
{
	struct capture *c;

	*fault = PCAPSOURCE_OPEN;
	if (config->interfaces > CAPTURE_INTERFACES_MAX ||
	    (c = calloc(1, sizeof(*c))) == NULL) {
		snprintf(err, CAPTURE_ERROR_MAX, "%s", strerror(ENOMEM));
		return NULL;
	}
	c->config = *config;
	c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	c->ask_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (c->wake_fd < 0 || c->ask_fd < 0)
		snprintf(err, CAPTURE_ERROR_MAX, "%s", strerror(errno));
	else if (open_members(c, fault, err) == 0)
		return c;
	capture_close(c);
	return NULL;
}

void
capture_close(struct capture *c)
{
	uint32_t i;

	if (c == NULL)
		return;
	for (i = 0; i < c->members; i++)
		pcapsource_close(c->member[i].source);
	pcapmerge_free(c->merge);
	if (c->wake_fd >= 0)
		close(c->wake_fd);
	if (c->ask_fd >= 0)
		close(c->ask_fd);
	free(c);
}

/* The socket is bound to the interface that has the name now. */
static bool
bind_again(const struct capture *c, struct member *m)
{
	unsigned int now = ask_ifindex(c, m->name);

	if (is_any(m) || now == m->ifindex)
		return true;
	if (now == 0)
		return false;
	if (pcapsource_bind(m->source, now) == 0) {
		m->ifindex = now;
		return true;
	}
	if (!m->refused)
		log_warning("%s: cannot be captured: %s", m->name,
		    errno == EPROTOTYPE ? "it is another kind of link than "
		    "before; start anew for it" : strerror(errno));
	m->refused = true;
	return false;
}

/*
 * A socket of an interface that was only down works again when that is up;
 * an interface that is another one by now has another number.
 */
static void
try_to_resume(const struct capture *c, struct member *m)
{
	if (!is_up(c, m) || !bind_again(c, m))
		return;
	m->down = false;
	log_notice("%s: is back, the capture goes on", m->name);
}

/*
 * libpcap takes an interface that goes down, but stays, for a silent one, and
 * knows nothing of one that came later.
 */
static void
look_after(const struct capture *c, struct member *m,
    enum pcapsource_result res)
{
	char why[CAPTURE_ERROR_MAX];

	if (res == PCAPSOURCE_FAILED && (is_any(m) || !is_up(c, m) ||
	    ask_ifindex(c, m->name) != m->ifindex))
		went_down(m, pcapsource_error(m->source));
	else if (res == PCAPSOURCE_SOME && !is_up(c, m)) {
		snprintf(why, sizeof(why), "%s: is down", m->name);
		went_down(m, why);
	}
}

static void
read_one(struct capture *c)
{
	struct member *m = &c->member[0];
	enum pcapsource_result res;

	if (m->down)
		return;
	res = pcapsource_read(m->source);
	c->more = res == PCAPSOURCE_MORE;
	look_after(c, m, res);
}

static void
read_several(struct capture *c)
{
	struct pcapsource *source[CAPTURE_INTERFACES_MAX];
	enum pcapsource_result res[CAPTURE_INTERFACES_MAX];
	uint32_t i;

	for (i = 0; i < c->members; i++) {
		res[i] = PCAPSOURCE_MORE;
		source[i] = c->member[i].down ? NULL : c->member[i].source;
	}
	c->more = pcapmerge_read(c->merge, source, res);
	for (i = 0; i < c->members; i++)
		if (source[i] != NULL)
			look_after(c, &c->member[i], res[i]);
}

static void
read_live(struct capture *c)
{
	if (c->merge != NULL)
		read_several(c);
	else
		read_one(c);
}

static void
wait_for_input(const struct capture *c, int wake_fd, int timeout_ms)
{
	struct pollfd fds[CAPTURE_INTERFACES_MAX + 1];
	const struct member *m;
	uint32_t i;

	for (i = 0; i < c->members; i++) {
		m = &c->member[i];
		fds[i].fd = m->down || (c->merge != NULL &&
		    pcapmerge_holds(c->merge, i)) ? -1 :
		    pcapsource_fd(m->source);
		fds[i].events = POLLIN;
	}
	fds[i].fd = wake_fd;
	fds[i].events = POLLIN;
	if (c->merge != NULL)
		timeout_ms = pcapmerge_wait(c->merge, timeout_ms);
	poll(fds, c->members + 1, c->more ? 0 : timeout_ms);
}

static enum capture_state
poll_live(struct capture *c, int timeout_ms)
{
	bool running = false;
	uint32_t i;

	wait_for_input(c, c->wake_fd, timeout_ms);
	for (i = 0; i < c->members; i++)
		if (c->member[i].down)
			try_to_resume(c, &c->member[i]);
	read_live(c);
	for (i = 0; i < c->members; i++)
		running = running || !c->member[i].down;
	return running ? CAPTURE_RUNNING : CAPTURE_DOWN;
}

enum capture_state
capture_poll(struct capture *c, int timeout_ms)
{
	enum capture_state state = CAPTURE_RUNNING;

	if (atomic_load(&c->stop))
		return CAPTURE_ENDED;
	if (c->config.file == NULL)
		state = poll_live(c, timeout_ms);
	else
		switch (pcapsource_read(c->member[0].source)) {
		case PCAPSOURCE_ENDED:
			return CAPTURE_ENDED;
		case PCAPSOURCE_FAILED:
			return CAPTURE_FAILED;
		case PCAPSOURCE_SOME:
		case PCAPSOURCE_MORE:
			break;
		}
	return atomic_load(&c->stop) ? CAPTURE_ENDED : state;
}

void
capture_drain(struct capture *c, int timeout_ms)
{
	wait_for_input(c, -1, timeout_ms);
	read_live(c);
}

void
capture_rest(struct capture *c)
{
	if (c->merge != NULL)
		pcapmerge_rest(c->merge);
}

bool
capture_is_behind(const struct capture *c)
{
	return c->more;
}

const char *
capture_error(const struct capture *c)
{
	return pcapsource_error(c->member[0].source);
}

void
capture_break(struct capture *c)
{
	const uint64_t one = 1;

	atomic_store(&c->stop, true);
	if (write(c->wake_fd, &one, sizeof(one)) < 0)
		return;		/* it is full, which wakes as well */
}

bool
capture_stats(struct capture *c, struct capture_stats *stats)
{
	uint32_t i, kernel, interface;
	struct member *m;

	memset(stats, 0, sizeof(*stats));
	if (c->config.file != NULL)
		return false;
	for (i = 0; i < c->members; i++) {
		m = &c->member[i];
		if (pcapsource_drops(m->source, &kernel, &interface)) {
			capture_counter_feed(&m->drops, kernel);
			capture_counter_feed(&m->ifdrops, interface);
		}
		stats->kernel_drops += m->drops.total;
		stats->interface_drops += m->ifdrops.total;
	}
	return true;
}

int
capture_set_ports(struct capture *c, const uint16_t *port, uint32_t ports)
{
	char err[CAPTURE_ERROR_MAX];
	uint32_t i;
	int res = 0;

	c->how->port = port;
	c->how->ports = ports;
	for (i = 0; i < c->members; i++)
		if (pcapsource_refilter(c->member[i].source, err) != 0) {
			log_warning("%s", err);
			res = -1;
		}
	return res;
}

bool
capture_is_live(const struct capture *c)
{
	return c->config.file == NULL;
}

bool
capture_has_many(const struct capture *c)
{
	return c->config.file == NULL && (c->members > 1 ||
	    is_any(&c->member[0]));
}

uint32_t
capture_mtu(const struct capture *c)
{
	struct ifreq ifr;

	if (c->config.file != NULL || capture_has_many(c) ||
	    !ask_interface(c, c->member[0].name, SIOCGIFMTU, &ifr) ||
	    ifr.ifr_mtu < 0)
		return 0;
	return (uint32_t)ifr.ifr_mtu;
}

uint64_t
capture_packets(const struct capture *c)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < c->members; i++)
		n += pcapsource_packets(c->member[i].source);
	return n;
}

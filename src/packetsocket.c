/* SPDX-License-Identifier: ISC */
/*
 * packetsocket.c: what the kernel offers on the socket of a live capture.
 */
#include "packetsocket.h"

#include <sys/types.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Protocol 0 receives nothing (packet(7)). */
static int
bind_to(int fd, unsigned int ifindex, uint16_t protocol)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = (int)ifindex,
	};
	struct sockaddr *any = (void *)&to;

	return bind(fd, any, sizeof(to));
}

int
packetsocket_unbind(int fd)
{
	return bind_to(fd, 0, 0);
}

int
packetsocket_bind(int fd, unsigned int ifindex, bool promisc)
{
	const struct packet_mreq all = {
		.mr_ifindex = (int)ifindex, .mr_type = PACKET_MR_PROMISC
	};

	if (bind_to(fd, ifindex, ETH_P_ALL) != 0)
		return -1;
	return promisc ? setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP,
	    &all, sizeof(all)) : 0;
}

int
packetsocket_hardware(int fd)
{
	struct sockaddr_ll at;
	socklen_t len = sizeof(at);
	struct sockaddr *any = (void *)&at;

	memset(&at, 0, sizeof(at));
	return getsockname(fd, any, &len) == 0 && at.sll_ifindex != 0 ?
	    at.sll_hatype : -1;
}

/* The kernel starts its counters anew with each reading. */
bool
packetsocket_drops(int fd, uint32_t *drops)
{
	struct tpacket_stats_v3 stats;
	socklen_t len = sizeof(stats);

	memset(&stats, 0, sizeof(stats));
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len) != 0)
		return false;
	*drops = stats.tp_drops;
	return true;
}

static const char *const counters[] = { "rx_missed_errors", "rx_fifo_errors" };

static uint64_t
sum(const struct ifdrops *d)
{
	uint64_t total = 0;
	char text[32];
	ssize_t n;
	size_t i;

	for (i = 0; i < 2; i++) {
		n = d->fd[i] < 0 ? 0 :
		    pread(d->fd[i], text, sizeof(text) - 1, 0);
		text[n > 0 ? n : 0] = '\0';
		total += strtoull(text, NULL, 10);
	}
	return total;
}

void
ifdrops_open(struct ifdrops *d, const char *name)
{
	char path[128];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/sys/class/net/%.64s/"
		    "statistics/%s", name, counters[i]);
		d->fd[i] = open(path, O_RDONLY | O_CLOEXEC);
	}
	d->start = sum(d);
}

void
ifdrops_close(struct ifdrops *d)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		if (d->fd[i] >= 0)
			close(d->fd[i]);
		d->fd[i] = -1;
	}
}

uint32_t
ifdrops_read(const struct ifdrops *d)
{
	return (uint32_t)(sum(d) - d->start);
}

/* SPDX-License-Identifier: ISC */
/*
 * pcapfilter.h: the filter programs of a capture: which packets pass and, live,
 * how much of each the kernel copies.
 *
 * Of fragments behind the head of a datagram, and of NFS messages over UDP,
 * only as much is copied as anyone looks at.  All of a TCP segment is: only
 * who follows the stream knows where its messages begin.
 */
#ifndef NFSRATED_PCAPFILTER_H
#define NFSRATED_PCAPFILTER_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct pcap;

#define PCAPFILTER_FRAGMENT	128	/* bytes of a frame, from its start */
#define PCAPFILTER_DATAGRAM	1024

struct pcapfilter_live {
	const char	*expr;		/* narrows it down, or NULL */
	const uint16_t	*port;		/* of NFS */
	uint32_t	 ports;
};

/*
 * The programs look behind as many VLAN tags as this kind of link can have,
 * and are freed with pcap_freecode.  0, or -1: pcap_geterr says why.
 */
int	pcapfilter_live(struct pcap *, const struct pcapfilter_live *,
	    struct bpf_program *);
int	pcapfilter_file(struct pcap *, const char *expr, struct bpf_program *);
/*
 * As pcap_setfilter; but again, in the place of a filter that is set, does not
 * go by way of one that nothing passes, as libpcap does (Linux): that loses
 * packets without a count.
 */
int	pcapfilter_set(struct pcap *, struct bpf_program *, bool again);

#endif

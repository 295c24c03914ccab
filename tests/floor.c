/* SPDX-License-Identifier: ISC */
/*
 * floor.c: reads a capture with libpcap and only counts: the least time that
 * a program which reads it so can need.
 *
 * usage: floor FILE
 */
#include <err.h>
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>

struct count {
	uint64_t	packets, bytes;
};

static void
add(u_char *ctx, const struct pcap_pkthdr *h, const u_char *data)
{
	void *user = ctx;
	struct count *n = user;

	(void)data;
	n->packets++;
	n->bytes += h->len;
}

int
main(int argc, char *argv[])
{
	static char buffer[1 << 20];
	struct count n = { 0, 0 };
	char why[PCAP_ERRBUF_SIZE];
	FILE *f;
	pcap_t *p;

	if (argc != 2)
		errx(2, "usage: floor FILE");
	if ((f = fopen(argv[1], "re")) == NULL)
		err(1, "%s", argv[1]);
	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	if ((p = pcap_fopen_offline(f, why)) == NULL)
		errx(1, "%s: %s", argv[1], why);
	if (pcap_loop(p, -1, add, (u_char *)(void *)&n) != 0)
		errx(1, "%s: %s", argv[1], pcap_geterr(p));
	printf("%ju packets, %ju bytes\n", (uintmax_t)n.packets,
	    (uintmax_t)n.bytes);
	pcap_close(p);
	return 0;
}

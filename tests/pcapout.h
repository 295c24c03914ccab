/* SPDX-License-Identifier: ISC */
/*
 * pcapout.h: writes classic pcap files, in either byte order and resolution,
 * for tests that need a capture file or its bytes.
 *
 * pcapout_header and pcapout_record are pure: they fill the caller's bytes,
 * so that a test can also make a file in memory, or file data that looks like
 * a capture.  The file functions are for one writer at a time.
 */
#ifndef NFSRATED_PCAPOUT_H
#define NFSRATED_PCAPOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

#define PCAPOUT_HEADER_LEN	24
#define PCAPOUT_RECORD_LEN	16

struct pcapout_format {
	bool		big_endian;
	bool		nanoseconds;	/* else microseconds */
	int		linktype;	/* LINKTYPE_ value, as it is written */
	uint32_t	snaplen;	/* 0: 262144 */
};

struct pcapout;

/* The file header, and the header before a packet's bytes. */
void	pcapout_header(uint8_t[PCAPOUT_HEADER_LEN],
	    const struct pcapout_format *);
void	pcapout_record(uint8_t[PCAPOUT_RECORD_LEN],
	    const struct pcapout_format *, const struct packet *);

/* NULL with errno when the file cannot be made. */
struct pcapout *pcapout_open(const char *path, const struct pcapout_format *);
/* Writes the packet, whatever its own linktype; -1 on error. */
int	pcapout_write(struct pcapout *, const struct packet *);
/* Frees in any case; -1 when something could not be written. */
int	pcapout_close(struct pcapout *);

#endif

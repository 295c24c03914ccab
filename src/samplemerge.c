/* SPDX-License-Identifier: ISC */
/*
 * samplemerge.c: adds the counters of one sample to another.
 */
#include "samplemerge.h"

static void
merge_rows(struct sample *to, const struct sample *from)
{
	const struct sample_op *o;
	struct sample_op *row;
	uint32_t i;

	for (o = from->op; o < from->op + from->ops; o++) {
		row = sample_op(to, o->op, o->prog, o->vers, o->proc);
		if (row == NULL)
			continue;
		row->calls += o->calls;
		row->replies += o->replies;
		row->errors += o->errors;
		row->retransmits += o->retransmits;
		row->hidden += o->hidden;
		row->max_us = sample_larger(row->max_us, o->max_us);
		row->sum_us += o->sum_us;
		row->timed += o->timed;
		row->bytes += o->bytes;
	}
	for (i = 0; i < from->statuses; i++)
		sample_status_add(to, from->status[i].first_op,
		    from->status[i].status, from->status[i].count);
	for (i = 0; i < SAMPLE_CELLS; i++)
		if (from->cell[i].count != 0)
			sample_cell_add(to, from->cell[i].series,
			    from->cell[i].bucket, from->cell[i].count);
}

static void
merge_sizes(struct sample *to, const struct sample *from, int kind)
{
	const struct sample_size *z = from->size[kind];
	uint32_t i;

	for (i = 0; i < from->sizes[kind]; i++, z++)
		sample_size_merge(sample_size_row(to->size[kind],
		    &to->sizes[kind], SAMPLE_SIZES, z->size, z->upto), z);
}

static void
merge_talker(struct sample_talker *to, const struct sample_talker *t)
{
	sample_talk_add(&to->now, &t->now);
	if (t->total.calls + t->total.replies >=
	    to->total.calls + to->total.replies)
		to->total = t->total;		/* the later one */
}

static void
merge_talkers(struct sample *to, const struct sample *from)
{
	uint32_t i, j;

	for (i = 0; i < from->clients; i++) {
		for (j = 0; j < to->clients; j++)
			if (addr_equal(&to->client[j].addr,
			    &from->client[i].addr))
				break;
		if (j < to->clients)
			merge_talker(&to->client[j].t, &from->client[i].t);
		else if (j < SAMPLE_CLIENTS)
			to->client[to->clients++] = from->client[i];
	}
	for (i = 0; i < from->users; i++) {
		for (j = 0; j < to->users; j++)
			if (to->user[j].uid == from->user[i].uid)
				break;
		if (j < to->users)
			merge_talker(&to->user[j].t, &from->user[i].t);
		else if (j < SAMPLE_USERS)
			to->user[to->users++] = from->user[i];
	}
	for (i = 0; i < from->files; i++) {
		for (j = 0; j < to->files; j++)
			if (to->file[j].fh_hash == from->file[i].fh_hash)
				break;
		if (j < to->files)
			merge_talker(&to->file[j].t, &from->file[i].t);
		else if (j < SAMPLE_FILES)
			to->file[to->files++] = from->file[i];
	}
}

static void
merge_scalars(struct sample *to, const struct sample *from)
{
	int i;

	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		sample_traffic_add(&to->traffic[i], &from->traffic[i]);
	for (i = 0; i < SAMPLE_COUNTERS; i++)
		to->counter[i] += from->counter[i];
	for (i = 0; i < SAMPLE_KINDS; i++)
		sample_data_add(&to->data[i], &from->data[i]);
	for (i = 0; i < SAMPLE_STATES; i++)
		to->state_ns[i] += from->state_ns[i];
	to->colls = sample_sum(to->colls, from->colls);
	to->kernel_drops = sample_sum(to->kernel_drops, from->kernel_drops);
	to->interface_drops = sample_sum(to->interface_drops,
	    from->interface_drops);
	to->if_in_packets = sample_sum(to->if_in_packets, from->if_in_packets);
	to->if_in_bytes = sample_sum(to->if_in_bytes, from->if_in_bytes);
	to->if_out_packets = sample_sum(to->if_out_packets,
	    from->if_out_packets);
	to->if_out_bytes = sample_sum(to->if_out_bytes, from->if_out_bytes);
	to->if_in_errs = sample_sum(to->if_in_errs, from->if_in_errs);
	to->if_out_errs = sample_sum(to->if_out_errs, from->if_out_errs);
	to->rpc_calls += from->rpc_calls;
	to->rpc_replies += from->rpc_replies;
	to->rpc_retransmits += from->rpc_retransmits;
	to->rpc_unmatched += from->rpc_unmatched;
	to->outstanding = from->outstanding;
	to->depth_ns += from->depth_ns;
	to->depth_max = sample_larger(to->depth_max, from->depth_max);
	to->duty_bins += from->duty_bins;
	to->duty_on += from->duty_on;
	if (from->duty_gap_ns > to->duty_gap_ns)
		to->duty_gap_ns = from->duty_gap_ns;
	to->untrusted_ns += from->untrusted_ns;
	for (i = 0; i < (int)from->servers; i++)
		sample_server(to, &from->server[i]);
	to->partial |= from->partial;
	to->has_split |= from->has_split;
	to->has_duty |= from->has_duty;
}

void
sample_merge(struct sample *to, const struct sample *from)
{
	merge_scalars(to, from);
	merge_rows(to, from);
	merge_sizes(to, from, SAMPLE_WRITE);
	merge_sizes(to, from, SAMPLE_READ);
	merge_talkers(to, from);
}

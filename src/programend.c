/* SPDX-License-Identifier: ISC */
/*
 * programend.c: what is said at the end.
 */
#include "programstate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "log.h"
#include "plugin.h"
#include "report.h"
#include "reportwhy.h"

/* Whoever reads rows of nothing wants to know. */
static void
tell_no_nfs(const struct program *p)
{
	const struct totals *t = p->totals;
	const char *name = source_name(p->source);
	uint64_t n = t->traffic[SAMPLE_IN].packets +
	    t->traffic[SAMPLE_OUT].packets + t->traffic[SAMPLE_OTHER].packets;

	if (n == 0)
		log_notice("%s: has no packets%s", name,
		    p->options->filter != NULL ? " that match the filter" : "");
	else
		log_notice("%s: has no NFS that can be read in its %llu "
		    "packets; capture where NFS passes, or name its port with "
		    "--port", name, (unsigned long long)n);
}

/* Nothing was seen, though there was something: why? */
static void
tell_unread(const struct program *p)
{
	const struct options *o = p->options;
	const struct totals *t = p->totals;
	const uint64_t n = t->counter[SAMPLE_RPC_ELSEWHERE];

	if (t->rpc_calls > 0)
		return;
	if (n > 0)
		log_warning("%s: %llu packets look like RPC, but none was "
		    "read; name the port of NFS with --port%s",
		    source_name(p->source), (unsigned long long)n,
		    o->servers > 0 ? ", or another --server" : "");
	else if (o->read != NULL && !o->json && !o->check &&
	    !p->interrupted && t->rpc_replies == 0 &&
	    t->counter[SAMPLE_RPC_ENCRYPTED] == 0 &&
	    t->counter[SAMPLE_BAD_LINK] == 0)
		tell_no_nfs(p);
}

/* Text to standard output: 0, or -1 and errno. */
static int
print(struct program *p, const struct textbuf *text)
{
	if (text->failed) {
		errno = ENOMEM;
		return -1;
	}
	return fwrite(text->data, 1, text->len, p->out) == text->len &&
	    fflush(p->out) == 0 ? 0 : -1;
}

/* Who stops it by hand sees the report too. */
static int
print_report(struct program *p)
{
	struct textbuf text = { 0 }, why = { 0 };
	struct rules_overall overall;
	struct facts facts;
	size_t n;
	const struct episode *episodes = verdicts_episodes(p->verdicts, &n);
	int res;

	textbuf_char(&text, '\n');
	facts_clear(&facts);
	facts_totals(&facts, p->totals);
	rules_overall(verdicts_rules(p->verdicts), &overall);
	facts_rules(&facts, &overall);
	facts_settle(&facts, &p->settle);
	if (source_skew(p->source) != NULL)
		facts_netstat(&facts, source_skew(p->source));
	reportwhy_text(&why, &overall, &facts, episodes, n);
	report_text(&text, p->totals, why.data, source_name(p->source));
	textbuf_free(&why);
	res = print(p, &text);
	textbuf_free(&text);
	return res;
}

static int
print_check(struct program *p)
{
	struct textbuf text = { 0 };
	struct rules_overall overall;
	const struct plugin_facts facts = {
		.overall = &overall, .totals = p->totals,
		.warning = p->options->warning,
		.critical = p->options->critical
	};
	int res;

	rules_overall(verdicts_rules(p->verdicts), &overall);
	p->status = (int)plugin_result(&text, &facts);
	res = print(p, &text);
	p->checked = res == 0;
	textbuf_free(&text);
	return res;
}

int
program_plugin_status(struct program *p)
{
	struct textbuf text = { 0 };

	if (p->checked)
		return p->status;
	plugin_unknown(&text, p->message[0] != '\0' ? p->message :
	    "interrupted");
	if (!text.failed && write(STDOUT_FILENO, text.data, text.len) < 0)
		errno = 0;	/* the status says it as well */
	textbuf_free(&text);
	return PLUGIN_UNKNOWN;
}

void
program_finish(struct program *p)
{
	const struct options *o = p->options;
	struct talkers *talkers = source_talkers(p->source);
	const struct episode *episodes;
	unsigned int i;
	size_t n;

	if (p->watch != NULL)
		watch_leave(p->watch);
	if (p->failed)
		return;
	tell_unread(p);
	verdicts_finish(p->verdicts);
	episodes = verdicts_episodes(p->verdicts, &n);
	if (o->count == 0 && talkers != NULL)
		totals_talkers(p->totals, talkers);
	for (i = 0; i < p->sinks && !p->failed; i++)
		if (sink_finish(p->sink[i], p->totals, episodes, n) != 0)
			program_output_failed(p);
	if (p->failed || o->json || o->daemon)
		return;
	if (o->check ? p->status == EXIT_SUCCESS && print_check(p) != 0 :
	    (p->interrupted || o->report) && print_report(p) != 0)
		program_output_failed(p);
}

/* SPDX-License-Identifier: ISC */
/*
 * plugin.h: what is to be said of a number of intervals, for a monitoring
 * system: one line and an exit status (monitoring-plugins.org guidelines).
 *
 * The value that ranges are for is the mean rate of the intervals with demand,
 * in units of the expectation (input packets a second when there is none).
 * Without ranges the verdict and the episodes decide: a stall is critical,
 * anything else that is bad a warning.  No demand is no fault; intervals of
 * which nothing is known are unknown.  Pure.
 */
#ifndef NFSRATED_PLUGIN_H
#define NFSRATED_PLUGIN_H

#include "optvalue.h"
#include "rules.h"
#include "textbuf.h"
#include "totals.h"

enum plugin_status {
	PLUGIN_OK, PLUGIN_WARNING, PLUGIN_CRITICAL, PLUGIN_UNKNOWN
};

struct plugin_facts {
	const struct rules_overall *overall;
	const struct totals *totals;
	struct plugin_range warning, critical;
};

/* Appends the line, with its newline. */
enum plugin_status plugin_result(struct textbuf *,
	    const struct plugin_facts *);
/* The line for what could not even be looked at. */
void	plugin_unknown(struct textbuf *, const char *why);

/* Does a range alert for this value? */
bool	plugin_alerts(const struct plugin_range *, double value);

#endif

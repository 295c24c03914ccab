/* SPDX-License-Identifier: ISC */
/*
 * judgement.c: the names of expectations and verdicts.
 */
#include "judgement.h"

static const struct {
	const char	*name, *brief;
	bool		bad;
} verdicts[VERDICTS] = {
	[VERDICT_IDLE] = { "idle", "idle", false },
	[VERDICT_OK] = { "ok", "ok", false },
	[VERDICT_UNDERRUN] = { "underrun", "UNDERRUN", true },
	[VERDICT_BURSTY] = { "bursty-underrun", "BURSTY", true },
	[VERDICT_STALL] = { "stall", "STALL", true },
	[VERDICT_UNKNOWN] = { "unknown", "unknown", false }
};

const char *
expect_kind_name(enum expect_kind kind)
{
	switch (kind) {
	case EXPECT_PPS:
		return "pps";
	case EXPECT_WPS:
		return "wps";
	case EXPECT_MBPS:
		return "MBps";
	case EXPECT_NONE:
		break;
	}
	return "none";
}

const char *
verdict_name(enum verdict v)
{
	return verdicts[v].name;
}

const char *
verdict_short(enum verdict v)
{
	return verdicts[v].brief;
}

bool
verdict_is_bad(enum verdict v)
{
	return verdicts[v].bad;
}

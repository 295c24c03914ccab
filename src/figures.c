/* SPDX-License-Identifier: ISC */
/*
 * figures.c: numbers as short text.
 */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char units[] = "kMGTPE";

static int
digits(uint64_t v)
{
	int n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

const char *
figures_count(char buf[FIGURES_SIZE], uint64_t v, int width)
{
	const char *unit = units;
	uint64_t divisor = 1000;

	if (v == UINT64_MAX) {
		strcpy(buf, "-");
		return buf;
	}
	if (digits(v) <= width) {
		snprintf(buf, FIGURES_SIZE, "%llu", (unsigned long long)v);
		return buf;
	}
	/* rounded: the last digit shown is the nearest */
	while (digits(v / divisor + (v % divisor >= divisor / 2)) + 1 >
	    width && unit[1] != '\0') {
		unit++;
		divisor *= 1000;
	}
	v = v / divisor + (v % divisor >= divisor / 2);
	snprintf(buf, FIGURES_SIZE, "%llu%c", (unsigned long long)v, *unit);
	return buf;
}

const char *
figures_real(char buf[FIGURES_SIZE], double v, int decimals, int width)
{
	int n;

	if (!isfinite(v) || v < 0 || v > 1e18) {
		strcpy(buf, "-");
		return buf;
	}
	do {
		n = snprintf(buf, FIGURES_SIZE, "%.*f", decimals, v);
	} while (n > width && decimals-- > 0);
	if (n > width)
		figures_count(buf, (uint64_t)(v + 0.5), width);
	return buf;
}

const char *
figures_human(char buf[FIGURES_SIZE], uint64_t v)
{
	const char *unit = units;
	double d = (double)v;

	if (v == UINT64_MAX) {
		strcpy(buf, "-");
		return buf;
	}
	if (v < 1000) {
		snprintf(buf, FIGURES_SIZE, "%llu", (unsigned long long)v);
		return buf;
	}
	/* 999.5 would be shown as 1000 */
	for (d /= 1000; d >= 999.5 && unit[1] != '\0'; d /= 1000)
		unit++;
	snprintf(buf, FIGURES_SIZE, "%.*f%c", d < 9.995 ? 2 : d < 99.95 ? 1 :
	    0, d, *unit);
	return buf;
}

const char *
figures_us(char buf[FIGURES_SIZE], double us)
{
	if (us < 999.5)
		snprintf(buf, FIGURES_SIZE, "%.0f us", us);
	else if (us < 999995)
		snprintf(buf, FIGURES_SIZE, us < 99950 ? "%.2f ms" : "%.0f ms",
		    us / 1e3);
	else
		snprintf(buf, FIGURES_SIZE, "%.2f s", us / 1e6);
	return buf;
}

const char *
figures_duration(char buf[FIGURES_SIZE], int64_t ns)
{
	static const struct {
		int64_t		seconds, part;
		const char	*unit, *part_unit;
	} scale[] = {
		{ 365 * 86400, 86400, "y", "d" },
		{ 86400, 3600, "d", "h" },
		{ 3600, 60, "h", "min" },
		{ 60, 1, "min", "s" }
	};
	int64_t s = ns / 1000000000;
	size_t i;

	for (i = 0; i < sizeof(scale) / sizeof(scale[0]); i++) {
		if (s < scale[i].seconds)
			continue;
		snprintf(buf, FIGURES_SIZE, "%lld %s %lld %s",
		    (long long)(s / scale[i].seconds), scale[i].unit,
		    (long long)(s % scale[i].seconds / scale[i].part),
		    scale[i].part_unit);
		return buf;
	}
	snprintf(buf, FIGURES_SIZE, "%.3g s", (double)ns / 1e9);
	return buf;
}

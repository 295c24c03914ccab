/* SPDX-License-Identifier: ISC */
/*
 * sink.c: what an output offers; text and JSON to a file.
 */
#include "sink.h"

#include <errno.h>
#include <stdlib.h>

#include "json.h"
#include "report.h"
#include "textbuf.h"

struct file_sink {
	struct sink	 sink;
	FILE		*file;
	struct textbuf	 text;
	/* of text alone */
	struct view_options view;
	bool		 report;
	unsigned int	 rows;		/* since the banner */
	bool		 began;
};

int
sink_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	return s->class->sample != NULL ? s->class->sample(s, sample, v) : 0;
}

int
sink_episode(struct sink *s, const struct episode *e)
{
	return s->class->episode != NULL ? s->class->episode(s, e) : 0;
}

int
sink_finish(struct sink *s, const struct totals *t, const struct episode *e,
    size_t n)
{
	return s->class->finish != NULL ? s->class->finish(s, t, e, n) : 0;
}

int
sink_reopen(struct sink *s)
{
	return s->class->reopen != NULL ? s->class->reopen(s) : 0;
}

void
sink_close(struct sink *s)
{
	if (s != NULL && s->class->close != NULL)
		s->class->close(s);
}

/* The class stands first in it. */
static struct file_sink *
file_sink(struct sink *s)
{
	return (void *)s;
}

/* Writes the text that was made, and makes room for the next. */
static int
put(struct file_sink *f)
{
	int result = 0;

	if (f->text.failed) {
		errno = ENOMEM;
		result = -1;
	} else if (f->text.len > 0 &&
	    (fwrite(f->text.data, 1, f->text.len, f->file) != f->text.len ||
	    fflush(f->file) == EOF))
		result = -1;
	textbuf_clear(&f->text);
	return result;
}

static void
file_close(struct sink *s)
{
	struct file_sink *f = file_sink(s);

	textbuf_free(&f->text);
	free(f);
}

static int
text_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	struct file_sink *f = file_sink(s);

	if (!f->began || f->rows == VIEW_BANNER_EVERY) {
		view_banner(&f->text, &f->view);
		f->rows = 0;
		f->began = true;
	}
	f->rows++;
	view_row(&f->text, &f->view, sample, v);
	return put(f);
}

static int
text_finish(struct sink *s, const struct totals *t, const struct episode *e,
    size_t n)
{
	struct file_sink *f = file_sink(s);

	if (!f->report)
		return 0;
	if (f->began)
		textbuf_char(&f->text, '\n');
	(void)e;
	(void)n;
	report_text(&f->text, t, NULL, f->view.source);
	return put(f);
}

static int
json_put_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	struct file_sink *f = file_sink(s);

	json_second(&f->text, sample, v);
	return put(f);
}

static int
json_put_episode(struct sink *s, const struct episode *e)
{
	struct file_sink *f = file_sink(s);

	json_episode(&f->text, e);
	return put(f);
}

static int
json_finish(struct sink *s, const struct totals *t, const struct episode *e,
    size_t n)
{
	struct file_sink *f = file_sink(s);

	json_summary(&f->text, t, e, n);
	return put(f);
}

static const struct sink_class text_class = {
	.sample = text_sample, .finish = text_finish, .close = file_close
};

static const struct sink_class json_class = {
	.sample = json_put_sample, .episode = json_put_episode,
	.finish = json_finish, .close = file_close
};

struct sink *
sink_text_new(FILE *file, const struct view_options *view, bool report)
{
	struct file_sink *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return NULL;
	f->sink.class = &text_class;
	f->file = file;
	f->view = *view;
	f->report = report;
	return &f->sink;
}

struct sink *
sink_json_new(FILE *file)
{
	struct file_sink *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return NULL;
	f->sink.class = &json_class;
	f->file = file;
	return &f->sink;
}

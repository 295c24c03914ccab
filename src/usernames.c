/* SPDX-License-Identifier: ISC */
/*
 * usernames.c: names of user numbers, as the system knows them.
 */
#include "usernames.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lrutable.h"

#define NAME_MAX_LEN	32

struct usernames {
	struct lrutable	*table;		/* uid -> name, "" none */
	bool		 frozen;
};

struct usernames *
usernames_new(void)
{
	const struct lrutable_config config = {
		.capacity = USERNAMES_MAX, .key_size = sizeof(uint32_t),
		.value_size = NAME_MAX_LEN
	};
	struct usernames *u = calloc(1, sizeof(*u));

	if (u == NULL)
		return NULL;
	if ((u->table = lrutable_new(&config)) == NULL) {
		free(u);
		return NULL;
	}
	return u;
}

void
usernames_free(struct usernames *u)
{
	if (u == NULL)
		return;
	lrutable_free(u->table);
	free(u);
}

static const char *
add(struct usernames *u, uint32_t uid, const struct passwd *p)
{
	char *name = lrutable_add(u->table, &uid, 0);

	if (p != NULL)
		snprintf(name, NAME_MAX_LEN, "%s", p->pw_name);
	return name;
}

const char *
usernames_find(struct usernames *u, uint32_t uid)
{
	const char *name = lrutable_find(u->table, &uid);

	if (name == NULL && !u->frozen)
		name = add(u, uid, getpwuid(uid));
	return name != NULL && name[0] != '\0' ? name : NULL;
}

void
usernames_freeze(struct usernames *u)
{
	const struct passwd *p;
	uint32_t n = 0;

	if (u->frozen)
		return;
	u->frozen = true;
	setpwent();
	while (n++ < USERNAMES_MAX && (p = getpwent()) != NULL)
		if (lrutable_find(u->table, &p->pw_uid) == NULL)
			add(u, p->pw_uid, p);
	endpwent();
}

#include "train/data/provenance.h"

#include "base/file.h"
#include "base/text.h"
#include "train/data/data.h"

#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 1 << 16 };

Status provenance_check(const char *dir, const char *name, const char *text, Message *why)
{
    char path[PATH_MAX], *there;
    size_t len;
    Status s = data_path(path, why, "%s/%s", dir, name);
    if (s == STATUS_OK)
        s = file_read(&there, &len, path, LINE_LIMIT, why);
    if (s == STATUS_MISSING)
        return file_write_atomic(path, text, strlen(text), why);
    if (s != STATUS_OK)
        return s;
    Span old = span_trim((Span){there, len});
    if (!span_is(old, text)) {
        char shown[200];
        span_show(old, shown, sizeof shown);
        s = status_fail(why, STATUS_REFUSED, "%s was created with different options: %s", dir,
                        shown);
    }
    free(there);
    return s;
}

static bool is_provenance(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && strcmp(name + len - 4, ".txt") == 0 &&
           (strncmp(name, "games-", 6) == 0 || strncmp(name, "scored-", 7) == 0 ||
            strcmp(name, PROVENANCE_PACKED) == 0);
}

static void add_once(Span line, Text *out)
{
    Span rest = {out->at, out->len}, known;
    while (span_next_line(&rest, &known))
        if (known.len == line.len && memcmp(known.at, line.at, line.len) == 0)
            return;
    text_add(out, line.at, line.len);
    text_add_char(out, '\n');
}

static void add_directory(const char *path, Text *out)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char name[PATH_MAX], *text;
        size_t len;
        if (!is_provenance(e->d_name) ||
            data_path(name, NULL, "%s/%s", path, e->d_name) != STATUS_OK ||
            file_read(&text, &len, name, LINE_LIMIT, NULL) != STATUS_OK)
            continue;
        Span rest = {text, len}, line;
        while (span_next_line(&rest, &line))
            if (line.len)
                add_once(line, out);
        free(text);
    }
    if (dir)
        closedir(dir);
}

typedef struct Listing {
    char last[PATH_MAX]; /* directory */
    Text *out;
} Listing;

static Status list_beside(void *user, const char *path, Message *why)
{
    Listing *l = user;
    char copy[PATH_MAX];
    Status s = data_path(copy, why, "%s", path);
    if (s != STATUS_OK)
        return s;
    const char *dir = dirname(copy);
    if (strcmp(dir, l->last) != 0)
        add_directory(dir, l->out);
    snprintf(l->last, sizeof l->last, "%s", dir);
    return STATUS_OK;
}

void provenance_list(char *const *inputs, int count, Text *out)
{
    Listing l = {.out = out};
    for (int i = 0; i < count; i++)
        data_each_file(inputs[i], list_beside, &l, NULL);
}

#include "service/assets_int.h"

#include "base/embed.h"

#include <string.h>

#ifdef PAGE_PACK
EMBED_FILE(web_pack, PAGE_PACK);

static Span pack(void)
{
    return EMBED_SPAN(web_pack);
}
#else
static Span pack(void)
{
    return span_of("");
}
#endif

static bool cut(Span *line, char end, Span *out)
{
    const char *found = memchr(line->at, end, line->len);
    if (!found)
        return false;
    *out = (Span){line->at, (size_t)(found - line->at)};
    line->len -= out->len + 1;
    line->at = found + 1;
    return true;
}

static bool read_line(Span line, Asset *a, int64_t *len)
{
    Span number;
    if (!cut(&line, '\t', &a->path) || !cut(&line, '\t', &a->type) || !cut(&line, '\t', &number))
        return false;
    a->etag = line;
    return span_to_int64(number, 0, INT32_MAX, len);
}

Status assets_read(Assets *a, Span rest, Message *why)
{
    Span line;
    int64_t lengths[ASSETS_MAX];
    a->count = 0;
    while (cut(&rest, '\n', &line) && line.len) {
        if (a->count == ASSETS_MAX || !read_line(line, &a->at[a->count], &lengths[a->count]))
            return status_fail(why, STATUS_INVALID, "the page's pack is damaged");
        a->count++;
    }
    for (int i = 0; i < a->count; i++) {
        if ((size_t)lengths[i] > rest.len)
            return status_fail(why, STATUS_INVALID, "the page's pack is cut");
        a->at[i].gzip = (Span){rest.at, (size_t)lengths[i]};
        rest.at += lengths[i];
        rest.len -= (size_t)lengths[i];
    }
    return STATUS_OK;
}

Status assets_open(Assets *a, Message *why)
{
    return assets_read(a, pack(), why);
}

const Asset *assets_find(const Assets *a, Span path)
{
    for (int i = 0; i < a->count; i++)
        if (a->at[i].path.len == path.len && !memcmp(a->at[i].path.at, path.at, path.len))
            return &a->at[i];
    return NULL;
}

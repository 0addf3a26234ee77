#include "server/assets_int.h"

#include "base/embed.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW = 16 + MAX_WBITS, PIECE_BYTES = 16 << 10 };

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
    Span number, type;
    if (!cut(&line, '\t', &a->path) || !cut(&line, '\t', &type) || !cut(&line, '\t', &number) ||
        type.len >= sizeof a->type)
        return false;
    snprintf(a->type, sizeof a->type, "%.*s", (int)type.len, type.at);
    a->etag = line;
    return span_to_int64(number, 0, INT32_MAX, len);
}

/* Any pack: lines of path, type, length and tag with tabs between them, an empty line, then the
 * files. */
static Status read_pack(Assets *a, Span rest, Message *why)
{
    Span line;
    int64_t lengths[ASSETS_MAX];
    a->count = 0;
    while (cut(&rest, '\n', &line) && line.len) {
        if (a->count == ASSETS_MAX || !read_line(line, &a->at[a->count], &lengths[a->count]))
            return status_fail(why, STATUS_INVALID, "the embedded page is damaged");
        a->count++;
    }
    for (int i = 0; i < a->count; i++) {
        if ((size_t)lengths[i] > rest.len)
            return status_fail(why, STATUS_INVALID, "the embedded page is truncated");
        a->at[i].gzip = (Span){rest.at, (size_t)lengths[i]};
        rest.at += lengths[i];
        rest.len -= (size_t)lengths[i];
    }
    return STATUS_OK;
}

Status assets_open(Assets *a, Message *why)
{
    return read_pack(a, pack(), why);
}

const Asset *assets_find(const Assets *a, Span path)
{
    for (int i = 0; i < a->count; i++)
        if (a->at[i].path.len == path.len && !memcmp(a->at[i].path.at, path.at, path.len))
            return &a->at[i];
    return NULL;
}

bool assets_inflate(const Asset *a, Text *out)
{
    char piece[PIECE_BYTES];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)a->gzip.at, .avail_in = (uInt)a->gzip.len};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return false;
    int code = Z_OK;
    while (code == Z_OK && !out->failed) {
        z.next_out = (Bytef *)piece;
        z.avail_out = sizeof piece;
        code = inflate(&z, Z_NO_FLUSH);
        text_add(out, piece, sizeof piece - z.avail_out);
    }
    inflateEnd(&z);
    return code == Z_STREAM_END && !out->failed;
}

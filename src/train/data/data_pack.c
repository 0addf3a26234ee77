#include "base/file.h"
#include "train/data/data_int.h"
#include "train/data/data_tools_int.h"
#include "train/data/provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ROOM = BLOCK_TARGET + 8 * DATA_MAX_PLIES
}; /* a block and the game that completes it, unpacked */

typedef struct Packing {
    const DataToolOptions *options;
    Part part;
    int number; /* of the file being written, from 1 on */
} Packing;

static Status name_part(Packing *p, int number, Message *why)
{
    int len = snprintf(p->part.path, sizeof p->part.path, "%s/packed-%03d%s", p->options->output,
                       number, DATA_SUFFIX);
    if (len >= (int)sizeof p->part.path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", p->options->output);
    return STATUS_OK;
}

static Status next_part(Packing *p, Message *why)
{
    Status s = part_close(&p->part, STATUS_OK, why);
    if (s == STATUS_OK)
        s = name_part(p, p->number + 1, why);
    if (s == STATUS_OK)
        s = part_open(&p->part, why);
    p->number += s == STATUS_OK;
    return s;
}

static Status pack_game(void *user, const GameRecord *game, Message *why)
{
    Packing *p = user;
    bool full = p->part.writer && data_writer_size(p->part.writer) + ROOM > p->options->size;
    Status s = !p->part.writer || full ? next_part(p, why) : STATUS_OK;
    return s == STATUS_OK ? data_writer_add(p->part.writer, game, why) : s;
}

/* All or nothing: what was finished before something went wrong is removed. */
static void remove_parts(Packing *p)
{
    for (int i = 1; i <= p->number; i++)
        if (name_part(p, i, NULL) == STATUS_OK)
            unlink(p->part.path);
}

static Status write_provenance(const DataToolOptions *o, Message *why)
{
    Text lines = text_new();
    char path[PATH_MAX];
    provenance_list(o->inputs, o->input_count, &lines);
    int len = snprintf(path, sizeof path, "%s/" PROVENANCE_PACKED, o->output);
    Status s = len < (int)sizeof path ? file_write_atomic(path, lines.at, lines.len, why)
                                      : status_fail(why, STATUS_INVALID, "path too long");
    text_free(&lines);
    return s;
}

Status data_pack(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                 Message *why)
{
    if (o->size < DATA_PACK_LEAST)
        return status_fail(why, STATUS_INVALID, "the file size must be at least %d bytes",
                           DATA_PACK_LEAST);
    if (mkdir(o->output, 0777) != 0 && errno != EEXIST)
        return status_fail(why, STATUS_IO, "%s: %s", o->output, strerror(errno));
    Packing *p = calloc(1, sizeof *p);
    if (!p)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    p->options = o;
    Status s = data_read_all(o, stop, counts, pack_game, p, why);
    s = part_close(&p->part, s, why);
    if (s == STATUS_OK)
        s = write_provenance(o, why);
    else
        remove_parts(p);
    free(p);
    return s;
}

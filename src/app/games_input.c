#include "app/games_input.h"

#include "app/command.h"

void games_input_begin(GamesInput *in, const ArgWords *files)
{
    in->progress = (Progress){.unit = "MB",
                              .per_unit = 1e6,
                              .total = progress_file_bytes(files->at, files->count),
                              .done = &in->bytes};
    progress_begin(&in->progress);
}

void games_input_report(GamesInput *in, const Message *why)
{
    progress_wipe(&in->progress);
    command_failed(in->command, why);
}

static Status next_game(GamesInput *in, PgnReader *r, Message *why)
{
    Status s = in->next ? in->next(in->user, r, why) : pgn_next(r, &in->visitor, why);
    if (in->status == STATUS_OK)
        return s;
    *why = in->why;
    return in->status;
}

Status games_input_read(GamesInput *in, const char *path, const atomic_bool *stop, Message *why)
{
    PgnReader *r;
    Status s = pgn_open(&r, path, stop, why);
    if (s != STATUS_OK)
        return s;
    while (s == STATUS_OK) {
        s = next_game(in, r, why);
        atomic_store(&in->bytes, in->bytes_before + pgn_offset(r));
        if (s == STATUS_INVALID) {
            in->invalid++;
            games_input_report(in, why);
            s = STATUS_OK;
        }
    }
    in->bytes_before += pgn_offset(r);
    pgn_close(r);
    return s == STATUS_END ? STATUS_OK : s;
}

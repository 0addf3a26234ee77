/* Files of games that a command reads: games that are not valid are reported and skipped. */
#ifndef APP_GAMES_INPUT_H
#define APP_GAMES_INPUT_H

#include "app/args.h"
#include "app/progress.h"
#include "notation/pgn_reader.h"

typedef struct GamesInput {
    const char *command; /* which reports */
    PgnVisitor visitor;  /* what it fails with goes into `status` and `why`, and ends the reading */
    /* Instead of the visitor: reads a game and uses it. */
    Status (*next)(void *user, PgnReader *r, Message *why);
    void *user;
    Status status;
    Message why;
    uint64_t invalid; /* games */
    /* Its own, but for progress_end. */
    Progress progress;
    _Atomic uint64_t bytes; /* read of all files */
    uint64_t bytes_before;  /* of the files before the current one */
} GamesInput;

/* progress_begin for work that reads these files. */
void games_input_begin(GamesInput *in, const ArgWords *files);

/* `stop` may be NULL. */
Status games_input_read(GamesInput *in, const char *path, const atomic_bool *stop, Message *why);
void games_input_report(GamesInput *in, const Message *why);

#endif

/* What the files of the CECP session share. */
#ifndef PROTO_CECP_INT_H
#define PROTO_CECP_INT_H

#include "base/thread.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "proto/cecp_clock.h"
#include "proto/protocol.h"

/* What the running search is for. */
typedef enum CecpActivity {
    ACTIVITY_IDLE,
    ACTIVITY_MOVING,
    ACTIVITY_PONDERING,
    ACTIVITY_ANALYSING
} CecpActivity;

/* Written by search threads, read by the session: only under the lock. */
typedef struct Mailbox {
    Mutex lock;
    bool has_result;
    EngineResult result;
    bool show; /* thinking is posted */
    Text line; /* the last one, posted or not */
    int depth, number;
    uint64_t nodes;
    int64_t time_ms;
    char current[SAN_SIZE];
} Mailbox;

typedef struct Cecp {
    Port port;
    Engine *engine;
    Mailbox box;
    CecpActivity activity;
    bool force, analyse, post, hard;
    Color side; /* the engine's, when not in force mode */
    Move guess; /* pondering: the move the opponent is expected to make */
    Move hint;  /* an idea for the opponent from the last search */
    CecpClock clock;
    int64_t arrived_ms; /* of the line in hand */
    int64_t began_ms;   /* the engine's move */
    bool draw_asked;    /* since its last move */
    int hopeless;       /* own moves in a row without hope */
    Text pongs;         /* owed until the engine has moved */
    bool quit;
} Cecp;

/* -- cecp_tell.c -- */
void cecp_tell_features(Output *out);
void cecp_tell_line(void *user, const EngineLine *line);
void cecp_tell_current_move(void *user, const Position *root, int depth, Move m, int number);
void cecp_tell_status(Cecp *c); /* the answer to "." */
void cecp_write_move(const Position *p, Move m, char out[SAN_SIZE]);

/* -- cecp_play.c: the game -- */
void cecp_done(void *user, const EngineResult *result); /* from the search thread */
void cecp_wake(void *session);                          /* takes the result */
bool cecp_posts(const Cecp *c, CecpActivity activity);  /* its thinking is shown */
void cecp_abort(Cecp *c);                               /* ends a search; nothing comes of it */
void cecp_think(Cecp *c);                               /* the engine is to move */
void cecp_ponder(Cecp *c);                              /* the opponent is to move */
void cecp_take_move(Cecp *c, Move m);                   /* the opponent's */
void cecp_position_changed(Cecp *c);                    /* by other means than a move */
void cecp_begin_game(Cecp *c);                          /* forgets what belonged to the last one */
bool cecp_hint(Cecp *c, char out[SAN_SIZE]);

#endif

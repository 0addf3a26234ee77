/* What the files of the CECP session share. */
#ifndef PROTO_CECP_INT_H
#define PROTO_CECP_INT_H

#include "base/thread.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "play/play.h"
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
    Play play; /* the GUI is its arbiter */
    bool force, analyse, post, hard;
    Color side;           /* the engine's, when not in force mode */
    Move guess;           /* pondering: the move the opponent is expected to make */
    Move hint;            /* an idea for the opponent from the last search */
    int64_t move_time_ms; /* st; 0: by the clock */
    int depth;            /* sd; 0: none */
    int64_t node_rate;    /* nps: time is counted in nodes, so many a second; 0: it is not */
    bool rate_is_new;     /* no time control came since */
    bool has_time[2];     /* the GUI said what is left: for us, for the opponent */
    int64_t time_ms[2];
    /* The line in hand: when it came, its command, and what follows that, trimmed. */
    int64_t arrived_ms;
    const struct CecpCommand *command;
    Span rest;
    bool draw_asked; /* since its last move */
    Text pongs;      /* owed until the engine has moved */
    bool quit;
} Cecp;

/* A command; NULL: there is nothing to do. False: its arguments are invalid. */
typedef struct CecpCommand {
    const char *name;
    bool (*run)(Cecp *c);
    int value; /* for commands that share a function */
} CecpCommand;

/* -- cecp_settings.c: commands that change how it plays, a row without a name behind the last -- */
extern const CecpCommand cecp_settings[];
bool cecp_set_option(Cecp *c, const char *name, Span value);
bool cecp_read_number(const Cecp *c, int64_t min, int64_t max, int64_t *out); /* in c->rest */
/* "40 5 0", "0 2:30 12", "0 1 0.1": moves, minutes, increment in seconds. */
bool cecp_read_level(Span text, TimeControl *out);
void cecp_full_clocks(Cecp *c, TimeControl control);

/* -- cecp_report.c -- */
void cecp_report_features(Output *out);
void cecp_report_line(void *user, const EngineLine *line);
void cecp_report_current_move(void *user, const Position *root, int depth, Move m, int number);
void cecp_report_status(Cecp *c); /* the answer to "." */
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
bool cecp_hint(Cecp *c, char out[SAN_SIZE]);

#endif

/* One game in progress: the moves, the clocks, draw offers, takebacks, and how it ended. No
 * threads, no files, no time of its own: it is told moves and the time in milliseconds, by whatever
 * clock its owner has, and says what is true then. Terminal, server, matches and xboard each wrap
 * it. */
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include "base/status.h"
#include "chess/draw.h"
#include "chess/result.h"
#include "search/search.h"

enum { PLAY_REASON_SIZE = 64 };

typedef struct TimeControl {
    int64_t base_ms, increment_ms; /* base 0: no clock */
    int moves;                     /* the base is added again after so many moves; 0: never */
} TimeControl;

typedef enum PlayEnd {
    PLAY_GOES_ON,
    PLAY_BY_RULES, /* state.rule says which */
    PLAY_AGREED,
    PLAY_RESIGNED,
    PLAY_TIME, /* a flag fell: lost, or drawn where the other side cannot mate */
    PLAY_ADJUDICATED,
    PLAY_FORFEITED, /* an illegal move, or a program that does not answer */
    PLAY_STOPPED    /* without a result */
} PlayEnd;

/* What a game knows besides its moves: a plain value, which its owner may store and restore. */
typedef struct PlayState {
    int64_t left_ms[COLOR_COUNT]; /* when the turn began */
    int64_t turn_ms;              /* when that was */
    Color offer;                  /* who offers a draw; COLOR_COUNT: nobody */
    PlayEnd end;
    GameEnd rule;
    Color loser; /* where end says that there is one, also of a game that time has drawn */
    Result result;
} PlayState;

typedef struct Play Play;

typedef struct PlaySetup {
    const Position *start; /* NULL: the usual start position */
    TimeControl control[COLOR_COUNT];
    bool human[COLOR_COUNT];
    bool claims;       /* threefold repetition and fifty moves end the game only when claimed */
    bool unjudged;     /* somebody else is the arbiter: neither rules nor flags end the game */
    int free_plies;    /* the clocks stand still for so many plies */
    int64_t margin_ms; /* a flag falls so long after the time is over */
    void (*changed)(void *user, const Play *p); /* after every change, to save it; may be NULL */
    void *user;
} PlaySetup;

typedef struct PlayMove {
    Move move;
    int64_t clock_ms; /* of the mover behind it; -1: no clock */
} PlayMove;

/* Read everything, change nothing but by the functions below. */
struct Play {
    PlaySetup setup; /* start is NULL */
    Position start, now;
    PlayMove *moves;
    int count;
    size_t room;
    int opening; /* plies that were given: nobody's time went by */
    PlayState state;
};

Status play_open(Play *p, const PlaySetup *setup, int64_t now_ms, Message *why);
void play_close(Play *p);

/* Begins anew with the same players and time; NULL: from the usual start position. */
void play_restart(Play *p, const Position *start, int64_t now_ms);

/* A move that was made before, with the mover's clock behind it (-1: not known). Resuming a game,
 * and openings. */
Status play_replay(Play *p, Move m, int64_t clock_ms, Message *why);

void play_mark_opening(Play *p);                    /* the moves so far were given, and stay */
void play_resume(Play *p, int64_t now_ms);          /* behind replayed moves: the turn begins now */
void play_restore(Play *p, const PlayState *state); /* ... or: what was stored holds */

/* -- Looking -- */

void play_position(const Play *p, int ply, Position *out); /* after so many moves */
bool play_is_over(const Play *p);
bool play_has_clock(const Play *p, Color c);
bool play_clock_runs(const Play *p); /* of the side to move */
int64_t play_clock_ms(const Play *p, Color c, int64_t now_ms);
int play_moves_to_go(const Play *p, Color c); /* to the next time control; 0: none */

/* Clocks for a search of that side. A side without a clock is shown with as much as the other. */
void play_limits(const Play *p, Color us, int64_t now_ms, SearchLimits *out);

/* GAME_THREEFOLD or GAME_FIFTY where the side to move may claim a draw. */
GameEnd play_claim(const Play *p);

/* "checkmate", "Black resigns", "White loses on time"; "" while it goes on. */
void play_reason(const Play *p, char out[PLAY_REASON_SIZE]);

/* -- Changing; each does nothing more once the game is over -- */

/* STATUS_REFUSED: over, or the flag fell before; STATUS_INVALID: not legal. */
Status play_move(Play *p, Move m, int64_t now_ms, Message *why);

/* The flag of the side to move; true when it fell now. */
bool play_check_flag(Play *p, int64_t now_ms);
void play_time_out(Play *p, int64_t now_ms); /* whatever the clock says */

/* True when the other side had offered one too: drawn. Otherwise the offer stands until the other
 * side moves. */
bool play_offer_draw(Play *p, Color c, int64_t now_ms);
void play_agree_draw(Play *p, int64_t now_ms);
void play_resign(Play *p, Color c, int64_t now_ms);
bool play_claim_draw(Play *p, int64_t now_ms); /* false: there is nothing to claim */

/* For all other ends. `result` decides; `loser` is whose fault it is, or COLOR_COUNT. */
void play_end(Play *p, PlayEnd end, Result result, Color loser, int64_t now_ms);

/* How many plies to the last turn of a person; 0: there is none. */
int play_plies_to_human(const Play *p);
bool play_take_back(Play *p, int plies, int64_t now_ms); /* also of a game that is over */

void play_set_control(Play *p, Color c, TimeControl control); /* the clock is full again */
void play_set_clock(Play *p, Color c, int64_t left_ms, int64_t now_ms);

#endif

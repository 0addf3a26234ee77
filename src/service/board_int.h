/* Games in memory. What is in the store is the truth: a change is made on a copy of the game's row,
 * stored, and only then taken over. All under Service.lock. */
#ifndef SERVICE_BOARD_INT_H
#define SERVICE_BOARD_INT_H

#include "chess/san.h"
#include "engine/opponents.h"
#include "engine/policy.h"
#include "play/play.h"
#include "service/service_int.h"

typedef struct BoardMove { /* what a Play does not know of a move */
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE], fen[FEN_SIZE];
    int64_t spent_ms;
    int64_t late_ms; /* an opponent's move: how long after the time it wanted to take */
} BoardMove;

typedef struct Board {
    struct Board *next;
    StoreGame g;
    Play play; /* by the monotonic clock */
    BoardMove *moves;
    size_t room;
    int64_t unwatched; /* monotonic: since when nobody looks; 0: somebody does */
    bool paused;
    int takeback; /* of two people: the colour that asks for one, or -1 */
    bool deleted; /* goes when its job is done */
    /* The opponents (turn.c). */
    Opponent *opponent[COLOR_COUNT]; /* NULL: Castellan itself, or it has not moved yet */
    Policy policy[COLOR_COUNT];      /* of Castellan itself */
    struct PoolJob *job; /* thinks about a move; the opponent is its own until it is done */
    bool has_reply;
    int64_t shown_ms; /* how long the answer below may seem to take */
    OpponentAnswer reply;
    /* The hint, while the position stands. */
    int hint_ply; /* -1: none */
    Move hint;
} Board;

Status board_new(Service *service, const StoreGame *g, Board **out, Message *why); /* stores it */
Board *board_loaded(const Service *service, int64_t id); /* NULL: it is not in memory */
Status board_get(Service *service, int64_t id, Board **out,
                 Message *why);                /* loads it when needed */
void board_unload(Service *service, Board *b); /* not while a job thinks */

/* Describes the last move, made in that position; false: no memory. */
bool board_describe_move(Board *b, const Position *before, int64_t spent_ms);

bool board_two_people(const Board *b);
bool board_on_one_screen(const Board *b); /* two people at the same browser */
/* The colour for which this player moves, offers and resigns now; -1: none. */
int board_color_of(const Board *b, int64_t player);

/* Writes `g->fen`, the opening and so on from the moves. */
void board_describe(Service *service, const Board *b, StoreGame *g);

/* Changes; each is stored before it is true (board_play.c). */
Status board_play(Service *service, Board *b, Move m, Message *why);
/* The play has ended: stores that, or takes it back to how it was `before`. */
Status board_finish(Service *service, Board *b, const PlayState *before, Message *why);
/* To where that side was last to move. */
Status board_take_back(Service *service, Board *b, Color us, Message *why);
Status board_save(Service *service, Board *b, const StoreGame *changed, Message *why);

/* Ends the game when the flag of the side to move has fallen; true then. */
bool board_flag(Service *service, Board *b);

/* The opponents of a game (turn.c): they think in the search pool, and a move is played when its
 * player would have played it. An opponent belongs to its job while that thinks. */
void turn_wake(Service *service, Board *b); /* lets the opponent think when it is to move */
void turn_cancel(Board *b);                 /* what it thinks is not wanted any more */
/* The game was deleted. A board whose opponent thinks goes when that is done. */
void turn_drop(Service *service, Board *b);
/* Plays replies and ends clocks that are due; `next` is when to come again. */
void turn_run_due(Service *service, Board *b, int64_t now, int64_t *next);
Status turn_agree(Service *service, Board *b, Message *why); /* a draw */
Status turn_offer(Service *service, Board *b, Message *why); /* you offer a draw */

#endif

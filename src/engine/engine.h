/* The facade: one session with the engine. A session has options, a game (a start position and
 * the moves since), and thinks about a position when asked, telling through events. Protocols
 * and front ends talk to this and to nothing behind it.
 *
 * One thread owns a session and calls these functions; events come from a search thread. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "engine/options.h"
#include "opponent/opponent.h"
#include "search/search.h"

/* A score as people read it, from the side to move. */
typedef struct EngineScore {
    bool is_mate;
    int value; /* moves to mate (negative: being mated; 0: mated already), or centipawns */
    int win, draw, loss; /* permille */
} EngineScore;

/* One line of thought. The PV is legal and ends where the game would be drawn. Valid during the callback alone. */
typedef struct EngineLine {
    const Position *root;
    int depth, seldepth, multipv;
    EngineScore score;
    ScoreBound bound;
    uint64_t nodes, nps, tb_hits;
    int64_t time_ms;
    int hashfull; /* permille */
    const Move *pv;
    int pv_length;
    bool show_wdl;
} EngineLine;

typedef struct EngineResult {
    const Position *root;
    Move best;   /* MOVE_NONE when there is no legal move */
    Move ponder; /* legal after best, or MOVE_NONE */
    EngineScore score;
    int depth;
    uint64_t nodes;
    int64_t time_ms;
    bool told; /* a line was told before */
    /* Manners, of opponents that have some. There is a move also with a resignation or an offer. */
    bool resigns, offers_draw;
    int64_t
        think_ms; /* the time its player would take; 0: as long as it took. Waited for already where it fits */
    char talk[OPPONENT_TALK_SIZE]; /* what it says with the move, "" for nothing */
} EngineResult;

/* Called from a search thread, one at a time. Any may be NULL. */
typedef struct EngineEvents {
    void *user;
    void (*line)(void *user, const EngineLine *line);
    void (*current_move)(void *user, const Position *root, int depth, Move m, int number);
    void (*done)(void *user, const EngineResult *result); /* once per engine_go, last */
} EngineEvents;

Status engine_create(Engine **e, const EngineEvents *events, Message *why);
void engine_destroy(Engine *e); /* ends a running search first */

/* -- Options -- */

/* Sets by name, as protocols do. STATUS_MISSING: no such option. With STATUS_OK a message that is
 * not empty is a remark for the user. */
Status engine_set_option(Engine *e, Span name, Span value, Message *why);
int64_t engine_number(const Engine *e, OptionId id);
const char *engine_string(const Engine *e, OptionId id);

/* What the session evaluates with: EvalFile, or the program's own. */
const Evaluator *engine_evaluator(const Engine *e);

/* Who plays: a row of the gallery, or Castellan at a level of strength (its rating is the level). Valid until an
 * option is set. A row without an opponent is Castellan itself. */
const OpponentRow *engine_opponent(const Engine *e);

/* -- The game -- */

void engine_set_start(Engine *e);
Status engine_set_fen(Engine *e, Span fen, Message *why); /* on failure the game stays */
const Position *engine_position(const Engine *e);
const Position *engine_first_position(const Engine *e);
int engine_move_count(const Engine *e); /* since the first position */
Move engine_move_at(const Engine *e, int i);
Status engine_play(Engine *e, Move m, Message *why); /* any 16 bits: refused when not legal */
bool engine_undo(Engine *e, int plies); /* false, and nothing done, when there are not so many */

/* Another opponent, another day: table and histories are forgotten. The position stays. */
void engine_new_game(Engine *e);

/* -- Thinking -- */

/* Thinks about `from` (NULL: the game's position), which is copied. A running search is ended first, with its `done`.
 *
 * Where a move is to be played it is the chosen opponent that thinks, with the same events; it tells one line at a
 * time whatever MultiPV is, and while it is to ponder it waits. Analysis is Castellan's own work:
 * UCI_AnalyseMode, infinite, searchmoves, mate. */
void engine_go(Engine *e, const Position *from, const SearchLimits *limits);
void engine_stop(Engine *e);      /* `done` comes soon; harmless when idle */
void engine_ponderhit(Engine *e); /* harmless when idle */
void engine_wait(Engine *e);      /* until `done` has returned */
void engine_end(Engine *e);       /* stop and wait */
bool engine_thinking(Engine *e);

/* Would it agree to a draw in `p` (NULL: the game's position)? Castellan does when it did not think itself better with its last move of
 * this game. An opponent says no while it thinks, and before its first move of a game. */
bool engine_accepts_draw(Engine *e, const Position *p);

/* Should a front end that can do so resign now, after this result? */
bool engine_resigns(Engine *e, const EngineResult *r);

/* The game went on by other means than moves (a takeback, another position): earlier scores no longer count. Only for
 * front ends that keep the game themselves. */
void engine_forget_scores(Engine *e);

/* A search without events on a thinking-free session, for hints and judgements; waits for it. */
EngineResult engine_think_quietly(Engine *e, const Position *from, const SearchLimits *limits);

/* A score as GUIs read it. */
EngineScore engine_score(Score s, const Position *p);

#endif

/* An engine session: options, a game (a start position and its moves), and searches that report
 * through events. Protocols and front ends use this and nothing below it.
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

/* A score from the view of the side to move. */
typedef struct EngineScore {
    bool is_mate;
    int value;           /* moves to mate (negative: being mated; 0: checkmated), or centipawns */
    int win, draw, loss; /* permille */
} EngineScore;

/* One reported PV. It is legal and ends where the game would be drawn. Valid during the callback
 * only. */
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
    bool told; /* a line was reported before */
    /* Decisions of opponents that resign or offer draws. There is a move in either case. */
    bool resigns, offers_draw;
    char talk[OPPONENT_TALK_SIZE]; /* its comment on the move, "" for none */
} EngineResult;

/* Called from a search thread, one at a time. Any may be NULL. */
typedef struct EngineEvents {
    void *user;
    void (*line)(void *user, const EngineLine *line);
    void (*current_move)(void *user, const Position *root, int depth, Move m, int number);
    void (*done)(void *user, const EngineResult *result); /* once per engine_go, last */
} EngineEvents;

Status engine_create(Engine **e, const EngineEvents *events, Message *why);
void engine_destroy(Engine *e); /* stops a running search first */

/* -- Options -- */

/* Sets an option by name. STATUS_MISSING: no such option. With STATUS_OK a message that is not
 * empty is information for the user. */
Status engine_set_option(Engine *e, Span name, Span value, Message *why);
int64_t engine_number(const Engine *e, OptionId id);
const char *engine_string(const Engine *e, OptionId id);

/* The evaluation in use: EvalFile, or the default. */
const Evaluator *engine_evaluator(const Engine *e);

/* The opponent: a row of the list, or Castellan at a level (its rating is the level). Valid until
 * an option is set. A row without an opponent is Castellan itself. */
const OpponentRow *engine_opponent(const Engine *e);

/* -- The game -- */

Status engine_set_fen(Engine *e, Span fen, Message *why); /* on failure the game is unchanged */
const Position *engine_position(const Engine *e);
Status engine_play(Engine *e, Move m, Message *why); /* any 16-bit value: refused when not legal */

/* A new game: clears the TT and the histories. The position stays. */
void engine_new_game(Engine *e);

/* -- Searching -- */

/* Searches `from` (NULL: the position of the game), which is copied. A running search is stopped
 * first, with its `done`.
 *
 * When a move is to be played, the chosen opponent searches, with the same events; it reports one
 * line whatever MultiPV is, and waits while pondering. Castellan itself analyses: UCI_AnalyseMode,
 * infinite, searchmoves, mate. */
void engine_go(Engine *e, const Position *from, const SearchLimits *limits);
void engine_stop(Engine *e);      /* `done` follows soon; no effect when idle */
void engine_ponderhit(Engine *e); /* no effect when idle */
void engine_wait(Engine *e);      /* until `done` has returned */
void engine_end(Engine *e);       /* stop and wait */
bool engine_thinking(Engine *e);

/* Whether it accepts a draw in `p` (NULL: the position of the game). Castellan does when its last
 * score in this game was not above 0. An opponent refuses while it searches, and before its first
 * move. */
bool engine_accepts_draw(Engine *e, const Position *p);

/* Whether a front end should resign now, after this result. */
bool engine_resigns(Engine *e, const EngineResult *r);

/* The game was changed other than by moves (a takeback, another position): earlier scores no longer
 * count. Only for front ends that keep the game themselves. */
void engine_forget_scores(Engine *e);

/* A search without events on an idle session, for hints and evaluations; waits for it. */
EngineResult engine_think_quietly(Engine *e, const Position *from, const SearchLimits *limits);

/* A score in GUI units. */
EngineScore engine_score(Score s, const Position *p);

#endif

#include "study/puzzle.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "study/review_int.h"

#include <string.h>

enum {
    SCAN_EFFORT = 20, /* percent of the usual one, to see where something happens */
    FIRST_PLY = 6,    /* nothing is asked about the first moves of a game */
    ENDGAME_PIECES = 6,
    SACRIFICED = 200, /* centipawns */
    TAKEN = 200
};

/* Winning chances, the solver's: the only move has at least the first, every other at most the
 * second and by the third less than the move. */
static const double WINS = 0.6, WINS_NOT = 0.3, CLEARLY = 0.45;

/* The searches for one claim, and by how much each may be wrong: most positions end with the first,
 * and only what the last one shows counts. In 108 games the first two drop none of the puzzles. */
static const struct {
    int effort;
    double error;
} stages[] = {{SCAN_EFFORT, 0.2}, {LOOK_USUAL, 0.1}, {LOOK_BEYOND, 0}};

/* -- Themes -- */

static const struct {
    const char *name, *title;
} theme_rows[PUZZLE_THEME_COUNT] = {
    [PUZZLE_MATE] = {"mate", "Checkmate"},
    [PUZZLE_BACK_RANK] = {"back-rank", "Back rank"},
    [PUZZLE_FORK] = {"fork", "Fork"},
    [PUZZLE_PIN] = {"pin", "Pin"},
    [PUZZLE_SKEWER] = {"skewer", "Skewer"},
    [PUZZLE_DISCOVERY] = {"discovered-attack", "Discovered attack"},
    [PUZZLE_TRAP] = {"trapped-piece", "Trapped piece"},
    [PUZZLE_OVERLOAD] = {"overload", "Overloaded defender"},
    [PUZZLE_REMOVAL] = {"removed-defender", "Captured defender"},
    [PUZZLE_PROMOTION] = {"promotion", "Promotion"},
    [PUZZLE_HANGING] = {"hanging-piece", "Hanging piece"},
    [PUZZLE_SACRIFICE] = {"sacrifice", "Sacrifice"},
    [PUZZLE_QUIET] = {"quiet-move", "Quiet move"},
    [PUZZLE_ENDGAME] = {"endgame", "Endgame"},
    [PUZZLE_ADVANTAGE] = {"advantage", "Winning advantage"},
};

const char *puzzle_theme_name(PuzzleTheme t)
{
    return theme_rows[t].name;
}

const char *puzzle_theme_title(PuzzleTheme t)
{
    return theme_rows[t].title;
}

static unsigned bit(PuzzleTheme t)
{
    return 1u << t;
}

/* Of the tricks that motif_find knows. */
static const PuzzleTheme motif_themes[] = {
    [REASON_MISSES_FORK] = PUZZLE_FORK,       [REASON_MISSES_PIN] = PUZZLE_PIN,
    [REASON_MISSES_SKEWER] = PUZZLE_SKEWER,   [REASON_MISSES_DISCOVERY] = PUZZLE_DISCOVERY,
    [REASON_MISSES_TRAP] = PUZZLE_TRAP,       [REASON_MISSES_OVERLOAD] = PUZZLE_OVERLOAD,
    [REASON_MISSES_REMOVAL] = PUZZLE_REMOVAL, [REASON_MISSES_PROMOTION] = PUZZLE_PROMOTION,
    [REASON_MISSES_RACE] = PUZZLE_PROMOTION,
};

static unsigned mate_themes(const Position *start, const Line *line)
{
    Position end;
    if (!line_mates(start, line, &end))
        return 0;
    return bit(PUZZLE_MATE) | (end_is_back_rank(&end) ? bit(PUZZLE_BACK_RANK) : 0);
}

/* `seen` is the whole line of the search, which goes beyond the puzzle. */
static unsigned themes_of(const Position *p, const Line *solution, const Line *seen)
{
    Move first = solution->at[0];
    ReviewReason trick;
    unsigned themes = mate_themes(p, solution);
    if (motif_find(p, seen, &trick))
        themes |= bit(motif_themes[trick.kind]);
    bool takes = pos_is_capture(p, first);
    if (takes && see_at_least(p, first, TAKEN))
        themes |= bit(PUZZLE_HANGING);
    if (!see_at_least(p, first, -SACRIFICED + 1))
        themes |= bit(PUZZLE_SACRIFICE);
    if (!takes && !pos_gives_check(p, first) && !move_is_promotion(first))
        themes |= bit(PUZZLE_QUIET);
    if (!(themes & ~bit(PUZZLE_QUIET)))
        themes |= bit(PUZZLE_ADVANTAGE);
    return judge_pieces(p) <= ENDGAME_PIECES ? themes | bit(PUZZLE_ENDGAME) : themes;
}

static int guess_rating(const Puzzle *p)
{
    int rating = 1000 + 150 * (p->length / 2);
    rating += p->themes & bit(PUZZLE_QUIET) ? 350 : 0;
    rating += p->themes & bit(PUZZLE_SACRIFICE) ? 250 : 0;
    rating -= p->themes & bit(PUZZLE_HANGING) ? 300 : 0;
    return rating - (p->length == 1 && p->themes & bit(PUZZLE_MATE) ? 200 : 0);
}

/* -- One move that wins -- */

/* Sees whether one move wins, and which; `margin` is what the searches may be wrong by. */
static Status one_wins(Reviewer *r, const Position *p, int effort, double margin, bool *yes,
                       Seen *best, Message *why)
{
    Move others[MAX_MOVES];
    Seen second;
    *yes = false;
    Status s = reviewer_look(r, p, effort, best, why);
    if (s != STATUS_OK || !best->line.length || judge_chance(best->score, p) < WINS - margin)
        return s;
    int count = work_other_moves(p, &best->line.at[0], 1, others);
    if (!count)
        return STATUS_OK;
    s = reviewer_look_among(r, p, others, count, effort, &second, why);
    double chance = judge_chance(second.score, p);
    *yes = s == STATUS_OK && chance <= WINS_NOT + margin &&
           judge_chance(best->score, p) - chance >= CLEARLY - margin;
    return s;
}

/* Who takes back what was just taken, or has no choice, has found nothing. */
static bool is_trivial(const Position *p, Move last, Move first, bool last_took)
{
    Move moves[MAX_MOVES];
    return (last_took && move_to(first) == move_to(last)) || movegen(p, GEN_ALL, moves) < 3;
}

/* The moves after the first one: as long as there is one that wins, and an answer to it. */
static Status continue_line(Reviewer *r, const Position *start, Line *line, Message *why)
{
    Status s = STATUS_OK;
    while (s == STATUS_OK && line->length + 2 <= PUZZLE_LINE_MAX) {
        Position p = *start;
        Seen answer, next;
        Undo undo;
        bool yes;
        line_play(&p, line, line->length);
        s = reviewer_look(r, &p, LOOK_AGAIN, &answer, why);
        if (s != STATUS_OK || !answer.line.length)
            break;
        pos_make(&p, answer.line.at[0], &undo);
        s = one_wins(r, &p, LOOK_AGAIN, 0, &yes, &next, why);
        if (s != STATUS_OK || !yes)
            break;
        line->at[line->length++] = answer.line.at[0];
        line->at[line->length++] = next.line.at[0];
    }
    return s;
}

static Status prove_first(Reviewer *r, const Position *p, Move last, bool last_took, Seen *best,
                          bool *proven, Message *why)
{
    enum { STAGES = sizeof stages / sizeof *stages };
    Move first = MOVE_NONE;
    *proven = false;
    for (int k = 0; k < STAGES; k++) {
        bool yes;
        Status s = one_wins(r, p, stages[k].effort, stages[k].error, &yes, best, why);
        if (s != STATUS_OK || !yes || is_trivial(p, last, best->line.at[0], last_took))
            return s;
        if (k == STAGES - 1 && best->line.at[0] != first)
            return STATUS_OK;
        first = best->line.at[0];
    }
    *proven = true;
    return STATUS_OK;
}

static Status try_position(Reviewer *r, const Position *p, Move last, bool last_took, Puzzle *out,
                           bool *made, Message *why)
{
    Seen best;
    Status s = prove_first(r, p, last, last_took, &best, made, why);
    if (s != STATUS_OK || !*made)
        return s;
    Move first = best.line.at[0];
    Line line = {.at = {first}, .length = 1};
    s = continue_line(r, p, &line, why);
    if (s != STATUS_OK)
        return s;
    *out = (Puzzle){.start = *p, .last = last, .length = line.length};
    memcpy(out->line, line.at, (size_t)line.length * sizeof *out->line);
    out->themes = themes_of(p, &line, &best.line);
    out->rating = guess_rating(out);
    return STATUS_OK;
}

/* -- A game -- */

Status puzzles_of_game(Reviewer *r, const Position *start, const Move *moves, int count,
                       PuzzleFound *found, void *user, Message *why)
{
    Position p = *start;
    int from = FIRST_PLY; /* positions inside the solution of the last puzzle are passed over */
    Status s = STATUS_OK;
    Undo undo;
    reviewer_forget(r);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        bool took = pos_is_capture(&p, moves[i]), made;
        Puzzle puzzle;
        pos_make(&p, moves[i], &undo);
        if (i + 1 < from || !movegen_any(&p))
            continue;
        s = try_position(r, &p, moves[i], took, &puzzle, &made, why);
        if (s == STATUS_OK && made) {
            puzzle.ply = i + 2;
            from = i + 1 + puzzle.length + 1;
            found(user, &puzzle);
        }
    }
    return s;
}

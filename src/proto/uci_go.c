/* The many words of "go". */
#include "proto/uci_int.h"

#include "chess/uci_move.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define DAY_MS (INT64_C(1000) * 86400)
#define YEAR_MS (365 * DAY_MS)

typedef enum GoKind { GO_NUMBER, GO_FLAG, GO_MOVES } GoKind;

/* A word, and the member of GoRequest that it sets: of type int64_t or int, or bool for a flag. */
typedef struct GoRow {
    const char *word;
    GoKind kind;
    size_t offset, size;
    int64_t least, most;
} GoRow;

#define MEMBER(name) offsetof(GoRequest, name), sizeof(((const GoRequest *)NULL)->name)

/* The clocks of White and Black come first. A limit of zero means "none" to the search; whoever
 * asks for zero wants the least. */
static const GoRow go_rows[] = {
    {"wtime", GO_NUMBER, MEMBER(limits.clock_ms[WHITE]), -DAY_MS, YEAR_MS},
    {"btime", GO_NUMBER, MEMBER(limits.clock_ms[BLACK]), -DAY_MS, YEAR_MS},
    {"winc", GO_NUMBER, MEMBER(limits.increment_ms[WHITE]), 0, YEAR_MS},
    {"binc", GO_NUMBER, MEMBER(limits.increment_ms[BLACK]), 0, YEAR_MS},
    {"movestogo", GO_NUMBER, MEMBER(limits.moves_to_go), 0, INT_MAX},
    {"movetime", GO_NUMBER, MEMBER(limits.move_time_ms), 1, YEAR_MS},
    {"depth", GO_NUMBER, MEMBER(limits.depth), 1, INT_MAX},
    {"mate", GO_NUMBER, MEMBER(limits.mate), 1, INT_MAX},
    {"nodes", GO_NUMBER, MEMBER(limits.nodes), 1, INT64_MAX},
    {"perft", GO_NUMBER, MEMBER(perft), 0, 100},
    {"infinite", GO_FLAG, MEMBER(limits.infinite), 0, 0},
    {"ponder", GO_FLAG, MEMBER(limits.ponder), 0, 0},
    {"searchmoves", GO_MOVES, 0, 0, 0, 0},
};
enum { GO_ROWS = sizeof go_rows / sizeof *go_rows };

static const GoRow *find_row(Span word)
{
    for (int i = 0; i < GO_ROWS; i++)
        if (span_is(word, go_rows[i].word))
            return &go_rows[i];
    return NULL;
}

static int64_t clamp(int64_t value, int64_t min, int64_t max)
{
    return value < min ? min : value > max ? max : value;
}

/* A number, whatever its size: larger than any clock is as good as the largest. */
static bool read_number(Span word, int64_t *out)
{
    const int64_t largest = INT64_C(1) << 52;
    double real;
    if (!span_to_double(word, &real))
        return false;
    *out = real > (double)largest ? largest : real < -(double)largest ? -largest : (int64_t)real;
    return true;
}

/* Takes the number that follows, if there is one. */
static void take_number(GoRequest *go, const GoRow *row, Span *rest)
{
    Span ahead = *rest, value;
    int64_t n;
    if (!span_next_word(&ahead, &value) || !read_number(value, &n))
        return;
    *rest = ahead;
    n = clamp(n, row->least, row->most);
    int narrow = (int)n;
    memcpy((char *)go + row->offset, row->size == sizeof n ? (void *)&n : &narrow, row->size);
    if (row - go_rows < COLOR_COUNT)
        go->limits.has_clock[row - go_rows] = true;
}

/* Takes the moves that follow; the first word that is none is left in *rest. Moves that are not
 * legal here are skipped. */
static void take_moves(SearchLimits *l, const Position *p, Span *rest)
{
    Span ahead = *rest, word;
    while (span_next_word(&ahead, &word) && !find_row(word)) {
        *rest = ahead;
        Move m = uci_move_read(p, word);
        bool known = m == MOVE_NONE;
        for (int i = 0; i < l->only_count; i++)
            known = known || l->only[i] == m;
        if (!known)
            l->only[l->only_count++] = m;
    }
}

/* A lone clock counts for both: tools send "go wtime 100" whoever is to move. */
static void share_clock(SearchLimits *l)
{
    if (l->has_clock[WHITE] == l->has_clock[BLACK])
        return;
    Color told = l->has_clock[WHITE] ? WHITE : BLACK;
    Color other = color_other(told);
    l->has_clock[other] = true;
    l->clock_ms[other] = l->clock_ms[told];
    if (!l->increment_ms[other])
        l->increment_ms[other] = l->increment_ms[told];
}

static bool has_limit(const SearchLimits *l)
{
    return l->has_clock[WHITE] || l->move_time_ms || l->depth || l->mate || l->nodes;
}

void uci_parse_go(Span rest, const Position *p, int64_t arrived_ms, GoRequest *out)
{
    *out = (GoRequest){.perft = -1};
    out->limits.start_ms = arrived_ms;
    Span word;
    while (span_next_word(&rest, &word)) {
        const GoRow *row = find_row(word);
        if (row && row->kind == GO_NUMBER)
            take_number(out, row, &rest);
        else if (row && row->kind == GO_MOVES)
            take_moves(&out->limits, p, &rest);
        else if (row)
            *(bool *)((char *)out + row->offset) = true;
    }
    share_clock(&out->limits);
    out->limits.infinite |= !has_limit(&out->limits) && !out->limits.ponder;
}

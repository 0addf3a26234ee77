/* Openings from a file of positions, a file of games, or out of nothing. A file of positions is
 * kept as text and read where it is needed, for books of a million lines are common. */
#include "match/match_int.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/random_opening.h"
#include "notation/epd.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FILE_LIMIT = 1 << 30,
    RANDOM_PLIES = 8,
    RANDOM_NODES = 2000,
    RANDOM_LIMIT = 120, /* a random opening is as balanced as this, in centipawns */
    RANDOM_HASH_MB = 1
};

/* An opening of a PGN file: its moves lie in one array with all others. */
typedef struct BookGame {
    Position *start; /* NULL: the usual one */
    size_t first;
    int count;
} BookGame;

struct MatchBook {
    char *text; /* of a file of positions */
    size_t *lines;
    BookGame *games;   /* of a file of games; behind the last, the one being read */
    Position *pending; /* its start */
    Move *moves;
    size_t move_count, move_room;
    uint32_t *order;
    size_t count, room;
    int max_plies;
    uint64_t seed, checksum;
    const char *path;
    bool failed;      /* memory ran out while reading */
    Mutex lock;       /* for the search */
    SearchPool *pool; /* evaluates random openings */
};

/* -- Positions -- */

static Status read_positions(MatchBook *o, Message *why)
{
    size_t len;
    Status s = file_read(&o->text, &len, o->path, FILE_LIMIT, why);
    if (s != STATUS_OK)
        return s;
    o->checksum = checksum64(o->text, len);
    Span rest = {o->text, len}, line;
    while (span_next_line(&rest, &line)) {
        if (!span_trim(line).len || line.at[0] == '#')
            continue;
        if (!memory_grow(&o->lines, sizeof *o->lines, o->count, &o->room))
            return status_fail(why, STATUS_MEMORY, "%s: not enough memory for the openings",
                               o->path);
        o->lines[o->count++] = (size_t)(line.at - o->text);
    }
    return STATUS_OK;
}

static Status get_position(const MatchBook *o, size_t i, MatchOpening *out, Message *why)
{
    Span rest = span_of(o->text + o->lines[i]), line;
    span_next_line(&rest, &line);
    Epd *epd = malloc(sizeof *epd);
    if (!epd)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an opening");
    epd_init(epd);
    Status s = epd_read(epd, line, false, why);
    if (s == STATUS_OK)
        out->start = epd->position;
    else if (why)
        message_prefix(why, "%s: '%.*s': ", o->path, line.len < 70 ? (int)line.len : 70, line.at);
    epd_free(epd);
    free(epd);
    return s;
}

/* -- Games -- */

static void on_start(void *user, const Position *p)
{
    MatchBook *o = user;
    Position usual;
    pos_set_start(&usual);
    free(o->pending); /* of a game that was broken */
    o->pending = NULL;
    bool other = p->st.key != usual.st.key || p->chess960;
    if (!memory_grow(&o->games, sizeof *o->games, o->count, &o->room) ||
        (other && !(o->pending = malloc(sizeof *o->pending)))) {
        o->failed = true;
        return;
    }
    if (other)
        *o->pending = *p;
    o->games[o->count] = (BookGame){NULL, o->move_count, 0};
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    MatchBook *o = user;
    (void)p;
    if (depth || o->failed)
        return;
    BookGame *g = &o->games[o->count];
    if (g->count < 0 || g->count >= o->max_plies)
        return;
    if (move_is_none(m)) {
        g->count = -1; /* players cannot pass: no opening */
        return;
    }
    if (!memory_grow(&o->moves, sizeof *o->moves, o->move_count, &o->move_room)) {
        o->failed = true;
        return;
    }
    o->moves[o->move_count++] = m;
    g->count++;
}

static void on_end(void *user, Result result)
{
    MatchBook *o = user;
    (void)result;
    if (o->failed || o->games[o->count].count < 0)
        return;
    o->games[o->count++].start = o->pending;
    o->pending = NULL;
}

static Status read_games(MatchBook *o, const atomic_bool *stop, Message *why)
{
    const PgnVisitor visitor = {.user = o, .start = on_start, .move = on_move, .end = on_end};
    PgnReader *r;
    Status s = pgn_open(&r, o->path, stop, why);
    while (s == STATUS_OK) {
        s = pgn_next(r, &visitor, why);
        if (o->failed)
            s = status_fail(why, STATUS_MEMORY, "%s: not enough memory for the openings", o->path);
    }
    pgn_close(r);
    o->checksum = checksum64(o->moves, o->move_count * sizeof *o->moves) + o->count;
    return s == STATUS_END ? STATUS_OK : s;
}

static void get_game(const MatchBook *o, size_t i, MatchOpening *out)
{
    const BookGame *g = &o->games[i];
    if (g->start)
        out->start = *g->start;
    else
        pos_set_start(&out->start);
    out->count = g->count;
    memcpy(out->moves, o->moves + g->first, (size_t)g->count * sizeof *out->moves);
}

/* -- Random openings -- */

static bool is_balanced(void *user, const Position *p)
{
    MatchBook *o = user;
    const SearchLimits limits = {.nodes = RANDOM_NODES};
    const SearchOptions options = {.multi_pv = 1};
    search_clear(o->pool);
    return abs(search_run(o->pool, p, &limits, &options, NULL).score) <= RANDOM_LIMIT;
}

static void get_random(MatchBook *o, uint64_t i, MatchOpening *out)
{
    const RandomOpeningRules rules = {.plies = RANDOM_PLIES, .accept = is_balanced, .user = o};
    RandomOpening opening;
    Random random;
    random_seed(&random, o->seed * 0x9e3779b97f4a7c15u + i);
    mutex_lock(&o->lock);
    random_opening_make(&rules, &random, &opening);
    mutex_unlock(&o->lock);
    out->start = opening.start;
    out->count = opening.count;
    memcpy(out->moves, opening.moves, (size_t)opening.count * sizeof *out->moves);
}

/* -- All kinds -- */

static Status shuffle(MatchBook *o, Message *why)
{
    Random random;
    random_seed(&random, o->seed);
    o->order = malloc(o->count * sizeof *o->order);
    if (!o->order)
        return status_fail(why, STATUS_MEMORY, "%s: not enough memory for the openings", o->path);
    for (size_t i = 0; i < o->count; i++) {
        size_t k = random_below(&random, (uint32_t)i + 1);
        o->order[i] = o->order[k];
        o->order[k] = (uint32_t)i;
    }
    o->checksum += o->seed * 0x9e3779b97f4a7c15u + 1;
    return STATUS_OK;
}

/* Every opening that will be played can be. */
static Status check_first(MatchBook *o, uint64_t wanted, Message *why)
{
    MatchOpening opening;
    Status s = STATUS_OK;
    for (uint64_t i = 0; i < wanted && i < o->count && s == STATUS_OK; i++)
        s = match_book_get(o, i, &opening, why);
    return s;
}

static Status open_file(MatchBook *o, const MatchOptions *options, const atomic_bool *stop,
                        Message *why)
{
    size_t len = strlen(o->path);
    bool pgn = len > 4 && strcasecmp(o->path + len - 4, ".pgn") == 0;
    Status s = pgn ? read_games(o, stop, why) : read_positions(o, why);
    if (s != STATUS_OK)
        return s;
    if (!o->count || o->count > UINT32_MAX)
        return status_fail(why, STATUS_INVALID, "%s: no openings", o->path);
    return options->random_order ? shuffle(o, why) : STATUS_OK;
}

Status match_book_open(MatchBook **out, const MatchOptions *options, uint64_t wanted,
                       const atomic_bool *stop, Message *why)
{
    MatchBook *o = calloc(1, sizeof *o);
    if (!o)
        return status_fail(why, STATUS_MEMORY, "not enough memory for openings");
    mutex_init(&o->lock);
    o->path = options->openings;
    o->seed = options->seed;
    o->max_plies = options->opening_plies ? options->opening_plies : OPENING_MAX_PLIES;
    if (o->max_plies > OPENING_MAX_PLIES)
        o->max_plies = OPENING_MAX_PLIES;
    Status s;
    if (o->path) {
        s = open_file(o, options, stop, why);
        if (s == STATUS_OK)
            s = check_first(o, wanted, why);
    } else {
        o->checksum = o->seed;
        s = search_create(&o->pool, evaluator_classical(), RANDOM_HASH_MB, why);
    }
    return GIVE_OR_CLOSE(s, out, o, match_book_close);
}

void match_book_close(MatchBook *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->count && o->games; i++)
        free(o->games[i].start);
    search_destroy(o->pool);
    mutex_free(&o->lock);
    free(o->text);
    free(o->lines);
    free(o->games);
    free(o->pending);
    free(o->moves);
    free(o->order);
    free(o);
}

/* The position after the moves has to have some of its own. */
static bool is_playable(const MatchOpening *opening)
{
    Position p = opening->start;
    for (int i = 0; i < opening->count; i++) {
        Undo undo;
        pos_make(&p, opening->moves[i], &undo);
    }
    return movegen_any(&p);
}

Status match_book_get(MatchBook *o, uint64_t i, MatchOpening *out, Message *why)
{
    out->count = 0;
    if (!o->path) {
        get_random(o, i, out);
        return STATUS_OK;
    }
    size_t index = (size_t)(i % o->count);
    if (o->order)
        index = o->order[index];
    if (o->games)
        get_game(o, index, out);
    else if (get_position(o, index, out, why) != STATUS_OK)
        return STATUS_INVALID;
    if (!is_playable(out))
        return status_fail(why, STATUS_INVALID, "%s: opening %zu leaves no move to play", o->path,
                           index + 1);
    return STATUS_OK;
}

uint64_t match_book_checksum(const MatchBook *o)
{
    return o->checksum;
}

/* The protocol of xboard, version 2 and what older programs speak of it. The program keeps the game
 * itself: it is told each move once, and plays on its own after the first "go". */
#include "match/player_int.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEATURES_MS = 5000, /* a program that sends no features by then has none */
    QUIET_MS = 200,     /* what is still to come after a game, from a program without ping */
    MATE_BASE = 100000
};

typedef struct XboardFeatures {
    bool ping, setboard, usermove, san, memory, smp, reuse;
    bool time, frc;
    bool waits; /* done=0: it needs more time */
    bool done;
} XboardFeatures;

typedef struct XboardPlayer {
    Player base;
    const PlayerSpec *spec;
    int hash_mb;
    PlayerProcess process;
    XboardFeatures features;
    int pings, games;
    int told;     /* moves of this game that it knows */
    bool playing; /* it answers the next move without being asked */
    bool sound;   /* it may be asked to quit */
} XboardPlayer;

/* -- What it says of itself before the first game -- */

/* "Contempt -spin 0 ...": the name may have blanks. */
static void note_option(XboardPlayer *x, Span value)
{
    const char *end = memmem(value.at, value.len, " -", 2);
    process_declare(&x->process, (Span){value.at, end ? (size_t)(end - value.at) : value.len});
}

static bool has_option(const XboardPlayer *x, Span name)
{
    return process_declares(&x->process, name, false);
}

static void set_feature(XboardPlayer *x, Span name, Span value)
{
    XboardFeatures *f = &x->features;
    const struct {
        const char *name;
        bool *into;
    } flags[] = {{"ping", &f->ping},   {"setboard", &f->setboard}, {"usermove", &f->usermove},
                 {"san", &f->san},     {"memory", &f->memory},     {"smp", &f->smp},
                 {"reuse", &f->reuse}, {"time", &f->time},         {"done", &f->done}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (span_is(name, flags[i].name))
            *flags[i].into = span_is(value, "1");
    if (span_is(name, "done"))
        f->waits = span_is(value, "0");
    if (span_is(name, "variants"))
        f->frc = memmem(value.at, value.len, "fischerandom", 12) != NULL;
    if (span_is(name, "option"))
        note_option(x, value);
    if (name.len < 40 && !span_is(name, "done"))
        process_send(&x->process, "accepted %.*s", (int)name.len, name.at);
}

/* name=value name="a value" ... */
static void take_features(XboardPlayer *x, Span rest)
{
    for (;;) {
        rest = span_trim(rest);
        const char *equals = memchr(rest.at, '=', rest.len);
        if (!equals)
            return;
        Span name = {rest.at, (size_t)(equals - rest.at)};
        Span value = {equals + 1, rest.len - name.len - 1};
        bool quoted = value.len && value.at[0] == '"';
        if (quoted)
            value.at++, value.len--;
        const char *end = memchr(value.at, quoted ? '"' : ' ', value.len);
        rest = end ? (Span){end + 1, (size_t)(value.at + value.len - end) - 1} : (Span){"", 0};
        if (end)
            value.len = (size_t)(end - value.at);
        set_feature(x, name, value);
    }
}

/* A line of features; what follows the word. */
static bool is_features(Span line, Span *rest)
{
    Span word;
    *rest = line;
    return span_next_word(rest, &word) && span_is(word, "feature");
}

/* Starts the conversation and reads the features until the program is ready. */
static Status read_features(XboardPlayer *x, Message *why)
{
    x->features = (XboardFeatures){.reuse = true, .time = true};
    process_send(&x->process, "xboard");
    process_send(&x->process, "protover 2");
    int64_t until = process_from_now(FEATURES_MS);
    while (!x->features.done) {
        Span line, rest;
        Status s = process_line(&x->process, until, x->base.stop, &line);
        if (s == STATUS_MISSING && !x->features.waits)
            return STATUS_OK;
        if (s != STATUS_OK)
            return s == STATUS_STOPPED ? s
                   : s == STATUS_END   ? status_fail(why, STATUS_REFUSED, "ended at the start")
                                       : status_fail(why, STATUS_REFUSED, "did not become ready");
        if (!is_features(line, &rest))
            continue;
        bool waited = x->features.waits;
        take_features(x, rest);
        if (x->features.waits && !waited)
            until = process_from_now(PLAYER_START_MS);
    }
    return STATUS_OK;
}

static void xboard_close(Player *p)
{
    XboardPlayer *x = (XboardPlayer *)p;
    process_end(&x->process, x->sound ? "quit" : NULL);
}

/* -- Options -- */

static Status xboard_set_option(Player *p, Span name, Span value, Message *why)
{
    XboardPlayer *x = (XboardPlayer *)p;
    const int nlen = name.len < 100 ? (int)name.len : 100;
    const int vlen = value.len < 300 ? (int)value.len : 300;
    if (has_option(x, name) && value.len)
        process_send(&x->process, "option %.*s=%.*s", nlen, name.at, vlen, value.at);
    else if (has_option(x, name))
        process_send(&x->process, "option %.*s", nlen, name.at);
    else if (span_is_ignoring_case(name, "Hash") && x->features.memory)
        process_send(&x->process, "memory %.*s", vlen, value.at);
    else if (span_is_ignoring_case(name, "Threads") && x->features.smp)
        process_send(&x->process, "cores %.*s", vlen, value.at);
    else
        return status_fail(why, STATUS_REFUSED, "has no option '%.*s'", nlen, name.at);
    return STATUS_OK;
}

static Status set_options(XboardPlayer *x, Message *why)
{
    Status s = STATUS_OK;
    if (x->hash_mb && x->features.memory)
        process_send(&x->process, "memory %d", x->hash_mb);
    for (int i = 0; i < x->spec->option_count && s == STATUS_OK; i++)
        s = xboard_set_option(&x->base, span_of(x->spec->options[i].name),
                              span_of(x->spec->options[i].value), why);
    return s;
}

/* -- Games -- */

static Status start(XboardPlayer *x, Message *why)
{
    Status s = process_start(&x->process, x->spec, why);
    if (s == STATUS_OK)
        s = read_features(x, why);
    return s == STATUS_OK ? set_options(x, why) : s;
}

/* Waits until the engine has processed everything sent so far; its output is dropped. */
static Status wait_until_ready(XboardPlayer *x, Message *why)
{
    char pong[32];
    Span line, rest;
    Status s;
    bool ping = x->features.ping;
    snprintf(pong, sizeof pong, "pong %d", ++x->pings);
    if (ping)
        process_send(&x->process, "ping %d", x->pings);
    int64_t until = process_from_now(ping ? PLAYER_START_MS : QUIET_MS);
    while ((s = process_line(&x->process, until, x->base.stop, &line)) == STATUS_OK) {
        if (ping && span_is(line, pong))
            return STATUS_OK;
        if (is_features(line, &rest)) /* a slow starter may still be at it */
            take_features(x, rest);
    }
    if (s == STATUS_MISSING && !ping)
        return STATUS_OK;
    if (s == STATUS_STOPPED)
        return s;
    return status_fail(why, STATUS_REFUSED, s == STATUS_END ? "ended" : "does not answer ping");
}

static void send_limits(XboardPlayer *x, const PlayerLimits *l)
{
    if (l->base_ms) {
        int64_t seconds = l->base_ms / 1000;
        process_send(&x->process, "level %d %" PRId64 ":%02d %g", l->moves, seconds / 60,
                     (int)(seconds % 60), (double)l->increment_ms / 1000);
    }
    if (l->move_time_ms)
        process_send(&x->process, "st %g", (double)l->move_time_ms / 1000);
    if (l->depth)
        process_send(&x->process, "sd %d", l->depth);
}

static Status send_start(XboardPlayer *x, const Position *start, Message *why)
{
    char fen[FEN_SIZE];
    fen_write(start, start->chess960 ? FEN_SHREDDER : FEN_X, fen);
    if (start->chess960 && !x->features.frc)
        return status_fail(why, STATUS_REFUSED, "does not play Chess960");
    if (start->chess960)
        process_send(&x->process, "variant fischerandom");
    process_send(&x->process, "force");
    if (strcmp(fen, FEN_START) == 0)
        return STATUS_OK;
    if (!x->features.setboard)
        return status_fail(why, STATUS_REFUSED, "cannot set up a position");
    process_send(&x->process, "setboard %s", fen);
    return STATUS_OK;
}

static Status xboard_new_game(Player *p, const Position *start_position, const PlayerLimits *limits,
                              Message *why)
{
    XboardPlayer *x = (XboardPlayer *)p;
    Status s = STATUS_OK;
    if (limits->nodes)
        return status_fail(why, STATUS_REFUSED, "the xboard protocol has no node limit");
    if (x->games++ && !x->features.reuse) {
        process_end(&x->process, "quit");
        s = start(x, why);
    }
    if (s != STATUS_OK)
        return s;
    x->told = 0;
    x->playing = false;
    process_send(&x->process, "force");
    s = wait_until_ready(x, why); /* what it says about the last game's end is not about this one */
    if (s != STATUS_OK)
        return s;
    process_send(&x->process, "new");
    process_send(&x->process, "easy");
    process_send(&x->process, "post");
    send_limits(x, limits);
    s = send_start(x, start_position, why);
    return s == STATUS_OK ? wait_until_ready(x, why) : s;
}

/* -- Moves -- */

static bool send_move(XboardPlayer *x, const Position *before, Move m)
{
    char text[SAN_SIZE]; /* long enough for either form */
    if (x->features.san)
        san_write(before, m, text);
    else if (before->chess960 && move_kind(m) == MOVE_CASTLING)
        snprintf(text, sizeof text, castling_wing(m) == KING_SIDE ? "O-O" : "O-O-O");
    else
        uci_move_write(before, m, text);
    x->told++;
    return process_send(&x->process, "%s%s", x->features.usermove ? "usermove " : "", text);
}

/* Tells the moves from `told` to `upto`. */
static bool send_moves(XboardPlayer *x, const Play *game, int upto)
{
    Position p = game->start;
    bool sent = true;
    for (int i = 0; i < upto && sent; i++) {
        Undo undo;
        if (i >= x->told)
            sent = send_move(x, &p, game->moves[i].move);
        pos_make(&p, game->moves[i].move, &undo);
    }
    return sent;
}

static void send_clocks(XboardPlayer *x, const PlayerTurn *turn, Color us)
{
    if (!turn->limits->base_ms || !x->features.time)
        return;
    process_send(&x->process, "time %" PRId64, turn->search.clock_ms[us] / 10);
    process_send(&x->process, "otim %" PRId64, turn->search.clock_ms[color_other(us)] / 10);
}

/* "12 35 101 54321 e2e4 ...": depth, score, hundredths of a second, nodes. */
static void read_thinking(Span rest, PlayerMove *out)
{
    Span word;
    int64_t numbers[4];
    for (int i = 0; i < 4; i++)
        if (!span_next_word(&rest, &word) ||
            !span_to_int64(word, -INT64_MAX, INT64_MAX, &numbers[i]))
            return;
    if (numbers[0] < 0 || numbers[0] > 1000 || llabs(numbers[1]) > 2 * MATE_BASE)
        return;
    int score = (int)numbers[1];
    bool is_mate = abs(score) >= MATE_BASE;
    if (is_mate)
        score += score > 0 ? -MATE_BASE : MATE_BASE;
    out->score = (PlayerScore){true, is_mate, score, (int)numbers[0]};
}

static PlayerEnd take_move(Span text, const Play *game, PlayerMove *out)
{
    text = span_trim(text);
    out->move = uci_move_read(&game->now, text);
    if (out->move == MOVE_NONE &&
        (san_read(&game->now, text, &out->move, NULL) != STATUS_OK || move_is_none(out->move)))
        out->move = MOVE_NONE;
    return out->move != MOVE_NONE ? PLAYER_MOVED : process_illegal(out, "played", text);
}

/* It announces the end of a game that goes on: giving up, or a claim that does not hold. */
static bool is_claim(Span line, Color us, PlayerEnd *end, PlayerMove *out)
{
    bool white = span_starts(line, "1-0"), black = span_starts(line, "0-1");
    if (!white && !black && !span_starts(line, "1/2-1/2"))
        return false;
    *end = process_illegal(out, "claimed", line);
    if (us == WHITE ? black : white)
        *end = PLAYER_RESIGNED;
    return true;
}

/* True when the line ends the waiting; *end says how. */
static bool read_line(Span line, const Play *game, PlayerEnd *end, PlayerMove *out)
{
    static const char MOVE[] = "move ", OLD[] = "My move is";
    const char *colon = span_starts(line, OLD) ? memchr(line.at, ':', line.len) : NULL;
    if (span_starts(line, MOVE) || colon) {
        size_t skip = colon ? (size_t)(colon - line.at) + 1 : sizeof MOVE - 1;
        *end = take_move((Span){line.at + skip, line.len - skip}, game, out);
        return true;
    }
    if (span_is(line, "resign") || span_starts(line, "tellics resign")) {
        *end = PLAYER_RESIGNED;
        return true;
    }
    if (span_starts(line, "Illegal move")) {
        *end = process_illegal(out, "says", line);
        return true;
    }
    if (span_is(line, "offer draw"))
        out->offers_draw = true;
    read_thinking(line, out);
    return is_claim(line, game->now.side, end, out);
}

static Status read_move(XboardPlayer *x, int64_t until_ns, const Play *game, PlayerEnd *end,
                        PlayerMove *out)
{
    for (;;) {
        Span line;
        Status s = process_line(&x->process, until_ns, x->base.stop, &line);
        if (s != STATUS_OK || read_line(line, game, end, out))
            return s;
    }
}

static bool ask(XboardPlayer *x, const Play *game, const PlayerTurn *turn)
{
    Color us = game->now.side;
    if (x->playing && x->told == game->count - 1) {
        send_clocks(x, turn, us);
        return send_moves(x, game, game->count);
    }
    process_send(&x->process, "force");
    bool sent = send_moves(x, game, game->count);
    send_clocks(x, turn, us);
    x->playing = true;
    return sent && process_send(&x->process, "go");
}

/* The flag has fallen: does it still answer? */
static PlayerEnd check_alive(XboardPlayer *x, const Play *game, PlayerMove *out)
{
    PlayerEnd end = PLAYER_HUNG;
    process_send(&x->process, "?");
    Status s = read_move(x, process_from_now(PLAYER_GRACE_MS), game, &end, out);
    return s == STATUS_OK ? PLAYER_LATE : process_end_of(s, out);
}

static PlayerEnd xboard_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out)
{
    XboardPlayer *x = (XboardPlayer *)p;
    PlayerEnd end = PLAYER_HUNG;
    int64_t began = clock_now_ns();
    x->sound = false;
    if (!ask(x, game, turn))
        return process_end_of(STATUS_END, out);
    Status s = read_move(x, began + turn->deadline_ns, game, &end, out);
    out->time_ns = clock_now_ns() - began;
    if (s == STATUS_MISSING)
        end = check_alive(x, game, out);
    else if (s != STATUS_OK)
        end = process_end_of(s, out);
    else if (out->time_ns > turn->deadline_ns)
        end = PLAYER_LATE;
    x->sound = end == PLAYER_MOVED || end == PLAYER_RESIGNED || end == PLAYER_LATE;
    x->told++; /* its own move */
    return end;
}

static Status xboard_open(Player *p, const PlayerSpec *spec, int hash_mb, Message *why)
{
    XboardPlayer *x = (XboardPlayer *)p;
    x->spec = spec;
    x->hash_mb = hash_mb;
    Status s = start(x, why);
    x->sound = s == STATUS_OK;
    return s;
}

const PlayerMethods player_xboard = {.size = sizeof(XboardPlayer),
                                     .open = xboard_open,
                                     .close = xboard_close,
                                     .set_option = xboard_set_option,
                                     .new_game = xboard_new_game,
                                     .move = xboard_move};

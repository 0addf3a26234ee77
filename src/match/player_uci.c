#include "match/player_int.h"

#include "chess/fen.h"
#include "chess/uci_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct UciPlayer {
    Player base;
    PlayerProcess process;
    Text line;     /* what is being sent */
    bool chess960; /* as it was told last */
    bool thinking; /* a bestmove is owed */
} UciPlayer;

static void uci_close(Player *p)
{
    UciPlayer *u = (UciPlayer *)p;
    process_end(&u->process, u->thinking ? NULL : "quit");
    text_free(&u->line);
}

/* -- Getting ready -- */

static Status silent(Status s, const char *waiting_for, Message *why)
{
    if (s == STATUS_STOPPED)
        return s;
    if (s == STATUS_END)
        return status_fail(why, STATUS_REFUSED, "ended instead of sending %s", waiting_for);
    return status_fail(why, STATUS_REFUSED, "sent no %s within %d s", waiting_for,
                       PLAYER_START_MS / 1000);
}

/* "option name Move Overhead type spin ...": the name may have blanks. */
static void note_option(UciPlayer *u, Span line)
{
    static const char NAME[] = "option name ", TYPE[] = " type ";
    if (!span_starts(line, NAME))
        return;
    Span name = {line.at + sizeof NAME - 1, line.len - (sizeof NAME - 1)};
    const char *end = memmem(name.at, name.len, TYPE, sizeof TYPE - 1);
    if (end)
        name.len = (size_t)(end - name.at);
    process_declare(&u->process, name);
}

static bool is_declared(const UciPlayer *u, Span name)
{
    return process_declares(&u->process, name, true);
}

static Status wait_for(UciPlayer *u, const char *word, Message *why)
{
    int64_t until = process_from_now(PLAYER_START_MS);
    Span line;
    for (;;) {
        Status s = process_line(&u->process, until, u->base.stop, &line);
        if (s != STATUS_OK)
            return silent(s, word, why);
        note_option(u, line);
        if (span_is(line, word))
            return STATUS_OK;
    }
}

static Status get_ready(UciPlayer *u, Message *why)
{
    process_send(&u->process, "isready");
    return wait_for(u, "readyok", why);
}

static void send_option(UciPlayer *u, Span name, Span value)
{
    text_clear(&u->line);
    text_add_str(&u->line, "setoption name ");
    text_add(&u->line, name.at, name.len);
    if (value.len) {
        text_add_str(&u->line, " value ");
        text_add(&u->line, value.at, value.len);
    }
    process_send_text(&u->process, &u->line);
}

static Status uci_set_option(Player *p, Span name, Span value, Message *why)
{
    UciPlayer *u = (UciPlayer *)p;
    if (!is_declared(u, name))
        return status_fail(why, STATUS_REFUSED, "has no option '%.*s'",
                           name.len < 64 ? (int)name.len : 64, name.at);
    send_option(u, name, value);
    return STATUS_OK;
}

static Status set_options(UciPlayer *u, const PlayerSpec *spec, int hash_mb, Message *why)
{
    Status s = STATUS_OK;
    char hash[16];
    snprintf(hash, sizeof hash, "%d", hash_mb);
    bool has_hash = false;
    for (int i = 0; i < spec->option_count && s == STATUS_OK; i++) {
        has_hash = has_hash || span_is_ignoring_case(span_of(spec->options[i].name), "Hash");
        s = uci_set_option(&u->base, span_of(spec->options[i].name),
                           span_of(spec->options[i].value), why);
    }
    if (s == STATUS_OK && hash_mb && !has_hash && is_declared(u, span_of("Hash")))
        send_option(u, span_of("Hash"), span_of(hash));
    return s == STATUS_OK ? get_ready(u, why) : s;
}

static Status uci_new_game(Player *p, const Position *start, const PlayerLimits *limits,
                           Message *why)
{
    UciPlayer *u = (UciPlayer *)p;
    (void)limits;
    if (start->chess960 != u->chess960 && is_declared(u, span_of("UCI_Chess960")))
        send_option(u, span_of("UCI_Chess960"), span_of(start->chess960 ? "true" : "false"));
    u->chess960 = start->chess960;
    process_send(&u->process, "ucinewgame");
    return get_ready(u, why);
}

/* -- Moves -- */

static bool send_position(UciPlayer *u, const Play *game)
{
    Position p = game->start;
    char fen[FEN_SIZE], move[UCI_MOVE_SIZE];
    fen_write(&p, p.chess960 ? FEN_SHREDDER : FEN_X, fen);
    text_clear(&u->line);
    if (strcmp(fen, FEN_START) == 0)
        text_add_str(&u->line, "position startpos");
    else
        text_addf(&u->line, "position fen %s", fen);
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        uci_move_write(&p, game->moves[i].move, move);
        text_addf(&u->line, "%s%s", i ? " " : " moves ", move);
        pos_make(&p, game->moves[i].move, &undo);
    }
    return process_send_text(&u->process, &u->line);
}

static bool send_go(UciPlayer *u, const PlayerTurn *turn)
{
    const PlayerLimits *l = turn->limits;
    text_clear(&u->line);
    text_add_str(&u->line, "go");
    if (l->base_ms) {
        text_addf(&u->line, " wtime %" PRId64 " btime %" PRId64, turn->search.clock_ms[WHITE],
                  turn->search.clock_ms[BLACK]);
        text_addf(&u->line, " winc %" PRId64 " binc %" PRId64, turn->search.increment_ms[WHITE],
                  turn->search.increment_ms[BLACK]);
        if (turn->search.moves_to_go)
            text_addf(&u->line, " movestogo %d", turn->search.moves_to_go);
    }
    if (l->move_time_ms)
        text_addf(&u->line, " movetime %" PRId64, l->move_time_ms);
    if (l->nodes)
        text_addf(&u->line, " nodes %" PRIu64, l->nodes);
    if (l->depth)
        text_addf(&u->line, " depth %d", l->depth);
    return process_send_text(&u->process, &u->line);
}

/* "info depth 12 ... score cp 35 ...": takes what the last line with a score said. */
static void read_info(Span rest, PlayerMove *out)
{
    Span word, value;
    int64_t depth = 0, number, multipv = 1;
    PlayerScore heard = {0};
    while (span_next_word(&rest, &word)) {
        if (span_is(word, "string") || span_is(word, "pv"))
            break;
        if (span_is(word, "depth") && span_next_word(&rest, &value))
            span_to_int64(value, 0, 1000, &depth);
        if (span_is(word, "multipv") && span_next_word(&rest, &value))
            span_to_int64(value, 1, 1000, &multipv);
        if (!span_is(word, "score") || !span_next_word(&rest, &word) ||
            !span_next_word(&rest, &value) || !span_to_int64(value, -1000000, 1000000, &number))
            continue;
        heard.is_mate = span_is(word, "mate");
        heard.is_told = heard.is_mate || span_is(word, "cp");
        heard.value = (int)number;
    }
    heard.depth = (int)depth;
    if (heard.is_told && multipv == 1)
        out->score = heard;
}

static PlayerEnd take_bestmove(UciPlayer *u, Span rest, const Play *game, PlayerMove *out)
{
    Span word = {"", 0};
    u->thinking = false;
    span_next_word(&rest, &word);
    out->move = uci_move_read(&game->now, word);
    return out->move != MOVE_NONE ? PLAYER_MOVED : process_illegal(out, "played", word);
}

/* Reads on until the bestmove or `until_ns`. */
static Status read_bestmove(UciPlayer *u, int64_t until_ns, PlayerMove *out, Span *rest)
{
    Span word;
    for (;;) {
        Status s = process_line(&u->process, until_ns, u->base.stop, rest);
        if (s != STATUS_OK)
            return s;
        if (!span_next_word(rest, &word))
            continue;
        if (span_is(word, "info"))
            read_info(*rest, out);
        if (span_is(word, "bestmove"))
            return STATUS_OK;
    }
}

/* The flag has fallen: does it still answer? */
static PlayerEnd call_in(UciPlayer *u, PlayerMove *out)
{
    Span rest;
    process_send(&u->process, "stop");
    Status s = read_bestmove(u, process_from_now(PLAYER_GRACE_MS), out, &rest);
    if (s != STATUS_OK)
        return process_end_of(s, out);
    u->thinking = false;
    return PLAYER_LATE;
}

static PlayerEnd uci_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out)
{
    UciPlayer *u = (UciPlayer *)p;
    bool sent = send_position(u, game);
    int64_t began = clock_now_ns();
    u->thinking = true;
    if (!sent || !send_go(u, turn))
        return process_end_of(STATUS_END, out);
    Span rest;
    Status s = read_bestmove(u, began + turn->deadline_ns, out, &rest);
    out->time_ns = clock_now_ns() - began;
    if (s == STATUS_MISSING)
        return call_in(u, out);
    if (s != STATUS_OK)
        return process_end_of(s, out);
    PlayerEnd end = take_bestmove(u, rest, game, out);
    return out->time_ns > turn->deadline_ns ? PLAYER_LATE : end; /* whatever it was */
}

static Status uci_open(Player *p, const PlayerSpec *spec, int hash_mb, Message *why)
{
    UciPlayer *u = (UciPlayer *)p;
    text_init(&u->line);
    Status s = process_start(&u->process, spec, why);
    if (s == STATUS_OK) {
        process_send(&u->process, "uci");
        s = wait_for(u, "uciok", why);
    }
    if (s == STATUS_OK)
        s = set_options(u, spec, hash_mb, why);
    u->thinking = s != STATUS_OK; /* then it need not be asked to leave */
    return s;
}

const PlayerMethods player_uci = {.size = sizeof(UciPlayer),
                                  .open = uci_open,
                                  .close = uci_close,
                                  .set_option = uci_set_option,
                                  .new_game = uci_new_game,
                                  .move = uci_move};

#include "service/service_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"

#include <string.h>

const char *color_name(int color)
{
    return color == WHITE ? "white" : "black";
}

int color_read(Span text)
{
    if (span_is(text, "white"))
        return WHITE;
    return span_is(text, "black") ? BLACK : -1;
}

/* -- Legal moves -- */

static bool has_plain_move(const Move *moves, int count, Square from, Square to)
{
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == from && move_to(moves[i]) == to &&
            move_kind(moves[i]) != MOVE_CASTLING)
            return true;
    return false;
}

static void put_square(Text *out, Square s)
{
    char name[3];
    square_name(s, name);
    json_put_str(out, NULL, name);
}

/* Castling is the king on its rook, and to where it lands unless that is a step of its own. */
static void put_target(Text *out, const Move *moves, int count, Color side, Move m)
{
    put_square(out, move_to(m));
    if (move_kind(m) != MOVE_CASTLING)
        return;
    Square lands = castling_king_to(side, castling_wing(m));
    if (lands != move_from(m) && lands != move_to(m) &&
        !has_plain_move(moves, count, move_from(m), lands))
        put_square(out, lands);
}

static void put_targets_from(Text *out, const Move *moves, int count, Color side, Square from)
{
    char name[3];
    bool open = false;
    square_name(from, name);
    for (int i = 0; i < count; i++) {
        /* Of the four promotions on a square one is enough. */
        if (move_from(moves[i]) != from ||
            (move_is_promotion(moves[i]) && move_promotion(moves[i]) != QUEEN))
            continue;
        if (!open)
            json_open(out, name, '[');
        open = true;
        put_target(out, moves, count, side, moves[i]);
    }
    if (open)
        json_close(out, ']');
}

void show_moves(Text *out, const Position *p, bool any)
{
    Move moves[MAX_MOVES];
    int count = any ? movegen(p, GEN_ALL, moves) : 0;
    json_open(out, "dests", '{');
    for (int from = 0; from < SQUARE_COUNT; from++)
        put_targets_from(out, moves, count, p->side, (Square)from);
    json_close(out, '}');
    json_open(out, "promotions", '[');
    for (int i = 0; i < count; i++)
        if (move_is_promotion(moves[i]) && move_promotion(moves[i]) == QUEEN) {
            char text[UCI_MOVE_SIZE];
            uci_move_write(p, moves[i], text);
            json_put_span(out, NULL, (Span){text, 4});
        }
    json_close(out, ']');
}

void show_last(Text *out, const Position *before, Move m)
{
    char name[3];
    if (m == MOVE_NONE) {
        json_put_null(out, "last");
        return;
    }
    Square to = move_kind(m) == MOVE_CASTLING ? castling_king_to(before->side, castling_wing(m))
                                              : move_to(m);
    json_open(out, "last", '{');
    square_name(move_from(m), name);
    json_put_str(out, "from", name);
    square_name(to, name);
    json_put_str(out, "to", name);
    json_close(out, '}');
}

void show_last_told(Text *out, const char *uci)
{
    if (!uci[0]) {
        json_put_null(out, "last");
        return;
    }
    json_open(out, "last", '{');
    json_put_span(out, "from", (Span){uci, 2});
    json_put_span(out, "to", (Span){uci + 2, 2});
    json_close(out, '}');
}

/* -- What is on the board -- */

static int men(const Position *p, Color c, int type)
{
    return bb_count(pos_pieces(p, c, (PieceType)type));
}

/* What has gone since the start; promoted men count for the pawns they were. */
static void put_captured(Text *out, const Position *start, const Position *p, Color c)
{
    static const char letters[COLOR_COUNT][8] = {"PNBRQ", "pnbrq"};
    char text[24];
    int len = 0, promoted = 0;
    for (int t = QUEEN; t > PAWN; t--) {
        int extra = men(p, c, t) - men(start, c, t);
        promoted += extra > 0 ? extra : 0;
    }
    for (int t = PAWN; t <= QUEEN; t++) {
        int missing = men(start, c, t) - men(p, c, t);
        missing -= t == PAWN ? promoted : 0;
        for (int i = 0; i < missing && len < (int)sizeof text - 1; i++)
            text[len++] = letters[c][t - PAWN];
    }
    json_put_span(out, color_name(c), (Span){text, (size_t)len});
}

void show_material(Text *out, const Position *start, const Position *p)
{
    static const int worth[] = {1, 3, 3, 5, 9};
    int balance = 0;
    for (int t = PAWN; t <= QUEEN; t++)
        balance += worth[t - PAWN] * (men(p, WHITE, t) - men(p, BLACK, t));
    json_open(out, "captured", '{');
    put_captured(out, start, p, WHITE);
    put_captured(out, start, p, BLACK);
    json_close(out, '}');
    json_put_int(out, "balance", balance);
}

void show_opening(Text *out, const char *eco, const char *name)
{
    if (!name[0]) {
        json_put_null(out, "opening");
        return;
    }
    json_open(out, "opening", '{');
    json_put_str(out, "eco", eco);
    json_put_str(out, "name", name);
    json_close(out, '}');
}

void show_line(Text *out, const char *name, const Position *from, const Move *moves, int count)
{
    Position p = *from;
    Undo undo;
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    json_open(out, name, '[');
    for (int i = 0; i < count && pos_is_legal(&p, moves[i]); i++) {
        uci_move_write(&p, moves[i], uci);
        san_write(&p, moves[i], san);
        json_open(out, NULL, '{');
        json_put_str(out, "uci", uci);
        json_put_str(out, "san", san);
        json_close(out, '}');
        pos_make(&p, moves[i], &undo);
    }
    json_close(out, ']');
}

/* -- How games end -- */

static const char *reason_words(const char *reason)
{
    static const char *const words[][2] = {
        {"checkmate", "checkmate"},
        {"stalemate", "stalemate"},
        {"material", "insufficient material"},
        {"fivefold", "fivefold repetition"},
        {"seventyfive", "the seventy-five-move rule"},
        {"threefold", "threefold repetition"},
        {"fifty", "the fifty-move rule"},
        {"agreement", "agreement"},
        {"resignation", "resignation"},
        {"time", "time"},
        {"time-material", "time against a side that cannot mate"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], reason) == 0)
            return words[i][1];
    return "";
}

static void put_result_text(Text *out, Result r, const char *reason)
{
    static const char *const outcomes[] = {"No result", "White wins", "Black wins", "Draw"};
    char text[96];
    const char *words = reason_words(reason);
    snprintf(text, sizeof text, "%s%s%s", outcomes[r], words[0] ? " by " : "", words);
    json_put_str(out, "text", text);
}

void show_result(Text *out, const char *name, bool over, Result r, const char *reason)
{
    if (!over) {
        json_put_null(out, name);
        return;
    }
    json_open(out, name, '{');
    json_put_str(out, "score", result_text(r));
    json_put_str(out, "winner",
                 r == RESULT_WHITE_WINS   ? "white"
                 : r == RESULT_BLACK_WINS ? "black"
                                          : NULL);
    json_put_str(out, "reason", reason);
    put_result_text(out, r, reason);
    json_close(out, '}');
}

bool rules_end(const Position *p, Result *result, const char **reason)
{
    static const char *const reasons[] = {
        [GAME_CHECKMATE] = "checkmate",     [GAME_STALEMATE] = "stalemate",
        [GAME_MATERIAL] = "material",       [GAME_FIVEFOLD] = "fivefold",
        [GAME_SEVENTYFIVE] = "seventyfive",
    };
    GameEnd end = draw_game_end(p);
    if (end == GAME_GOES_ON || end == GAME_THREEFOLD || end == GAME_FIFTY)
        return false;
    *reason = reasons[end];
    *result = end == GAME_CHECKMATE ? result_win(color_other(p->side)) : RESULT_DRAW;
    return true;
}

const char *rules_claim(const Position *p)
{
    GameEnd end = draw_game_end(p);
    return end == GAME_THREEFOLD || end == GAME_FIFTY ? draw_reason(end) : NULL;
}

/* -- From the page -- */

static Status play_moves(Request *r, Line *line, const JsonNode *list, Message *why)
{
    Undo undo;
    for (const JsonNode *n = json_first(r->json, list); n; n = json_next(r->json, list, n)) {
        Span text;
        if (line->count == WEB_MAX_PLIES)
            return status_fail(why, STATUS_INVALID, "moves: more than %d", WEB_MAX_PLIES);
        if (!json_string(n, &text))
            return request_wrong(r, "moves", why);
        Move m = uci_move_read(&line->now, text);
        if (m == MOVE_NONE) {
            char shown[16];
            span_show(text, shown, sizeof shown);
            r->code = "illegal";
            return status_fail(why, STATUS_INVALID, "%s is not a legal move", shown);
        }
        line->before = line->now;
        line->moves[line->count++] = m;
        pos_make(&line->now, m, &undo);
    }
    return STATUS_OK;
}

Status request_line(Request *r, Line *line, Message *why)
{
    Span fen = span_of(FEN_START);
    bool chess960 = false;
    line->count = 0;
    const JsonNode *moves = json_get(r->json, r->root, "moves");
    Status s = request_maybe_text(r, "fen", &fen, why);
    if (s == STATUS_OK)
        s = request_maybe_bool(r, "chess960", &chess960, why);
    if (s == STATUS_OK)
        s = fen_parse(&line->start, fen, chess960, why);
    if (s == STATUS_OK && moves && moves->kind != JSON_ARRAY)
        s = request_wrong(r, "moves", why);
    if (s != STATUS_OK)
        return s;
    line->now = line->before = line->start;
    return play_moves(r, line, moves, why);
}

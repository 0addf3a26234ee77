#include "service/position_json_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "notation/json_value.h"

#include <string.h>

const char *const color_names[] = {"white", "black", NULL};

const char *color_name(int color)
{
    return color < 0 ? NULL : color_names[color];
}

int color_read(Span text)
{
    return word_index(text, color_names);
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

static json_t *json_square(Square s)
{
    char name[3];
    square_name(s, name);
    return json_string(name);
}

static void add_target(json_t *dests, Square from, Square to)
{
    char name[3];
    square_name(from, name);
    if (!json_object_get(dests, name))
        json_object_set_new(dests, name, json_array());
    json_array_append_new(json_object_get(dests, name), json_square(to));
}

/* Castling is the king on its rook, and to where it lands unless that is a step of its own. */
static bool lands_elsewhere(const Move *moves, int count, Move m, Square lands)
{
    return lands != move_from(m) && lands != move_to(m) &&
           !has_plain_move(moves, count, move_from(m), lands);
}

void json_set_moves(json_t *out, const Position *p, bool any)
{
    Move moves[MAX_MOVES];
    int count = any ? movegen(p, GEN_ALL, moves) : 0;
    json_t *dests = json_object(), *promotions = json_array();
    for (int i = 0; i < count; i++) {
        Move m = moves[i];
        char text[UCI_MOVE_SIZE];
        if (move_is_promotion(m) && move_promotion(m) != QUEEN)
            continue; /* of the four on a square one is enough */
        add_target(dests, move_from(m), move_to(m));
        if (move_kind(m) == MOVE_CASTLING) {
            Square lands = castling_king_to(p->side, castling_wing(m));
            if (lands_elsewhere(moves, count, m, lands))
                add_target(dests, move_from(m), lands);
        }
        uci_move_write(p, m, text);
        if (move_is_promotion(m))
            json_array_append_new(promotions, json_stringn(text, 4));
    }
    json_object_set_new(out, "dests", dests);
    json_object_set_new(out, "promotions", promotions);
}

/* -- Moves -- */

json_t *json_last_move(Color mover, Move m)
{
    if (m == MOVE_NONE)
        return json_null();
    Square to =
        move_kind(m) == MOVE_CASTLING ? castling_king_to(mover, castling_wing(m)) : move_to(m);
    return json_pack("{s:o, s:o}", "from", json_square(move_from(m)), "to", json_square(to));
}

json_t *json_stored_last(const char *uci)
{
    return strlen(uci) >= 4
               ? json_pack("{s:s%, s:s%}", "from", uci, (size_t)2, "to", uci + 2, (size_t)2)
               : json_null();
}

json_t *json_move(const Position *before, Move m)
{
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    uci_move_write(before, m, uci);
    san_write(before, m, san);
    return json_pack("{s:s, s:s}", "uci", uci, "san", san);
}

json_t *json_played(Position *p, Move m)
{
    Undo undo;
    char fen[FEN_SIZE];
    json_t *move = json_move(p, m);
    pos_play(p, m, &undo);
    fen_write(p, FEN_X, fen);
    json_object_set_new(move, "fen", json_string(fen));
    return move;
}

json_t *json_line(const Position *from, const Move *moves, int count)
{
    Position p = *from;
    Undo undo;
    json_t *line = json_array();
    for (int i = 0; i < count && pos_is_legal(&p, moves[i]); i++) {
        json_array_append_new(line, json_move(&p, moves[i]));
        pos_make(&p, moves[i], &undo);
    }
    return line;
}

/* -- What is on the board -- */

static int pieces(const Position *p, Color c, int type)
{
    return bb_count(pos_pieces(p, c, (PieceType)type));
}

/* What has gone since the start; promoted pieces count for the pawns they were. */
static json_t *json_captured(const Position *start, const Position *p, Color c)
{
    static const char letters[COLOR_COUNT][8] = {"PNBRQ", "pnbrq"};
    char text[24];
    int len = 0, promoted = 0;
    for (int t = QUEEN; t > PAWN; t--) {
        int extra = pieces(p, c, t) - pieces(start, c, t);
        promoted += extra > 0 ? extra : 0;
    }
    for (int t = PAWN; t <= QUEEN; t++) {
        int missing = pieces(start, c, t) - pieces(p, c, t);
        missing -= t == PAWN ? promoted : 0;
        for (int i = 0; i < missing && len < (int)sizeof text - 1; i++)
            text[len++] = letters[c][t - PAWN];
    }
    return json_stringn(text, (size_t)len);
}

void json_set_material(json_t *out, const Position *start, const Position *p)
{
    static const int worth[] = {1, 3, 3, 5, 9};
    int balance = 0;
    for (int t = PAWN; t <= QUEEN; t++)
        balance += worth[t - PAWN] * (pieces(p, WHITE, t) - pieces(p, BLACK, t));
    json_object_set_new(out, "captured",
                        json_pack("{s:o, s:o}", "white", json_captured(start, p, WHITE), "black",
                                  json_captured(start, p, BLACK)));
    json_object_set_new(out, "balance", json_integer(balance));
}

json_t *json_opening(const char *eco, const char *name)
{
    return name[0] ? json_pack("{s:s, s:o}", "eco", eco, "name", value_text(name)) : json_null();
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

json_t *json_result(bool over, Result r, const char *reason)
{
    static const char *const outcomes[] = {"No result", "White wins", "Black wins", "Draw"};
    static const char *const winners[] = {NULL, "white", "black", NULL};
    char text[96];
    const char *words = reason_words(reason);
    if (!over)
        return json_null();
    snprintf(text, sizeof text, "%s%s%s", outcomes[r], words[0] ? " by " : "", words);
    return json_pack("{s:s, s:s?, s:s, s:s}", "score", result_text(r), "winner", winners[r],
                     "reason", reason, "text", text);
}

bool rules_end(const Position *p, Result *result, const char **reason)
{
    GameEnd end = draw_game_end(p);
    if (end == GAME_GOES_ON || end == GAME_THREEFOLD || end == GAME_FIFTY)
        return false;
    *reason = draw_code(end);
    *result = end == GAME_CHECKMATE ? result_win(color_other(p->side)) : RESULT_DRAW;
    return true;
}

const char *rules_claim(const Position *p)
{
    GameEnd end = draw_game_end(p);
    return end == GAME_THREEFOLD || end == GAME_FIFTY ? draw_reason(end) : NULL;
}

/* -- Lines of moves -- */

static void line_begin(MoveLine *line, const Position *start)
{
    line->start = line->now = *start;
    line->count = 0;
}

static bool line_add(MoveLine *line, Span uci)
{
    Undo undo;
    Move m = line->count < SERVICE_MAX_PLIES ? uci_move_read(&line->now, uci) : MOVE_NONE;
    if (m == MOVE_NONE)
        return false;
    line->moves[line->count++] = m;
    pos_make(&line->now, m, &undo);
    return true;
}

void line_read(MoveLine *line, const Position *start, const char *moves)
{
    Span rest = span_of(moves), word;
    line_begin(line, start);
    while (span_next_word(&rest, &word) && line_add(line, word))
        ;
}

void line_write(const Position *start, const Move *moves, int count, char *out, size_t size)
{
    Position p = *start;
    Undo undo;
    size_t len = 0;
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        char uci[UCI_MOVE_SIZE];
        uci_move_write(&p, moves[i], uci);
        len += (size_t)snprintf(out + len, size - len, "%s%s", i ? " " : "", uci);
        pos_make(&p, moves[i], &undo);
    }
}

OpeningName line_opening(const Openings *openings, const MoveLine *line)
{
    Position p = line->start;
    Undo undo;
    OpeningName found, last = {"", ""};
    for (int i = 0; i < line->count; i++) {
        pos_make(&p, line->moves[i], &undo);
        if (openings_find(openings, &p, &found))
            last = found;
    }
    return last;
}

json_t *line_json(const MoveLine *line)
{
    Position p = line->start;
    json_t *moves = json_array();
    for (int i = 0; i < line->count; i++)
        json_array_append_new(moves, json_played(&p, line->moves[i]));
    return moves;
}

bool request_line(Request *r, MoveLine *line)
{
    Span fen = span_of(FEN_START);
    bool chess960 = false;
    Position start;
    size_t i;
    json_t *item, *moves = json_object_get(r->root, "moves");
    if (!request_maybe_text(r, "fen", &fen) || !request_maybe_bool(r, "chess960", &chess960) ||
        !request_ok(r, fen_parse(&start, fen, chess960, &r->why)))
        return false;
    if (moves && !json_is_array(moves))
        return request_wrong(r, "moves");
    if (json_array_size(moves) > SERVICE_MAX_PLIES)
        return request_refuse(r, "bad", "moves: more than %d", SERVICE_MAX_PLIES);
    line_begin(line, &start);
    json_array_foreach(moves, i, item)
    {
        if (!json_is_string(item))
            return request_wrong(r, "moves");
        if (!line_add(line, span_of(json_string_value(item))))
            return request_illegal(r, span_of(json_string_value(item)));
    }
    return true;
}

Status stored_line(Store *store, int64_t game, StoreGame *g, MoveLine *line, Message *why)
{
    StoreMove m;
    Position start;
    Status s = store_game_load(store, game, g, why);
    if (s == STATUS_OK)
        s = fen_parse(&start, span_of(g->start_fen), g->chess960, why);
    if (s != STATUS_OK)
        return s;
    line_begin(line, &start);
    StoreRows rows = store_moves(store, game);
    while (store_next(&rows, &m) && line_add(line, span_of(m.uci)))
        ;
    return store_rows_end(&rows, why);
}


#include "chess/fen.h"
#include "chess/movegen.h"
#include "train/data/data_coder.h"
#include "train/data/data_int.h"

#include <stdlib.h>
#include <string.h>

/* Everything in this file is the format: another order of moves, class or context makes files that
 * exist unreadable. What must change gets a codec number of its own. */

enum MoveClass {
    CLASS_RECAPTURE,
    CLASS_GOOD_CAPTURE,
    CLASS_BAD_CAPTURE,
    CLASS_PROMOTION,
    CLASS_ESCAPE,
    CLASS_HANGING,
    CLASS_QUIET, /* + piece type */
    CLASS_COUNT = CLASS_QUIET + PIECE_TYPE_COUNT
};

enum { RANKS = 24, SCORE_CONTEXTS = 8 };

typedef struct GamesModel {
    BitModel more, start[4], length[256], fen[256], result[4], count[2][256];
    BitModel move[2][CLASS_COUNT][RANKS]; /* [in check][class][moves passed over] */
    BitModel scored[16];
    NumberModel score[SCORE_CONTEXTS];
} GamesModel;

/* The plain bytes, read or written in order. */
typedef struct PlainBytes {
    uint8_t *at;
    size_t len, used;
} PlainBytes;

typedef struct GamesCoder {
    RangeCoder range;
    GamesModel model;
    PlainBytes plain;
    bool failed;
    Position pos;
    Square last_to;       /* of the move before; SQ_NONE at the start */
    int white_scores[2];  /* the last two, White's view */
    int score_count;      /* of these */
    int surprise;         /* how far the last score was off, in bits */
    unsigned scored_bits; /* whether each of the last two plies had a score */
} GamesCoder;

/* -- Plain bytes -- */

/* `len` bytes at `at`, counted from where the coder stands; NULL, and failed, when there are not so
 * many. */
static uint8_t *plain_at(GamesCoder *g, size_t at, size_t len)
{
    size_t left = g->plain.len - g->plain.used;
    if (g->failed || left < at || left - at < len) {
        g->failed = true;
        return NULL;
    }
    return g->plain.at + g->plain.used + at;
}

static unsigned code_byte(GamesCoder *g, BitModel *tree, int bits)
{
    uint8_t *byte = plain_at(g, 0, 1);
    if (!byte)
        return 0;
    unsigned given = g->range.encoding ? *byte : 0;
    if (given >> bits) {
        g->failed = true;
        return 0;
    }
    unsigned value = code_number(&g->range, tree, bits, given);
    if (!g->range.encoding)
        *byte = (uint8_t)value;
    g->plain.used++;
    return value;
}

/* -- Moves -- */

typedef struct Candidate {
    Move move;
    int16_t score;
    uint8_t move_class;
} Candidate;

/* What the opponent attacks: anything, and with something worth less than each type. */
typedef struct Threats {
    Bitboard any, by_lesser[PIECE_TYPE_COUNT];
} Threats;

static Threats threats_of(const Position *p)
{
    Threats t = {0};
    Color them = color_other(p->side);
    Bitboard pawns = pos_attacks_by(p, them, PAWN);
    Bitboard minors = pawns | pos_attacks_by(p, them, KNIGHT) | pos_attacks_by(p, them, BISHOP);
    Bitboard rooks = minors | pos_attacks_by(p, them, ROOK);
    t.by_lesser[KNIGHT] = t.by_lesser[BISHOP] = pawns;
    t.by_lesser[ROOK] = minors;
    t.by_lesser[QUEEN] = rooks;
    t.any = rooks | pos_attacks_by(p, them, QUEEN) | pos_attacks_by(p, them, KING);
    return t;
}

static int centrality(Square s)
{
    int file = square_file(s), rank = square_rank(s);
    return (file < 4 ? file : 7 - file) + (rank < 4 ? rank : 7 - rank);
}

static int quiet_score(const Position *p, PieceType t, Square from, Square to)
{
    bool endgame = bb_count(pos_occupied(p)) <= 14;
    int step = centrality(to) - centrality(from);
    switch (t) {
    case PAWN:
        return 10 + (endgame ? 8 : 3) * square_relative_rank(p->side, to) + 4 * step;
    case KNIGHT:
    case BISHOP:
        return 12 * step + (square_relative_rank(p->side, from) == 0 ? 25 : 0);
    case KING:
        return endgame ? 12 * step : -30;
    default:
        return 5 * step;
    }
}

static Candidate candidate_of(const GamesCoder *g, const Threats *threats, Move m)
{
    static const int value[PIECE_TYPE_COUNT + 1] = {100, 300, 310, 500, 900, 1000, 0};
    const Position *p = &g->pos;
    Square from = move_from(m), to = move_to(m);
    PieceType t = piece_type(p->board[from]), victim = pos_captured_type(p, m);
    int score = value[victim];
    enum MoveClass c = (enum MoveClass)(CLASS_QUIET + (int)t);
    if (move_kind(m) == MOVE_CASTLING) {
        score = 60;
    } else if (move_is_promotion(m)) {
        c = CLASS_PROMOTION;
        score += move_promotion(m) == QUEEN ? 900 : -900;
    } else if (victim != NO_PIECE_TYPE) {
        bool defended = threats->any & bb_of(to);
        score = 400 + 2 * value[victim] - (defended ? 2 * value[t] : value[t] / 10);
        c = to == g->last_to                              ? CLASS_RECAPTURE
            : !defended || value[victim] + 10 >= value[t] ? CLASS_GOOD_CAPTURE
                                                          : CLASS_BAD_CAPTURE;
        score += c == CLASS_RECAPTURE ? 600 : c == CLASS_BAD_CAPTURE ? -400 : 0;
    } else {
        score = quiet_score(p, t, from, to);
        if (threats->by_lesser[t] & bb_of(to)) {
            c = CLASS_HANGING;
            score -= value[t] / 2;
        } else if (threats->by_lesser[t] & bb_of(from)) {
            c = CLASS_ESCAPE;
            score += value[t] / 2;
        }
    }
    return (Candidate){m, (int16_t)score, (uint8_t)c};
}

/* The order of equals is that of the moves' numbers, so that it does not depend
 * on the generator. */
static bool comes_before(const Candidate *a, const Candidate *b)
{
    return a->score != b->score ? a->score > b->score : a->move < b->move;
}

static void bring_forward(Candidate *list, int from, int count)
{
    int best = from;
    for (int i = from + 1; i < count; i++)
        if (comes_before(&list[i], &list[best]))
            best = i;
    Candidate swapped = list[from];
    list[from] = list[best];
    list[best] = swapped;
}

/* One bit for each likelier move, "not this one"; the last needs none. */
static Move code_move(GamesCoder *g, Move played)
{
    Move moves[MAX_MOVES];
    Candidate list[MAX_MOVES];
    int count = movegen(&g->pos, GEN_ALL, moves);
    Threats threats = threats_of(&g->pos);
    for (int i = 0; i < count; i++)
        list[i] = candidate_of(g, &threats, moves[i]);
    for (int i = 0; i < count; i++) {
        bring_forward(list, i, count);
        if (i == count - 1) {
            g->failed |= g->range.encoding && list[i].move != played;
            return list[i].move;
        }
        BitModel *m =
            &g->model.move[pos_in_check(&g->pos)][list[i].move_class][i < RANKS ? i : RANKS - 1];
        if (!code_bit(&g->range, m, list[i].move != played))
            return list[i].move;
    }
    g->failed = true; /* no legal move */
    return MOVE_NONE;
}

/* -- Scores -- */

static int bit_length(int x)
{
    unsigned size = (unsigned)abs(x);
    return size ? 32 - __builtin_clz(size) : 0;
}

static int expected_score(const GamesCoder *g)
{
    int white =
        g->score_count > 1 ? (g->white_scores[0] + g->white_scores[1]) / 2 : g->white_scores[0];
    return g->pos.side == WHITE ? white : -white;
}

static int code_score(GamesCoder *g, bool quiet, int score)
{
    BitModel *scored = &g->model.scored[(unsigned)quiet | (g->scored_bits & 3) << 1 |
                                        (unsigned)(g->pos.game_ply < 16) << 3];
    bool has = code_bit(&g->range, scored, score != SCORE_NONE);
    g->scored_bits = g->scored_bits << 1 | has;
    if (!has)
        return SCORE_NONE;
    int expected = expected_score(g);
    int context = g->surprise < SCORE_CONTEXTS ? g->surprise : SCORE_CONTEXTS - 1;
    int difference = code_signed(&g->range, &g->model.score[context], score - expected);
    g->surprise = bit_length(difference);
    score = expected + difference;
    g->failed |= score < INT16_MIN || score > INT16_MAX;
    g->white_scores[1] = g->white_scores[0];
    g->white_scores[0] = g->pos.side == WHITE ? score : -score;
    g->score_count += g->score_count < 2;
    return score;
}

/* -- Games -- */

static void code_start(GamesCoder *g)
{
    unsigned kind = code_byte(g, g->model.start, 2);
    if (kind == START_USUAL) {
        pos_set_start(&g->pos);
        return;
    }
    unsigned len = code_byte(g, g->model.length, 8);
    const uint8_t *fen = plain_at(g, 0, len);
    for (unsigned i = 0; i < len && !g->failed; i++)
        code_byte(g, g->model.fen, 8);
    if (g->failed || kind > START_FEN_960 ||
        fen_parse(&g->pos, (Span){(const char *)fen, len}, kind == START_FEN_960, NULL) !=
            STATUS_OK)
        g->failed = true;
}

static void code_ply(GamesCoder *g, uint8_t *move_bytes, uint8_t *score_bytes)
{
    bool encoding = g->range.encoding;
    Move move = code_move(g, encoding ? bytes_get16(move_bytes) : MOVE_NONE);
    if (g->failed)
        return;
    bool quiet =
        !pos_in_check(&g->pos) && !pos_is_capture(&g->pos, move) && !move_is_promotion(move);
    int score = code_score(g, quiet, encoding ? (int16_t)bytes_get16(score_bytes) : 0);
    if (!encoding) {
        bytes_put16(move_bytes, move);
        bytes_put16(score_bytes, (uint16_t)score);
    }
    Undo undo;
    g->last_to = move_to(move);
    pos_make(&g->pos, move, &undo);
}

static void code_game(GamesCoder *g)
{
    code_start(g);
    code_byte(g, g->model.result, 2);
    unsigned low = code_byte(g, g->model.count[0], 8), high = code_byte(g, g->model.count[1], 8);
    size_t count = high << 8 | low;
    uint8_t *plies = plain_at(g, 0, 4 * count);
    if (!plies || count > DATA_MAX_PLIES) {
        g->failed = true;
        return;
    }
    g->last_to = SQ_NONE;
    g->white_scores[0] = 0;
    g->score_count = g->surprise = 0;
    g->scored_bits = 0;
    for (size_t i = 0; i < count && !g->failed; i++)
        code_ply(g, plies + 2 * i, plies + 2 * (count + i));
    g->plain.used += 4 * count;
}

static GamesCoder *coder_new(RangeCoder range, uint8_t *plain, size_t len)
{
    GamesCoder *g = malloc(sizeof *g);
    if (!g)
        return NULL;
    memset(g, 0, sizeof *g);
    g->range = range;
    g->plain = (PlainBytes){plain, len, 0};
    bit_models_init((BitModel *)&g->model, sizeof g->model / sizeof(BitModel));
    return g;
}

static bool code_all(GamesCoder *g)
{
    while (code_bit(&g->range, &g->model.more, g->plain.used < g->plain.len) && !g->failed)
        code_game(g);
    return !g->failed && g->plain.used == g->plain.len;
}

bool games_pack(const uint8_t *plain, size_t len, Text *out)
{
    /* The coder writes to plain bytes only when it decodes. */
    union {
        const uint8_t *given;
        uint8_t *at;
    } bytes = {plain};
    GamesCoder *g = coder_new(range_encoder(out), bytes.at, len);
    bool packed = g && code_all(g);
    if (packed)
        range_encoder_finish(&g->range);
    free(g);
    return packed && !out->failed;
}

bool games_unpack(const uint8_t *packed, size_t packed_len, uint8_t *plain, size_t len)
{
    GamesCoder *g = coder_new(range_decoder(packed, packed_len), plain, len);
    bool unpacked = g && code_all(g);
    free(g);
    return unpacked;
}

/* Draws. Repetitions are searched in the ring of keys, back to the last irreversible or null move.
 * Upcoming repetitions use a cuckoo table of all reversible moves, indexed by the change they make
 * to the key (M. van Kervinck's method). */
#include "chess/draw.h"

#include "chess/movegen.h"
#include "chess/position_int.h"
#include "chess/zobrist.h"

enum { CUCKOO_SIZE = 8192 };

typedef struct Cuckoo {
    Key key[CUCKOO_SIZE];
    Square from[CUCKOO_SIZE], to[CUCKOO_SIZE];
} Cuckoo;

static Cuckoo cuckoo;

static unsigned cuckoo_first(Key k)
{
    return k & (CUCKOO_SIZE - 1);
}

static unsigned cuckoo_second(Key k)
{
    return k >> 16 & (CUCKOO_SIZE - 1);
}

static void cuckoo_insert(Key key, Square from, Square to)
{
    unsigned at = cuckoo_first(key);
    while (key) { /* cuckoo hashing: the old entry moves to its other slot */
        Key old_key = cuckoo.key[at];
        Square old_from = cuckoo.from[at], old_to = cuckoo.to[at];
        cuckoo.key[at] = key;
        cuckoo.from[at] = from;
        cuckoo.to[at] = to;
        key = old_key;
        from = old_from;
        to = old_to;
        at = at == cuckoo_first(key) ? cuckoo_second(key) : cuckoo_first(key);
    }
}

void draw_init(void)
{
    for (Piece piece = 2 * KNIGHT; piece < PIECE_COUNT; piece++)
        for (Square a = 0; a < SQUARE_COUNT; a++)
            for (Square b = a + 1; b < SQUARE_COUNT; b++)
                if (attacks_of(piece_type(piece), a, 0) & bb_of(b))
                    cuckoo_insert(zobrist.piece[piece][a] ^ zobrist.piece[piece][b] ^ zobrist.side,
                                  a, b);
}

static int reach_back(const Position *p)
{
    int plies = p->st.rule50 < p->st.plies_since_null ? p->st.rule50 : p->st.plies_since_null;
    return plies < KEY_RING ? plies : KEY_RING - 1;
}

static Key key_back(const Position *p, int plies)
{
    return p->keys[(p->ply - (unsigned)plies) % KEY_RING];
}

int draw_repetitions(const Position *p)
{
    int count = 0, end = reach_back(p);
    for (int i = 4; i <= end; i += 2)
        count += key_back(p, i) == p->st.key;
    return count;
}

bool draw_by_repetition(const Position *p, int ply)
{
    int end = reach_back(p), before_root = 0;
    for (int i = 4; i <= end; i += 2)
        if (key_back(p, i) == p->st.key && (i < ply || ++before_root == 2))
            return true;
    return false;
}

/* True when the position `plies` ago had occurred before. */
static bool had_repeated(const Position *p, int plies, int end)
{
    for (int i = plies + 4; i <= end; i += 2)
        if (key_back(p, i) == key_back(p, plies))
            return true;
    return false;
}

bool draw_has_repeated(const Position *p)
{
    int end = reach_back(p);
    bool found = draw_repetitions(p) > 0;
    for (int i = 1; i + 4 <= end && !found; i++)
        found = had_repeated(p, i, end);
    return found;
}

bool draw_upcoming(const Position *p, int ply)
{
    int end = reach_back(p);
    Bitboard occupied = pos_occupied(p);
    for (int i = 3; i <= end; i += 2) {
        Key change = p->st.key ^ key_back(p, i);
        unsigned at = cuckoo_first(change);
        if (cuckoo.key[at] != change)
            at = cuckoo_second(change);
        if (cuckoo.key[at] != change)
            continue;
        Square from = cuckoo.from[at], to = cuckoo.to[at];
        if (bb_between(from, to) & occupied)
            continue;
        if (i < ply)
            return true;
        /* Before the root the move must be ours, and its position must have repeated already. */
        Piece mover = p->board[from] != NO_PIECE ? p->board[from] : p->board[to];
        if (mover != NO_PIECE && piece_color(mover) == p->side && had_repeated(p, i, end))
            return true;
    }
    return false;
}

static bool bishops_share_color(const Position *p)
{
    Bitboard bishops = p->by_type[BISHOP];
    return !(bishops & DARK_SQUARES_BB) || !(bishops & ~DARK_SQUARES_BB);
}

bool draw_by_material(const Position *p)
{
    if (p->by_type[PAWN] | p->by_type[ROOK] | p->by_type[QUEEN])
        return false;
    if (!p->by_type[KNIGHT])
        return bishops_share_color(p);
    return bb_count(pos_occupied(p)) == 3;
}

bool draw_side_cannot_mate(const Position *p, Color c)
{
    if ((p->by_type[PAWN] | p->by_type[ROOK] | p->by_type[QUEEN]) & p->by_color[c])
        return false;
    Color other = color_other(c);
    Bitboard knights = pos_pieces(p, c, KNIGHT), bishops = pos_pieces(p, c, BISHOP);
    if (!knights && !bishops)
        return true;
    if (knights) /* a lone knight mates only with the help of enemy pieces around the king */
        return !bb_many(knights | bishops) &&
               !(p->by_color[other] & ~p->by_type[KING] & ~p->by_type[QUEEN]);
    /* Bishops of one colour mate only with the help of an enemy pawn, knight or bishop of the other
     * colour. */
    return bishops_share_color(p) && !p->by_type[PAWN] && !p->by_type[KNIGHT];
}

GameEnd draw_game_end(const Position *p)
{
    if (!movegen_any(p))
        return pos_in_check(p) ? GAME_CHECKMATE : GAME_STALEMATE;
    if (draw_by_material(p))
        return GAME_MATERIAL;
    int repeated = draw_repetitions(p);
    if (repeated >= 4)
        return GAME_FIVEFOLD;
    if (p->st.rule50 >= 150)
        return GAME_SEVENTYFIVE;
    if (repeated >= 2)
        return GAME_THREEFOLD;
    return p->st.rule50 >= 100 ? GAME_FIFTY : GAME_GOES_ON;
}

static const struct {
    const char *code, *reason;
} end_rows[] = {
    [GAME_GOES_ON] = {"unfinished", "unfinished"},
    [GAME_CHECKMATE] = {"checkmate", "checkmate"},
    [GAME_STALEMATE] = {"stalemate", "stalemate"},
    [GAME_MATERIAL] = {"material", "insufficient material"},
    [GAME_FIVEFOLD] = {"fivefold", "fivefold repetition"},
    [GAME_SEVENTYFIVE] = {"seventyfive", "seventy-five-move rule"},
    [GAME_THREEFOLD] = {"threefold", "threefold repetition"},
    [GAME_FIFTY] = {"fifty", "fifty-move rule"},
};

const char *draw_reason(GameEnd end)
{
    return end_rows[end].reason;
}

const char *draw_code(GameEnd end)
{
    return end_rows[end].code;
}

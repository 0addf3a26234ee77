/* The index of a position.
 *
 * Pieces are encoded in groups. The first group is placed modulo the symmetries of the board:
 * without pawns the leading piece is mapped into the triangle a1-d1-d4, with pawns the leading pawn
 * onto the files a to d. Each further group of k equal pieces on n free squares is one of "n choose
 * k" combinations. The index is the sum of the group numbers times their factors; the file gives
 * the order of the groups, because it changes how well the table compresses. */
#include "tb/tb_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIQUE_SIZE = 31332, /* three different pieces up to symmetry */
    KINGS_SIZE = 462     /* two kings up to symmetry */
};

/* Distance of a square above the diagonal a1-h8. */
static int above_diagonal(Square s)
{
    return square_rank(s) - square_file(s);
}

static Square mirror_diagonal(Square s)
{
    return square_make(square_rank(s), square_file(s));
}

/* -- The maps -- */

static void build_choose(TbMaps *maps)
{
    for (int n = 0; n < SQUARE_COUNT; n++)
        for (int k = 0; k < TB_PIECES_MAX; k++) {
            if (k == 0)
                maps->choose[k][n] = 1;
            else
                maps->choose[k][n] = n ? maps->choose[k - 1][n - 1] + maps->choose[k][n - 1] : 0;
        }
}

/* Fills `squares` with the squares of the triangle by their numbers. */
static void build_triangles(TbMaps *maps, Square squares[10])
{
    uint8_t below = 0, corner = 0;
    for (Square s = 0; s < SQUARE_COUNT; s++)
        if (above_diagonal(s) < 0) {
            maps->below[s] = below++;
            if (square_file(s) < 4) {
                squares[corner] = s;
                maps->triangle[s] = corner++;
            }
        }
    for (int i = 0; i < 4; i++) {
        squares[corner] = square_make(i, i);
        maps->triangle[square_make(i, i)] = corner++;
    }
}

static bool kings_touch(Square a, Square b)
{
    return abs(square_file(a) - square_file(b)) <= 1 && abs(square_rank(a) - square_rank(b)) <= 1;
}

/* Pairs with both kings on the diagonal come last: they stand for one position where the others
 * stand for two, and some encodings treat them separately. */
static void build_kings(TbMaps *maps, const Square squares[10])
{
    uint16_t code = 0;
    for (int both_on_diagonal = 0; both_on_diagonal < 2; both_on_diagonal++)
        for (int i = 0; i < 10; i++) {
            Square first = squares[i];
            for (Square s = 0; s < SQUARE_COUNT; s++) {
                bool first_on = above_diagonal(first) == 0, on = above_diagonal(s) == 0;
                if (kings_touch(first, s) || (first_on && above_diagonal(s) > 0))
                    continue;
                if ((first_on && on) == (both_on_diagonal == 1))
                    maps->kings[i][s] = code++;
            }
        }
}

/* Leading pawns: the one with the highest value in maps->pawn leads; the others are on squares of
 * lower value. Values fall from a2 and h2 up the edge files, then inwards. */
static void build_pawns(TbMaps *maps)
{
    uint8_t rank = 47;
    for (int file = 0; file < TB_FILES_MAX; file++)
        for (int r = 1; r < 7; r++) {
            maps->pawn[square_make(file, r)] = rank--;
            maps->pawn[square_make(7 - file, r)] = rank--;
        }
    for (int pawns = 1; pawns < TB_PIECES_MAX; pawns++)
        for (int file = 0; file < TB_FILES_MAX; file++) {
            uint32_t sum = 0;
            for (int r = 1; r < 7; r++) {
                Square s = square_make(file, r);
                maps->lead_index[pawns][s] = sum;
                sum += (uint32_t)maps->choose[pawns - 1][maps->pawn[s]];
            }
            maps->lead_size[pawns][file] = sum;
        }
}

void tb_index_build(TbMaps *maps)
{
    memset(maps, 0, sizeof *maps);
    build_choose(maps);
    Square triangle[10];
    build_triangles(maps, triangle);
    build_kings(maps, triangle);
    build_pawns(maps);
}

/* -- The encoding of a part -- */

static uint8_t piece_code(Color c, PieceType t)
{
    return (uint8_t)(t + 1 + 8 * c);
}

/* The pieces must be those of the material, equal ones adjacent, and those the encoding needs first
 * at the front. */
static bool pieces_fit(const TbMaterial *m, const uint8_t *piece)
{
    uint8_t left[16] = {0};
    for (Color c = WHITE; c < COLOR_COUNT; c++)
        for (PieceType t = PAWN; t <= KING; t++)
            left[piece_code(c, t)] = m->count[c][t];
    for (int i = 0; i < m->pieces; i++) {
        int before = i ? piece[i - 1] : 0;
        if (piece[i] > 15 || left[piece[i]] == 0 || (before != piece[i] && before && left[before]))
            return false;
        left[piece[i]]--;
    }
    if (m->has_pawns) {
        int lead = m->count[m->lead][PAWN];
        Color other = color_other(m->lead);
        return piece[0] == piece_code(m->lead, PAWN) &&
               (!m->count[other][PAWN] || piece[lead] == piece_code(other, PAWN));
    }
    return m->has_unique || (piece[0] % 8 == KING + 1 && piece[1] % 8 == KING + 1);
}

static int make_groups(const TbMaterial *m, TbEncoding *s)
{
    /* Without pawns, this many different pieces share the first group. */
    int together = m->has_pawns ? 0 : m->has_unique ? 3 : 2;
    int groups = 0;
    s->group[0] = 1;
    for (int i = 1; i < m->pieces; i++) {
        bool alike = s->piece[i] == s->piece[i - 1] && i != together;
        if (i < together || alike)
            s->group[groups]++;
        else
            s->group[++groups] = 1;
    }
    s->group[++groups] = 0;
    return groups;
}

static uint64_t first_size(const TbMaps *maps, const TbMaterial *m, const TbEncoding *s, int file)
{
    if (m->has_pawns)
        return maps->lead_size[s->group[0]][file];
    return m->has_unique ? UNIQUE_SIZE : KINGS_SIZE;
}

bool tb_index_encoding(const TbMaps *maps, const TbMaterial *m, const int order[2], int file,
                       TbEncoding *s)
{
    if (!pieces_fit(m, s->piece))
        return false;
    int groups = make_groups(m, s);
    bool both_pawns = m->has_pawns && m->count[color_other(m->lead)][PAWN];
    if (order[0] >= groups || (both_pawns && (order[1] >= groups || order[1] == order[0])))
        return false;

    int next = both_pawns ? 2 : 1;
    int free_squares = SQUARE_COUNT - s->group[0] - (both_pawns ? s->group[1] : 0);
    uint64_t size = 1;
    for (int k = 0; k < groups; k++) {
        if (k == order[0]) {
            s->factor[0] = size;
            size *= first_size(maps, m, s, file);
        } else if (both_pawns && k == order[1]) {
            s->factor[1] = size;
            size *= maps->choose[s->group[1]][48 - s->group[0]];
        } else {
            s->factor[next] = size;
            size *= maps->choose[s->group[next]][free_squares];
            free_squares -= s->group[next++];
        }
    }
    s->size = size;
    return true;
}

/* -- Numbering -- */

static Bitboard pieces_on(const TbView *view, int piece)
{
    Color c = (Color)((piece >> 3) ^ (view->flip ? 1 : 0));
    return pos_pieces(view->p, c, (PieceType)((piece & 7) - 1));
}

static Square seen(const TbView *view, Square s)
{
    return view->flip ? s ^ 56 : s;
}

void tb_index_view(const TbMaps *maps, const TbMaterial *m, const Position *p, TbView *view)
{
    *view = (TbView){.p = p};
    view->flip = m->symmetric ? p->side == BLACK : tb_key_of(p) != m->key;
    view->side = (p->side == BLACK) != view->flip;
    if (!m->has_pawns)
        return;
    int count = 0, leader = 0;
    for (Bitboard b = pieces_on(view, piece_code(m->lead, PAWN)); b; count++) {
        view->square[count] = seen(view, bb_pop(&b));
        if (maps->pawn[view->square[count]] > maps->pawn[view->square[leader]])
            leader = count;
    }
    Square first = view->square[leader];
    view->square[leader] = view->square[0];
    view->square[0] = first;
    view->file = square_file(first) < 4 ? square_file(first) : 7 - square_file(first);
}

/* The squares of all pieces in encoding order, mapped so that the leader is in its range. */
static void place_pieces(const TbMaterial *m, const TbEncoding *s, const TbView *view,
                         Square *square)
{
    int placed = 0;
    if (m->has_pawns)
        for (; placed < s->group[0]; placed++)
            square[placed] = view->square[placed];
    while (placed < m->pieces)
        for (Bitboard b = pieces_on(view, s->piece[placed]); b && placed < m->pieces; placed++)
            square[placed] = seen(view, bb_pop(&b));

    int turn = square_file(square[0]) > 3 ? 7 : 0;
    if (!m->has_pawns && square_rank(square[0]) > 3)
        turn |= 56;
    for (int i = 0; i < m->pieces; i++)
        square[i] ^= (Square)turn;
    if (m->has_pawns)
        return;

    /* The first piece of the group that is off the diagonal must be below it. */
    int first = 0;
    while (first < s->group[0] && above_diagonal(square[first]) == 0)
        first++;
    if (first < s->group[0] && above_diagonal(square[first]) > 0)
        for (int i = 0; i < m->pieces; i++)
            square[i] = mirror_diagonal(square[i]);
}

static uint64_t lead_pawns_number(const TbMaps *maps, int pawns, Square *square)
{
    /* By rising value after the leader. */
    for (int i = 2; i < pawns; i++)
        for (int j = i; j > 1 && maps->pawn[square[j]] < maps->pawn[square[j - 1]]; j--) {
            Square s = square[j];
            square[j] = square[j - 1];
            square[j - 1] = s;
        }
    uint64_t number = maps->lead_index[pawns][square[0]];
    for (int i = 1; i < pawns; i++)
        number += maps->choose[i][maps->pawn[square[i]]];
    return number;
}

/* Three different pieces: the index has four ranges by how many of them are on the diagonal, where
 * the last symmetry does not distinguish squares. */
static uint64_t unique_number(const TbMaps *maps, const Square *s)
{
    int second = s[1] - (s[1] > s[0]);
    int third = s[2] - (s[2] > s[0]) - (s[2] > s[1]);
    if (above_diagonal(s[0]))
        return (uint64_t)(maps->triangle[s[0]] * 63 + second) * 62 + (uint64_t)third;

    int row = square_rank(s[0]);
    uint64_t start = 6 * 63 * 62;
    if (above_diagonal(s[1]))
        return start + (uint64_t)(row * 28 + maps->below[s[1]]) * 62 + (uint64_t)third;

    start += 4 * 28 * 62;
    int second_row = square_rank(s[1]) - (s[1] > s[0]);
    if (above_diagonal(s[2]))
        return start + (uint64_t)((row * 7 + second_row) * 28 + maps->below[s[2]]);

    start += 4 * 7 * 28;
    int third_row = square_rank(s[2]) - (s[2] > s[0]) - (s[2] > s[1]);
    return start + (uint64_t)((row * 7 + second_row) * 6 + third_row);
}

/* Equal pieces on the squares that earlier pieces left free: the number of their combination.
 * `skip` squares at the start of the board are not available to them. */
static uint64_t group_number(const TbMaps *maps, Square *square, int first, int count, int skip)
{
    Square *group = square + first;
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && group[j] < group[j - 1]; j--) {
            Square s = group[j];
            group[j] = group[j - 1];
            group[j - 1] = s;
        }
    uint64_t number = 0;
    for (int i = 0; i < count; i++) {
        int at = group[i] - skip;
        for (int j = 0; j < first; j++)
            at -= square[j] < group[i];
        number += maps->choose[i + 1][at];
    }
    return number;
}

uint64_t tb_index_of(const TbMaps *maps, const TbMaterial *m, const TbEncoding *s,
                     const TbView *view)
{
    Square square[TB_PIECES_MAX] = {0};
    place_pieces(m, s, view, square);

    uint64_t number;
    if (m->has_pawns)
        number = lead_pawns_number(maps, s->group[0], square);
    else if (m->has_unique)
        number = unique_number(maps, square);
    else
        number = maps->kings[maps->triangle[square[0]]][square[1]];
    number *= s->factor[0];

    bool pawns_next = m->has_pawns && m->count[color_other(m->lead)][PAWN];
    int first = s->group[0];
    for (int g = 1; s->group[g]; g++) {
        number += group_number(maps, square, first, s->group[g], pawns_next ? 8 : 0) * s->factor[g];
        first += s->group[g];
        pawns_next = false;
    }
    return number;
}

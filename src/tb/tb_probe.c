/* WDL and DTZ of a position.
 *
 * Tables lack two things. Where a capture reaches the value, the stored value may be anything that
 * is not better: so captures are searched first. En passant is not stored: it is a capture, so the
 * same search covers it, and where it is the only move the table is not probed. */
#include "base/bytes.h"
#include "chess/movegen.h"
#include "tb/tb_int.h"

int tb_dtz_of_zeroing(TbWdl wdl)
{
    static const int dtz[] = {-1, -101, 0, 101, 1};
    return dtz[wdl - TB_LOSS];
}

/* -- Probing one table -- */

typedef enum Lookup { LOOKUP_NONE, LOOKUP_OTHER_SIDE, LOOKUP_FOUND } Lookup;

typedef struct Stored {
    int value;
    bool exact; /* plies; a distance in moves may be one ply short */
} Stored;

/* From the stored value to plies; false when the map has no such value. */
static bool measure(const TbPairs *d, TbWdl wdl, Stored *s)
{
    static const int map_for[] = {1, 3, 0, 2, 0}; /* loss, blessed, draw, cursed, win */
    if (d->flags & TB_FLAG_MAPPED) {
        const TbMap *map = &d->map[map_for[wdl - TB_LOSS]];
        if ((unsigned)s->value >= map->count)
            return false;
        const uint8_t *at = map->at + s->value * (d->flags & TB_FLAG_WIDE ? 2 : 1);
        s->value = d->flags & TB_FLAG_WIDE ? bytes_get16(at) : at[0];
    }
    s->exact = (wdl == TB_WIN && d->flags & TB_FLAG_WIN_PLIES) ||
               (wdl == TB_LOSS && d->flags & TB_FLAG_LOSS_PLIES);
    s->value = (s->exact ? s->value : 2 * s->value) + 1;
    return true;
}

/* The WDL value, or the DTZ of a position whose result is `wdl`. DTZ tables hold one side to move
 * only. */
static Lookup look_up(Tablebases *tb, const Position *p, TbKind kind, TbWdl wdl, Stored *s)
{
    TbTable *t = tb_find(tb, p);
    const TbFile *f = t ? tb_use(tb, t, kind) : NULL;
    if (!f)
        return LOOKUP_NONE;
    const TbMaterial *m = &t->material;
    TbView view;
    tb_index_view(&tb->maps, m, p, &view);
    const TbPairs *d = &f->parts[view.file * f->sides + (f->sides == 2 ? view.side : 0)];
    bool any_side = kind == TB_KIND_WDL || (m->symmetric && !m->has_pawns);
    if (!any_side && (int)(d->flags & TB_FLAG_SIDE) != view.side)
        return LOOKUP_OTHER_SIDE;

    uint64_t index = tb_index_of(&tb->maps, m, &d->encoding, &view);
    bool fine = tb_decode(d, index, &s->value);
    if (fine && kind == TB_KIND_WDL) {
        s->value += TB_LOSS;
        fine = s->value <= TB_WIN;
    } else if (fine) {
        fine = measure(d, wdl, s);
    }
    bool whole = file_lost_pages() == tb->lost_pages;
    if (!fine || !whole)
        tb_file_refuse(tb, t, kind,
                       whole ? "damaged file: invalid value"
                             : "a file was truncated while in use; set the path again");
    return fine && whole ? LOOKUP_FOUND : LOOKUP_NONE;
}

/* -- WDL -- */

typedef struct TbResult {
    TbWdl wdl;
    bool zeroing; /* reached by a zeroing move: the DTZ is not in the table */
} TbResult;

static bool is_pawn_move(const Position *p, Move m)
{
    return piece_type(pos_piece_on(p, move_from(m))) == PAWN;
}

/* Searches captures (and pawn moves on request) and returns the best of them and the table. */
static bool resolve(Tablebases *tb, Position *p, bool pawn_moves, TbResult *v)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, pawn_moves ? GEN_ALL : GEN_NOISY, moves), tried = 0;
    int best = TB_LOSS;
    for (int i = 0; i < count && best < TB_WIN; i++) {
        if (!pos_is_capture(p, moves[i]) && !(pawn_moves && is_pawn_move(p, moves[i])))
            continue;
        tried++;
        Undo undo;
        TbResult after;
        pos_make(p, moves[i], &undo);
        bool known = resolve(tb, p, false, &after);
        pos_unmake(p, moves[i], &undo);
        if (!known)
            return false;
        if (best < -after.wdl)
            best = -after.wdl;
    }
    *v = (TbResult){(TbWdl)best, true};
    if (best == TB_WIN || (tried && tried == movegen_count(p)))
        return true;

    Stored stored = {TB_DRAW, true};
    if (bb_count(pos_occupied(p)) > 2 &&
        look_up(tb, p, TB_KIND_WDL, TB_DRAW, &stored) != LOOKUP_FOUND)
        return false;
    if (tried && best >= stored.value)
        v->zeroing = best > TB_DRAW;
    else
        *v = (TbResult){(TbWdl)stored.value, false};
    return true;
}

bool tb_covers(const Tablebases *tb, const Position *p)
{
    return tb && p->st.castling == CASTLING_NONE && bb_count(pos_occupied(p)) <= tb->max_pieces;
}

bool tb_probe_wdl(Tablebases *tb, const Position *p, TbWdl *wdl)
{
    if (!tb_covers(tb, p))
        return false;
    Position copy = *p;
    TbResult v;
    if (!resolve(tb, &copy, false, &v))
        return false;
    *wdl = v.wdl;
    return true;
}

/* -- DTZ -- */

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static bool find_dtz(Tablebases *tb, Position *p, bool may_look_ahead, TbDistance *d);

/* The DTZ one ply before a move, for the side that makes it; the move is unmade. */
static bool dtz_through(Tablebases *tb, Position *p, Move m, TbDistance *d)
{
    Undo undo;
    bool zeroing = pos_is_capture(p, m) || is_pawn_move(p, m), known;
    pos_make(p, m, &undo);
    if (zeroing) {
        TbResult v;
        known = resolve(tb, p, false, &v);
        if (known)
            *d = (TbDistance){-tb_dtz_of_zeroing(v.wdl), true};
    } else {
        known = find_dtz(tb, p, false, d);
        if (known && d->dtz == -1 && pos_in_check(p) && !movegen_any(p))
            *d = (TbDistance){1, true};
        else if (known)
            d->dtz = -d->dtz - sign(d->dtz);
    }
    pos_unmake(p, m, &undo);
    return known;
}

/* The table holds the other side to move: the best DTZ over our moves that keep the result. */
static bool look_ahead(Tablebases *tb, Position *p, TbWdl wdl, TbDistance *d)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    *d = (TbDistance){-1, true}; /* no move: checkmate */
    bool found = false;
    for (int i = 0; i < count; i++) {
        TbDistance through;
        if (!dtz_through(tb, p, moves[i], &through))
            return false;
        /* Winner and loser both choose the smallest number: the winner hurries, the loser delays.
         * */
        if (sign(through.dtz) == sign(wdl) && (!found || through.dtz < d->dtz)) {
            *d = through;
            found = true;
        }
    }
    return true;
}

static bool find_dtz(Tablebases *tb, Position *p, bool may_look_ahead, TbDistance *d)
{
    TbResult v;
    if (!resolve(tb, p, true, &v))
        return false;
    if (v.wdl == TB_DRAW || v.zeroing) {
        *d = (TbDistance){tb_dtz_of_zeroing(v.wdl), true};
        return true;
    }
    Stored stored;
    switch (look_up(tb, p, TB_KIND_DTZ, v.wdl, &stored)) {
    case LOOKUP_FOUND:
        if (v.wdl == TB_CURSED_WIN || v.wdl == TB_BLESSED_LOSS)
            stored.value += 100;
        *d = (TbDistance){stored.value * sign(v.wdl), stored.exact};
        return true;
    case LOOKUP_OTHER_SIDE:
        return may_look_ahead && look_ahead(tb, p, v.wdl, d);
    default:
        return false;
    }
}

bool tb_probe_distance(Tablebases *tb, const Position *p, TbDistance *d)
{
    if (!tb_covers(tb, p))
        return false;
    Position copy = *p;
    return find_dtz(tb, &copy, true, d);
}

bool tb_probe_dtz(Tablebases *tb, const Position *p, int *dtz)
{
    TbDistance d;
    if (!tb_probe_distance(tb, p, &d))
        return false;
    *dtz = d.dtz;
    return true;
}

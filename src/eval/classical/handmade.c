#include "eval/classical/handmade.h"

#include "eval/classical/handmade_int.h"
#include "eval/endgame.h"

/* The pawn terms, from the cache where there is one. `own` serves when there is none. */
static const HandmadePawns *find_pawns(const HandmadeWeights *w, HandmadeCache *cache,
                                       const Position *p, HandmadePawns *own)
{
    HandmadePawns *row = own;
    if (cache != NULL) {
        row = &cache->rows[p->st.pawn_key % HANDMADE_CACHE_ROWS];
        if (row->key == p->st.pawn_key)
            return row;
    }
    handmade_pawns_fill(w, p, row);
    return row;
}

static void scan_terms(Scan *s)
{
    handmade_pieces(s);
    handmade_king(s);
    handmade_threats(s);
    handmade_passed(s);
    s->term[TERM_TEMPO][s->p->side] = s->w->tempo;
}

/* How much of the middle game is left, by the pieces on the board. */
static int game_phase(const Position *p)
{
    int phase = bb_count(p->by_type[KNIGHT] | p->by_type[BISHOP]) + 2 * bb_count(p->by_type[ROOK]) +
                4 * bb_count(p->by_type[QUEEN]);
    return phase < PHASE_FULL ? phase : PHASE_FULL;
}

/* From the sums of both sides to one number, White's view. A side without pawns has nothing to
 * hope for from the middle game either, so that its whole score is scaled. */
static void conclude(const Scan *s, EvalTrace *t)
{
    Packed sum = 0;
    for (Term i = 0; i < TERM_COUNT; i++)
        sum += s->term[i][WHITE] - s->term[i][BLACK];
    int mg = packed_mg(sum), eg = handmade_winnable(s, packed_eg(sum));
    Color strong = (eg != 0 ? eg : mg) > 0 ? WHITE : BLACK;

    t->phase = game_phase(s->p);
    t->scale = handmade_scale(s, strong);
    t->mop_up = endgame_mop_up(s->p);
    if (pos_pieces(s->p, strong, PAWN) == 0)
        mg = mg * t->scale / ENDGAME_FULL;
    eg = eg * t->scale / ENDGAME_FULL;
    Score v = (mg * t->phase + eg * (PHASE_FULL - t->phase)) / PHASE_FULL + t->mop_up;
    t->total = v > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : v < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : v;
}

Score handmade_score(const HandmadeWeights *w, HandmadeCache *cache, const Position *p)
{
    HandmadePawns own;
    EvalTrace t;
    Scan s = {.p = p, .w = w, .pawns = find_pawns(w, cache, p, &own)};
    scan_terms(&s);
    conclude(&s, &t);
    return p->side == WHITE ? t.total : -t.total;
}

void handmade_trace(const HandmadeWeights *w, const Position *p, EvalTrace *out)
{
    static const char *const names[TERM_COUNT] = {
        [TERM_MATERIAL] = "Material",   [TERM_SQUARES] = "Piece squares",
        [TERM_PAWNS] = "Pawns",         [TERM_MINORS] = "Minor pieces",
        [TERM_ROOKS] = "Rooks",         [TERM_MOBILITY] = "Mobility",
        [TERM_KING] = "King safety",    [TERM_THREATS] = "Threats",
        [TERM_PASSED] = "Passed pawns", [TERM_SPACE] = "Space",
        [TERM_WINNABLE] = "Winnable",   [TERM_TEMPO] = "Tempo"};
    HandmadePawns own;
    Scan s = {.p = p, .w = w, .pawns = find_pawns(w, NULL, p, &own)};
    Packed sum = 0;
    scan_terms(&s);
    conclude(&s, out);

    out->count = TERM_COUNT;
    for (Term i = 0; i < TERM_COUNT; i++) {
        EvalTerm *term = &out->terms[i];
        term->name = names[i];
        sum += s.term[i][WHITE] - s.term[i][BLACK];
        for (Color c = WHITE; c <= BLACK; c++) {
            term->mg[c] = packed_mg(s.term[i][c]);
            term->eg[c] = packed_eg(s.term[i][c]);
        }
    }
    int eg = packed_eg(sum);
    out->terms[TERM_WINNABLE].eg[eg > 0 ? WHITE : BLACK] = abs(handmade_winnable(&s, eg)) - abs(eg);
}

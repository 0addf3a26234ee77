#include "eval/classical/classical.h"

#include "eval/classical/classical_int.h"
#include "eval/endgame.h"

/* Probes the pawn hash table; without one, the entry is computed into `local`. */
static const PawnEntry *pawn_table_probe(PawnTable *table, const Position *p, PawnEntry *local)
{
    PawnEntry *entry = local;
    if (table != NULL) {
        entry = &table->entries[p->st.pawn_key % PAWN_TABLE_ENTRIES];
        if (entry->key == p->st.pawn_key)
            return entry;
    }
    classical_pawns_fill(p, entry);
    return entry;
}

static void add_terms(EvalInfo *s)
{
    classical_pieces(s);
    for (Color c = WHITE; c <= BLACK; c++) {
        classical_king(s, c);
        classical_threats(s, c);
        classical_passed(s, c);
    }
    s->term[TERM_TEMPO][s->p->side] = w->tempo;
}

/* The game phase by the pieces on the board: PHASE_FULL is the middlegame. */
static int game_phase(const Position *p)
{
    int phase = bb_count(p->by_type[KNIGHT] | p->by_type[BISHOP]) + 2 * bb_count(p->by_type[ROOK]) +
                4 * bb_count(p->by_type[QUEEN]);
    return phase < PHASE_FULL ? phase : PHASE_FULL;
}

/* Tapers and scales the sum, from White's view. When the stronger side has no pawns, the middlegame
 * half is scaled as well. */
static void add_up(const EvalInfo *s, EvalTrace *t)
{
    Packed sum = 0;
    for (ClassicalTerm i = 0; i < TERM_COUNT; i++)
        sum += s->term[i][WHITE] - s->term[i][BLACK];
    int mg = packed_mg(sum), eg = classical_winnable(s, packed_eg(sum));
    Color strong = (eg != 0 ? eg : mg) > 0 ? WHITE : BLACK;

    t->phase = game_phase(s->p);
    t->scale = classical_scale(s, strong);
    t->mop_up = endgame_mop_up(s->p);
    if (pos_pieces(s->p, strong, PAWN) == 0)
        mg = mg * t->scale / SCALE_NORMAL;
    eg = eg * t->scale / SCALE_NORMAL;
    Score v = (mg * t->phase + eg * (PHASE_FULL - t->phase)) / PHASE_FULL + t->mop_up;
    t->total = score_clip(v);
}

Score classical_score(PawnTable *table, const Position *p)
{
    PawnEntry local;
    EvalTrace t;
    EvalInfo s = {.p = p, .pawns = pawn_table_probe(table, p, &local)};
    add_terms(&s);
    add_up(&s, &t);
    return p->side == WHITE ? t.total : -t.total;
}

void classical_trace(const Position *p, EvalTrace *out)
{
    static const char *const names[TERM_COUNT] = {
        [TERM_MATERIAL] = "Material",   [TERM_SQUARES] = "Piece squares",
        [TERM_PAWNS] = "Pawns",         [TERM_MINORS] = "Minor pieces",
        [TERM_ROOKS] = "Rooks",         [TERM_MOBILITY] = "Mobility",
        [TERM_KING] = "King safety",    [TERM_THREATS] = "Threats",
        [TERM_PASSED] = "Passed pawns", [TERM_SPACE] = "Space",
        [TERM_WINNABLE] = "Winnable",   [TERM_TEMPO] = "Tempo"};
    PawnEntry local;
    EvalInfo s = {.p = p, .pawns = pawn_table_probe(NULL, p, &local)};
    Packed sum = 0;
    add_terms(&s);
    add_up(&s, out);

    out->count = TERM_COUNT;
    for (ClassicalTerm i = 0; i < TERM_COUNT; i++) {
        EvalTerm *term = &out->terms[i];
        term->name = names[i];
        sum += s.term[i][WHITE] - s.term[i][BLACK];
        for (Color c = WHITE; c <= BLACK; c++) {
            term->mg[c] = packed_mg(s.term[i][c]);
            term->eg[c] = packed_eg(s.term[i][c]);
        }
    }
    int eg = packed_eg(sum);
    out->terms[TERM_WINNABLE].eg[eg > 0 ? WHITE : BLACK] =
        abs(classical_winnable(&s, eg)) - abs(eg);
}

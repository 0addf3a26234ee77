/* The evaluation of the chess program that Kanji described in 2014: material, the piece tables of
 * ChessBin, three judgements on pawns, and mobility. The laboratory measures with it, so that its
 * figures can be laid beside the published ones. */
#ifndef GALLERY_KANJI_EVAL_H
#define GALLERY_KANJI_EVAL_H

#include "chess/position.h"
#include "eval/score.h"
#include "gallery/judge.h"

typedef enum KanjiTerm {
    KANJI_MATERIAL,
    KANJI_TABLES,
    KANJI_DOUBLED,
    KANJI_ISOLATED,
    KANJI_PASSED,
    KANJI_MOBILITY,
    KANJI_TERM_COUNT
} KanjiTerm;

/* What each term gives, seen from the side to move; the evaluation is their sum. */
typedef struct KanjiTerms {
    Score of[KANJI_TERM_COUNT];
} KanjiTerms;

const char *kanji_term_name(KanjiTerm term);

/* Both need a position that they can pass the turn in; it is as before when they return. */
KanjiTerms kanji_terms(Position *p);
Score kanji_eval(Position *p);

extern const Judge judge_kanji;

#endif

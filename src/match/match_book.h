/* The openings of a match: from a file, or random ones that a short search finds balanced. */
#ifndef MATCH_MATCH_BOOK_H
#define MATCH_MATCH_BOOK_H

#include "match/match.h"

enum { OPENING_MAX_PLIES = 200 };

typedef struct MatchOpening {
    Position start;
    Move moves[OPENING_MAX_PLIES];
    int count;
} MatchOpening;

typedef struct MatchBook MatchBook;

/* `wanted` openings will be asked for: those are checked now. */
Status match_book_open(MatchBook **o, const MatchOptions *options, uint64_t wanted,
                       const atomic_bool *stop, Message *why);
void match_book_close(MatchBook *o); /* NULL is fine */

/* MatchOpening number `i`, the same for the same options; the list begins again at its end. Any
 * thread. */
Status match_book_get(MatchBook *o, uint64_t i, MatchOpening *out, Message *why);

/* A number that another file, order or seed changes. */
uint64_t match_book_checksum(const MatchBook *o);

#endif

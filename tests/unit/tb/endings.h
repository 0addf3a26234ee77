/* Endings for tests: the public tables where they are at hand, and positions with few pieces. */
#ifndef TESTS_UNIT_TB_ENDINGS_H
#define TESTS_UNIT_TB_ENDINGS_H

#include "base/random.h"
#include "tb/tb.h"

#define ENDINGS_PATH "../shared/data/syzygy"

/* The tables of 3 and 4 pieces; NULL, after a line that says so, where they are missing. */
Tablebases *endings_open(void);

/* A possible position with this many pieces, either side to move, any legal en passant kept. */
void endings_random(Random *random, int pieces, Position *p);

/* A possible position with the pieces of a table's name, "KQvKR" up to its end or a dot; either
 * colour. */
void endings_of(Random *random, const char *name, Position *p);

/* How many files were refused so far, and their messages; without looking at further ones, as
 * tb_describe does. */
int endings_refused(const Tablebases *tb, Message *why);

/* Tests under sanitizers take a part of the positions: they are several times slower. */
bool endings_sanitized(void);

#endif

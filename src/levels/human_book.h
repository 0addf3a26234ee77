/* How people open: how often each move was played in the first positions of games. */
#ifndef LEVELS_HUMAN_BOOK_H
#define LEVELS_HUMAN_BOOK_H

#include "levels/human_features.h"
#include "levels/human_games.h"

enum {
    HUMAN_BOOK_PLIES = 20,
    HUMAN_BOOK_LEAST = 4, /* games; a position with fewer says nothing */
    HUMAN_FOLDS = 5       /* of the cross-validation; neighbours in a file are in the same */
};

typedef struct HumanBookMove {
    uint64_t key; /* Polyglot's */
    Move move;
    uint16_t count;
} HumanBookMove;

typedef struct HumanBook {
    const HumanBookMove *moves; /* sorted by key and move */
    size_t count;
} HumanBook;

int human_fold(size_t game);

/* Counts the moves of all games but those of one fold (-1: of all). Fresh memory, to be freed with
 * human_book_free. */
Status human_book_build(HumanBook *b, const HumanGames *g, int without_fold, Message *why);
void human_book_free(HumanBook *b);

/* Adds what the book says of the moves, if anything. */
void human_book_features(const HumanBook *b, const Position *p, const HumanValue *values, int count,
                         HumanFeatures *out);

#endif

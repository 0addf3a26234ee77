/* The columns of a game, in one order for everyone who writes or reads them. */
#ifndef STORE_STORE_COLUMNS_INT_H
#define STORE_STORE_COLUMNS_INT_H

#include "store/store_int.h"

/* The column `result` is 0 while a game is played, a Result, or this. */
enum { STORE_OVER_WITHOUT_RESULT = 4 };

#define GAME_COLUMNS                                                                            \
    "player, kind, version, white_kind, white_name, white_title, white_rating, white_elo,"      \
    " black_kind, black_name, black_title, black_rating, black_elo, you, chess960, start_fen,"  \
    " has_clock, initial_ms, increment_ms, white_ms, black_ms, turn_at, pace_ms, seed, result," \
    " reason, rated, hints, takebacks, offer, next, rating_before, rating_after, plies, fen,"   \
    " last, eco, opening, event, date, created, updated"
#define GAME_QUESTION_MARKS \
    "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?"

/* What columns_next_game expects. */
#define GAME_SELECTED \
    GAME_COLUMNS      \
    ", game.id, review.game IS NOT NULL, white_accuracy, black_accuracy, ifnull(guest, 0)"
#define GAME_TABLES \
    "game LEFT JOIN review ON review.game = game.id LEFT JOIN guest ON guest.game = game.id"

bool columns_next_game(Query *q, StoreGame *g); /* false: there is none left */

#endif

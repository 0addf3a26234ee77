/* Players by name, for programs without a database: how strong each one is and what he scored. One
 * small text file with a checksum, written whole or not at all. Where it lies is the program's
 * affair
 * ($XDG_DATA_HOME/castellan/players). */
#ifndef LEVELS_PLAYERS_H
#define LEVELS_PLAYERS_H

#include "base/status.h"
#include "base/text.h"
#include "levels/rating/glicko.h"

enum { PLAYERS_NAME_SIZE = 64, PLAYERS_MAX = 10000 };

typedef struct PlayerRecord {
    char name[PLAYERS_NAME_SIZE];
    Glicko strength;
    int64_t wins, draws, losses;
} PlayerRecord;

typedef struct Players Players;

/* Reads the file. One that is not there holds nobody. A damaged one is put aside under a name that
 * the message tells (nothing of it is lost), and STATUS_INVALID returned with an empty list: the
 * caller may tell it and go on. On every other failure *players is NULL. */
Status players_open(Players **players, const char *path, Message *why);
void players_close(Players *players); /* NULL is fine; does not save */

/* Everybody is on the disk when it returns. */
Status players_save(const Players *players, Message *why);

/* Whether somebody can be called so. */
Status players_check_name(Span name, Message *why);

/* The player of that name, whatever its letters' case; a new one when nobody has it. Fails on a
 * name that is empty, too long or not printable. The record stays where it is until the next call
 * of players_find. */
Status players_find(Players *players, Span name, PlayerRecord **record, Message *why);

#endif

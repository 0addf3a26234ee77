#include "term/rating.h"

#include "levels/rating/adapt.h"
#include "levels/rating/players.h"

static Status find_person(Players **players, PlayerRecord **record, const char *path,
                          const char *person, Message *why)
{
    Message damage = {""};
    Status s = players_open(players, path, &damage);
    if (!*players) {
        *why = damage;
        return s;
    }
    s = players_find(*players, span_of(person), record, why);
    if (s == STATUS_OK)
        *why = damage; /* a remark: the old file was put aside */
    return s;
}

Status rating_level(const char *path, const char *person, int offset, int *elo, Message *why)
{
    Players *players = NULL;
    PlayerRecord *record;
    Status s = find_person(&players, &record, path, person, why);
    if (s == STATUS_OK)
        *elo = adapt_level(record->strength, offset);
    players_close(players);
    return s;
}

Status rating_result(const char *path, const char *person, int elo, double score, Message *why)
{
    Players *players = NULL;
    PlayerRecord *record;
    Status s = find_person(&players, &record, path, person, why);
    if (s == STATUS_OK) {
        /* How well the moves were played is not known here: the result alone counts. */
        adapt_result(&record->strength, elo, score);
        record->wins += score > 0.75;
        record->draws += score > 0.25 && score < 0.75;
        record->losses += score < 0.25;
        s = players_save(players, why);
    }
    players_close(players);
    return s;
}

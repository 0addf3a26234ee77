#include "term/rating.h"

#include "gallery/adapt.h"
#include "gallery/players.h"

/* One person plays here; in the browser there may be more. */
static const char PERSON[] = "Player";

static Status find_person(Players **players, PlayerRecord **record, const char *path, Message *why)
{
    Message damage = {""};
    Status s = players_open(players, path, &damage);
    if (!*players) {
        *why = damage;
        return s;
    }
    s = players_find(*players, span_of(PERSON), record, why);
    if (s == STATUS_OK)
        *why = damage; /* a remark: the old file was put aside */
    return s;
}

Status rating_level(const char *path, int offset, int *elo, Message *why)
{
    Players *players = NULL;
    PlayerRecord *record;
    Status s = find_person(&players, &record, path, why);
    if (s == STATUS_OK)
        *elo = adapt_level(record->strength, offset);
    players_close(players);
    return s;
}

Status rating_result(const char *path, int elo, double score, Message *why)
{
    Players *players = NULL;
    PlayerRecord *record;
    Status s = find_person(&players, &record, path, why);
    if (s == STATUS_OK) {
        /* How well the moves were played is not known here: the result alone counts. */
        adapt_result(&record->strength, elo, score, -1, 0);
        record->wins += score > 0.75;
        record->draws += score > 0.25 && score < 0.75;
        record->losses += score < 0.25;
        s = players_save(players, why);
    }
    players_close(players);
    return s;
}

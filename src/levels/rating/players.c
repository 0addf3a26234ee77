#include "levels/rating/players.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/state_file.h"
#include "levels/rating/adapt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file: the head, then for each player
 *     RATING DEVIATION VOLATILITY WINS DRAWS LOSSES NAME
 * and last "sum" with the checksum of all before it. */
static const char HEAD[] = "castellan players 1";
enum { MOST_BYTES = 4 << 20, MOST_ASIDE = 1000, NUMBERS = 6 };

struct Players {
    PlayerRecord *all;
    int count;
    size_t room;
    char path[];
};

/* -- The list -- */

/* UTF-8 is welcome; what could break a line or a terminal is not. */
static bool is_name(Span name)
{
    if (!name.len || name.len >= PLAYERS_NAME_SIZE)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.at[i] < ' ' || name.at[i] == 127)
            return false;
    return true;
}

static PlayerRecord *lookup(const Players *p, Span name)
{
    for (int i = 0; i < p->count; i++)
        if (span_is_ignoring_case(name, p->all[i].name))
            return &p->all[i];
    return NULL;
}

static Status add(Players *p, Span name, PlayerRecord **out, Message *why)
{
    if (p->count == PLAYERS_MAX)
        return status_fail(why, STATUS_REFUSED, "more than %d players", PLAYERS_MAX);
    if (!memory_grow(&p->all, sizeof *p->all, (size_t)p->count, &p->room))
        return status_fail(why, STATUS_MEMORY, "not enough memory for players");
    PlayerRecord *r = &p->all[p->count++];
    *r = (PlayerRecord){.strength = glicko_start(ADAPT_FIRST_ELO)};
    memcpy(r->name, name.at, name.len);
    *out = r;
    return STATUS_OK;
}

Status players_check_name(Span name, Message *why)
{
    if (is_name(span_trim(name)))
        return STATUS_OK;
    return status_fail(why, STATUS_INVALID, "a player's name has 1 to %d printable bytes",
                       PLAYERS_NAME_SIZE - 1);
}

Status players_find(Players *p, Span name, PlayerRecord **record, Message *why)
{
    Status s = players_check_name(name, why);
    if (s != STATUS_OK)
        return s;
    name = span_trim(name);
    *record = lookup(p, name);
    return *record ? STATUS_OK : add(p, name, record, why);
}

/* -- Reading -- */

static bool in_range(const double n[NUMBERS])
{
    const double most_games = 1e12;
    return fabs(n[0]) < 10000 && n[1] > 0 && n[1] <= 1000 && n[2] > 0 && n[2] < 1 && n[3] >= 0 &&
           n[3] < most_games && n[4] >= 0 && n[4] < most_games && n[5] >= 0 && n[5] < most_games;
}

static Status read_player(Players *p, Span line, int number, Message *why)
{
    double n[NUMBERS];
    Span rest = line;
    bool fine = true;
    for (int i = 0; i < NUMBERS && fine; i++)
        fine = state_real(&rest, &n[i]);
    if (!fine || !in_range(n) || !is_name(span_trim(rest)))
        return status_fail(why, STATUS_INVALID, "line %d is not a player", number);
    if (lookup(p, span_trim(rest)))
        return status_fail(why, STATUS_INVALID, "line %d: duplicate name", number);
    PlayerRecord *r;
    Status s = add(p, span_trim(rest), &r, why);
    if (s != STATUS_OK)
        return s;
    r->strength = (Glicko){n[0], n[1], n[2]};
    r->wins = (int64_t)n[3];
    r->draws = (int64_t)n[4];
    r->losses = (int64_t)n[5];
    return STATUS_OK;
}

/* The last line must be the sum of the bytes before it. */
static bool has_sum(Span all, Span line)
{
    char expected[32];
    size_t before = (size_t)(line.at - all.at);
    snprintf(expected, sizeof expected, "sum %016" PRIx64, checksum64(all.at, before));
    return span_is(line, expected) && before + line.len + 1 == all.len;
}

static Status read_all(Players *p, Span all, Message *why)
{
    Span rest = all, line;
    if (!span_next_line(&rest, &line) || !span_is(line, HEAD))
        return status_fail(why, STATUS_INVALID, "not a file of players");
    for (int number = 2; span_next_line(&rest, &line); number++) {
        if (span_starts(line, "sum "))
            return has_sum(all, line) ? STATUS_OK
                                      : status_fail(why, STATUS_INVALID, "wrong checksum");
        Status s = read_player(p, line, number, why);
        if (s != STATUS_OK)
            return s;
    }
    return status_fail(why, STATUS_INVALID, "truncated file");
}

/* Moves a damaged file out of the way, over nothing that is there. */
static Status put_aside(Players *p, const Message *damage, Message *why)
{
    p->count = 0;
    Text aside = text_new();
    for (int i = 1; i <= MOST_ASIDE; i++) {
        text_clear(&aside);
        text_addf(&aside, "%s.damaged-%d", p->path, i);
        if (!aside.failed && link(p->path, aside.at) == 0) {
            unlink(p->path);
            status_fail(why, STATUS_INVALID, "%.100s: %.60s; kept as %.80s", p->path, damage->text,
                        aside.at);
            text_free(&aside);
            return STATUS_INVALID;
        }
    }
    text_free(&aside);
    return status_fail(why, STATUS_IO, "%.100s: %.60s, and the file cannot be renamed", p->path,
                       damage->text);
}

static Status load(Players *p, Message *why)
{
    if (access(p->path, F_OK) != 0)
        return STATUS_OK;
    char *bytes;
    size_t len;
    Status s = file_read(&bytes, &len, p->path, MOST_BYTES, why);
    if (s != STATUS_OK)
        return s;
    Message damage;
    s = read_all(p, (Span){bytes, len}, &damage);
    free(bytes);
    if (s == STATUS_INVALID)
        return put_aside(p, &damage, why);
    if (s != STATUS_OK && why)
        *why = damage;
    return s;
}

Status players_open(Players **out, const char *path, Message *why)
{
    *out = NULL;
    size_t size = strlen(path) + 1;
    Players *p = calloc(1, sizeof *p + size);
    if (!p)
        return status_fail(why, STATUS_MEMORY, "not enough memory for players");
    memcpy(p->path, path, size);
    Status s = load(p, why);
    if (s == STATUS_OK || s == STATUS_INVALID)
        *out = p;
    else
        players_close(p);
    return s;
}

void players_close(Players *p)
{
    if (!p)
        return;
    free(p->all);
    free(p);
}

/* -- Writing -- */

Status players_save(const Players *p, Message *why)
{
    Text t = text_new();
    text_addf(&t, "%s\n", HEAD);
    for (int i = 0; i < p->count; i++) {
        const PlayerRecord *r = &p->all[i];
        text_addf(&t, "%.6f %.6f %.8f %" PRId64 " %" PRId64 " %" PRId64 " %s\n", r->strength.rating,
                  r->strength.deviation, r->strength.volatility, r->wins, r->draws, r->losses,
                  r->name);
    }
    text_addf(&t, "sum %016" PRIx64 "\n", checksum64(t.at, t.len));
    return file_write_text(p->path, &t, why);
}

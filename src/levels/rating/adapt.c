#include "levels/rating/adapt.h"

#include "levels/level.h"

#include <math.h>

/* A level's own rating is known about so well (docs/RATINGS.md). */
static const double LEVEL_DEVIATION = 50;

/* However long somebody has played, people learn: the level must be able to follow. */
static const double LEAST_DEVIATION = 150;

static Status bad_wish(Span text, Message *why)
{
    char shown[32];
    span_show(text, shown, sizeof shown);
    return status_fail(why, STATUS_INVALID,
                       "\"%s\" is not an Elo from %d to %d, \"adapt\" or \"adapt+100\"", shown,
                       LEVEL_MIN_ELO, LEVEL_MAX_ELO);
}

Status adapt_parse(AdaptWish *wish, Span text, Message *why)
{
    static const char WORD[] = "adapt";
    const size_t length = sizeof WORD - 1;
    int64_t number = 0;
    if (span_to_int64(text, LEVEL_MIN_ELO, LEVEL_MAX_ELO, &number)) {
        *wish = (AdaptWish){.elo = (int)number};
        return STATUS_OK;
    }
    if (text.len < length || !span_is_ignoring_case((Span){text.at, length}, WORD))
        return bad_wish(text, why);
    Span rest = {text.at + length, text.len - length};
    bool is_signed = rest.len && (rest.at[0] == '+' || rest.at[0] == '-');
    if (rest.len &&
        (!is_signed || !span_to_int64(rest, -ADAPT_MAX_OFFSET, ADAPT_MAX_OFFSET, &number)))
        return bad_wish(text, why);
    *wish = (AdaptWish){.adapts = true, .offset = rest.len ? (int)number : 0};
    return STATUS_OK;
}

int adapt_level(Glicko strength, int offset)
{
    double elo = strength.rating + offset;
    if (!(elo > LEVEL_MIN_ELO))
        return LEVEL_MIN_ELO;
    return elo < LEVEL_MAX_ELO ? (int)lround(elo) : LEVEL_MAX_ELO;
}

/* One game may be an accident: a first rating that nobody knows goes no farther by it. */
static const double MOST_CHANGE = 400;

/* Glicko counts in Elo. Up to 1800, 200 points of the levels are worth about 120 Elo
 * (docs/RATINGS.md), so that a rating in levels has to go farther. Above they are worth more; there
 * the smaller steps that this would give follow too slowly. */
static double levels_of(double elo, double at)
{
    static const double FARTHER = 200.0 / 120;
    return at < LEVEL_LIKE_MAX ? FARTHER * elo : elo;
}

void adapt_result(Glicko *strength, int elo, double score)
{
    GlickoGame game = {elo, LEVEL_DEVIATION, score};
    double before = strength->rating;
    *strength = glicko_update(*strength, &game, 1);
    double change = levels_of(strength->rating - before, before);
    strength->rating = before + fmin(fmax(change, -MOST_CHANGE), MOST_CHANGE);
    strength->rating = fmax(strength->rating, GLICKO_FLOOR);
    if (strength->deviation < LEAST_DEVIATION)
        strength->deviation = LEAST_DEVIATION;
}

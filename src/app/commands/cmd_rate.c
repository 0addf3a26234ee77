/* castellan rate: ratings of the players in files of games. */
#include "app/command.h"
#include "match/rating.h"
#include "notation/pgn_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Count {
    RatingTable *table;
    char white[RATING_NAME_SIZE], black[RATING_NAME_SIZE];
    uint64_t counted, unfinished, broken;
    Status status;
    Message why;
} Count;

static void on_begin(void *user)
{
    Count *c = user;
    c->white[0] = c->black[0] = 0;
}

static void on_tag(void *user, Span name, Span value)
{
    Count *c = user;
    if (span_is(name, "White"))
        span_show(value, c->white, sizeof c->white);
    else if (span_is(name, "Black"))
        span_show(value, c->black, sizeof c->black);
}

static void on_end(void *user, Result result)
{
    Count *c = user;
    if (result == RESULT_NONE || !c->white[0] || !c->black[0]) {
        c->unfinished++;
        return;
    }
    int white, black;
    if (c->status == STATUS_OK)
        c->status = rating_player(c->table, span_of(c->white), &white, &c->why);
    if (c->status == STATUS_OK)
        c->status = rating_player(c->table, span_of(c->black), &black, &c->why);
    if (c->status != STATUS_OK)
        return;
    rating_add(c->table, white, black, result_half_points(result, WHITE));
    c->counted++;
}

static Status read_games(Count *c, const char *path)
{
    const PgnVisitor visitor = {.user = c, .begin = on_begin, .tag = on_tag, .end = on_end};
    PgnReader *r;
    Status s = pgn_open(&r, path, &c->why);
    if (s != STATUS_OK)
        return s;
    do {
        s = pgn_next(r, &visitor, &c->why);
        if (s == STATUS_INVALID) {
            fprintf(stderr, "castellan: rate: %s\n", c->why.text);
            c->broken++;
        }
    } while ((s == STATUS_OK || s == STATUS_INVALID) && c->status == STATUS_OK);
    pgn_close(r);
    return s == STATUS_END ? STATUS_OK : c->status != STATUS_OK ? c->status : s;
}

/* "NAME=RATING,NAME=RATING": only of players who have played. */
static Status set_anchors(RatingTable *t, const char *text, Message *why)
{
    Span rest = span_of(text);
    while (rest.len) {
        const char *comma = memchr(rest.at, ',', rest.len);
        Span field = {rest.at, comma ? (size_t)(comma - rest.at) : rest.len};
        rest = comma ? (Span){comma + 1, rest.len - field.len - 1} : (Span){"", 0};
        const char *equals = memrchr(field.at, '=', field.len);
        double rating;
        if (!equals ||
            !span_to_double((Span){equals + 1, field.len - (size_t)(equals - field.at) - 1},
                            &rating) ||
            !(rating > -10000 && rating < 10000))
            return status_fail(why, STATUS_INVALID,
                               "invalid value '%.*s' for --anchor: NAME=RATING", (int)field.len,
                               field.at);
        int before = t->count, index;
        Status s = rating_player(t, (Span){field.at, (size_t)(equals - field.at)}, &index, why);
        if (s != STATUS_OK)
            return s;
        if (t->count > before)
            return status_fail(why, STATUS_MISSING, "--anchor: no games of '%.*s'",
                               (int)(equals - field.at), field.at);
        rating_anchor(t, index, rating);
    }
    return STATUS_OK;
}

static int print(const Count *c, bool crosstable)
{
    Text out;
    text_init(&out);
    rating_report(c->table, &out);
    if (crosstable) {
        text_add_char(&out, '\n');
        rating_crosstable(c->table, &out);
    }
    text_addf(&out, "\n%" PRIu64 " games", c->counted);
    if (c->unfinished)
        text_addf(&out, ", %" PRIu64 " without result or names skipped", c->unfinished);
    if (c->broken)
        text_addf(&out, ", %" PRIu64 " invalid", c->broken);
    text_add_char(&out, '\n');
    fputs(out.at, stdout);
    text_free(&out);
    return COMMAND_DONE;
}

static int rate(Count *c, const ArgWords *files, const char *anchors, bool crosstable)
{
    Status s = STATUS_OK;
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = read_games(c, files->at[i]);
    if (s == STATUS_OK && !c->counted)
        s = status_fail(&c->why, STATUS_MISSING, "no finished game with the names of both players");
    if (s == STATUS_OK && anchors) {
        s = set_anchors(c->table, anchors, &c->why);
        if (s == STATUS_INVALID)
            return command_misused("rate", &c->why);
    }
    if (s == STATUS_OK)
        s = rating_fit(c->table, &c->why);
    return s == STATUS_OK ? print(c, crosstable) : command_failed("rate", &c->why);
}

typedef struct RateCommand {
    const char *anchors;
    bool crosstable;
} RateCommand;

static const ArgRow rows[] = {
    ARG_ROW_TEXT(RateCommand, anchors, "--anchor", "NAME=RATING,...",
                 "players whose rating is fixed (default: the mean rating is 1500)"),
    ARG_ROW_FLAG(RateCommand, crosstable, "--crosstable",
                 "print the score of each pair of players as a Markdown table"),
    {0},
};

static const ArgTable table = {
    .rows = rows, .words = "FILE.pgn ...", .min_words = 1, .size = sizeof(RateCommand)};

static int run(int argc, char **argv)
{
    RateCommand c = {0};
    ArgWords files;
    Message why;
    if (args_parse(&table, &c, argc, argv, &files, &why) != STATUS_OK)
        return command_misused("rate", &why);
    RatingTable ratings;
    if (rating_init(&ratings, &why) != STATUS_OK)
        return command_failed("rate", &why);
    Count count = {.table = &ratings};
    int code = rate(&count, &files, c.anchors, c.crosstable);
    rating_free(&ratings);
    return code;
}

const Command command_rate = {
    .name = "rate",
    .summary = "fit ratings to the results of games",
    .about =
        "Reads results from PGN files (\"-\": standard input) and prints the rating of each player by\n"
        "maximum likelihood (Bradley-Terry; 400 points for odds of ten to one, a draw is half a win)\n"
        "with its 95 % confidence interval.\n",
    .args = &table,
    .run = run,
};

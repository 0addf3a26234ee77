/* castellan rate: ratings of the players in files of games. */
#include "app/command.h"
#include "app/games_input.h"
#include "match/rating.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct RateCommand {
    const char *anchors;
    bool crosstable;
    RatingTable table;
    char white[RATING_NAME_SIZE], black[RATING_NAME_SIZE];
    uint64_t counted, unfinished;
    GamesInput input;
} RateCommand;

static void on_begin(void *user)
{
    RateCommand *c = user;
    c->white[0] = c->black[0] = 0;
}

static void on_tag(void *user, Span name, Span value)
{
    RateCommand *c = user;
    if (span_is(name, "White"))
        span_show(value, c->white, sizeof c->white);
    else if (span_is(name, "Black"))
        span_show(value, c->black, sizeof c->black);
}

static void on_end(void *user, Result result)
{
    RateCommand *c = user;
    if (result == RESULT_NONE || !c->white[0] || !c->black[0]) {
        c->unfinished++;
        return;
    }
    int white, black;
    GamesInput *in = &c->input;
    in->status = rating_player(&c->table, span_of(c->white), &white, &in->why);
    if (in->status == STATUS_OK)
        in->status = rating_player(&c->table, span_of(c->black), &black, &in->why);
    if (in->status != STATUS_OK)
        return;
    rating_add(&c->table, white, black, result_half_points(result, WHITE));
    c->counted++;
}

/* "NAME=RATING,NAME=RATING": takes the next pair off the list. */
static Status next_anchor(Span *list, Span *name, double *rating, Message *why)
{
    Span field;
    span_cut(list, ',', &field);
    const char *equals = memrchr(field.at, '=', field.len);
    *name = (Span){field.at, equals ? (size_t)(equals - field.at) : 0};
    if (!equals || !span_to_double((Span){equals + 1, field.len - name->len - 1}, rating) ||
        !(*rating > -10000 && *rating < 10000))
        return status_fail(why, STATUS_INVALID, "invalid value '%.*s' for --anchor: NAME=RATING",
                           (int)field.len, field.at);
    return STATUS_OK;
}

/* Only of players who have played. */
static Status set_anchors(RatingTable *t, const char *text, Message *why)
{
    Span rest = span_of(text), name;
    while (rest.len) {
        double rating;
        int before = t->count, index;
        Status s = next_anchor(&rest, &name, &rating, why);
        if (s == STATUS_OK)
            s = rating_player(t, name, &index, why);
        if (s != STATUS_OK)
            return s;
        if (t->count > before)
            return status_fail(why, STATUS_MISSING, "--anchor: no games of '%.*s'", (int)name.len,
                               name.at);
        rating_anchor(t, index, rating);
    }
    return STATUS_OK;
}

static void print(const RateCommand *c)
{
    Text out = text_new();
    rating_report(&c->table, &out);
    if (c->crosstable) {
        text_add_char(&out, '\n');
        rating_crosstable(&c->table, &out);
    }
    text_addf(&out, "\n%" PRIu64 " games", c->counted);
    if (c->unfinished)
        text_addf(&out, ", %" PRIu64 " without result or names skipped", c->unfinished);
    if (c->input.invalid)
        text_addf(&out, ", %" PRIu64 " invalid", c->input.invalid);
    text_add_char(&out, '\n');
    command_print(&out);
}

static const ArgRow rows[] = {
    ARG_ROW_TEXT(RateCommand, anchors, "--anchor", "NAME=RATING,...",
                 "players whose rating is fixed (default: the mean rating is 1500)"),
    ARG_ROW_FLAG(RateCommand, crosstable, "--crosstable",
                 "print the score of each pair of players as a Markdown table"),
    {0},
};

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    const RateCommand *c = options;
    Span rest = span_of(c->anchors ? c->anchors : ""), name;
    double rating;
    Status s = STATUS_OK;
    while (rest.len && s == STATUS_OK)
        s = next_anchor(&rest, &name, &rating, why);
    return s;
}

static Status run(void *options, const ArgWords *files, Message *why)
{
    RateCommand *c = options;
    Status s = rating_init(&c->table, why);
    c->input = (GamesInput){
        .command = "rate", .visitor = {.user = c, .begin = on_begin, .tag = on_tag, .end = on_end}};
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = games_input_read(&c->input, files->at[i], NULL, why);
    if (s == STATUS_OK && !c->counted)
        s = status_fail(why, STATUS_MISSING, "no finished game with the names of both players");
    if (s == STATUS_OK && c->anchors)
        s = set_anchors(&c->table, c->anchors, why);
    if (s == STATUS_OK)
        s = rating_fit(&c->table, why);
    if (s == STATUS_OK)
        print(c);
    return s;
}

static void release(void *options)
{
    rating_free(&((RateCommand *)options)->table);
}

const Command command_rate = {
    .name = "rate",
    .summary = "fit ratings to the results of games",
    .about =
        "Reads results from PGN files (\"-\": standard input) and prints the rating of each player by\n"
        "maximum likelihood (Bradley-Terry; 400 points for odds of ten to one, a draw is half a win)\n"
        "with its 95 % confidence interval.\n",
    .args = ARG_TABLE(RateCommand, rows, "FILE.pgn ..."),
    .check = check,
    .run = run,
    .release = release,
};

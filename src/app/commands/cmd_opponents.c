/* castellan opponents: lists the opponents. */
#include "app/command.h"
#include "app/json_out.h"
#include "engine/opponents.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_WEB
static json_t *settings_json(const OpponentRow *row)
{
    static const char *const kinds[] = {"choice", "number", "files"};
    json_t *settings = json_array();
    for (int i = 0; row->ops && i < row->ops->setting_count; i++) {
        const OpponentSetting *s = &row->ops->settings[i];
        Span initial = opponent_default(row, i);
        json_array_append_new(settings, json_pack("{s:s, s:s, s:s, s:o, s:s}", "key", s->key,
                                                  "kind", kinds[s->kind], "values", s->values,
                                                  "default", value_span(initial), "help", s->help));
    }
    return settings;
}

static void print_json(void)
{
    json_t *all = json_array();
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        json_t *rating = value_number(row->rating, row->rating != OPPONENT_UNRATED);
        json_array_append_new(all,
                              json_pack("{s:s, s:s, s:i, s:o, s:s, s:o}", "name", row->name,
                                        "title", row->title, "year", row->year, "rating", rating,
                                        "style", row->style, "settings", settings_json(row)));
    }
    json_out(all);
}
#else /* there is no --json then */
#define print_json print_table
#endif

static void print_settings(const OpponentRow *row)
{
    printf("%s: %s\n", row->name, row->style);
    if (!row->ops || !row->ops->setting_count)
        printf("no settings\n");
    for (int i = 0; row->ops && i < row->ops->setting_count; i++) {
        const OpponentSetting *s = &row->ops->settings[i];
        Span initial = opponent_default(row, i);
        printf("  %-10s %s\n             %s (default %.*s)\n", s->key, s->help, s->values,
               initial.len ? (int)initial.len : 4, initial.len ? initial.at : "none");
    }
}

static int widest_name(void)
{
    size_t width = 0;
    for (int i = 0; i < opponents_count(); i++)
        if (strlen(opponents_at(i)->name) > width)
            width = strlen(opponents_at(i)->name);
    return (int)width;
}

static void print_table(void)
{
    int width = widest_name();
    printf("%-*s  year  rating  style\n", width, "name");
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        char rating[16] = "-";
        if (row->rating != OPPONENT_UNRATED)
            snprintf(rating, sizeof rating, "%d", row->rating);
        printf("%-*s  %4d  %6s  %s\n", width, row->name, row->year, rating, row->style);
    }
}

typedef struct OpponentsCommand {
    bool json;
} OpponentsCommand;

static const ArgRow rows[] = {
#ifdef HAVE_WEB
    ARG_ROW_FLAG(
        OpponentsCommand, json, "--json",
        "print a JSON array of objects: name, title, year, rating (or null), style, settings"),
#endif
    {0},
};

static Status check(void *options UNUSED, const ArgWords *words, Message *why)
{
    for (int i = 0; i < words->count; i++)
        if (!opponents_find(span_of(words->at[i]))) {
            opponents_unknown(span_of(words->at[i]), why);
            return STATUS_MISSING;
        }
    return STATUS_OK;
}

static Status run(void *options, const ArgWords *words, Message *why UNUSED)
{
    const OpponentsCommand *c = options;
    for (int i = 0; i < words->count; i++)
        print_settings(opponents_find(span_of(words->at[i])));
    if (c->json)
        print_json();
    else if (!words->count)
        print_table();
    return STATUS_OK;
}

const Command command_opponents = {
    .name = "opponents",
    .summary = "list the opponents and their settings",
    .about =
        "Lists the opponents: Castellan, and the classic programs it descends from, each with its\n"
        "own search, evaluation, and resign and draw policy; with names, lists their settings. A\n"
        "name and its settings, separated by commas (mantis,analyser=minimax,random=on), are the\n"
        "value of castellan play --opponent, of the engine option Opponent, and of opponent= in\n"
        "castellan match. Castellan itself also plays at any level from 400 to 3000: castellan play\n"
        "--elo, UCI_Elo, elo= in castellan match.\n"
        "\n"
        "Ratings come from matches at 10,000 nodes per move, on the scale of these levels; \"-\" where\n"
        "none was measured.\n",
    .args = ARG_TABLE(OpponentsCommand, rows, "[NAME ...]"),
    .check = check,
    .run = run,
};

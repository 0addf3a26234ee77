/* castellan opponents: who can be played. */
#include "app/args.h"
#include "app/command.h"
#include "engine/opponents.h"

#include <stdio.h>
#include <string.h>

/* The texts are the table's own and hold nothing that JSON would want escaped; the tests look. */
static void print_json(void)
{
    printf("[\n");
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        char rating[16] = "null";
        if (row->rating != OPPONENT_UNRATED)
            snprintf(rating, sizeof rating, "%d", row->rating);
        printf(
            "  {\"name\": \"%s\", \"title\": \"%s\", \"year\": %d, \"rating\": %s, \"style\": \"%s\"}%s\n",
            row->name, row->title, row->year, rating, row->style,
            i + 1 < opponents_count() ? "," : "");
    }
    printf("]\n");
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

static int run(int argc, char **argv)
{
    bool json = false;
    const ArgRow rows[] = {{"--json", ARG_FLAG, &json, 0, 0}, {0}};
    Message why;
    if (args_parse_no_words(rows, argc, argv, &why) != STATUS_OK)
        return command_misused("opponents", &why);
    if (json)
        print_json();
    else
        print_table();
    return COMMAND_DONE;
}

const Command command_opponents = {
    .name = "opponents",
    .summary = "who can be played",
    .help =
        "usage: castellan opponents [--json]\n"
        "\n"
        "Lists who can be played: Castellan itself, and the programs it descends from, each with\n"
        "its own search, evaluation and manners. The name is what castellan play --opponent takes,\n"
        "the engine option Opponent, and opponent= in castellan match. Castellan itself also plays\n"
        "at any strength from 400 to 3000: castellan play --elo, UCI_Elo, elo= in castellan match.\n"
        "\n"
        "Ratings come from matches at 10,000 nodes a move, on the scale of these levels; \"-\" where\n"
        "none was measured.\n"
        "\n"
        "  --json   as a JSON array of objects: name, title, year, rating (or null), style\n",
    .run = run,
};

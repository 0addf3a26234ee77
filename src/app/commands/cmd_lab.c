/* castellan lab: compares classic search techniques. */
#include "app/command.h"
#include "base/file.h"
#include "base/job.h"
#include "chess/fen.h"
#include "classics/kanji/kanji_eval.h"
#include "lab/lab_table.h"
#include "notation/epd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_DEPTH = 4, MAX_EPD_BYTES = 1 << 26, MAX_POSITIONS = 1000 };

typedef struct LabCommand {
    LabTechnique techniques[LAB_MAX_TECHNIQUES];
    int technique_count;
    int64_t depth, nodes; /* 0: none given */
    const KanjiUtility *utility;
    bool csv, listing;
    const char *svg, *epd, *list, *utility_name;
    LabSheet *sheets;
    int *depths; /* of each sheet */
    int count;
} LabCommand;

/* -- The positions -- */

static Status add_position(LabCommand *x, const Position *p, Span name, int depth, Message *why)
{
    if (x->count == MAX_POSITIONS)
        return status_fail(why, STATUS_REFUSED, "more than %d positions", MAX_POSITIONS);
    LabSheet *s = &x->sheets[x->count];
    s->position = *p;
    if (name.len)
        span_show(name, s->name, sizeof s->name);
    x->depths[x->count++] = x->depth ? (int)x->depth : depth;
    return STATUS_OK;
}

static Status add_fen(LabCommand *x, const char *fen, const char *name, int depth, Message *why)
{
    Position p;
    Status s = fen_parse(&p, span_of(fen), false, why);
    return s == STATUS_OK ? add_position(x, &p, span_of(name), depth, why) : s;
}

static Status add_document(LabCommand *x, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < LAB_POSITIONS && s == STATUS_OK; i++) {
        const LabPosition *p = &lab_positions[i];
        s = add_fen(x, p->fen, p->name, p->depth, why);
    }
    return s;
}

/* Each word is a FEN in quotes, or all of them together are one without. */
static Status add_words(LabCommand *x, const ArgWords *words, Message *why)
{
    bool quoted = false;
    for (int i = 0; i < words->count; i++)
        quoted |= strchr(words->at[i], ' ') != NULL;
    Status s = STATUS_OK;
    for (int i = 0; quoted && i < words->count && s == STATUS_OK; i++)
        s = add_fen(x, words->at[i], "", DEFAULT_DEPTH, why);
    if (quoted || !words->count)
        return s;
    Position p;
    s = args_position(words, 0, false, &p, why);
    return s == STATUS_OK ? add_position(x, &p, span_of(""), DEFAULT_DEPTH, why) : s;
}

static Status add_line(LabCommand *x, Epd *e, Span line, Message *why)
{
    Status s = epd_read(e, line, false, why);
    if (s != STATUS_OK)
        return s;
    const EpdOperation *id = epd_find(e, "id");
    Span name = id && id->count ? epd_operand(e, id, 0) : (Span){"", 0};
    return add_position(x, &e->position, name, DEFAULT_DEPTH, why);
}

static Status add_file(LabCommand *x, const char *path, Message *why)
{
    char *bytes;
    size_t len;
    Epd epd;
    Status s = file_read(&bytes, &len, path, MAX_EPD_BYTES, why);
    if (s != STATUS_OK)
        return s;
    Span rest = {bytes, len}, line;
    epd_init(&epd);
    for (long number = 1; s == STATUS_OK && span_next_line(&rest, &line); number++) {
        line = span_trim(line);
        if (!line.len || line.at[0] == '#')
            continue;
        s = add_line(x, &epd, line, why);
        if (s != STATUS_OK)
            message_prefix(why, "%s:%ld: ", path, number);
    }
    epd_free(&epd);
    free(bytes);
    return s;
}

static Status gather(LabCommand *x, const ArgWords *words, const char *epd, Message *why)
{
    x->sheets = calloc(MAX_POSITIONS, sizeof *x->sheets);
    x->depths = calloc(MAX_POSITIONS, sizeof *x->depths);
    if (!x->sheets || !x->depths)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the positions");
    Status s = add_words(x, words, why);
    if (s == STATUS_OK && epd)
        s = add_file(x, epd, why);
    else if (s == STATUS_OK && !words->count)
        s = add_document(x, why);
    if (s == STATUS_OK && !x->count)
        s = status_fail(why, STATUS_INVALID, "%s: no positions", epd);
    return s;
}

/* -- The work -- */

static bool is_stopped(void *user)
{
    return atomic_load((const atomic_bool *)user);
}

static Status measure(const LabCommand *x, int index, const atomic_bool *stop, Message *why)
{
    LabSheet *sheet = &x->sheets[index];
    for (int i = 0; i < x->technique_count && !atomic_load(stop); i++) {
        LabSetup setup = {.evaluate = x->utility->score,
                          .listing = x->listing,
                          .switches = x->techniques[i].switches,
                          .depth = x->depths[index],
                          .max_nodes = (uint64_t)x->nodes,
                          .stop = is_stopped,
                          .user = (void *)(uintptr_t)stop};
        Status s = lab_run(&sheet->position, &setup, &sheet->results[i], why);
        if (s != STATUS_OK)
            return s;
        sheet->techniques[i] = x->techniques[i];
        sheet->count++;
    }
    return STATUS_OK;
}

static Status print_sheet(const LabCommand *x, int index, Message *why)
{
    Text out = text_new();
    if (x->csv) {
        if (index == 0)
            lab_table_csv_head(&out);
        lab_table_csv(&x->sheets[index], &out);
    } else {
        text_add_str(&out, index ? "\n" : "");
        lab_table_text(&x->sheets[index], &out);
    }
    bool failed = out.failed;
    command_print(&out);
    fflush(stdout);
    return failed ? status_fail(why, STATUS_MEMORY, "not enough memory for the table") : STATUS_OK;
}

static Status write_chart(const LabCommand *x, int measured, Message *why)
{
    Text out = text_new();
    lab_table_svg(x->sheets, measured, &out);
    return file_write_text(x->svg, &out, why);
}

/* After Ctrl-C, what was measured is still printed and drawn. */
static Status run_experiment(LabCommand *x, const atomic_bool *stop, Message *why)
{
    Status s = STATUS_OK;
    int measured = 0;
    while (s == STATUS_OK && measured < x->count && !atomic_load(stop)) {
        s = measure(x, measured, stop, why);
        if (s == STATUS_OK)
            s = print_sheet(x, measured++, why);
    }
    if (s == STATUS_OK && x->svg)
        s = write_chart(x, measured, why);
    return s;
}

/* -- The command -- */

static Status choose_techniques(LabCommand *x, Message *why)
{
    if (x->list)
        return lab_read_techniques(span_of(x->list), x->techniques, &x->technique_count, why);
    for (int i = 0; i < LAB_TECHNIQUES; i++)
        if (!x->listing || lab_is_listed(lab_techniques[i].switches))
            x->techniques[x->technique_count++] = lab_techniques[i];
    return STATUS_OK;
}

/* The document counted its nodes with the second of its utilities, and ended with the third. */
static Status choose_utility(LabCommand *x, Message *why)
{
    const char *name = x->utility_name ? x->utility_name : x->listing ? "material" : "late";
    for (int i = 0; i < KANJI_UTILITIES && !x->utility; i++)
        if (span_is_ignoring_case(span_of(name), kanji_utilities[i].name))
            x->utility = &kanji_utilities[i];
    if (x->utility)
        return STATUS_OK;
    return status_fail(why, STATUS_INVALID,
                       "--utility: invalid value '%.40s': random, material, late", name);
}

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    LabCommand *x = options;
    Status s = choose_techniques(x, why);
    if (s == STATUS_OK)
        s = choose_utility(x, why);
    for (int i = 0; i < x->technique_count && s == STATUS_OK && x->listing; i++)
        if (!lab_is_listed(x->techniques[i].switches))
            s = status_fail(why, STATUS_INVALID,
                            "--listing has no technique '%s': minimax, alphabeta, table, order, "
                            "null, all",
                            x->techniques[i].name);
    return s == STATUS_OK ? file_keep_apart(x->svg, x->epd, why) : s;
}

static const ArgRow rows[] = {
    ARG_ROW_PATH(LabCommand, epd, "--epd", "FILE", "add the positions of an EPD file"),
    ARG_ROW_INT(LabCommand, depth, "--depth", "D", 1, LAB_MAX_DEPTH,
                "depth of the last iteration, in plies (default: 4)"),
    ARG_ROW_INT(LabCommand, nodes, "--nodes", "N", 1, INT64_MAX,
                "stop a technique after N nodes, marked in its row"),
    ARG_ROW_TEXT(LabCommand, list, "--techniques", "A,B,C",
                 "techniques to compare; '+' combines several, as in killers+history+pvs "
                 "(default: all)"),
    ARG_ROW_TEXT(LabCommand, utility_name, "--utility", "U",
                 "evaluation, one of the document's three: random, material or late "
                 "(default: late; material with --listing)"),
    ARG_ROW_FLAG(LabCommand, listing, "--listing",
                 "run the document's own code with its library's move order, which reproduces its "
                 "published node counts; for the techniques minimax to all"),
    ARG_ROW_FLAG(LabCommand, csv, "--csv", "print comma-separated values instead of a table"),
    ARG_ROW_PATH(LabCommand, svg, "--svg", "OUT", "draw the nodes on a logarithmic scale"),
    {0},
};

static Status run(void *options, const ArgWords *words, Message *why)
{
    LabCommand *x = options;
    Job job;
    job_begin(&job, 0, NULL, NULL);
    Status s = x->svg ? file_check_place(x->svg, why) : STATUS_OK;
    if (s == STATUS_OK)
        s = gather(x, words, x->epd, why);
    if (s == STATUS_OK)
        s = run_experiment(x, &job.stop, why);
    s = job_end(&job, s, why);
    free(x->sheets);
    free(x->depths);
    return s;
}

const Command command_lab = {
    .name = "lab",
    .summary = "compare classic search techniques on positions",
    .about =
        "Searches positions with one technique after another, all with the same evaluation, and\n"
        "prints for each: nodes, time, depth reached, value for the side to move, best move, and the\n"
        "share of minimax's nodes that was saved. Nodes are counted over all iterations; a forced\n"
        "mate ends the search early. Repetitions and the fifty-move rule are not considered.\n"
        "\n"
        "Without positions, those of Kanji's document of 2014 are searched, to its depths. Quote\n"
        "each FEN; a single FEN needs no quotes.\n",
    .args = ARG_TABLE(LabCommand, rows, "[FEN ...]"),
    .check = check,
    .notes =
        "techniques (* not exact: the value may differ from minimax):\n"
        "  minimax      every line to the full depth\n"
        "  alphabeta    skips what cannot change the value\n"
        "  table        alphabeta with a transposition table\n"
        "  order        table, with the table's moves first\n"
        "  null       * alphabeta with null moves to depth - 1 - 2\n"
        "  all        * order and null\n"
        "  quiescence * all with forced captures at the end of each line, to ply 7\n"
        "  null-modern, all-modern, quiescence-modern\n"
        "             * the same with a null window, depth - 2 and no two null moves in a row;\n"
        "               captures to the end, with the evaluation as a lower bound\n"
        "  captures     order, with captures first (MVV-LVA)\n"
        "  killers      captures with killer moves\n"
        "  history      captures with the history heuristic\n"
        "  pvs          order with principal variation search\n"
        "  aspiration   order with aspiration windows\n"
        "  mtdf         order with MTD(f)\n"
        "  lmr        * captures, killers, history and late move reductions\n",
    .run = run,
};

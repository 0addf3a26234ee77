/* castellan lab: what the classic techniques of searching save. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "base/file.h"
#include "chess/fen.h"
#include "classics/kanji/kanji_eval.h"
#include "lab/lab_svg.h"
#include "notation/epd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_DEPTH = 4, MAX_EPD_BYTES = 1 << 26, MAX_POSITIONS = 1000 };

typedef struct Experiment {
    LabTechnique techniques[LAB_MAX_TECHNIQUES];
    int technique_count;
    int64_t depth, nodes; /* 0: none given */
    bool csv;
    const char *svg;
    LabSheet *sheets;
    int *depths; /* of each sheet */
    int count;
} Experiment;

/* -- The positions -- */

static Status add_position(Experiment *x, const Position *p, Span name, int depth, Message *why)
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

static Status add_fen(Experiment *x, const char *fen, const char *name, int depth, Message *why)
{
    Position p;
    Status s = fen_parse(&p, span_of(fen), false, why);
    return s == STATUS_OK ? add_position(x, &p, span_of(name), depth, why) : s;
}

static Status add_document(Experiment *x, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < lab_position_count() && s == STATUS_OK; i++) {
        LabPosition p = lab_position(i);
        s = add_fen(x, p.fen, p.name, p.depth, why);
    }
    return s;
}

/* Each word is a FEN in quotes, or all of them together are one without. */
static Status add_words(Experiment *x, const ArgWords *words, Message *why)
{
    bool quoted = false;
    for (int i = 0; i < words->count; i++)
        quoted |= strchr(words->at[i], ' ') != NULL;
    Status s = STATUS_OK;
    for (int i = 0; quoted && i < words->count && s == STATUS_OK; i++)
        s = add_fen(x, words->at[i], "", DEFAULT_DEPTH, why);
    if (quoted || !words->count)
        return s;
    Text fen;
    text_init(&fen);
    args_join(words, 0, &fen);
    s = fen.failed ? status_fail(why, STATUS_MEMORY, "no memory for the position")
                   : add_fen(x, fen.at, "", DEFAULT_DEPTH, why);
    text_free(&fen);
    return s;
}

static Status add_line(Experiment *x, Epd *e, Span line, Message *why)
{
    Status s = epd_read(e, line, false, why);
    if (s != STATUS_OK)
        return s;
    const EpdOperation *id = epd_find(e, "id");
    Span name = id && id->count ? epd_operand(e, id, 0) : (Span){"", 0};
    return add_position(x, &e->position, name, DEFAULT_DEPTH, why);
}

static Status add_file(Experiment *x, const char *path, Message *why)
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

static Status gather(Experiment *x, const ArgWords *words, const char *epd, Message *why)
{
    x->sheets = calloc(MAX_POSITIONS, sizeof *x->sheets);
    x->depths = calloc(MAX_POSITIONS, sizeof *x->depths);
    if (!x->sheets || !x->depths)
        return status_fail(why, STATUS_MEMORY, "no memory for the positions");
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

static bool wants_to_leave(void *user)
{
    (void)user;
    return interrupt_came();
}

static Status measure(const Experiment *x, LabSheet *sheet, int depth, Message *why)
{
    for (int i = 0; i < x->technique_count && !interrupt_came(); i++) {
        LabSetup setup = {.evaluate = kanji_eval,
                          .switches = x->techniques[i].switches,
                          .depth = depth,
                          .max_nodes = (uint64_t)x->nodes,
                          .stop = wants_to_leave};
        Status s = lab_run(&sheet->position, &setup, &sheet->results[i], why);
        if (s != STATUS_OK)
            return s;
        sheet->techniques[i] = x->techniques[i];
        sheet->count++;
    }
    return STATUS_OK;
}

static Status print_sheet(const Experiment *x, int index, Message *why)
{
    Text out;
    text_init(&out);
    if (x->csv) {
        if (index == 0)
            lab_table_csv_head(&out);
        lab_table_csv(&x->sheets[index], &out);
    } else {
        text_add_str(&out, index ? "\n" : "");
        lab_table_text(&x->sheets[index], &out);
    }
    bool failed = out.failed;
    fputs(out.at, stdout);
    fflush(stdout);
    text_free(&out);
    return failed ? status_fail(why, STATUS_MEMORY, "no memory for the table") : STATUS_OK;
}

static Status write_chart(const Experiment *x, int measured, Message *why)
{
    Text out;
    text_init(&out);
    lab_svg(x->sheets, measured, &out);
    Status s = out.failed ? status_fail(why, STATUS_MEMORY, "no memory for the picture")
                          : file_write_atomic(x->svg, out.at, out.len, why);
    text_free(&out);
    return s;
}

/* Ctrl-C ends the technique under way; what was measured until then is still told and drawn. */
static Status experiment(Experiment *x, Message *why)
{
    Status s = STATUS_OK;
    int measured = 0;
    while (s == STATUS_OK && measured < x->count && !interrupt_came()) {
        s = measure(x, &x->sheets[measured], x->depths[measured], why);
        if (s == STATUS_OK)
            s = print_sheet(x, measured++, why);
    }
    if (s == STATUS_OK && x->svg)
        s = write_chart(x, measured, why);
    if (s == STATUS_OK && interrupt_came())
        s = status_fail(why, STATUS_STOPPED, "interrupted");
    return s;
}

/* -- The command -- */

static Status choose(Experiment *x, const char *list, Message *why)
{
    if (list)
        return lab_read_techniques(span_of(list), x->techniques, &x->technique_count, why);
    x->technique_count = lab_technique_count();
    for (int i = 0; i < x->technique_count; i++)
        x->techniques[i] = lab_technique(i);
    return STATUS_OK;
}

static int run(int argc, char **argv)
{
    Experiment x = {0};
    const char *epd = NULL, *techniques = NULL;
    const ArgRow rows[] = {
        {"--epd", ARG_TEXT, &epd, 0, 0},
        {"--depth", ARG_INT, &x.depth, 1, LAB_MAX_DEPTH},
        {"--nodes", ARG_INT, &x.nodes, 1, INT64_MAX},
        {"--techniques", ARG_TEXT, &techniques, 0, 0},
        {"--csv", ARG_FLAG, &x.csv, 0, 0},
        {"--svg", ARG_TEXT, &x.svg, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK ||
        choose(&x, techniques, &why) != STATUS_OK || file_keep_apart(x.svg, epd, &why) != STATUS_OK)
        return command_misused("lab", &why);
    int code = COMMAND_DONE;
    Status s = x.svg ? file_check_place(x.svg, &why) : STATUS_OK;
    if (s == STATUS_OK)
        s = gather(&x, &words, epd, &why);
    interrupt_hold();
    if (s == STATUS_OK)
        s = experiment(&x, &why);
    if (s != STATUS_OK)
        code = command_failed("lab", &why);
    free(x.sheets);
    free(x.depths);
    return code;
}

const Command command_lab = {
    .name = "lab",
    .summary = "compare the classic search techniques on positions",
    .help =
        "usage: castellan lab [FEN ...] [--epd FILE] [--depth N] [--nodes N]\n"
        "                     [--techniques A,B,C] [--csv] [--svg OUT]\n"
        "\n"
        "Searches positions with one technique after the other, all with the same evaluation, and\n"
        "prints what each of them cost: nodes, time, the depth reached, the value for the side to\n"
        "move, the move chosen, and the share of minimax's nodes that was saved. Nodes are counted\n"
        "over all iterations from depth 1 on; a forced mate ends the search early. Repetitions and\n"
        "the fifty-move rule are not seen.\n"
        "\n"
        "Without positions, those of Kanji's document of 2014 are searched, to its depths. Each FEN\n"
        "stands in quotes; a single one may come without. --epd adds the positions of a file.\n"
        "\n"
        "  --depth N       the last iteration, 1 to 60 (default 4)\n"
        "  --nodes N       give a technique up after N nodes; its row says so\n"
        "  --techniques L  which ones, with commas between; all of them unless told. Several at\n"
        "                  once are joined by '+': killers+history+pvs\n"
        "  --csv           comma-separated values instead of a table\n"
        "  --svg OUT       also draws a chart of the nodes, on a logarithmic scale\n"
        "\n"
        "techniques (* not exact: may give another value than minimax):\n"
        "  minimax      every line to the full depth\n"
        "  alphabeta    leaves out what cannot change the value\n"
        "  table        alphabeta, and positions met before at the same depth\n"
        "  order        table, and moves in the order of what the table knows of them\n"
        "  null       * alphabeta, and nodes where even passing is good enough are given up\n"
        "  all        * order and null\n"
        "  quiescence * all, and captures are played out at the end of each line\n"
        "  captures     order, and captures first: dear victims and cheap takers before others\n"
        "  killers      captures, and quiet moves that refuted a neighbouring position\n"
        "  history      captures, and quiet moves that refuted much elsewhere\n"
        "  pvs          order, with a null window for all but the first move\n"
        "  aspiration   order, with a narrow window around the last iteration's value\n"
        "  mtdf         order, with null windows only, closing in on the value\n"
        "  lmr        * captures, killers and history, with late quiet moves one ply less deep\n",
    .run = run,
};

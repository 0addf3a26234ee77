/* castellan eval: what the engine makes of a position without thinking. */
#include "app/command.h"
#include "chess/fen.h"
#include "classics/classic_eval.h"
#include "engine/show.h"

#include <stdio.h>

static int print_eval(Span fen, bool chess960, const char *name)
{
    Position p;
    Message why;
    Text t;
    const Evaluator *evaluator;
    if (fen_parse(&p, fen, chess960, &why) != STATUS_OK)
        return command_failed("eval", &why);
    if (evaluator_find(&evaluator, name, &why) != STATUS_OK)
        return command_failed("eval", &why);
    text_init(&t);
    show_eval(evaluator, &p, &t);
    evaluator_close(evaluator);
    fputs(t.at, stdout);
    text_free(&t);
    return COMMAND_DONE;
}

/* An ancestor's view of the position, term by term. */
static int print_terms(Span fen, bool chess960, const char *name)
{
    Position p;
    Message why;
    Text t;
    const ClassicEval *evaluator;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    if (classic_eval_find(&evaluator, span_of(name), &why) != STATUS_OK)
        return command_misused("eval", &why);
    if (fen_parse(&p, fen, chess960, &why) != STATUS_OK)
        return command_failed("eval", &why);
    classic_eval_default_weights(evaluator, weights);
    text_init(&t);
    classic_eval_show(evaluator, weights, &p, &t);
    fputs(t.at, stdout);
    text_free(&t);
    return COMMAND_DONE;
}

typedef struct EvalCommand {
    bool chess960;
    const char *net, *evaluator;
} EvalCommand;

static const ArgRow rows[] = {
    ARG_ROW_TEXT(EvalCommand, net, "--evalfile", "FILE",
                 "a net file, or classical (default: the built-in net)"),
    ARG_ROW_TEXT(EvalCommand, evaluator, "--evaluator", "NAME",
                 "the evaluation of a classic program, term by term; an unknown name lists them"),
    ARG_ROW_FLAG(EvalCommand, chess960, "--chess960", "read FEN as Chess960"),
    {0},
};

static const ArgTable table = {.rows = rows, .words = "[FEN]", .size = sizeof(EvalCommand)};

static int run(int argc, char **argv)
{
    EvalCommand c = {0};
    ArgWords words;
    Message why;
    Text joined;
    if (args_parse(&table, &c, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("eval", &why);
    text_init(&joined);
    args_join(&words, 0, &joined);
    Span fen = words.count ? (Span){joined.at, joined.len} : span_of(FEN_START);
    int code = c.evaluator ? print_terms(fen, c.chess960, c.evaluator)
                           : print_eval(fen, c.chess960, c.net ? c.net : "default");
    text_free(&joined);
    return code;
}

const Command command_eval = {
    .name = "eval",
    .summary = "print the static evaluation of a position",
    .about = "Prints the static evaluation of the position (default: the start position) and the\n"
             "contribution of each piece, from White's point of view.\n",
    .args = &table,
    .run = run,
};

/* castellan eval: what the engine makes of a position without thinking. */
#include "app/args.h"
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

static int run(int argc, char **argv)
{
    bool chess960 = false;
    const char *name = "default", *evaluator = NULL;
    const ArgRow rows[] = {
        {"--chess960", ARG_FLAG, &chess960, 0, 0},
        {"--evalfile", ARG_TEXT, &name, 0, 0},
        {"--evaluator", ARG_TEXT, &evaluator, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    Text fen;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("eval", &why);
    text_init(&fen);
    args_join(&words, 0, &fen);
    Span asked = words.count ? (Span){fen.at, fen.len} : span_of(FEN_START);
    int code =
        evaluator ? print_terms(asked, chess960, evaluator) : print_eval(asked, chess960, name);
    text_free(&fen);
    return code;
}

const Command command_eval = {
    .name = "eval",
    .summary = "what the engine makes of a position without thinking",
    .help =
        "usage: castellan eval [FEN] [--evalfile FILE | --evaluator NAME] [--chess960]\n"
        "\n"
        "Prints the static value of the position (default: the start position) and what each man\n"
        "is worth where it stands, from White's point of view. FILE is a net,\n"
        "or \"classical\".\n"
        "\n"
        "--evaluator prints what an older program saw in the position, term by term; a name\n"
        "that it does not know gets the list of names.\n",
    .run = run,
};

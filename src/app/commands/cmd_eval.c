/* castellan eval: what the engine makes of a position without thinking. */
#include "app/command.h"
#include "classics/classic_eval.h"
#include "engine/show.h"

#include <stdio.h>

typedef struct EvalCommand {
    bool chess960;
    const char *net, *evaluator;
    const ClassicEval *classic; /* of that name */
} EvalCommand;

static const ArgRow rows[] = {
    ARG_ROW_TEXT(EvalCommand, net, "--evalfile", "FILE",
                 "a net file, or classical (default: the built-in net)"),
    ARG_ROW_TEXT(EvalCommand, evaluator, "--evaluator", "NAME",
                 "the evaluation of a classic program, term by term; an unknown name lists them"),
    ARG_ROW_FLAG(EvalCommand, chess960, "--chess960", "read FEN as Chess960"),
    {0},
};

static Status print_eval(const Position *p, const char *name, Message *why)
{
    const Evaluator *evaluator;
    Status s = evaluator_find(&evaluator, name, why);
    if (s != STATUS_OK)
        return s;
    Text t = text_new();
    show_eval(evaluator, p, &t);
    evaluator_close(evaluator);
    command_print(&t);
    return STATUS_OK;
}

/* An ancestor's view of the position, term by term. */
static void print_terms(const Position *p, const ClassicEval *evaluator)
{
    Text t = text_new();
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    classic_eval_default_weights(evaluator, weights);
    classic_eval_show(evaluator, weights, p, &t);
    command_print(&t);
}

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    EvalCommand *c = options;
    return c->evaluator ? classic_eval_find(&c->classic, span_of(c->evaluator), why) : STATUS_OK;
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    const EvalCommand *c = options;
    Position p;
    Status s = args_position(words, 0, c->chess960, &p, why);
    if (s == STATUS_OK && c->classic)
        print_terms(&p, c->classic);
    else if (s == STATUS_OK)
        s = print_eval(&p, c->net ? c->net : "default", why);
    return s;
}

const Command command_eval = {
    .name = "eval",
    .summary = "print the static evaluation of a position",
    .about = "Prints the static evaluation of the position (default: the start position) and the\n"
             "contribution of each piece, from White's point of view.\n",
    .args = ARG_TABLE(EvalCommand, rows, "[FEN]"),
    .check = check,
    .run = run,
};

/* castellan eval: what the engine makes of a position without thinking. */
#include "app/args.h"
#include "app/command.h"
#include "chess/fen.h"
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

static int run(int argc, char **argv)
{
    bool chess960 = false;
    const char *name = "default";
    const ArgRow rows[] = {
        {"--chess960", ARG_FLAG, &chess960, 0, 0},
        {"--evalfile", ARG_TEXT, &name, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    Text fen;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("eval", &why);
    text_init(&fen);
    args_join(&words, 0, &fen);
    int code =
        print_eval(words.count ? (Span){fen.at, fen.len} : span_of(FEN_START), chess960, name);
    text_free(&fen);
    return code;
}

const Command command_eval = {
    .name = "eval",
    .summary = "what the engine makes of a position without thinking",
    .help =
        "usage: castellan eval [FEN] [--evalfile FILE] [--chess960]\n"
        "\n"
        "Prints the static value of the position (default: the start position) and what each man\n"
        "is worth where it stands, from White's point of view. FILE is a net,\n"
        "or \"handmade\".\n",
    .run = run,
};

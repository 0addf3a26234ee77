/* What a subcommand is. One file cmd_NAME.c per subcommand defines its row; main.c lists the rows.
 * A command is added by a declaration below and a line in main.c. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app/args.h"
#include "base/status.h"

typedef struct Command {
    const char *name;
    const char *summary; /* one line, for the list of commands */
    const char *about;   /* what it does; paragraphs that end with a newline */
    ArgTable args;
    const char *notes;                        /* after the list of options; NULL: none */
    const struct Command *const *subcommands; /* ends with NULL; NULL: none */
    /* Gets the struct that the rows have filled and the other arguments. What it returns but
     * STATUS_OK ends the program with exit code 1 and the message, unless that is empty: everything
     * was printed already. NULL: only subcommands. */
    Status (*run)(void *options, const ArgWords *words, Message *why);
    /* Before it, what the rows cannot check: a failure is one of the arguments (exit code 2).
     * NULL: nothing. */
    Status (*check)(void *options, const ArgWords *words, Message *why);
    const char *interrupted; /* what becomes of interrupted work, for its message; NULL: as it is */
    void (*release)(void *options); /* after both, even when they failed; NULL: nothing */
} Command;

enum {
    COMMAND_DONE = 0,
    COMMAND_FAILED = 1, /* the work failed */
    COMMAND_MISUSED = 2 /* the arguments make no sense */
};

/* Runs the command, or the subcommand that argv[1] names. */
int command_dispatch(const Command *c, int argc, char **argv);

/* Usage, description and options. */
void command_help(const Command *c, Text *out);

/* Writes "castellan: what: why" to stderr; returns COMMAND_FAILED. */
int command_failed(const char *what, const Message *why);

/* For `run`: a failure that has been printed. */
Status command_printed(Message *why);

/* Prints the text on standard output and frees it. */
void command_print(Text *text);

extern const Command command_analyse, command_perft, command_pgn, command_bench, command_book,
    command_book_build, command_book_weigh, command_data, command_data_positions, command_epd,
    command_eval, command_evolve, command_javachess, command_play, command_lab, command_learn,
    command_levels, command_match, command_net, command_net_error, command_opponents,
    command_puzzles, command_rate, command_rescore, command_selfplay, command_speedtest,
    command_train, command_tune, command_uci, command_web, command_xboard;

#endif

/* Command-line arguments by table: each option is a row that says where its value goes. */
#ifndef APP_ARGS_H
#define APP_ARGS_H

#include "base/status.h"
#include "base/text.h"

typedef enum ArgKind {
    ARG_FLAG, /* --name            -> bool */
    ARG_INT,  /* --name N          -> int64_t, within min and max */
    ARG_TEXT  /* --name TEXT       -> const char * */
} ArgKind;

typedef struct ArgRow {
    const char *name; /* with its dashes */
    ArgKind kind;
    void *into; /* bool, int64_t or const char *, as the kind says */
    int64_t min, max;
} ArgRow;

/* The arguments that are no options, in order. */
typedef struct ArgWords {
    char **at;
    int count;
} ArgWords;

/* Reads argv[1] and on by the table, which ends with a row without a name. "--name=VALUE" works too, and
 * "--" ends the options. The words are moved to the front of argv + 1. */
Status args_parse(const ArgRow *rows, int argc, char **argv, ArgWords *words, Message *why);

/* The same for a command that takes no words: the first one is an error. */
Status args_parse_no_words(const ArgRow *rows, int argc, char **argv, Message *why);

/* The words from `first` on with single blanks between them, so that a FEN may come with or without quotes. */
void args_join(const ArgWords *words, int first, Text *out);

/* Reads a word as a number and names it in the message when it is none. */
Status args_number(const char *name, const char *word, int64_t min, int64_t max, int64_t *out,
                   Message *why);

#endif

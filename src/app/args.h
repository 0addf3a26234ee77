/* Command-line arguments by table: one row for each option says what values it takes, where the
 * value goes, and its line of the help text. The rows fill a struct of the command's. */
#ifndef APP_ARGS_H
#define APP_ARGS_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef enum ArgKind {
    ARG_FLAG,   /* --name             bool */
    ARG_INT,    /* --name N           int, unsigned, int64_t or uint64_t, from min to max */
    ARG_REAL,   /* --name X           double, from low to high */
    ARG_CHOICE, /* --name WORD        int: the index of the word in `choices` */
    ARG_TEXT,   /* --name TEXT        const char * */
    ARG_PATH,   /* --name FILE        const char *, not empty */
    ARG_PARSED  /* --name VALUE       whatever `parse` makes of it */
} ArgKind;

typedef struct ArgRow {
    const char *name;  /* with its dashes */
    const char *value; /* what stands for the value in the help: "N", "FILE"; NULL for a flag */
    ArgKind kind;
    bool required;
    bool cores;          /* ARG_INT: the default is the number of cores */
    size_t offset, size; /* of the field in the command's struct */
    int64_t min, max;
    double low, high;
    const char *const *choices; /* ends with NULL */
    const char *accepts;        /* for ARG_PARSED: what its values look like, for messages */
    bool (*parse)(const char *value, void *field);
    const char *help; /* the default is added to it, and the whole is wrapped */
} ArgRow;

/* Rows: the struct and its field first, then what the help shows. */
#define ARG_ROW(type, field_, kind_, name_, value_, help_, ...)                               \
    {                                                                                         \
        .kind = kind_, .offset = offsetof(type, field_), .size = sizeof(((type *)0)->field_), \
        .name = name_, .value = value_, .help = help_, ##__VA_ARGS__                          \
    }
#define ARG_ROW_FLAG(type, field, name, help) ARG_ROW(type, field, ARG_FLAG, name, NULL, help)
#define ARG_ROW_INT(type, field, name, value, min_, max_, help) \
    ARG_ROW(type, field, ARG_INT, name, value, help, .min = min_, .max = max_)
#define ARG_ROW_NEEDED_INT(type, field, name, value, min_, max_, help) \
    ARG_ROW(type, field, ARG_INT, name, value, help, .min = min_, .max = max_, .required = true)
#define ARG_ROW_THREADS(type, field, max_, help) \
    ARG_ROW(type, field, ARG_INT, "--threads", "N", help, .min = 1, .max = max_, .cores = true)
#define ARG_ROW_SEED(type, field, help) ARG_ROW_INT(type, field, "--seed", "S", 0, INT64_MAX, help)
#define ARG_ROW_HASH(type, field, whose) \
    ARG_ROW_INT(type, field, "--hash", "MB", 1, 1 << 20, "transposition table" whose ", in MB")
#define ARG_ROW_REAL(type, field, name, value, low_, high_, help) \
    ARG_ROW(type, field, ARG_REAL, name, value, help, .low = low_, .high = high_)
#define ARG_ROW_CHOICE(type, field, name, value, choices_, help) \
    ARG_ROW(type, field, ARG_CHOICE, name, value, help, .choices = choices_)
#define ARG_ROW_TEXT(type, field, name, value, help) \
    ARG_ROW(type, field, ARG_TEXT, name, value, help)
#define ARG_ROW_PATH(type, field, name, value, help) \
    ARG_ROW(type, field, ARG_PATH, name, value, help)
#define ARG_ROW_NEEDED_PATH(type, field, name, value, help) \
    ARG_ROW(type, field, ARG_PATH, name, value, help, .required = true)
#define ARG_ROW_PARSED(type, field, name, value, parse_, accepts_, help) \
    ARG_ROW(type, field, ARG_PARSED, name, value, help, .parse = parse_, .accepts = accepts_)

typedef struct ArgTable {
    const ArgRow *rows; /* ends with a row without a name; NULL: no options */
    /* The other arguments, as in "A B [C ...]": names in brackets may be missing, "..." stands for
     * any number more, and FEN for as many as a FEN without quotes has. "": any number that the
     * usage does not show. NULL: none. */
    const char *words;
    int max_words;                /* 0: as `words` says */
    size_t size;                  /* of the struct that the rows fill */
    const void *initial;          /* what it holds at first; NULL: zeros */
    void (*defaults)(void *into); /* sets what only a function knows; NULL: nothing */
} ArgTable;

/* A table for a struct; what else it has follows, as in ".initial = &defaults". */
#define ARG_TABLE(type, rows_, words_, ...)                                 \
    {                                                                       \
        .rows = rows_, .words = words_, .size = sizeof(type), ##__VA_ARGS__ \
    }

/* The arguments that are not options, in order, and which options were there. */
typedef struct ArgWords {
    char **at;
    int count;
    uint64_t given; /* a bit for each row */
} ArgWords;

/* Sets the defaults, then reads argv[1] and on by the table. "--name=VALUE" works too, and "--"
 * ends the options. The words are moved to the front of argv + 1. */
Status args_parse(const ArgTable *table, void *into, int argc, char **argv, ArgWords *words,
                  Message *why);

/* Fills a struct of the table's with its defaults. */
void args_set_defaults(const ArgTable *table, void *into);

/* The words from `first` on with single blanks between them, so that a FEN may come with or without
 * quotes. */
void args_join(const ArgWords *words, int first, Text *out);

/* The FEN of the words from `first` on; without any, the start position. */
Status args_position(const ArgWords *words, int first, bool chess960, Position *p, Message *why);

/* Reads a word as an integer; the message names it when it is none. */
Status args_number(const char *name, const char *word, int64_t min, int64_t max, int64_t *out,
                   Message *why);

/* For rows of kind ARG_PARSED: a time control, into a PlayerLimits. */
#define ARGS_CLOCK_ACCEPTS "[MOVES/]SECONDS[+INCREMENT], such as 2+0.02 or 40/60+1"
bool args_clock(const char *value, void *limits);

/* "castellan NAME --out DIR [--games N] FILE ...", wrapped; the first line begins with `head`
 * ("usage: "). */
void args_usage(const ArgTable *table, const char *head, const char *name, Text *out);

/* One line for each option: name, value, help, default. Nothing for a table without options. */
void args_help(const ArgTable *table, Text *out);

#endif

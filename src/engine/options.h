/* The options of an engine session: one row each, shared by all protocols and front ends. To add
 * one: an OptionId and a row in options.c. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "base/status.h"
#include "base/text.h"

typedef struct Engine Engine;

typedef enum OptionKind {
    OPTION_CHECK, /* number is 0 or 1 */
    OPTION_SPIN,  /* number within min and max */
    OPTION_COMBO, /* number is the index of the choice */
    OPTION_BUTTON,
    OPTION_STRING
} OptionKind;

typedef enum OptionId {
    OPTION_THREADS,
    OPTION_HASH,
    OPTION_CLEAR_HASH,
    OPTION_PONDER,
    OPTION_MULTI_PV,
    OPTION_MOVE_OVERHEAD,
    OPTION_CHESS960,
    OPTION_SHOW_WDL,
    OPTION_ANALYSE_MODE,
    OPTION_OPPONENT_NAME,
    OPTION_SYZYGY_PATH,
    OPTION_SYZYGY_PROBE_DEPTH,
    OPTION_SYZYGY_PROBE_LIMIT,
    OPTION_SYZYGY_RULE50,
    OPTION_EVAL_FILE,
    OPTION_OWN_BOOK,
    OPTION_BOOK_FILE,
    OPTION_OPPONENT,
    OPTION_OPPONENT_SETTINGS,
    OPTION_OPPONENT_SEED,
    OPTION_LIMIT_STRENGTH,
    OPTION_ELO,
    OPTION_SKILL_LEVEL,
    OPTION_THINK_TIME,
    OPTION_COUNT
} OptionId;

/* The value of an option. Strings are never NULL. */
typedef struct OptionValue {
    int64_t number;
    char *text;
} OptionValue;

typedef struct OptionRow {
    const char *name;
    OptionKind kind;
    int64_t initial, min, max;        /* check, spin, combo */
    const char *initial_text;         /* string */
    const char *(*choice)(int index); /* combo: its names in order, then NULL */
    Status (*unknown)(
        Span text, Message *why); /* combo: explains an invalid value; NULL: a standard message */
    bool needs_rest;              /* stops a running search first */
    /* Applies the value that was set; NULL where the next search reads it. On failure the old value
     * comes back. A message with STATUS_OK is information for the user. */
    Status (*apply)(Engine *e, Message *why);
} OptionRow;

extern const OptionRow option_rows[OPTION_COUNT];

/* In tuning builds (make TUNE=1) the search parameters are options too: row `i` of them. False
 * behind the last one, and in other builds. */
bool option_of_param(int i, OptionRow *row);

/* The option of that name, ignoring case and spaces; OPTION_COUNT if there is none. */
OptionId option_find(Span name);

/* Reads a value, clamped to its range; a string is fresh memory in *out. The message names the
 * option and the invalid text. */
Status option_read(OptionId id, Span text, OptionValue *out, Message *why);

/* The default value; a string is fresh memory. */
Status option_initial(OptionId id, OptionValue *out, Message *why);

#endif

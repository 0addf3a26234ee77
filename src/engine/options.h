/* The options of an engine session: one row each, shared by every protocol and front end. To add one:
 * a name in OptionId and a row in options.c. */
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

/* What an option is set to. Strings are never NULL. */
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
    Status (*unknown)(Span text,
                      Message *why); /* combo: says why it is none of them; NULL: in plain words */
    bool needs_rest;                 /* a running search is ended before the value changes */
    /* Makes the new value felt; NULL where the value is simply read by the next search. On failure
     * the old value stays. A message with STATUS_OK is a remark for the user. */
    Status (*apply)(Engine *e, const OptionValue *value, Message *why);
} OptionRow;

extern const OptionRow option_rows[OPTION_COUNT];

/* The option of that name; letter case and spaces do not count. OPTION_COUNT: there is none. */
OptionId option_find(Span name);

/* Reads a value for an option, clamped into its range; a string's text is fresh memory in
 * *out. The message names the option and the text that does not fit. */
Status option_read(OptionId id, Span text, OptionValue *out, Message *why);

/* The default value; a string's text is fresh memory. */
Status option_initial(OptionId id, OptionValue *out, Message *why);

#endif

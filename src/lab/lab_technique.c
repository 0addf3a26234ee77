/* The techniques by name. Those of the documents come first, each added to the ones before as they
 * did; ours are each added to the ordered table, so that their savings can be compared. */
#include "lab/lab.h"

#include <string.h>

enum {
    WITH_TABLE = LAB_ALPHABETA | LAB_TABLE,
    ORDERED = WITH_TABLE | LAB_ORDER,
    CAPTURES_FIRST = ORDERED | LAB_CAPTURES,
    LISTED = ORDERED | LAB_NULL,
    MODERN = LAB_NULL_MODERN | LAB_QUIESCENCE_MODERN,
    NOT_EXACT = LAB_NULL | LAB_QUIESCENCE | LAB_LMR | MODERN
};

const LabTechnique lab_techniques[LAB_TECHNIQUES] = {
    {"minimax", 0},
    {"alphabeta", LAB_ALPHABETA},
    {"table", WITH_TABLE},
    {"order", ORDERED},
    {"null", LAB_ALPHABETA | LAB_NULL},
    {"all", ORDERED | LAB_NULL},
    {"quiescence", ORDERED | LAB_NULL | LAB_QUIESCENCE},
    {"null-modern", LAB_ALPHABETA | LAB_NULL_MODERN},
    {"all-modern", ORDERED | LAB_NULL_MODERN},
    {"quiescence-modern", ORDERED | MODERN},
    {"captures", CAPTURES_FIRST},
    {"killers", CAPTURES_FIRST | LAB_KILLERS},
    {"history", CAPTURES_FIRST | LAB_HISTORY},
    {"pvs", ORDERED | LAB_PVS},
    {"aspiration", ORDERED | LAB_ASPIRATION},
    {"mtdf", ORDERED | LAB_MTDF},
    {"lmr", CAPTURES_FIRST | LAB_KILLERS | LAB_HISTORY | LAB_LMR},
};

bool lab_is_exact(unsigned switches)
{
    return !(switches & NOT_EXACT);
}

bool lab_is_listed(unsigned switches)
{
    bool needs = (switches & ~LAB_ALPHABETA) && !(switches & LAB_ALPHABETA);
    bool unordered = (switches & LAB_ORDER) && !(switches & LAB_TABLE);
    return !(switches & ~LISTED) && !needs && !unordered;
}

/* Cuts what stands before the separator off the front; false when nothing is left. */
static bool next_part(Span *rest, char separator, Span *part)
{
    if (!rest->at)
        return false;
    const char *end = memchr(rest->at, separator, rest->len);
    *part = (Span){rest->at, end ? (size_t)(end - rest->at) : rest->len};
    *rest = end ? (Span){end + 1, rest->len - part->len - 1} : (Span){NULL, 0};
    return true;
}

static Status add_named(Span name, LabTechnique *t, Message *why)
{
    for (int i = 0; i < LAB_TECHNIQUES; i++)
        if (span_is(name, lab_techniques[i].name)) {
            t->switches |= lab_techniques[i].switches;
            return STATUS_OK;
        }
    char shown[40];
    span_show(name, shown, sizeof shown);
    return status_fail(why, STATUS_INVALID, "unknown technique '%s'", shown);
}

static Status read_one(Span text, LabTechnique *t, Message *why)
{
    Span rest = text, name;
    *t = (LabTechnique){0};
    while (next_part(&rest, '+', &name)) {
        Status s = add_named(name, t, why);
        if (s != STATUS_OK)
            return s;
    }
    if (text.len >= sizeof t->name)
        return status_fail(why, STATUS_INVALID,
                           "the name of a technique is too long: %zu characters", text.len);
    memcpy(t->name, text.at, text.len);
    return STATUS_OK;
}

Status lab_read_techniques(Span list, LabTechnique out[LAB_MAX_TECHNIQUES], int *count,
                           Message *why)
{
    Span rest = list, item;
    *count = 0;
    while (next_part(&rest, ',', &item)) {
        if (*count == LAB_MAX_TECHNIQUES)
            return status_fail(why, STATUS_INVALID, "more than %d techniques", LAB_MAX_TECHNIQUES);
        Status s = read_one(span_trim(item), &out[*count], why);
        if (s != STATUS_OK)
            return s;
        ++*count;
    }
    return STATUS_OK;
}

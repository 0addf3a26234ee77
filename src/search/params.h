/* The search parameters of params.def: constants in release builds, variables in tuning builds. */
#ifndef SEARCH_PARAMS_H
#define SEARCH_PARAMS_H

#ifdef CASTELLAN_TUNE

typedef struct SearchParams {
#define PARAM(name, value, min, max, step) int name;
#include "search/params.def"
#undef PARAM
} SearchParams;

#define param(worker, name) ((worker)->params.name)

#else

typedef struct SearchParams {
    char none; /* release builds have constants only */
} SearchParams;

enum {
#define PARAM(name, value, min, max, step) PARAM_##name = (value),
#include "search/params.def"
#undef PARAM
};

#define param(worker, name) ((void)(worker), PARAM_##name)

#endif

/* One row of params.def, for the tuner and the options of tuning builds. */
typedef struct ParamRow {
    const char *name;
    int value, min, max, step;
} ParamRow;

/* All rows; their number is in *count. */
const ParamRow *params_rows(int *count);

void params_defaults(SearchParams *p);

/* Sets the value of a row (clamped); false in release builds. */
int params_set(SearchParams *p, int row, int value);

#endif

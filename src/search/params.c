#include "search/params.h"

#include <string.h>

static const ParamRow rows[] = {
#define PARAM(name, value, min, max, step) {#name, value, min, max, step},
#include "search/params.def"
#undef PARAM
};

const ParamRow *params_rows(int *count)
{
    *count = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

void params_defaults(SearchParams *p)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++)
        params_set(p, i, rows[i].value);
}

int params_set(SearchParams *p, int row, int value)
{
#ifdef CASTELLAN_TUNE
    const ParamRow *r = &rows[row];
    int clamped = value < r->min ? r->min : value > r->max ? r->max : value;
    memcpy((char *)p + (size_t)row * sizeof(int), &clamped, sizeof clamped);
    return 1;
#else
    (void)p, (void)row, (void)value;
    return 0;
#endif
}

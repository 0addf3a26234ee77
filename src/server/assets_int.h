/* The page's files, as they were packed into the program (scripts/pack-page): nothing else is ever
 * served. */
#ifndef SERVER_ASSETS_INT_H
#define SERVER_ASSETS_INT_H

#include "base/status.h"
#include "base/text.h"

enum { ASSETS_MAX = 256 };

typedef struct Asset {
    Span path, etag; /* "/assets/x.js", a tag with its quotes */
    char type[64];   /* "text/javascript" */
    Span gzip;       /* compressed */
} Asset;

typedef struct Assets {
    Asset at[ASSETS_MAX];
    int count; /* 0: the page was not built in */
} Assets;

/* Reads the pack's index; the spans point into the program. */
Status assets_open(Assets *a, Message *why);

const Asset *assets_find(const Assets *a, Span path); /* NULL: no such file */

/* Adds the file as it was before it was compressed; false when it is damaged or memory ran out. */
bool assets_inflate(const Asset *a, Text *out);

#endif

#include "train/provenance.h"

#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_LIMIT = 1 << 16 };

Status label_check(const char *dir, const char *name, const char *text, Message *why)
{
    char path[PATH_MAX], *there;
    size_t len;
    int used = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (used < 0 || (size_t)used >= sizeof path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", dir);
    Status s = file_read(&there, &len, path, LABEL_LIMIT, why);
    if (s == STATUS_MISSING)
        return file_write_atomic(path, text, strlen(text), why);
    if (s != STATUS_OK)
        return s;
    Span old = span_trim((Span){there, len});
    if (!span_is(old, text)) {
        char shown[200];
        span_show(old, shown, sizeof shown);
        s = status_fail(why, STATUS_REFUSED, "%s was created with different options: %s", dir,
                        shown);
    }
    free(there);
    return s;
}

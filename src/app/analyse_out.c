#include "app/analyse_out.h"

#include "base/file.h"
#include "base/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 1000 };

/* -- Files -- */

static Status failed(const AnalyseFile *f, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", f->path, strerror(errno));
}

/* Opens the file on the way, not emptied, for this run alone. The lock goes with the process. */
static Status open_part(AnalyseFile *f, Message *why)
{
    int fd = open(f->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return failed(f, why);
    /* Whoever had the lock may have given the file its name meanwhile. */
    if (!file_lock(fd, LOCK_WAIT_MS) || !file_is_at(fd, f->part)) {
        close(fd);
        return status_fail(why, STATUS_REFUSED, "%s: locked by another analysis", f->path);
    }
    f->file = fdopen(fd, "r+b");
    if (!f->file)
        close(fd);
    return f->file ? STATUS_OK : failed(f, why);
}

/* A run that was interrupted has given its files their names already. */
static Status open_again(AnalyseFile *f, uint64_t length, Message *why)
{
    if (access(f->part, F_OK) != 0 && rename(f->real, f->part) != 0)
        return failed(f, why);
    Status s = open_part(f, why);
    if (s != STATUS_OK)
        return s;
    if (ftruncate(fileno(f->file), (off_t)length) != 0 || fseeko(f->file, 0, SEEK_END) != 0)
        return failed(f, why);
    if ((uint64_t)ftello(f->file) != length)
        return status_fail(why, STATUS_INVALID,
                           "%s: shorter than at the end of the interrupted run", f->path);
    f->length = length;
    return STATUS_OK;
}

Status analyse_file_open(AnalyseFile *f, const char *path, bool resume, uint64_t length,
                         Message *why)
{
    *f = (AnalyseFile){.path = path};
    if (!path)
        return STATUS_OK;
    struct stat there;
    f->direct = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (f->direct && resume)
        return status_fail(why, STATUS_INVALID, "%s: not a regular file, so it cannot be resumed",
                           path);
    if (f->direct) {
        f->file = fopen(path, "wb");
        return f->file ? STATUS_OK : failed(f, why);
    }
    if (!realpath(path, f->real))
        snprintf(f->real, sizeof f->real, "%s", path);
    int used = snprintf(f->part, sizeof f->part, "%s.part", path);
    if (used < 0 || (size_t)used >= sizeof f->part)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", path);
    if (resume)
        return open_again(f, length, why);
    Status s = open_part(f, why);
    if (s == STATUS_OK && ftruncate(fileno(f->file), 0) != 0)
        s = failed(f, why);
    return s;
}

Status analyse_file_add(AnalyseFile *f, const Text *text, Message *why)
{
    if (!f->path)
        return STATUS_OK;
    if (fwrite(text->at, 1, text->len, f->file) != text->len || fflush(f->file) != 0)
        return failed(f, why);
    f->length += text->len;
    return STATUS_OK;
}

Status analyse_file_finish(AnalyseFile *f, const Text *tail, Message *why)
{
    Status s = analyse_file_add(f, tail, why);
    if (s != STATUS_OK || !f->path)
        return s;
    if (!f->direct && fsync(fileno(f->file)) != 0)
        return failed(f, why);
    FILE *file = f->file;
    f->file = NULL;
    /* Named while it is still locked. */
    bool fine = f->direct || rename(f->part, f->real) == 0;
    return fclose(file) == 0 && fine ? STATUS_OK : failed(f, why);
}

void analyse_file_drop(AnalyseFile *f, bool keep)
{
    if (!f->file)
        return;
    fclose(f->file);
    f->file = NULL;
    if (!keep && !f->direct)
        unlink(f->part);
}

/* -- State -- */

static bool read_state(void *into, Span text)
{
    AnalyseState *state = into;
    Span line;
    if (!span_next_line(&text, &line) || line.len >= sizeof state->settings)
        return false;
    memcpy(state->settings, line.at, line.len);
    state->settings[line.len] = '\0';
    return state_line_count(&text, "games", &state->games) &&
           state_line_count(&text, "pgn", &state->pgn) &&
           state_line_count(&text, "html", &state->html);
}

Status analyse_state_load(AnalyseState *state, const char *path, Message *why)
{
    return state_read(path, "a state file of analyse", read_state, state, why);
}

Status analyse_state_save(const AnalyseState *state, const char *path, Message *why)
{
    Text text = text_new();
    text_addf(&text, "%s\ngames %" PRIu64 "\npgn %" PRIu64 "\nhtml %" PRIu64 "\n", state->settings,
              state->games, state->pgn, state->html);
    return file_write_text(path, &text, why);
}

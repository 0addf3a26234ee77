/* A text file: a line that says which match it is, then a line for each finished game,
 *
 *     castellan-match 1 FINGERPRINT
 *     game NUMBER HALF-POINTS END PLAYER PGN-BYTES REASON
 *
 * added with one write each. A line cut off by a kill is dropped, and so is the end of the PGN that
 * no line vouches for. */
#include "match/match_int.h"

#include "base/file.h"
#include "base/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATE_LIMIT = 1 << 30, LOCK_WAIT_MS = 1000 };

static Status io_fail(const char *path, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
}

/* -- Reading -- */

static bool read_row(Span line, MatchRow *row)
{
    Span word;
    int64_t points, player;
    if (!span_next_word(&line, &word) || !span_is(word, "game") ||
        !state_count(&line, &row->game) || !state_int(&line, 0, 2, &points) ||
        !span_next_word(&line, &word) || !match_end_read(word, &row->end) ||
        !state_int(&line, -1, MATCH_MAX_PLAYERS - 1, &player) ||
        !state_count(&line, &row->pgn_bytes))
        return false;
    row->half_points = (int)points;
    row->player = (int)player;
    span_show(span_trim(line), row->reason, sizeof row->reason);
    return true;
}

/* Takes the rows of an earlier run; *good is the length of what is whole. */
static Status read_rows(MatchState *s, Span text, const char *head, size_t *good, Message *why)
{
    Span rest = text, line;
    MatchRow r;
    *good = 0;
    if (!span_next_line(&rest, &line) || rest.at[-1] != '\n')
        return STATUS_OK; /* not even the first line was finished */
    if (!span_starts(line, "castellan-match "))
        return status_fail(why, STATUS_INVALID, "%s: not a state file of a match", s->path);
    if (!span_is(line, head))
        return status_fail(why, STATUS_REFUSED,
                           "%s: the state of another match (players, limits, openings or rules "
                           "differ)",
                           s->path);
    *good = (size_t)(rest.at - text.at);
    while (span_next_line(&rest, &line) && rest.at[-1] == '\n' && read_row(line, &r)) {
        *good = (size_t)(rest.at - text.at);
        s->pgn_bytes = r.pgn_bytes;
        s->row(s->user, &r);
    }
    return STATUS_OK;
}

/* -- Opening -- */

static Status open_pgn(MatchState *s, bool resumed, Message *why)
{
    struct stat info;
    s->pgn_fd = open(s->pgn_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (s->pgn_fd < 0 || fstat(s->pgn_fd, &info) != 0)
        return io_fail(s->pgn_path, why);
    if (!S_ISREG(info.st_mode)) /* a device or a pipe has no length to cut */
        return STATUS_OK;
    if (!file_lock(s->pgn_fd, LOCK_WAIT_MS))
        return status_fail(why, STATUS_REFUSED, "%s: locked by another match", s->pgn_path);
    if (fstat(s->pgn_fd, &info) != 0) /* again: it may have grown before the lock was free */
        return io_fail(s->pgn_path, why);
    if (!resumed)
        s->pgn_bytes = (uint64_t)info.st_size;
    if ((uint64_t)info.st_size < s->pgn_bytes)
        return status_fail(why, STATUS_INVALID, "%s: shorter than recorded in %s", s->pgn_path,
                           s->path);
    if (ftruncate(s->pgn_fd, (off_t)s->pgn_bytes) != 0 || lseek(s->pgn_fd, 0, SEEK_END) < 0)
        return io_fail(s->pgn_path, why);
    return STATUS_OK;
}

static Status begin(MatchState *s, size_t good, const char *head, Message *why)
{
    s->fd = open(s->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (s->fd >= 0 && !file_lock(s->fd, LOCK_WAIT_MS))
        return status_fail(why, STATUS_REFUSED, "%s: locked by another match", s->path);
    if (s->fd < 0 || ftruncate(s->fd, (off_t)good) != 0 || lseek(s->fd, 0, SEEK_END) < 0)
        return io_fail(s->path, why);
    if (!good && (!file_write_all(s->fd, head, strlen(head)) || !file_write_all(s->fd, "\n", 1)))
        return io_fail(s->path, why);
    return STATUS_OK;
}

static Status open_state(MatchState *s, bool resume, uint64_t fingerprint, bool *resumed,
                         Message *why)
{
    char head[64], *text = NULL;
    snprintf(head, sizeof head, "castellan-match 1 %016" PRIx64, fingerprint);
    size_t len = 0, good = 0;
    Status found = file_read(&text, &len, s->path, STATE_LIMIT, why);
    if (found != STATUS_OK && found != STATUS_MISSING)
        return found;
    Status status = STATUS_OK;
    if (found == STATUS_OK && !resume)
        status = status_fail(why, STATUS_REFUSED,
                             "%s exists from an earlier match; --resume continues it", s->path);
    else if (found == STATUS_OK && len)
        status = read_rows(s, (Span){text, len}, head, &good, why);
    free(text);
    *resumed = good > 0;
    return status == STATUS_OK ? begin(s, good, head, why) : status;
}

Status match_state_open(MatchState *s, const MatchOptions *options, uint64_t fingerprint,
                        void (*row)(void *user, const MatchRow *r), void *user, Message *why)
{
    *s = (MatchState){-1, -1, 0, options->state, options->pgn, row, user};
    Status status = STATUS_OK;
    bool resumed = false;
    if (s->path)
        status = open_state(s, options->resume, fingerprint, &resumed, why);
    if (status == STATUS_OK && s->pgn_path)
        status = open_pgn(s, resumed && s->pgn_bytes, why);
    return status;
}

/* -- Adding -- */

Status match_state_add(MatchState *s, MatchRow *row, const Text *pgn, Message *why)
{
    if (s->pgn_fd >= 0) {
        if (!file_write_all(s->pgn_fd, pgn->at, pgn->len))
            return io_fail(s->pgn_path, why);
        s->pgn_bytes += pgn->len;
    }
    row->pgn_bytes = s->pgn_bytes;
    if (s->fd < 0)
        return STATUS_OK;
    char line[320];
    int len = snprintf(line, sizeof line, "game %" PRIu64 " %d %s %d %" PRIu64 " %s\n", row->game,
                       row->half_points, match_end_text(row->end), row->player, row->pgn_bytes,
                       row->reason);
    if (len < 0 || (size_t)len >= sizeof line || !file_write_all(s->fd, line, (size_t)len))
        return io_fail(s->path, why);
    return STATUS_OK;
}

void match_state_close(MatchState *s)
{
    if (s->fd >= 0) {
        fsync(s->fd);
        close(s->fd);
    }
    if (s->pgn_fd >= 0)
        close(s->pgn_fd);
    s->fd = s->pgn_fd = -1;
}

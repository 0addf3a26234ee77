#include "classics/chessbin/chessbin_memory.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/uci_move.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 16 << 20, MAX_DEPTH = 64 };

typedef struct ChessBinAnswer {
    Key key;
    Move move;
    uint8_t depth;
} Answer;

/* The deepest answer for the position, or NULL. */
static const Answer *find(const ChessBinMemory *m, Key key)
{
    const Answer *best = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (m->answers[i].key == key && (!best || m->answers[i].depth > best->depth))
            best = &m->answers[i];
    return best;
}

static Status add(ChessBinMemory *m, Key key, Move move, int depth, Message *why)
{
    if (!memory_grow(&m->answers, sizeof *m->answers, m->count, &m->room))
        return status_fail(why, STATUS_MEMORY, "not enough memory for ChessBin's answers");
    m->answers[m->count++] = (Answer){key, move, (uint8_t)depth};
    return STATUS_OK;
}

/* -- The file -- */

static Status read_line(ChessBinMemory *m, Span line, Message *why)
{
    Position p;
    Span rest, word, number, more;
    int64_t depth;
    char shown[60];
    Status s = fen_parse_epd(&p, line, false, &rest, why);
    if (s != STATUS_OK)
        return s;
    Move move = span_next_word(&rest, &word) ? uci_move_read(&p, word) : MOVE_NONE;
    if (move == MOVE_NONE || !span_next_word(&rest, &number) ||
        !span_to_int64(number, 1, MAX_DEPTH, &depth) || span_next_word(&rest, &more)) {
        span_show(line, shown, sizeof shown);
        return status_fail(why, STATUS_INVALID,
                           "'%s': expected a position, a legal move such as e2e4 and a depth",
                           shown);
    }
    return add(m, p.st.key, move, (int)depth, why);
}

/* A last line without its end was cut off by a crash: it is left out. */
static Status read_lines(ChessBinMemory *m, Span text, Message *why)
{
    Span line;
    Status s = STATUS_OK;
    while (text.len && text.at[text.len - 1] != '\n')
        text.len--;
    for (int number = 1; s == STATUS_OK && span_next_line(&text, &line); number++) {
        if (span_trim(line).len)
            s = read_line(m, line, why);
        if (s != STATUS_OK)
            message_prefix(why, "%s:%d: ", m->path, number);
    }
    return s;
}

static Status load(ChessBinMemory *m, Message *why)
{
    char *bytes;
    size_t len;
    struct stat info;
    if (!m->path[0])
        return STATUS_OK;
    if (stat(m->path, &info) != 0 && errno == ENOENT)
        return file_check_place(m->path, why);
    Status s = file_read(&bytes, &len, m->path, MAX_BYTES, why);
    if (s != STATUS_OK)
        return s;
    s = read_lines(m, (Span){bytes, len}, why);
    free(bytes);
    return s;
}

static Status append(const ChessBinMemory *m, const Position *p, Move move, int depth, Message *why)
{
    char fen[FEN_SIZE], uci[UCI_MOVE_SIZE], line[FEN_SIZE + UCI_MOVE_SIZE + 16];
    int fd = open(m->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    fen_write(p, FEN_X, fen);
    for (int spaces = 0, i = 0; fen[i]; i++)
        if (fen[i] == ' ' && ++spaces == 4)
            fen[i] = '\0';
    uci_move_write(p, move, uci);
    int len = snprintf(line, sizeof line, "%s %s %d\n", fen, uci, depth);
    Status s = STATUS_OK;
    if (fd < 0 || write(fd, line, (size_t)len) != len)
        s = status_fail(why, STATUS_IO, "%s: %s", m->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return s;
}

/* -- Life -- */

Status chessbin_memory_open(ChessBinMemory *m, Span path, Message *why)
{
    *m = (ChessBinMemory){.path = strndup(path.at, path.len)};
    Status s = m->path
                   ? load(m, why)
                   : status_fail(why, STATUS_MEMORY, "not enough memory for ChessBin's answers");
    if (s != STATUS_OK)
        chessbin_memory_close(m);
    return s;
}

void chessbin_memory_close(ChessBinMemory *m)
{
    free(m->answers);
    free(m->path);
    *m = (ChessBinMemory){0};
}

Move chessbin_memory_find(const ChessBinMemory *m, const Position *p, int depth)
{
    const Answer *a = find(m, p->st.key);
    return a && a->depth >= depth && pos_is_legal(p, a->move) ? a->move : MOVE_NONE;
}

Status chessbin_memory_keep(ChessBinMemory *m, const Position *p, Move move, int depth,
                            Message *why)
{
    const Answer *known = find(m, p->st.key);
    if (known && known->depth >= depth)
        return STATUS_OK;
    Status s = add(m, p->st.key, move, depth, why);
    return s == STATUS_OK && m->path[0] ? append(m, p, move, depth, why) : s;
}

#include "classics/chessbin/chessbin_memory.h"

#include "base/file.h"
#include "chess/fen.h"
#include "chess/uci_move.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 16 << 20, FIRST_ROOM = 256, MAX_DEPTH = 64 };

typedef struct ChessBinAnswer {
    Key key; /* with move 0: an empty place */
    Move move;
    uint8_t depth;
} Answer;

/* -- The table: open addressing, never more than half full -- */

static Answer *place_of(const ChessBinMemory *m, Key key)
{
    size_t i = key & (m->room - 1);
    while (m->answers[i].move != MOVE_NONE && m->answers[i].key != key)
        i = (i + 1) & (m->room - 1);
    return &m->answers[i];
}

static Status grow(ChessBinMemory *m, Message *why)
{
    ChessBinMemory larger = {.room = m->room ? 2 * m->room : FIRST_ROOM, .count = m->count};
    larger.answers = calloc(larger.room, sizeof *larger.answers);
    if (!larger.answers)
        return status_fail(why, STATUS_MEMORY, "not enough memory for ChessBin's answers");
    for (size_t i = 0; i < m->room; i++)
        if (m->answers[i].move != MOVE_NONE)
            *place_of(&larger, m->answers[i].key) = m->answers[i];
    free(m->answers);
    m->answers = larger.answers;
    m->room = larger.room;
    return STATUS_OK;
}

/* The deepest answer counts; true when this one is. */
static Status add(ChessBinMemory *m, Key key, Move move, int depth, bool *is_new, Message *why)
{
    if (2 * (m->count + 1) > m->room) {
        Status s = grow(m, why);
        if (s != STATUS_OK)
            return s;
    }
    Answer *a = place_of(m, key);
    *is_new = a->move == MOVE_NONE || a->depth < depth;
    m->count += a->move == MOVE_NONE;
    if (*is_new)
        *a = (Answer){key, move, (uint8_t)depth};
    return STATUS_OK;
}

/* -- The file -- */

static Status read_line(ChessBinMemory *m, Span line, Message *why)
{
    Position p;
    Span rest, word, number, more;
    int64_t depth;
    char shown[60];
    bool is_new;
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
    return add(m, p.st.key, move, (int)depth, &is_new, why);
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
    char fen[FEN_SIZE], uci[UCI_MOVE_SIZE];
    int fd = open(m->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    fen_write(p, FEN_X, fen);
    for (int spaces = 0, i = 0; fen[i]; i++)
        if (fen[i] == ' ' && ++spaces == 4)
            fen[i] = '\0';
    uci_move_write(p, move, uci);
    Text line = text_new();
    text_addf(&line, "%s %s %d\n", fen, uci, depth);
    Status s = STATUS_OK;
    if (fd < 0 || line.failed || write(fd, line.at, line.len) != (ssize_t)line.len)
        s = status_fail(why, STATUS_IO, "%s: %s", m->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    text_free(&line);
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
    if (!m->count)
        return MOVE_NONE;
    const Answer *a = place_of(m, p->st.key);
    return a->depth >= depth && pos_is_legal(p, a->move) ? a->move : MOVE_NONE;
}

Status chessbin_memory_keep(ChessBinMemory *m, const Position *p, Move move, int depth,
                            Message *why)
{
    bool is_new = false;
    Status s = add(m, p->st.key, move, depth, &is_new, why);
    return s == STATUS_OK && is_new && m->path[0] ? append(m, p, move, depth, why) : s;
}

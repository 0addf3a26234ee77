/* Any bytes as the lines of a session: the first byte chooses the protocol. Searches are short (a
 * few nodes, or stopped by the next line); nothing is written outside the pipe's dark end. The
 * session must take every line and come to its end. */
#include "fuzzing.h"

#include "base/clock.h"
#include "chess/attacks.h"
#include "proto/protocol.h"
#include "term/line.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words that would keep the fuzzer busy or write files: long work, many threads, saved games. */
static bool is_left_out(Span line)
{
    static const char *const words[] = {"bench",   "genfens", "perft", "Threads",
                                        "threads", "cores",   "Hash",  "hash",
                                        "memory",  "save",    "hint",  "lines"};
    char text[512];
    size_t len = line.len < sizeof text - 1 ? line.len : sizeof text - 1;
    for (size_t i = 0; i < len; i++)
        text[i] = line.at[i] ? line.at[i] : ' ';
    text[len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(text, words[i]))
            return true;
    return line.len >= sizeof text;
}

static void say_nothing(void *user, const Text *text)
{
    (void)user;
    (void)text;
}

static void wake_nobody(void *user)
{
    (void)user;
}

/* The line mode with a person on each side, and whoever the lines call. */
static void fuzz_lines(Span rest)
{
    Line *l;
    Message why;
    Span line;
    LineSetup setup = {.ask = true};
    setup.game.player[WHITE] = setup.game.player[BLACK] = term_player_human();
    LineEnds ends = {.say = say_nothing, .wake = wake_nobody};
    if (line_open(&l, &setup, &ends, &why) != STATUS_OK)
        abort();
    while (span_next_line(&rest, &line))
        if (!is_left_out(line) && !line_feed(l, line))
            break;
    line_close(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    chess_init();
    const Protocol *protocol = &protocol_uci;
    if (len && bytes[0] == 'c') {
        fuzz_lines((Span){(const char *)bytes + 1, len - 1});
        return 0;
    }
    if (len && bytes[0] == 'x')
        protocol = &protocol_cecp;
    Output out;
    void *session;
    Message why;
    int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    output_open(&out, fd);
    if (protocol->open(&session, (Port){&out, NULL}, &why) != STATUS_OK)
        abort();
    Span rest = {(const char *)bytes + (len > 0), len - (len > 0)}, line;
    while (span_next_line(&rest, &line)) {
        if (is_left_out(line))
            continue;
        if (!protocol->line(session, line, clock_now_ms()))
            break;
        if (protocol->wake)
            protocol->wake(session);
    }
    protocol->close(session);
    output_close(&out);
    close(fd);
    return 0;
}

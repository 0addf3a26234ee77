#include "proto/protocol.h"

#include "base/clock.h"
#include "chess/san.h"
#include "proto/uci.h"

static void feed(const Protocol *protocol, void *session, Port port)
{
    Span line;
    for (;;) {
        switch (input_next(port.in, &line)) {
        case INPUT_LINE:
            if (!protocol->line(session, line, port.in->arrived_ms))
                return;
            break;
        case INPUT_WAKE:
            if (protocol->wake)
                protocol->wake(session);
            break;
        case INPUT_TOO_LONG:
            output_line(port.out, "%s", protocol->too_long);
            break;
        case INPUT_TIME:
            break;
        case INPUT_END:
            return;
        }
    }
}

void protocol_add_pv(Text *t, const EngineLine *line,
                     void (*write)(const Position *p, Move m, char *out))
{
    Position p = *line->root;
    Undo undo;
    char move[SAN_SIZE]; /* the longest of the notations */
    for (int i = 0; i < line->pv_length; i++) {
        write(&p, line->pv[i], move);
        text_addf(t, " %s", move);
        pos_make(&p, line->pv[i], &undo);
    }
}

Status protocol_run(const Protocol *protocol, Port port, Span first, Message *why)
{
    void *session;
    Status s = protocol->open(&session, port, why);
    if (s != STATUS_OK)
        return s;
    if (!first.len || protocol->line(session, first, clock_now_ms()))
        feed(protocol, session, port);
    protocol->close(session);
    return STATUS_OK;
}

Status protocol_detect_and_run(Port port, Message *why)
{
    Span line;
    for (;;) {
        InputEvent event = input_next(port.in, &line);
        if (event == INPUT_END)
            return STATUS_OK;
        Span rest = line, word;
        if (event != INPUT_LINE || !span_next_word(&rest, &word))
            continue;
        if (span_is(word, "quit"))
            return STATUS_OK;
        if (word.len > 1 && uci_knows(word))
            return protocol_run(&protocol_uci, port, line, why);
        if (span_is(word, "xboard") || span_is(word, "protover"))
            return protocol_run(&protocol_cecp, port, line, why);
    }
}

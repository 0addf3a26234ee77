#include "engine/about.h"
#include "engine/show.h"
#include "term/entry.h"
#include "term/line_int.h"
#include "term/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Saying -- */

void line_say_text(Line *l, Text *text)
{
    text_add_char(text, '\n');
    /* What comes by itself begins on a line of its own. */
    if (l->prompted) {
        Text fresh;
        text_init(&fresh);
        text_addf(&fresh, "\n%s", text->at);
        l->ends.say(l->ends.user, &fresh);
        text_free(&fresh);
    } else {
        l->ends.say(l->ends.user, text);
    }
    l->prompted = false;
    text_free(text);
}

void line_say(Line *l, const char *format, ...)
{
    char line[1024];
    va_list args;
    Text t;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_init(&t);
    text_add_str(&t, line);
    line_say_text(l, &t);
}

static void prompt(Line *l)
{
    Text t;
    if (l->quit || table_is_thinking(l->table) || l->prompted)
        return;
    text_init(&t);
    if (l->promotion != MOVE_NONE)
        text_add_str(&t, "Promote to> ");
    else
        text_addf(&t, "%s> ", words_color(table_position(l->table)->side));
    l->ends.say(l->ends.user, &t);
    text_free(&t);
    l->prompted = true;
}

void line_say_board(Line *l)
{
    Text t;
    text_init(&t);
    text_add_char(&t, '\n');
    show_board(table_position(l->table), l->seen_from, &t);
    line_say_text(l, &t);
}

void line_say_end(Line *l)
{
    Text t;
    text_init(&t);
    words_result(l->table, &t);
    line_say_text(l, &t);
    line_say(l, "\"new\" begins another game, \"undo\" takes a move back, \"save\" keeps a copy.");
}

/* -- What happens at the table -- */

static void on_moved(void *user, Color mover, const SeatAnswer *said)
{
    Line *l = user;
    if (said) {
        Text t;
        char title[SEAT_NAME_SIZE];
        Position before, after;
        int ply = table_plies(l->table);
        text_init(&t);
        seat_title(table_seat(l->table, mover), title);
        text_addf(&t, "%s plays ", title);
        words_numbered(l->table, ply, &t);
        table_at(l->table, ply - 1, &before);
        Move m = table_at(l->table, ply, &after);
        if (l->show_board) {
            text_add_str(&t, "   (");
            advisor_write_score(&said->score, mover, &t);
            text_addf(&t, ", depth %d)", said->depth);
        } else {
            text_add_str(&t, ", ");
            words_move(&before, m, &t);
            text_add_char(&t, '.');
        }
        line_say_text(l, &t);
    }
    if (l->show_board)
        line_say_board(l);
}

static void on_ended(void *user)
{
    line_say_end(user);
}

static void on_remark(void *user, const char *text)
{
    line_say(user, "%s", text);
}

static void on_wake(void *user)
{
    Line *l = user;
    l->ends.wake(l->ends.user);
}

/* Until nothing happens any more; for input that runs ahead, until it is the person's turn. */
static void go_on(Line *l)
{
    if (l->scripted && !l->quit)
        table_settle(l->table);
    else
        while (table_tick(l->table)) {
        }
}

void line_wake(Line *l)
{
    go_on(l);
    prompt(l);
}

int64_t line_due(const Line *l)
{
    return table_due(l->table);
}

/* -- The two questions -- */

static void ask(Line *l)
{
    if (l->questions == 2)
        line_say(l, "Who plays white, human or computer? Answer, or just play: you have White.");
    else if (l->questions == 1)
        line_say(l, "Who plays black, human or computer?");
}

/* Any player in words is an answer, but a word that is a command or a move is itself. */
static bool take_answer(Line *l, Span text)
{
    SeatSpec spec;
    Message why;
    if (seat_read(text, &spec, NULL) != STATUS_OK)
        return false;
    if (--l->questions == 1) {
        l->white_answer = spec;
        ask(l);
        return true;
    }
    if (table_set_seat(l->table, WHITE, &l->white_answer, &why) != STATUS_OK ||
        table_set_seat(l->table, BLACK, &spec, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
    l->seen_from = !l->white_answer.human && spec.human ? BLACK : WHITE;
    return true;
}

/* -- Lines -- */

static void play(Line *l, Move m)
{
    Message why;
    if (table_play(l->table, m, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
}

static void take_promotion(Line *l, Span text)
{
    Move m = entry_promotion(l->promotion, text);
    if (m == MOVE_NONE)
        line_say(l, "The move is not made: queen, rook, bishop or knight was asked for.");
    else
        play(l, m);
    l->promotion = MOVE_NONE;
}

static void take_move(Line *l, Span text)
{
    Message why;
    Move m;
    if (table_is_over(l->table)) {
        line_say_end(l);
        return;
    }
    switch (entry_read(table_position(l->table), text, &m, &why)) {
    case ENTRY_MOVE:
        play(l, m);
        break;
    case ENTRY_PROMOTION:
        line_say(l, "What does the pawn become: queen, rook, bishop or knight?");
        l->promotion = m;
        break;
    case ENTRY_NOTHING:
        line_say(l, "%s (\"help\" lists what I understand, \"moves\" what can be played)",
                 why.text);
        break;
    }
}

bool line_feed(Line *l, Span text)
{
    Span rest = span_trim(text), word;
    l->prompted = false;
    Span whole = rest;
    bool empty = !span_next_word(&rest, &word);
    if (l->scripted)
        go_on(l);
    if (empty) {
        /* only the prompt again */
    } else if (table_is_thinking(l->table) && !line_is_for_anytime(word)) {
        line_say(l, "I am thinking; \"stop\" makes me move now.");
    } else if (l->promotion != MOVE_NONE) {
        take_promotion(l, whole);
    } else if (l->questions && !table_plies(l->table) && take_answer(l, whole)) {
        /* said */
    } else if (!line_command(l, word, rest)) {
        l->questions = 0;
        take_move(l, whole);
    }
    if (!l->quit)
        line_wake(l);
    return !l->quit;
}

/* -- The session -- */

static void greet(Line *l, bool resumed)
{
    Text t;
    line_say(l, ABOUT_NAME " " ABOUT_VERSION ". Type a move, or \"help\".");
    if (resumed) {
        text_init(&t);
        words_last(l->table, &t);
        text_add_char(&t, ' ');
        words_state(l->table, &t);
        line_say_text(l, &t);
    }
    if (l->show_board)
        line_say_board(l);
    ask(l);
    line_wake(l);
}

Status line_open(Line **out, const LineSetup *setup, const LineEnds *ends, Message *why)
{
    Line *l = calloc(1, sizeof *l);
    if (!l)
        return status_fail(why, STATUS_MEMORY, "no memory for a session");
    *l = (Line){.ends = *ends,
                .show_board = setup->show_board,
                .scripted = setup->scripted,
                .questions = setup->ask && !setup->resume ? 2 : 0};
    TableEvents events = {
        .user = l, .wake = on_wake, .moved = on_moved, .ended = on_ended, .remark = on_remark};
    Status s = setup->resume ? table_resume(&l->table, &setup->table, &events, why)
                             : table_open(&l->table, &setup->table, &events, why);
    if (s != STATUS_OK) {
        free(l);
        return s;
    }
    if (!table_is_human(l->table, WHITE) && table_is_human(l->table, BLACK))
        l->seen_from = BLACK;
    greet(l, setup->resume);
    *out = l;
    return STATUS_OK;
}

void line_close(Line *l)
{
    Text t;
    if (!l)
        return;
    if (l->scripted && !l->quit)
        go_on(l);
    text_init(&t);
    words_farewell(l->table, &t);
    line_say_text(l, &t);
    table_close(l->table);
    advisor_close(l->advisor);
    openings_close(l->openings);
    free(l);
}

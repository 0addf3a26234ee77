#include "engine/about.h"
#include "engine/show.h"
#include "levels/level.h"
#include "term/entry.h"
#include "term/game_text.h"
#include "term/line_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Saying -- */

void line_say_text(Line *l, Text *text)
{
    text_add_char(text, '\n');
    /* What comes by itself begins on a line of its own. */
    if (l->prompted) {
        Text fresh = text_new();
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
    Text t = text_new();
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add_str(&t, line);
    line_say_text(l, &t);
}

static void prompt(Line *l)
{
    if (l->quit || term_game_is_thinking(l->game) || l->prompted)
        return;
    Text t = text_new();
    if (l->promotion != MOVE_NONE)
        text_add_str(&t, "Promote to> ");
    else
        text_addf(&t, "%s> ", game_text_color(l->game->play.now.side));
    l->ends.say(l->ends.user, &t);
    text_free(&t);
    l->prompted = true;
}

void line_say_board(Line *l)
{
    Text t = text_new();
    text_add_char(&t, '\n');
    show_board(&l->game->play.now, l->seen_from, &t);
    line_say_text(l, &t);
}

void line_say_end(Line *l)
{
    Text t = text_new();
    game_text_result(l->game, &t);
    line_say_text(l, &t);
    line_say(l, "\"new\" starts another game, \"undo\" takes a move back, \"save\" saves a copy.");
}

/* -- What happens in the game -- */

static void on_moved(void *user, Color mover, const EngineResult *said)
{
    Line *l = user;
    if (said) {
        char title[TERM_PLAYER_NAME_SIZE];
        Position before, after;
        int ply = l->game->play.count;
        Text t = text_new();
        term_player_title(&l->game->spec[mover], title);
        text_addf(&t, "%s plays ", title);
        game_text_played(l->game, ply, true, &t);
        term_game_at(l->game, ply - 1, &before);
        Move m = term_game_at(l->game, ply, &after);
        if (l->show_board) {
            text_add_str(&t, "   (");
            advisor_write_score(&said->score, mover, &t);
            text_addf(&t, ", depth %d)", said->depth);
        } else {
            text_add_str(&t, ", ");
            game_text_move(&before, m, &t);
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
        term_game_settle(l->game);
    else
        while (term_game_tick(l->game)) {
        }
}

void line_wake(Line *l)
{
    go_on(l);
    prompt(l);
}

int64_t line_due(const Line *l)
{
    return term_game_due(l->game);
}

/* -- The two questions -- */

static void ask(Line *l)
{
    if (l->questions == 2)
        line_say(l, "Who plays White, human or computer? Answer, or type a move to play White.");
    else if (l->questions == 1)
        line_say(l, "Who plays Black, human or computer?");
}

/* Any player in words is an answer, but a word that is a command or a move is itself. */
static bool take_answer(Line *l, Span text)
{
    TermPlayerSpec spec;
    Message why;
    if (term_player_read(text, &spec, NULL) != STATUS_OK)
        return false;
    if (--l->questions == 1) {
        l->white_answer = spec;
        ask(l);
        return true;
    }
    if (term_game_set_player(l->game, WHITE, &l->white_answer, &why) != STATUS_OK ||
        term_game_set_player(l->game, BLACK, &spec, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
    l->seen_from = !l->white_answer.human && spec.human ? BLACK : WHITE;
    return true;
}

/* -- Lines -- */

static void play(Line *l, Move m)
{
    Message why;
    if (term_game_play(l->game, m, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
}

static void take_promotion(Line *l, Span text)
{
    Move m = entry_promotion(l->promotion, text);
    if (m == MOVE_NONE)
        line_say(l, "Move cancelled: expected queen, rook, bishop or knight.");
    else
        play(l, m);
    l->promotion = MOVE_NONE;
}

static void take_move(Line *l, Span text)
{
    Message why;
    Move m;
    if (play_is_over(&l->game->play)) {
        line_say_end(l);
        return;
    }
    switch (entry_read(&l->game->play.now, text, &m, &why)) {
    case ENTRY_MOVE:
        play(l, m);
        break;
    case ENTRY_PROMOTION:
        line_say(l, "Promote to queen, rook, bishop or knight?");
        l->promotion = m;
        break;
    case ENTRY_NOTHING:
        line_say(l, "%s (\"help\" lists the commands, \"moves\" the legal moves)", why.text);
        break;
    }
}

bool line_feed(Line *l, Span text)
{
    Span rest = span_trim(text), word;
    l->prompted = false;
    Span whole = rest;
    bool empty = !span_next_word(&rest, &word);
    const LineCommand *command = empty ? NULL : line_find_command(word);
    if (l->scripted)
        go_on(l);
    if (empty) {
        /* only the prompt again */
    } else if (term_game_is_thinking(l->game) && !(command && command->anytime)) {
        line_say(l, "The program is thinking; \"stop\" makes it move now.");
    } else if (l->promotion != MOVE_NONE) {
        take_promotion(l, whole);
    } else if (l->questions && !l->game->play.count && take_answer(l, whole)) {
        /* said */
    } else if (command) {
        l->rest = span_trim(rest);
        command->run(l);
    } else {
        l->questions = 0;
        take_move(l, whole);
    }
    if (!l->quit)
        line_wake(l);
    return !l->quit;
}

/* -- The session -- */

/* Who the opponent is, where it is a level. */
static void introduce(Line *l)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        const TermPlayerSpec *spec = &l->game->spec[c];
        char title[TERM_PLAYER_NAME_SIZE], like[LEVEL_LIKE_SIZE];
        if (spec->human || !spec->elo)
            continue;
        term_player_title(spec, title);
        level_plays_like(spec->elo, like);
        if (like[0])
            line_say(l, "%s plays like %s.", title, like);
    }
}

static void greet(Line *l, bool resumed)
{
    line_say(l, ABOUT_NAME " " ABOUT_VERSION ". Type a move, or \"help\".");
    introduce(l);
    if (resumed)
        line_show_last(l);
    if (l->show_board)
        line_say_board(l);
    ask(l);
    line_wake(l);
}

Status line_open(Line **out, const LineSetup *setup, const LineEnds *ends, Message *why)
{
    Line *l = calloc(1, sizeof *l);
    if (!l)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a session");
    *l = (Line){.ends = *ends,
                .show_board = setup->show_board,
                .scripted = setup->scripted,
                .questions = setup->ask && !setup->game.resume ? 2 : 0};
    TermGameEvents events = {
        .user = l, .wake = on_wake, .moved = on_moved, .ended = on_ended, .remark = on_remark};
    Status s = term_game_open(&l->game, &setup->game, &events, why);
    if (s != STATUS_OK) {
        free(l);
        return s;
    }
    if (!l->game->spec[WHITE].human && l->game->spec[BLACK].human)
        l->seen_from = BLACK;
    greet(l, setup->game.resume);
    *out = l;
    return STATUS_OK;
}

void line_close(Line *l)
{
    if (!l)
        return;
    if (l->scripted && !l->quit)
        go_on(l);
    Text t = text_new();
    game_text_farewell(l->game, &t);
    line_say_text(l, &t);
    term_game_close(l->game);
    advisor_close(l->advisor);
    openings_close(l->openings);
    free(l);
}

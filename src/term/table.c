#include "base/clock.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "term/rating.h"
#include "term/table_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Telling -- */

void table_remark(const Table *t, const char *format, ...)
{
    char text[OPPONENT_TALK_SIZE + SEAT_NAME_SIZE];
    va_list args;
    if (!t->events.remark)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    t->events.remark(t->events.user, text);
}

static void wake(void *user)
{
    Table *t = user;
    if (t->events.wake)
        t->events.wake(t->events.user);
}

/* -- Looking -- */

const Position *table_position(const Table *t)
{
    return &t->now;
}

const Game *table_game(const Table *t)
{
    return t->game;
}

int table_plies(const Table *t)
{
    return t->plies;
}

Move table_at(const Table *t, int ply, Position *out)
{
    const GameNode *n = game_root(t->game);
    for (int i = 0; i < ply && n->child; i++)
        n = n->child;
    game_position(t->game, n, out);
    return n->move;
}

const SeatSpec *table_seat(const Table *t, Color c)
{
    return &t->spec[c];
}

bool table_is_human(const Table *t, Color c)
{
    return t->spec[c].human;
}

bool table_human_to_move(const Table *t)
{
    return !t->over && t->spec[t->now.side].human;
}

bool table_is_thinking(const Table *t)
{
    const Seat *s = t->seat[t->now.side];
    return !t->over && s && seat_is_thinking(s);
}

TableTime table_time(const Table *t)
{
    return t->time;
}

bool table_clock_runs(const Table *t)
{
    return t->time.base_ms > 0 && !t->over && t->plies >= 2;
}

int64_t table_clock(const Table *t, Color c)
{
    int64_t left = t->left_ms[c];
    if (table_clock_runs(t) && c == t->now.side)
        left -= clock_now_ms() - t->turn_ms;
    return left > 0 ? left : 0;
}

bool table_is_over(const Table *t)
{
    return t->over;
}

Result table_result(const Table *t)
{
    return game_result(t->game);
}

const char *table_reason(const Table *t)
{
    return t->reason;
}

const char *table_path(const Table *t)
{
    return t->path;
}

/* -- The end -- */

static const char *color_word(Color c)
{
    return c == WHITE ? "White" : "Black";
}

/* Tells the one that adapts how the person did, once a game. */
static void rate(Table *t, Result result)
{
    Message why;
    Color person = t->spec[WHITE].human ? WHITE : BLACK;
    const SeatSpec *other = &t->spec[color_other(person)];
    if (t->rated || !t->players[0] || !t->spec[person].human || !other->adapts || t->plies < 2)
        return;
    double score = result_half_points(result, person) / 2.0;
    char folder[TABLE_PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(t->players, '/') - t->players),
             t->players);
    Status s = table_make_folder(folder, &why);
    if (s == STATUS_OK)
        s = rating_result(t->players, t->spec[person].name, other->elo, score, &why);
    if (why.text[0])
        table_remark(t, "%s", why.text);
    t->rated = s == STATUS_OK;
}

/* The reason is both words together: "White", " resigns". */
static void end_game(Table *t, Result result, const char *who, const char *what)
{
    if (t->seat[t->now.side])
        seat_cancel(t->seat[t->now.side]);
    t->left_ms[t->now.side] = table_clock(t, t->now.side);
    t->offer = COLOR_COUNT;
    t->over = true;
    snprintf(t->reason, sizeof t->reason, "%s%s", who, what);
    game_set_result(t->game, result);
    table_keep(t);
    rate(t, result);
    if (t->events.ended)
        t->events.ended(t->events.user);
}

/* Draws that may be claimed are: nobody wants to be asked. */
static void end_by_rules(Table *t)
{
    GameEnd end = draw_game_end(&t->now);
    if (end == GAME_CHECKMATE)
        end_game(t, result_win(color_other(t->now.side)), "", draw_reason(end));
    else if (end != GAME_GOES_ON)
        end_game(t, RESULT_DRAW, "", draw_reason(end));
}

static void end_by_flag(Table *t)
{
    Color c = t->now.side;
    if (draw_side_cannot_mate(&t->now, color_other(c)))
        end_game(t, RESULT_DRAW, color_word(c), " has no time left, the other no mate");
    else
        end_game(t, result_win(color_other(c)), color_word(c), " has no time left");
}

/* -- Moves -- */

static Status make_move(Table *t, Move m, const SeatAnswer *said, Message *why)
{
    Color mover = t->now.side;
    Undo undo;
    GameNode *n = game_append(t->game, t->last, m);
    if (!n)
        return status_fail(why, STATUS_MEMORY, "no memory for the move");
    int64_t left = table_clock(t, mover);
    if (table_clock_runs(t))
        left += t->time.increment_ms;
    t->left_ms[mover] = left;
    t->last = n;
    pos_make(&t->now, m, &undo);
    t->plies++;
    t->turn_ms = clock_now_ms();
    if (t->offer == color_other(mover))
        t->offer = COLOR_COUNT; /* playing on declines */
    table_note_clock(t, mover);
    if (t->events.moved)
        t->events.moved(t->events.user, mover, said);
    end_by_rules(t);
    if (!t->over)
        table_keep(t);
    return STATUS_OK;
}

Status table_play(Table *t, Move m, Message *why)
{
    if (t->over)
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (!t->spec[t->now.side].human)
        return status_fail(why, STATUS_REFUSED, "it is not your move");
    if (!pos_is_legal(&t->now, m))
        return status_fail(why, STATUS_INVALID, "that is not legal here");
    return make_move(t, m, NULL, why);
}

static void think_no_more(Table *t)
{
    for (Color c = WHITE; c <= BLACK; c++)
        if (t->seat[c])
            seat_cancel(t->seat[c]);
}

/* How many plies to the last turn of a person; 0: there is none. */
static int plies_back(const Table *t)
{
    for (int back = 1; back <= t->plies; back++) {
        Color c = back % 2 ? color_other(t->now.side) : t->now.side;
        if (t->spec[c].human)
            return back;
    }
    return 0;
}

Status table_take_back(Table *t, Message *why)
{
    int back = plies_back(t);
    if (!back)
        return status_fail(why, STATUS_REFUSED, "there is nothing to take back");
    think_no_more(t);
    GameNode *n = t->last;
    for (int i = 1; i < back; i++)
        n = n->parent;
    t->last = n->parent;
    t->plies -= back;
    game_delete(n);
    game_position(t->game, t->last, &t->now);
    for (Color c = WHITE; c <= BLACK; c++)
        t->left_ms[c] = table_noted_clock(t, t->last, c);
    t->turn_ms = clock_now_ms();
    t->over = false;
    t->offer = COLOR_COUNT;
    t->reason[0] = '\0';
    game_set_result(t->game, RESULT_NONE);
    table_keep(t);
    return STATUS_OK;
}

Status table_resign(Table *t, Message *why)
{
    Color c = t->spec[t->now.side].human ? t->now.side : color_other(t->now.side);
    if (t->over)
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (!t->spec[c].human)
        return status_fail(why, STATUS_REFUSED, "nobody here can resign");
    end_game(t, result_win(color_other(c)), color_word(c), " resigns");
    return STATUS_OK;
}

/* Two people at one board: the offer stands until the other moves or offers too. */
static Status offer_to_person(Table *t, Color c, Message *why)
{
    if (t->offer == color_other(c)) {
        end_game(t, RESULT_DRAW, "", "agreed");
        return STATUS_OK;
    }
    t->offer = c;
    return status_fail(why, STATUS_REFUSED,
                       "%s offers a draw: %s agrees with \"draw\", or plays on", color_word(c),
                       color_word(color_other(c)));
}

Status table_offer_draw(Table *t, Message *why)
{
    Color c = t->spec[t->now.side].human ? t->now.side : color_other(t->now.side);
    if (t->over)
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (!t->spec[c].human)
        return status_fail(why, STATUS_REFUSED, "nobody here can offer a draw");
    if (t->spec[color_other(c)].human) {
        /* The one who is to move answers an offer; only the other one can have made it. */
        if (t->offer == c)
            c = color_other(c);
        return offer_to_person(t, c, why);
    }
    bool agreed = t->offer == color_other(c);
    if (!agreed && t->now.side == c)
        agreed = seat_accepts_draw(t->seat[color_other(c)], t->game);
    if (!agreed) {
        char title[SEAT_NAME_SIZE];
        seat_title(&t->spec[color_other(c)], title);
        return status_fail(why, STATUS_REFUSED, "%s would rather play on", title);
    }
    end_game(t, RESULT_DRAW, "", "agreed");
    return STATUS_OK;
}

void table_hurry(Table *t)
{
    if (t->seat[t->now.side])
        seat_hurry(t->seat[t->now.side]);
}

/* -- Programs -- */

static void take_answer(Table *t, const SeatAnswer *a)
{
    Message why;
    Color c = t->now.side;
    char title[SEAT_NAME_SIZE];
    seat_title(&t->spec[c], title);
    if (a->talk[0])
        table_remark(t, "%s: %s", title, a->talk);
    if (a->resigns) {
        end_game(t, result_win(color_other(c)), color_word(c), " resigns");
        return;
    }
    if (a->move == MOVE_NONE || make_move(t, a->move, a, &why) != STATUS_OK || t->over)
        return;
    if (a->offers_draw && t->spec[color_other(c)].human) {
        t->offer = c;
        table_remark(t, "%s offers a draw: play on, or agree with \"draw\".", title);
    }
}

static SeatClock clock_for_seat(const Table *t)
{
    SeatClock clock = {.has = t->time.base_ms > 0, .increment_ms = t->time.increment_ms};
    for (Color c = WHITE; c <= BLACK; c++)
        clock.left_ms[c] = table_clock(t, c);
    return clock;
}

static bool tick_program(Table *t, Seat *s)
{
    SeatAnswer answer;
    if (!seat_is_thinking(s)) {
        seat_think(s, t->game, clock_for_seat(t), t->spec[t->now.side].level);
        return true;
    }
    if (!seat_take(s, &answer))
        return false;
    take_answer(t, &answer);
    return true;
}

bool table_tick(Table *t)
{
    if (t->over)
        return false;
    if (table_clock_runs(t) && table_clock(t, t->now.side) == 0) {
        end_by_flag(t);
        return true;
    }
    Seat *s = t->seat[t->now.side];
    return s && tick_program(t, s);
}

int64_t table_due(const Table *t)
{
    int64_t due = -1;
    if (t->over)
        return -1;
    if (table_clock_runs(t))
        due = table_clock(t, t->now.side);
    if (t->seat[t->now.side] && !seat_is_thinking(t->seat[t->now.side]))
        due = 0;
    return due;
}

void table_settle(Table *t)
{
    while (!t->over && t->seat[t->now.side]) {
        if (!table_tick(t))
            seat_wait(t->seat[t->now.side]);
    }
}

/* -- Beginning -- */

/* A program for that seat; one that adapts gets the strength of the day. */
static Status open_seat(Table *t, SeatSpec *spec, Seat **seat, Message *why)
{
    Message remark = {""};
    spec->at_once = t->at_once;
    if (spec->adapts) {
        if (!t->players[0])
            return status_fail(why, STATUS_REFUSED, "nobody knows how strong you are here");
        Status s = rating_level(t->players, t->person, spec->offset, &spec->elo, &remark);
        if (s != STATUS_OK) {
            *why = remark;
            return s;
        }
        if (remark.text[0])
            table_remark(t, "%s", remark.text);
    }
    return seat_open(seat, spec, wake, t, why);
}

static void name_person(const Table *t, SeatSpec *spec)
{
    if (spec->human)
        snprintf(spec->name, sizeof spec->name, "%s", t->person);
}

static Status seat_players(Table *t, Message *why)
{
    Status s = STATUS_OK;
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        if (!t->spec[c].human)
            s = open_seat(t, &t->spec[c], &t->seat[c], why);
    return s;
}

static void reset(Table *t)
{
    t->last = game_last(t->game);
    t->plies = game_ply(t->last);
    game_position(t->game, t->last, &t->now);
    for (Color c = WHITE; c <= BLACK; c++)
        t->left_ms[c] = table_noted_clock(t, t->last, c);
    t->turn_ms = clock_now_ms();
    t->over = false;
    t->offer = COLOR_COUNT;
    t->reason[0] = '\0';
}

static Status new_table(Table **out, const TableSetup *setup, const TableEvents *events,
                        Message *why)
{
    Table *t = calloc(1, sizeof *t);
    Game *g = game_new();
    if (!t || !g) {
        free(t);
        game_free(g);
        return status_fail(why, STATUS_MEMORY, "no memory for a game");
    }
    t->game = g;
    t->events = *events;
    t->time = setup->time;
    t->offer = COLOR_COUNT;
    t->at_once = setup->seat[WHITE].at_once || setup->seat[BLACK].at_once;
    snprintf(t->person, sizeof t->person, "%s", setup->person ? setup->person : seat_human().name);
    for (Color c = WHITE; c <= BLACK; c++) {
        t->spec[c] = setup->seat[c];
        name_person(t, &t->spec[c]);
    }
    if (setup->players)
        snprintf(t->players, sizeof t->players, "%s", setup->players);
    if (setup->folder)
        snprintf(t->folder, sizeof t->folder, "%s", setup->folder);
    *out = t;
    return STATUS_OK;
}

static Status begin(Table *t, const Position *start, Message *why)
{
    Position ordinary;
    if (!start) {
        pos_set_start(&ordinary);
        start = &ordinary;
    }
    game_clear(t->game);
    t->path[0] = '\0';
    t->rated = false;
    Status s = game_set_start(t->game, start, why);
    if (s == STATUS_OK)
        s = table_tag(t, why);
    reset(t);
    return s;
}

/* The end of both ways to a table: with the players at it, or not at all. */
static Status open_or_close(Table *t, Status s, Table **out)
{
    if (s != STATUS_OK) {
        table_close(t);
        return s;
    }
    end_by_rules(t);
    *out = t;
    return STATUS_OK;
}

Status table_open(Table **out, const TableSetup *setup, const TableEvents *events, Message *why)
{
    Table *t = NULL;
    Status s = new_table(&t, setup, events, why);
    if (s == STATUS_OK)
        s = seat_players(t, why);
    if (s == STATUS_OK)
        s = begin(t, setup->start, why);
    return open_or_close(t, s, out);
}

Status table_resume(Table **out, const TableSetup *setup, const TableEvents *events, Message *why)
{
    Table *t = NULL;
    Status s = new_table(&t, setup, events, why);
    if (s == STATUS_OK)
        s = table_find_unfinished(t, setup->person, why);
    if (s == STATUS_OK)
        s = table_read_tags(t, why);
    for (Color c = WHITE; s == STATUS_OK && c <= BLACK; c++)
        name_person(t, &t->spec[c]);
    if (s == STATUS_OK)
        s = seat_players(t, why);
    if (s == STATUS_OK)
        reset(t);
    return open_or_close(t, s, out);
}

void table_close(Table *t)
{
    if (!t)
        return;
    for (Color c = WHITE; c <= BLACK; c++)
        seat_close(t->seat[c]);
    game_free(t->game);
    free(t);
}

/* -- Changes -- */

/* The file tells who plays, also of a game that is under way. */
static void seats_changed(Table *t)
{
    Message why;
    if (table_tag(t, &why) != STATUS_OK)
        table_remark(t, "%s", why.text);
    if (t->plies)
        table_keep(t);
}

Status table_set_seat(Table *t, Color c, const SeatSpec *spec, Message *why)
{
    Seat *seat = NULL;
    SeatSpec taken = *spec;
    name_person(t, &taken);
    if (!spec->human) {
        Status s = open_seat(t, &taken, &seat, why);
        if (s != STATUS_OK)
            return s;
    }
    think_no_more(t);
    seat_close(t->seat[c]);
    t->seat[c] = seat;
    t->spec[c] = taken;
    seats_changed(t);
    return STATUS_OK;
}

void table_new_game(Table *t, const Position *start)
{
    Message why;
    think_no_more(t);
    for (Color c = WHITE; c <= BLACK; c++) {
        if (t->spec[c].adapts && table_set_seat(t, c, &t->spec[c], &why) != STATUS_OK)
            table_remark(t, "%s", why.text);
        if (t->seat[c])
            seat_new_game(t->seat[c]);
    }
    if (begin(t, start, &why) != STATUS_OK)
        table_remark(t, "%s", why.text);
    end_by_rules(t);
}

void table_swap_seats(Table *t)
{
    think_no_more(t);
    SeatSpec spec = t->spec[WHITE];
    Seat *seat = t->seat[WHITE];
    t->spec[WHITE] = t->spec[BLACK];
    t->seat[WHITE] = t->seat[BLACK];
    t->spec[BLACK] = spec;
    t->seat[BLACK] = seat;
    seats_changed(t);
}

void table_set_level(Table *t, int level)
{
    t->spec[WHITE].level = t->spec[BLACK].level = level;
}

Status table_set_option(Table *t, Span name, Span value, Message *why)
{
    Status s = status_fail(why, STATUS_REFUSED, "no program plays here");
    for (Color c = WHITE; c <= BLACK; c++)
        if (t->seat[c])
            s = seat_set_option(t->seat[c], name, value, why);
    return s;
}

/* Keys and mouse: what they mean for the board and the line that is typed. */
#include "engine/show.h"
#include "term/entry.h"
#include "term/screen_int.h"

#include <string.h>

/* -- Moves -- */

static void forget_choice(Screen *s)
{
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
    s->promotion = MOVE_NONE;
    s->typed[0] = '\0';
}

static void play(Screen *s, Move m)
{
    Message why;
    forget_choice(s);
    s->looking_at = -1;
    if (term_game_play(s->game, m, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
}

static void take_entry(Screen *s, EntryKind kind, Move m, const Message *why)
{
    if (kind == ENTRY_MOVE) {
        play(s, m);
    } else if (kind == ENTRY_PROMOTION) {
        forget_choice(s);
        s->promotion = m;
        s->mode = MODE_PROMOTION;
    } else {
        screen_say(s, true, "%s", why->text);
    }
}

static bool is_own_man(const Screen *s, Square sq)
{
    const Position *p = &s->game->play.now;
    return p->board[sq] != NO_PIECE && piece_color(p->board[sq]) == p->side;
}

/* Says why when no person is to move. */
static bool is_your_turn(Screen *s)
{
    bool yours = term_game_human_to_move(s->game);
    if (!yours)
        screen_say(s, true,
                   play_is_over(&s->game->play) ? "The game is over." : "It is not your turn.");
    return yours;
}

/* Takes a piece up, or puts it down. */
static void touch(Screen *s, Square sq)
{
    Move m;
    Message why;
    if (s->looking_at >= 0)
        s->looking_at = -1;
    if (!is_your_turn(s))
        return;
    if (s->chosen != SQ_NONE && s->chosen != sq) {
        EntryKind kind = entry_between(&s->game->play.now, s->chosen, sq, &m);
        if (kind != ENTRY_NOTHING || !is_own_man(s, sq)) {
            status_fail(&why, STATUS_INVALID, "That piece cannot move there.");
            s->chosen = kind == ENTRY_NOTHING ? s->chosen : SQ_NONE;
            take_entry(s, kind, m, &why);
            return;
        }
    }
    s->idea = MOVE_NONE;
    s->chosen = s->chosen == sq || !is_own_man(s, sq) ? SQ_NONE : sq;
}

static void submit(Screen *s)
{
    char text[TYPED_SIZE];
    Move m = MOVE_NONE;
    Message why = {""};
    memcpy(text, s->typed, sizeof text);
    s->typed[0] = '\0';
    s->shows_cursor = false;
    if (command_word(s, span_of(text)))
        return;
    if (!is_your_turn(s))
        return;
    EntryKind kind = entry_read(&s->game->play.now, span_of(text), &m, &why);
    take_entry(s, kind, m, &why);
}

/* -- Keys -- */

static void move_cursor(Screen *s, int key)
{
    int turn = s->bottom == WHITE ? 1 : -1;
    int file = square_file(s->cursor), rank = square_rank(s->cursor);
    if (s->shows_cursor) {
        file += turn * ((key == CANVAS_RIGHT) - (key == CANVAS_LEFT));
        rank += turn * ((key == CANVAS_UP) - (key == CANVAS_DOWN));
    }
    s->shows_cursor = true;
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
        s->cursor = square_make(file, rank);
}

static void look(Screen *s, int key)
{
    int plies = s->game->play.count;
    int at = s->looking_at < 0 ? plies : s->looking_at;
    at = key == CANVAS_HOME  ? 0
         : key == CANVAS_END ? plies
                             : at + (key == CANVAS_PAGE_DOWN ? 1 : -1);
    s->looking_at = at >= plies ? -1 : at < 0 ? 0 : at;
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
}

static void type(Screen *s, int key)
{
    size_t len = strlen(s->typed);
    if (key == 127 || key == '\b') {
        if (len)
            s->typed[len - 1] = '\0';
    } else if (key == (CTRL & 'U')) {
        s->typed[0] = '\0';
    } else if (len + 1 < sizeof s->typed) {
        s->typed[len] = (char)key;
        s->typed[len + 1] = '\0';
    }
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
    s->shows_cursor = false;
}

static void enter(Screen *s)
{
    if (s->typed[0])
        submit(s);
    else if (s->shows_cursor)
        touch(s, s->cursor);
}

static void take_mouse(Screen *s)
{
    const CanvasMouse *m = &s->mouse;
    int row, column;
    if (m->action == MOUSE_WHEEL_UP || m->action == MOUSE_WHEEL_DOWN) {
        look(s, m->action == MOUSE_WHEEL_UP ? CANVAS_PAGE_UP : CANVAS_PAGE_DOWN);
        return;
    }
    if (!layout_find_square(&s->layout, m->y, m->x, &row, &column))
        return;
    Square sq = show_square(s->bottom, row, column);
    s->shows_cursor = false;
    s->cursor = sq;
    bool dropped = m->action == MOUSE_RELEASE && s->chosen != SQ_NONE && s->chosen != sq;
    if (m->action == MOUSE_PRESS || dropped)
        touch(s, sq);
}

static void take_board_key(Screen *s, int key)
{
    switch (key) {
    case CANVAS_LEFT:
    case CANVAS_RIGHT:
    case CANVAS_UP:
    case CANVAS_DOWN:
        move_cursor(s, key);
        break;
    case CANVAS_HOME:
    case CANVAS_END:
    case CANVAS_PAGE_UP:
    case CANVAS_PAGE_DOWN:
        look(s, key);
        break;
    case ESCAPE:
        forget_choice(s);
        s->looking_at = -1;
        break;
    case CTRL & 'L':
        canvas_redraw(s->canvas);
        break;
    case CTRL & 'Z':
        canvas_suspend(s->canvas);
        break;
    case CANVAS_MOUSE:
        take_mouse(s);
        break;
    default:
        if (is_enter(key) || (key == ' ' && !s->typed[0]))
            enter(s);
        else if ((key >= ' ' && key < 127 && key != '?') || key == 127 || key == '\b' ||
                 key == (CTRL & 'U'))
            type(s, key);
        else
            command_key(s, key);
    }
}

/* -- Questions -- */

static void take_promotion(Screen *s, int key)
{
    char letter = is_enter(key) ? 'q' : (char)key;
    Move m = key < 256 ? entry_promotion(s->promotion, (Span){&letter, 1}) : MOVE_NONE;
    if (m == MOVE_NONE && key != ESCAPE && key != (CTRL & 'C'))
        return;
    s->mode = MODE_PLAY;
    if (m != MOVE_NONE)
        play(s, m);
    else
        forget_choice(s);
}

static void take_resignation(Screen *s, int key)
{
    Message why;
    if (key == CANVAS_MOUSE)
        return;
    s->mode = MODE_PLAY;
    if ((key == 'y' || key == 'Y') && term_game_resign(s->game, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
}

void keys_take(Screen *s, int key)
{
    static void (*const takers[])(Screen * s, int key) = {
        [MODE_PLAY] = take_board_key,     [MODE_PROMOTION] = take_promotion,
        [MODE_RESIGN] = take_resignation, [MODE_MENU] = menu_take,
        [MODE_CHOOSER] = chooser_take,
    };
    s->message[0] = '\0';
    s->alert = false;
    takers[s->mode](s, key);
}

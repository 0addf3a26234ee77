/* Beside the board: players, clocks, what was taken, the opening, the moves, the analysis; and the
 * lines at the bottom. */
#include "chess/san.h"
#include "term/game_text.h"
#include "term/screen_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOVE_COLUMN = 10, NUMBER_COLUMN = 5, LINE_MOVES = 12 };

typedef struct Pane {
    int y, x, h, w;
} Pane;

static void put(const Screen *s, const Pane *p, int row, Tone tone, const char *text)
{
    if (row < p->h)
        canvas_text(s->canvas, p->y + row, p->x, p->w, theme_tone(&s->theme, tone), text);
}

static void rule(const Screen *s, const Pane *p, int row)
{
    for (int i = 0; i < p->w; i++)
        canvas_shape(s->canvas, p->y + row, p->x + i, theme_tone(&s->theme, TONE_DIM),
                     SHAPE_HORIZONTAL);
}

/* -- Players -- */

static void draw_player(const Screen *s, const Pane *p, int row, Color c)
{
    char title[TERM_PLAYER_NAME_SIZE], line[TERM_PLAYER_NAME_SIZE + 32],
        face[WORDS_CLOCK_SIZE] = "";
    bool to_move = !play_is_over(&s->game->play) && s->game->play.now.side == c;
    Tone tone = to_move ? TONE_STRONG : TONE_PLAIN;
    if (row >= p->h)
        return;
    term_player_title(&s->game->spec[c], title);
    snprintf(line, sizeof line, "%c %s, %s%s", to_move ? '>' : ' ', title, game_text_color(c),
             to_move && term_game_is_thinking(s->game) ? ", thinks" : "");
    if (play_has_clock(&s->game->play, WHITE))
        game_text_clock_face(term_game_clock(s->game, c), face);
    int width = p->w - (int)strlen(face) - (face[0] ? 1 : 0);
    /* The name matters more than the colour, which the place tells too. */
    if ((int)strlen(line) > width)
        snprintf(line, sizeof line, "%c %s", to_move ? '>' : ' ', title);
    canvas_text(s->canvas, p->y + row, p->x, width, theme_tone(&s->theme, tone), line);
    if (face[0])
        canvas_text(s->canvas, p->y + row, p->x + width + 1, p->w - width - 1,
                    theme_tone(&s->theme, tone), face);
}

static int material(const Position *p, Color c)
{
    static const int worth[PIECE_TYPE_COUNT] = {1, 3, 3, 5, 9, 0};
    int sum = 0;
    for (int t = PAWN; t < KING; t++)
        sum += worth[t] * bb_count(pos_pieces(p, c, (PieceType)t));
    return sum;
}

/* What c has taken, and the lead. */
static void draw_taken(const Screen *s, const Pane *p, int row, const Position *now, Color c)
{
    const Position *start = game_start(s->game->record);
    Color other = color_other(c);
    Text t = text_new();
    text_add_str(&t, "  ");
    for (int type = QUEEN; type >= PAWN; type--) {
        int gone = bb_count(pos_pieces(start, other, (PieceType)type)) -
                   bb_count(pos_pieces(now, other, (PieceType)type));
        for (int i = 0; i < gone; i++)
            text_add_str(&t, theme_piece(&s->theme, piece_make(other, (PieceType)type)));
    }
    int lead = material(now, c) - material(now, other);
    if (lead > 0)
        text_addf(&t, " +%d", lead);
    put(s, p, row, TONE_DIM, t.at);
    text_free(&t);
}

/* -- The game -- */

static void draw_opening(const Screen *s, const Pane *p, int row)
{
    Text t = text_new();
    game_text_opening(s->openings, s->game, &t);
    put(s, p, row, TONE_DIM, t.at);
    text_free(&t);
}

static void draw_move(const Screen *s, const Pane *p, int row, int column, int ply)
{
    Position before, after;
    char san[SAN_SIZE], shown[SAN_SIZE + 2];
    int present = s->game->play.count;
    bool here = ply == (s->looking_at < 0 ? present : s->looking_at);
    term_game_at(s->game, ply - 1, &before);
    san_write(&before, term_game_at(s->game, ply, &after), san);
    /* Looking back is shown by a sign too. */
    snprintf(shown, sizeof shown, "%s%s", here && s->looking_at >= 0 ? ">" : "", san);
    canvas_text(s->canvas, p->y + row, p->x + NUMBER_COLUMN + column * MOVE_COLUMN,
                p->w - NUMBER_COLUMN - column * MOVE_COLUMN,
                theme_tone(&s->theme, here ? TONE_STRONG : TONE_PLAIN), shown);
}

/* Two columns; scrolled so that the shown move is visible. */
static void draw_moves(const Screen *s, const Pane *p)
{
    const Position *start = game_start(s->game->record);
    int offset = start->side == BLACK ? 1 : 0; /* an empty place before Black's first move */
    int plies = s->game->play.count;
    int rows = (plies + offset + 1) / 2;
    int shown = ((s->looking_at < 0 ? plies : s->looking_at) + offset + 1) / 2;
    int first = rows > p->h ? rows - p->h : 0;
    if (shown - 1 < first)
        first = shown > 0 ? shown - 1 : 0;
    for (int row = first; row < rows && row - first < p->h; row++) {
        char number[16];
        snprintf(number, sizeof number, "%3" PRIu32 ".", start->game_ply / 2 + 1 + (uint32_t)row);
        put(s, p, row - first, TONE_DIM, number);
        for (int column = 0; column < 2; column++) {
            int ply = row * 2 + column + 1 - offset;
            if (ply >= 1 && ply <= plies)
                draw_move(s, p, row - first, column, ply);
        }
    }
}

static void draw_analysis(const Screen *s, const Pane *p, const Position *now)
{
    AdvisorLine lines[ADVISOR_LINES];
    int count = s->advisor ? advisor_lines(s->advisor, lines) : 0;
    if (p->h < 1)
        return;
    char head[64];
    snprintf(head, sizeof head, count ? "Analysis, depth %d" : "Analysis",
             count ? lines[0].depth : 0);
    put(s, p, 0, TONE_DIM, head);
    for (int i = 0; i < count && i + 1 < p->h; i++) {
        Text t = text_new();
        advisor_write_score(&lines[i].score, now->side, &t);
        text_add_str(&t, "  ");
        advisor_write_pv(now, &lines[i], LINE_MOVES, &t);
        put(s, p, i + 1, i == 0 ? TONE_PLAIN : TONE_DIM, t.at);
        text_free(&t);
    }
}

/* With room: the one player at the top, the other at the bottom, as they sit. */
static void draw_tall(const Screen *s, const Pane *p, const Position *now)
{
    Color far = color_other(s->bottom);
    int lines = s->analysing ? SCREEN_LINES + 2 : 0;
    draw_player(s, p, 0, far);
    draw_taken(s, p, 1, now, far);
    rule(s, p, 2);
    draw_opening(s, p, 3);
    Pane moves = {p->y + 4, p->x, p->h - 7 - lines, p->w};
    draw_moves(s, &moves);
    if (lines) {
        rule(s, p, p->h - 3 - lines);
        Pane pane = {p->y + p->h - 2 - lines, p->x, lines - 1, p->w};
        draw_analysis(s, &pane, now);
    }
    rule(s, p, p->h - 3);
    draw_taken(s, p, p->h - 2, now, s->bottom);
    draw_player(s, p, p->h - 1, s->bottom);
}

static void draw_short(const Screen *s, const Pane *p, const Position *now)
{
    int lines = s->analysing ? SCREEN_LINES + 1 : 0;
    draw_player(s, p, 0, color_other(s->bottom));
    draw_player(s, p, 1, s->bottom);
    draw_opening(s, p, 2);
    if (p->h - 3 - lines < 1)
        lines = lines ? p->h - 3 : 0;
    Pane moves = {p->y + 3, p->x, p->h - 3 - lines, p->w};
    draw_moves(s, &moves);
    Pane pane = {p->y + p->h - lines, p->x, lines, p->w};
    if (lines)
        draw_analysis(s, &pane, now);
}

void panel_draw(const Screen *s, const Position *p)
{
    enum { TALL = 13 };
    const Layout *l = &s->layout;
    Pane pane = {l->panel_y, l->panel_x, l->panel_h, l->panel_w};
    if (pane.h >= TALL)
        draw_tall(s, &pane, p);
    else if (pane.h > 0)
        draw_short(s, &pane, p);
}

/* -- The bottom -- */

static void add_state(const Screen *s, Text *t)
{
    char face[WORDS_CLOCK_SIZE];
    if (s->looking_at >= 0) {
        text_addf(t, "Move %d of %d; End returns to the game.", s->looking_at, s->game->play.count);
        return;
    }
    game_text_state(s->game, t);
    if (!s->layout.panel_h && play_has_clock(&s->game->play, WHITE)) {
        game_text_clock_face(term_game_clock(s->game, s->game->play.now.side), face);
        text_addf(t, " %s", face);
    }
}

static void add_question(const Screen *s, Text *t)
{
    if (s->mode == MODE_PROMOTION)
        text_add_str(t, s->layout.panel_h ? "Promote to Queen, Rook, Bishop, kNight?"
                                          : "Queen R B or kNight?");
    else if (s->mode == MODE_RESIGN)
        text_add_str(t, "Resign? y or n");
    else if (s->message[0])
        text_add_str(t, s->message);
    else
        add_state(s, t);
}

/* The line that is typed. Returns the column behind it. */
static int draw_typed(const Screen *s, int y, int x, int width)
{
    static const char hint[] = "? menu";
    const Theme *t = &s->theme;
    bool roomy = s->layout.status_h > 1;
    if (roomy)
        canvas_text(s->canvas, y, x + width - (int)sizeof hint, (int)sizeof hint,
                    theme_tone(t, TONE_DIM), hint);
    canvas_text(s->canvas, y, x, 2, theme_tone(t, TONE_STRONG), roomy ? "> " : ">");
    x += roomy ? 2 : 1;
    return x + canvas_text(s->canvas, y, x, width - 4, theme_tone(t, TONE_PLAIN), s->typed);
}

/* Where there is one line only, it is what is typed while something is. */
void status_draw(const Screen *s)
{
    const Layout *l = &s->layout;
    bool roomy = l->status_h > 1;
    int x = l->status_x + roomy, width = l->status_w - roomy, end = x;
    if (roomy || !s->typed[0]) {
        Text t = text_new();
        add_question(s, &t);
        end += canvas_text(s->canvas, l->status_y, x, width,
                           theme_tone(&s->theme, s->alert ? TONE_ALERT : TONE_PLAIN), t.at);
        text_free(&t);
    }
    if (roomy || s->typed[0])
        end = draw_typed(s, l->status_y + l->status_h - 1, x, width);
    int columns = canvas_columns(s->canvas);
    canvas_cursor(s->canvas, l->status_y + l->status_h - 1, end < columns ? end : columns - 1);
}

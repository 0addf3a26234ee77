/* Colours, attributes and figures. Whatever a colour says, a sign says too: see board_draw. */
#include "term/screen_int.h"

#include <stdlib.h>

typedef struct Palette {
    short ground[GROUND_COUNT];
    short ink[INK_COUNT];
    short tone[TONE_COUNT];
} Palette;

/* Slate and teal: both colours of pieces stand out from both colours of squares. */
static const Palette palette_256 = {
    .ground = {ANSI_DEFAULT, 109, 66, 143, 101, 131, 67},
    .ink = {231, 16, 16},
    .tone = {ANSI_DEFAULT, 245, 73, 173},
};

/* Eight colours are all that a console has; pieces are bright, so that their fields stay dark. */
static const Palette palette_16 = {
    .ground = {ANSI_DEFAULT, ANSI_BLUE, ANSI_BLACK, ANSI_MAGENTA, ANSI_MAGENTA, ANSI_RED,
               ANSI_MAGENTA},
    .ink = {ANSI_WHITE, ANSI_YELLOW, ANSI_WHITE},
    .tone = {ANSI_DEFAULT, ANSI_CYAN, ANSI_GREEN, ANSI_RED},
};

static const Palette *palette_of(const Theme *t)
{
    return t->kind == THEME_256 ? &palette_256 : &palette_16;
}

static ScreenTheme best_theme(ScreenTheme wanted, int colors)
{
    ScreenTheme best = colors < 8 ? THEME_MONO : colors < 256 ? THEME_16 : THEME_256;
    /* NO_COLOR is what people set who want none. */
    const char *none = getenv("NO_COLOR");
    if (wanted == THEME_AUTO)
        return none && none[0] ? THEME_MONO : best;
    return wanted > best ? wanted : best;
}

void theme_begin(Theme *t, const ScreenSetup *setup, const CanvasAbilities *can)
{
    t->kind = best_theme(setup->theme, can->colors);
    t->utf8 = can->utf8;
    t->figures = can->utf8 && (setup->unicode || can->figures);
    t->halves = t->figures && t->kind == THEME_256;
}

Paint theme_cell(const Theme *t, Ground ground, Ink ink)
{
    const Palette *p = palette_of(t);
    bool bold = ink == INK_WHITE || (t->kind == THEME_16 && ink == INK_BLACK);
    bool reverse = ground == GROUND_CHOSEN || ground == GROUND_CHECK;
    if (t->kind == THEME_MONO)
        return (Paint){ANSI_DEFAULT, ANSI_DEFAULT, bold, reverse};
    return (Paint){p->ink[ink], p->ground[ground], bold, false};
}

Paint theme_halves(const Theme *t, Ground upper, Ground lower)
{
    const Palette *p = palette_of(t);
    return (Paint){p->ground[upper], p->ground[lower], false, false};
}

Paint theme_tone(const Theme *t, Tone tone)
{
    bool bold = tone == TONE_STRONG || tone == TONE_ALERT;
    short ink = t->kind == THEME_MONO ? ANSI_DEFAULT : palette_of(t)->tone[tone];
    return (Paint){ink, ANSI_DEFAULT, bold, false};
}

const char *theme_piece(const Theme *t, Piece piece)
{
    /* U+FE0E asks for text: a black pawn alone would be an emoji on some terminals. Where colours
     * tell the sides apart both have the full figures, which are easier to see. */
    static const char *const full[PIECE_TYPE_COUNT] = {"♟\uFE0E", "♞", "♝", "♜", "♛", "♚"};
    static const char *const outlined[PIECE_TYPE_COUNT] = {"♙", "♘", "♗", "♖", "♕", "♔"};
    static const char *const letters[PIECE_COUNT] = {"P", "p", "N", "n", "B", "b",
                                                     "R", "r", "Q", "q", "K", "k"};
    if (!t->figures)
        return letters[piece];
    if (t->kind == THEME_MONO && piece_color(piece) == WHITE)
        return outlined[piece_type(piece)];
    return full[piece_type(piece)];
}

/* Colours, attributes and figures. Whatever a colour says, a sign says too: see board_draw. */
#include "term/screen_int.h"

#include <langinfo.h>
#include <string.h>

enum {
    PAIR_CELLS = 1,
    PAIR_TONES = PAIR_CELLS + GROUND_COUNT * INK_COUNT,
    PAIR_HALVES = PAIR_TONES + TONE_COUNT,
    PAIR_END = PAIR_HALVES + GROUND_COUNT * GROUND_COUNT,
    NO_COLOR = -1 /* the terminal's own */
};

typedef struct Palette {
    short ground[GROUND_COUNT];
    short ink[INK_COUNT];
    short tone[TONE_COUNT];
} Palette;

/* Slate and teal: both colours of pieces stand out from both colours of squares. */
static const Palette palette_256 = {
    .ground = {NO_COLOR, 109, 66, 143, 101, 131, 67},
    .ink = {231, 16, 16},
    .tone = {NO_COLOR, 245, 73, 173},
};

/* Eight colours are all that a console has; pieces are bright, so that their fields stay dark. */
static const Palette palette_16 = {
    .ground = {NO_COLOR, COLOR_BLUE, COLOR_BLACK, COLOR_MAGENTA, COLOR_MAGENTA, COLOR_RED,
               COLOR_MAGENTA},
    .ink = {COLOR_WHITE, COLOR_YELLOW, COLOR_WHITE},
    .tone = {NO_COLOR, COLOR_CYAN, COLOR_GREEN, COLOR_RED},
};

static const Palette *palette_of(const Theme *t)
{
    return t->kind == THEME_256 ? &palette_256 : &palette_16;
}

static void make_pairs(const Theme *t)
{
    const Palette *p = palette_of(t);
    for (int g = 0; g < GROUND_COUNT; g++)
        for (int i = 0; i < INK_COUNT; i++)
            init_pair((short)(PAIR_CELLS + g * INK_COUNT + i), p->ink[i], p->ground[g]);
    for (int i = 0; i < TONE_COUNT; i++)
        init_pair((short)(PAIR_TONES + i), p->tone[i], NO_COLOR);
    for (int u = 0; t->halves && u < GROUND_COUNT; u++)
        for (int l = 0; l < GROUND_COUNT; l++)
            init_pair((short)(PAIR_HALVES + u * GROUND_COUNT + l), p->ground[u], p->ground[l]);
}

/* A bare console has a font of 256 or 512 characters, and chess figures are not among them. */
static bool has_figures(void)
{
    static const char *const without[] = {"linux", "vt", "ansi", "cons", "sun", "dumb"};
    const char *name = getenv("TERM");
    for (size_t i = 0; name && i < sizeof without / sizeof *without; i++)
        if (strncmp(name, without[i], strlen(without[i])) == 0)
            return false;
    return name != NULL;
}

static ScreenTheme best_theme(ScreenTheme wanted)
{
    ScreenTheme best = !has_colors() || COLORS < 8 ? THEME_MONO
                       : COLORS < 256              ? THEME_16
                                                   : THEME_256;
    /* NO_COLOR is what people set who want none. */
    const char *none = getenv("NO_COLOR");
    if (wanted == THEME_AUTO)
        return none && none[0] ? THEME_MONO : best;
    return wanted > best ? wanted : best;
}

void theme_begin(Theme *t, const ScreenSetup *setup)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    t->kind = best_theme(setup->theme);
    t->utf8 = utf8 && !setup->ascii;
    t->figures = t->utf8 && (setup->unicode || has_figures());
    t->halves = t->figures && t->kind == THEME_256 && COLOR_PAIRS >= PAIR_END;
    if (t->kind != THEME_MONO)
        make_pairs(t);
}

attr_t theme_cell(const Theme *t, Ground ground, Ink ink)
{
    attr_t bold = ink == INK_WHITE || (t->kind == THEME_16 && ink == INK_BLACK) ? A_BOLD : 0;
    if (t->kind != THEME_MONO)
        return (attr_t)COLOR_PAIR(PAIR_CELLS + (int)ground * INK_COUNT + (int)ink) | bold;
    return bold | (ground == GROUND_CHOSEN || ground == GROUND_CHECK ? A_REVERSE : 0);
}

attr_t theme_halves(Ground upper, Ground lower)
{
    return (attr_t)COLOR_PAIR(PAIR_HALVES + (int)upper * GROUND_COUNT + (int)lower);
}

attr_t theme_tone(const Theme *t, Tone tone)
{
    attr_t plain = tone == TONE_STRONG || tone == TONE_ALERT ? A_BOLD : A_NORMAL;
    if (t->kind == THEME_MONO)
        return plain;
    return (attr_t)COLOR_PAIR(PAIR_TONES + (int)tone) | plain;
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

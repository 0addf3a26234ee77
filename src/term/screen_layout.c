/* The places of board, panel and status line: the largest board that leaves room for the rest, down
 * to 20 columns by 10 lines. */
#include "term/screen_int.h"

enum { PANEL_LEAST = 26, PANEL_MOST = 44, BELOW_LEAST = 4, LABELS = 2, GAP = 2, MARGIN = 1 };

typedef struct BoardSize {
    BoardStyle style;
    int x, y;  /* pitch */
    bool cosy; /* large enough to go without a panel rather than be smaller */
} BoardSize;

/* Largest first; the last one always fits where anything does. */
static const BoardSize half_sizes[] = {
    {BOARD_FLAT, 15, 7, false}, {BOARD_FLAT, 11, 5, false}, {BOARD_FLAT, 7, 3, false},
    {BOARD_HALF, 5, 2, true},   {BOARD_FLAT, 3, 1, false},  {BOARD_FLAT, 2, 1, false},
};
static const BoardSize grid_sizes[] = {
    {BOARD_GRID, 8, 4, false}, {BOARD_GRID, 6, 2, true},  {BOARD_GRID, 4, 2, true},
    {BOARD_FLAT, 3, 1, false}, {BOARD_FLAT, 2, 1, false}, {0},
};

enum { SIZE_COUNT = sizeof half_sizes / sizeof *half_sizes };

typedef enum PanelPlace { PANEL_RIGHT, PANEL_BELOW, PANEL_NOWHERE } PanelPlace;

static int board_height(const BoardSize *b)
{
    return 8 * b->y + (b->style != BOARD_FLAT);
}

static int board_width(const BoardSize *b)
{
    return 8 * b->x + (b->style == BOARD_GRID);
}

/* Status lines take two, one when there is no room. */
static bool has_room(const BoardSize *b, PanelPlace place, int lines, int columns)
{
    int h = board_height(b) + 1, w = board_width(b) + LABELS;
    if (!b->x)
        return false;
    switch (place) {
    case PANEL_RIGHT:
        return h + 2 <= lines && w + MARGIN + GAP + PANEL_LEAST <= columns;
    case PANEL_BELOW:
        return h + 2 + BELOW_LEAST <= lines && w <= columns;
    default:
        return h + 1 <= lines && w <= columns;
    }
}

/* Board and panel side by side, in the middle of the window. */
static void place_beside(Layout *l, int lines, int columns)
{
    int used_w = LABELS + MARGIN + l->board_w + GAP;
    l->panel_w = columns - used_w < PANEL_MOST ? columns - used_w : PANEL_MOST;
    int x = (columns - used_w - l->panel_w) / 2;
    int used_h = l->board_h + 1 + l->status_h;
    /* A line between board and status where there is one to spare. */
    int between = used_h < lines ? 1 : 0;
    int y = (lines - used_h - between) / 2;
    l->board_y = l->panel_y = y;
    l->panel_h = l->board_h;
    l->board_x = x + LABELS + MARGIN;
    l->panel_x = x + used_w;
    l->status_y = y + l->board_h + 1 + between;
    l->status_x = x;
    l->status_w = used_w + l->panel_w;
}

static void place_all(Layout *l, const BoardSize *b, PanelPlace place, int lines, int columns)
{
    *l = (Layout){.fits = true, .style = b->style, .pitch_x = b->x, .pitch_y = b->y};
    l->board_h = board_height(b);
    l->board_w = board_width(b);
    l->board_x = LABELS;
    l->status_h = l->board_h + 1 + 2 <= lines ? 2 : 1;
    l->status_y = lines - l->status_h;
    l->status_w = columns;
    if (place == PANEL_RIGHT) {
        place_beside(l, lines, columns);
    } else if (place == PANEL_BELOW) {
        l->panel_w = columns;
        l->panel_y = l->board_h + 1;
        l->panel_h = l->status_y - l->panel_y;
    }
}

void layout_find(Layout *l, const Theme *theme, int lines, int columns)
{
    const BoardSize *sizes = theme->halves ? half_sizes : grid_sizes;
    *l = (Layout){0};
    for (int cosy = 1; cosy >= 0; cosy--) {
        int seen = 0;
        for (int i = 0; i < SIZE_COUNT; i++) {
            seen += sizes[i].cosy;
            /* The small ones wait until the cosy ones have had every chance. */
            if (cosy && seen && !sizes[i].cosy)
                break;
            for (PanelPlace p = PANEL_RIGHT; p <= PANEL_NOWHERE; p++)
                if ((p != PANEL_NOWHERE || sizes[i].cosy || !cosy) &&
                    has_room(&sizes[i], p, lines, columns)) {
                    place_all(l, &sizes[i], p, lines, columns);
                    return;
                }
        }
    }
}

void layout_square(const Layout *l, int row, int column, int *y, int *x, int *h, int *w)
{
    *y = l->board_y + row * l->pitch_y + (l->style != BOARD_FLAT);
    *x = l->board_x + column * l->pitch_x + (l->style == BOARD_GRID);
    *h = l->pitch_y - (l->style != BOARD_FLAT);
    *w = l->pitch_x - (l->style == BOARD_GRID);
}

bool layout_find_square(const Layout *l, int y, int x, int *row, int *column)
{
    int dy = y - l->board_y - (l->style != BOARD_FLAT);
    int dx = x - l->board_x - (l->style == BOARD_GRID);
    if (dy < -1 || dx < 0)
        return false;
    *row = (dy < 0 ? 0 : dy) / l->pitch_y;
    *column = dx / l->pitch_x;
    return *row < 8 && *column < 8 && (dy >= 0 || l->style != BOARD_FLAT);
}

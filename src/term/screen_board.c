/* The board. Signs around a piece say what colours say too, for eyes and screens without them:
 *   [ ]  the cursor        { }  the chosen piece      ( )  the last move
 *   + +  the king in check      a point or x: the chosen piece can go there, taking or not. */
#include "chess/movegen.h"
#include "engine/show.h"
#include "term/entry.h"
#include "term/screen_int.h"

typedef struct Cell {
    Ground ground;
    char left, right;  /* signs; ' ' for none */
    const char *piece; /* "" when empty */
    Ink ink;
} Cell;

/* The move that is being typed, as far as it is one. */
static Move typed_move(const Screen *s, const Position *p)
{
    Move m = MOVE_NONE;
    if (!s->typed[0] || entry_read(p, span_of(s->typed), &m, NULL) == ENTRY_NOTHING)
        return MOVE_NONE;
    return m;
}

/* Where a move ends as people see it: castling on the king's goal, not on the rook. */
static Square goal_of(const Position *p, Move m)
{
    if (move_kind(m) == MOVE_CASTLING && !p->chess960)
        return castling_king_to(p->side, castling_wing(m));
    return move_to(m);
}

/* Squares the chosen piece, or the move being typed, can go to. */
static Bitboard find_targets(const Screen *s, const Position *p, Square *from)
{
    Move moves[MAX_MOVES], typed = typed_move(s, p);
    Bitboard targets = 0;
    *from = s->chosen;
    if (s->looking_at >= 0 || play_is_over(&s->game->play))
        return 0;
    if (typed == MOVE_NONE)
        typed = s->idea;
    if (typed != MOVE_NONE && s->chosen == SQ_NONE) {
        *from = move_from(typed);
        return bb_of(goal_of(p, typed));
    }
    if (s->chosen == SQ_NONE)
        return 0;
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == s->chosen)
            targets |= bb_of(goal_of(p, moves[i]));
    return targets;
}

typedef struct Marks {
    Bitboard last, targets;
    Square from, cursor, check;
} Marks;

static Cell cell_for(const Screen *s, const Position *p, const Marks *m, Square sq)
{
    bool dark = (square_file(sq) + square_rank(sq)) % 2 == 0;
    bool last = m->last & bb_of(sq), target = m->targets & bb_of(sq);
    Piece piece = p->board[sq];
    Cell c = {.ground = dark ? GROUND_DARK : GROUND_LIGHT, .left = ' ', .right = ' ', .piece = ""};
    if (last) {
        c.ground = dark ? GROUND_DARK_LAST : GROUND_LIGHT_LAST;
        c.left = '(', c.right = ')';
    }
    if (piece != NO_PIECE) {
        c.piece = theme_piece(&s->theme, piece);
        c.ink = piece_color(piece) == WHITE ? INK_WHITE : INK_BLACK;
    }
    if (sq == m->check) {
        c.ground = GROUND_CHECK;
        c.left = c.right = '+';
    }
    if (target && piece != NO_PIECE)
        c.left = c.right = 'x';
    if (target && piece == NO_PIECE) {
        c.piece = s->theme.utf8 ? "·" : ".";
        c.ink = INK_MARK;
        if (s->theme.figures)
            c.piece = "•";
    }
    if (sq == m->from) {
        c.ground = GROUND_CHOSEN;
        c.left = '{', c.right = '}';
    }
    if (sq == m->cursor)
        c.left = '[', c.right = ']';
    return c;
}

/* Without colours an empty dark square shows that it is dark. */
static bool needs_shade(const Screen *s, Square sq)
{
    return s->theme.kind == THEME_MONO && (square_file(sq) + square_rank(sq)) % 2 == 0;
}

static void draw_shade(const Screen *s, Square sq, const Cell *c, int y, int x, int h, int w)
{
    Paint paint = theme_cell(&s->theme, c->ground, INK_MARK);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            bool edge = w < 5 ? !c->piece[0] && j == w / 2 : j == 0 || j == w - 1;
            canvas_char(s->canvas, y + i, x + j, paint, needs_shade(s, sq) && edge ? ':' : ' ');
        }
}

static void draw_cell(const Screen *s, Square sq, const Cell *c, int y, int x, int h, int w)
{
    int middle_y = y + h / 2, middle_x = x + w / 2;
    Paint mark = theme_cell(&s->theme, c->ground, INK_MARK);
    draw_shade(s, sq, c, y, x, h, w);
    if (c->left != ' ')
        canvas_char(s->canvas, middle_y, middle_x - 1, mark, c->left);
    if (c->right != ' ' && w > 2)
        canvas_char(s->canvas, middle_y, middle_x + 1, mark, c->right);
    if (c->piece[0])
        canvas_text(s->canvas, middle_y, middle_x, 1, theme_cell(&s->theme, c->ground, c->ink),
                    c->piece);
}

/* Lines between ranks that belong to both: the upper half to the one, the lower half
 * to the other. */
static void draw_halves(const Screen *s, Cell cells[8][8])
{
    const Layout *l = &s->layout;
    for (int edge = 0; edge <= 8; edge++)
        for (int column = 0; column < 8; column++) {
            Ground upper = edge > 0 ? cells[edge - 1][column].ground : GROUND_NONE;
            Ground lower = edge < 8 ? cells[edge][column].ground : GROUND_NONE;
            /* The terminal's own colour can be a background only. */
            bool turned = upper == GROUND_NONE;
            Paint paint = turned ? theme_halves(&s->theme, lower, upper)
                                 : theme_halves(&s->theme, upper, lower);
            for (int i = 0; i < l->pitch_x; i++)
                canvas_text(s->canvas, l->board_y + edge * 2, l->board_x + column * l->pitch_x + i,
                            1, paint, turned ? "▄" : "▀");
        }
}

static void draw_grid(const Screen *s)
{
    static const CanvasShape crossings[3][3] = {
        {SHAPE_UPPER_LEFT, SHAPE_UPPER_TEE, SHAPE_UPPER_RIGHT},
        {SHAPE_LEFT_TEE, SHAPE_CROSS, SHAPE_RIGHT_TEE},
        {SHAPE_LOWER_LEFT, SHAPE_LOWER_TEE, SHAPE_LOWER_RIGHT}};
    const Layout *l = &s->layout;
    Paint paint = theme_tone(&s->theme, TONE_DIM);
    for (int y = 0; y < l->board_h; y++)
        for (int x = 0; x < l->board_w; x++) {
            bool on_line = y % l->pitch_y == 0, on_column = x % l->pitch_x == 0;
            int row = y == 0 ? 0 : y == l->board_h - 1 ? 2 : 1;
            int column = x == 0 ? 0 : x == l->board_w - 1 ? 2 : 1;
            if (on_line || on_column)
                canvas_shape(s->canvas, l->board_y + y, l->board_x + x, paint,
                             !on_column ? SHAPE_HORIZONTAL
                             : !on_line ? SHAPE_VERTICAL
                                        : crossings[row][column]);
        }
}

static void draw_labels(const Screen *s)
{
    const Layout *l = &s->layout;
    Paint paint = theme_tone(&s->theme, TONE_DIM);
    for (int i = 0; i < 8; i++) {
        int y, x, h, w;
        layout_square(l, i, i, &y, &x, &h, &w);
        Square sq = show_square(s->bottom, i, i);
        canvas_char(s->canvas, y + h / 2, l->board_x - 2, paint, (char)('1' + square_rank(sq)));
        canvas_char(s->canvas, l->board_y + l->board_h, x + w / 2, paint,
                    (char)('a' + square_file(sq)));
    }
}

void board_draw(const Screen *s, const Position *p, Move last)
{
    Cell cells[8][8];
    Marks m = {.cursor = s->shows_cursor ? s->cursor : SQ_NONE, .check = SQ_NONE};
    m.targets = find_targets(s, p, &m.from);
    if (last != MOVE_NONE) {
        Position before = *p;
        before.side = color_other(p->side);
        m.last = bb_of(move_from(last)) | bb_of(goal_of(&before, last));
    }
    if (pos_in_check(p))
        m.check = pos_king(p, p->side);
    if (s->layout.style == BOARD_GRID)
        draw_grid(s);
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) {
            int y, x, h, w;
            Square sq = show_square(s->bottom, row, column);
            cells[row][column] = cell_for(s, p, &m, sq);
            layout_square(&s->layout, row, column, &y, &x, &h, &w);
            draw_cell(s, sq, &cells[row][column], y, x, h, w);
        }
    if (s->layout.style == BOARD_HALF)
        draw_halves(s, cells);
    draw_labels(s);
}

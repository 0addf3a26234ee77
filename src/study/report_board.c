/* Drawings of the page: boards with arrows, and the graph of a game. */
#include "study/review_int.h"

#include "chess/san.h"

#include <math.h>

enum { SQUARE = 45, BOARD = 8 * SQUARE, GRAPH_WIDTH = 800, GRAPH_HEIGHT = 150 };

/* -- Boards -- */

typedef struct Point {
    double x, y;
} Point;

static Point corner(Square s, bool flipped)
{
    int file = square_file(s), rank = square_rank(s);
    return flipped ? (Point){(7 - file) * SQUARE, rank * SQUARE}
                   : (Point){file * SQUARE, (7 - rank) * SQUARE};
}

static Point middle(Square s, bool flipped)
{
    Point p = corner(s, flipped);
    return (Point){p.x + SQUARE / 2.0, p.y + SQUARE / 2.0};
}

static void add_squares(Text *out, bool flipped)
{
    text_addf(out, "<rect class=\"sq-l\" width=\"%d\" height=\"%d\"/><path class=\"sq-d\" d=\"",
              BOARD, BOARD);
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Point p = corner((Square)s, flipped);
        if (DARK_SQUARES_BB >> s & 1)
            text_addf(out, "M%.0f %.0fh%dv%dh-%dz", p.x, p.y, SQUARE, SQUARE, SQUARE);
    }
    text_add_str(out, "\"/>");
}

static void add_pieces(Text *out, const Position *p, bool flipped)
{
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = p->board[s];
        if (piece == NO_PIECE)
            continue;
        Point at = corner((Square)s, flipped);
        text_addf(out, "<use href=\"#%c%c\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>",
                  piece_color(piece) == WHITE ? 'w' : 'b', "PNBRQK"[piece_type(piece)], at.x, at.y,
                  SQUARE, SQUARE);
    }
}

static Square arrow_end(const Position *p, Move m)
{
    return move_kind(m) == MOVE_CASTLING ? castling_king_to(p->side, castling_wing(m)) : move_to(m);
}

static void add_arrow(Text *out, const Position *p, Move m, const char *kind, bool flipped)
{
    Point a = middle(move_from(m), flipped), b = middle(arrow_end(p, m), flipped);
    double length = hypot(b.x - a.x, b.y - a.y);
    if (length < 1)
        return;
    Point u = {(b.x - a.x) / length, (b.y - a.y) / length};
    Point neck = {b.x - 16 * u.x, b.y - 16 * u.y};
    text_addf(out,
              "<path class=\"arrow %s\" d=\"M%.1f %.1fL%.1f %.1f\"/>"
              "<path class=\"head %s-head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\"/>",
              kind, a.x, a.y, neck.x, neck.y, kind, b.x, b.y, neck.x - 8 * u.y, neck.y + 8 * u.x,
              neck.x + 8 * u.y, neck.y - 8 * u.x);
}

void report_add_diagram(Text *out, const Position *p, Move played, Move best)
{
    bool flipped = p->side == BLACK;
    char san[SAN_SIZE], better[SAN_SIZE];
    san_write(p, played, san);
    san_write(p, best, better);
    text_addf(out,
              "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s to move; played: %s, "
              "better: %s\">",
              BOARD, BOARD, p->side == WHITE ? "White" : "Black", san, better);
    add_squares(out, flipped);
    add_pieces(out, p, flipped);
    add_arrow(out, p, best, "best", flipped);
    add_arrow(out, p, played, "played", flipped);
    text_add_str(out, "</svg>\n");
}

/* -- The graph -- */

static double height_of(const ReviewScore *s, Color side)
{
    double chance = review_chance(s);
    return GRAPH_HEIGHT * (1 - (side == WHITE ? chance : -chance)) / 2;
}

static double across(const Review *review, int ply)
{
    return review->count ? (double)GRAPH_WIDTH * ply / review->count : 0;
}

static Color mover(const Review *review, int i)
{
    return i % 2 ? color_other(review->start.side) : review->start.side;
}

/* Round, triangle, square: the kinds can be told without their colours. */
static void add_mark(Text *out, const ReviewMove *m, double x, double y)
{
    const char *title = review_label_name(m->label);
    if (m->label == REVIEW_INACCURACY)
        text_addf(
            out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#e0b000\"><title>%s</title></circle>",
            x, y, title);
    else if (m->label == REVIEW_MISTAKE)
        text_addf(out,
                  "<path d=\"M%.1f %.1fl6 10h-12z\" fill=\"#e07818\" "
                  "stroke=\"#fff\"><title>%s</title></path>",
                  x, y - 6, title);
    else if (m->label == REVIEW_BLUNDER)
        text_addf(out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"#c0281c\" "
                  "stroke=\"#fff\"><title>%s</title></rect>",
                  x - 5, y - 5, title);
}

void report_add_graph(Text *out, const Review *review)
{
    text_addf(out,
              "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
              "aria-label=\"White's winning chances over the game\">"
              "<path fill=\"#f6f1e4\" d=\"M0 %dL0 %.1f",
              GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_HEIGHT, height_of(&review->first, WHITE));
    for (int i = 0; i < review->count; i++)
        text_addf(out, "L%.1f %.1f", across(review, i + 1),
                  height_of(&review->moves[i].after, mover(review, i)));
    text_addf(out, "L%d %dz\"/><path d=\"M0 %dh%d\" stroke=\"#5d564a\" stroke-dasharray=\"4 4\"/>",
              GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_HEIGHT / 2, GRAPH_WIDTH);
    for (int i = 0; i < review->count; i++)
        add_mark(out, &review->moves[i], across(review, i + 1),
                 height_of(&review->moves[i].after, mover(review, i)));
    text_addf(out,
              "<line class=\"cursor\" y1=\"0\" y2=\"%d\" x1=\"0\" x2=\"0\" stroke=\"#2b66c0\" "
              "stroke-width=\"2\"/></svg>\n",
              GRAPH_HEIGHT);
}

/* The page. What can be read without a script is written out: tables, moves, graph, mistakes with
 * their diagrams; the script adds the board that steps through the game. */
#include "study/report.h"

#include "base/embed.h"
#include "base/os.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci_move.h"
#include "study/review_int.h"

#include <inttypes.h>
#include <string.h>

/* What the page is made of. */
EMBED_FILE(report_pieces, "data/pieces.svg");
EMBED_FILE(report_style, "data/report.css");
EMBED_FILE(report_script, "data/report.js");

static void add_span(Text *out, Span s)
{
    text_add(out, s.at, s.len);
}

/* Text of others, as text or as the value of an attribute. */
static void quote(Text *out, Span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!text_add_entity(out, text.at[i]))
            text_add_char(out, (unsigned char)text.at[i] >= ' ' ? text.at[i] : ' ');
}

void report_begin(Text *out, const char *source)
{
    const char *name = strcmp(source, "-") == 0 ? "games" : os_file_name(source);
    text_add_str(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>");
    quote(out, span_of(name));
    text_add_str(out, ", reviewed by Castellan</title>\n<style>\n");
    add_span(out, EMBED_SPAN(report_style));
    text_add_str(out, "</style>\n</head>\n<body>\n");
    add_span(out, EMBED_SPAN(report_pieces));
    text_add_str(out, "<main>\n<h1>");
    quote(out, span_of(name));
    text_add_str(out, "</h1>\n");
}

void report_end(Text *out)
{
    text_add_str(out, "</main>\n<script>\n");
    add_span(out, EMBED_SPAN(report_script));
    text_add_str(out, "</script>\n</body>\n</html>\n");
}

/* -- What the game was -- */

static const char *tag_or(const Game *g, const char *name, const char *otherwise)
{
    const char *value = game_tag(g, name);
    return value && value[0] && strcmp(value, "?") != 0 ? value : otherwise;
}

static void add_fact(Text *out, const char *name, const char *value, const char **comma)
{
    if (!value[0] || strcmp(value, "-") == 0)
        return;
    text_addf(out, "%s%s", *comma, name);
    quote(out, span_of(value));
    *comma = ", ";
}

/* As far as the date is known: "1858.??.??" is 1858. */
static void add_date(Text *out, const char *value, const char **comma)
{
    char known[32];
    if (value[0] == '?')
        return;
    const char *gap = strstr(value, ".?");
    snprintf(known, sizeof known, "%.*s", gap ? (int)(gap - value) : (int)strlen(value), value);
    add_fact(out, "", known, comma);
}

static void add_heading(Text *out, const Game *g, const Review *review)
{
    static const char *const tags[] = {"Event", "Site"};
    const char *comma = "";
    text_add_str(out, "<h2>");
    quote(out, span_of(tag_or(g, "White", "White")));
    text_add_str(out, " &ndash; ");
    quote(out, span_of(tag_or(g, "Black", "Black")));
    text_addf(out, ", <span class=\"result\">%s</span></h2>\n<p class=\"facts\">",
              result_text(game_result(g)));
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        add_fact(out, "", tag_or(g, tags[i], ""), &comma);
    add_date(out, tag_or(g, "Date", ""), &comma);
    add_fact(out, "round ", tag_or(g, "Round", ""), &comma);
    if (review->has_opening) {
        text_addf(out, "%s%s ", comma[0] ? ". " : "", review->eco);
        quote(out, span_of(review->opening));
        unsigned last = review->start.game_ply + (unsigned)review->book_plies;
        text_addf(out, ", theory up to move %u", (last + 1) / 2);
    }
    text_add_str(out, "</p>\n");
}

static void add_row(Text *out, const char *kind, const char *what, const ReviewTotals *t)
{
    if (!t->moves)
        return;
    text_addf(out, "<tr class=\"%s\"><th scope=\"row\">", kind);
    quote(out, span_of(what));
    text_addf(out,
              "</th><td>%.1f&nbsp;%%</td><td>%.0f</td><td>%d</td><td>%d</td><td>%d</td></tr>\n",
              t->accuracy, t->average_loss, t->labels[REVIEW_INACCURACY], t->labels[REVIEW_MISTAKE],
              t->labels[REVIEW_BLUNDER]);
}

static void add_totals(Text *out, const Game *g, const Review *review)
{
    static const char *const phases[REVIEW_PHASE_COUNT] = {"opening", "middlegame", "endgame"};
    const char *names[COLOR_COUNT] = {tag_or(g, "White", "White"), tag_or(g, "Black", "Black")};
    text_add_str(out,
                 "<table>\n<thead><tr><th>Player</th><th>Accuracy</th><th>Average loss (cp)</th>"
                 "<th>?!</th><th>?</th><th>?\?</th></tr></thead>\n<tbody>\n");
    for (int c = 0; c < COLOR_COUNT; c++) {
        add_row(out, "whole", names[c], &review->totals[c]);
        for (int k = 0; k < REVIEW_PHASE_COUNT; k++)
            if (review->by_phase[k][c].moves != review->totals[c].moves)
                add_row(out, "phase", phases[k], &review->by_phase[k][c]);
    }
    text_add_str(out, "</tbody>\n</table>\n");
}

/* -- The moves -- */

static void add_placement(Text *out, const Position *p)
{
    char fen[FEN_SIZE];
    fen_write(p, FEN_X, fen);
    text_addf(out, " data-fen=\"%.*s\"", (int)strcspn(fen, " "), fen);
}

static void add_words(Text *out, const Review *review, int i)
{
    Text words = text_new();
    review_add_words(review, i, &words);
    quote(out, (Span){words.at, words.len});
    out->failed |= words.failed;
    text_free(&words);
}

/* What the script shows when the game stands behind this move. */
static void add_step(Text *out, const Review *review, int i, const Position *p, const char *san)
{
    const ReviewMove *m = &review->moves[i];
    char from[3], to[3];
    Position after = *p;
    Undo undo;
    pos_make(&after, m->move, &undo);
    square_name(move_from(m->move), from);
    square_name(move_to(m->move), to);
    text_addf(out, " data-move=\"%u%s %s%s\" data-from=\"%s\" data-to=\"%s\"", p->game_ply / 2 + 1,
              p->side == WHITE ? "." : "...", san, review_labels[m->label].glyph, from, to);
    add_placement(out, &after);
    text_add_str(out, " data-words=\"");
    add_words(out, review, i);
    text_add_str(out, "\"");
}

/* From White's view: "+0.35", "-1.20", "#4", "#-2", and "#" for mate on the board. `side` is whose
 * view the score has. */
static void add_score(Text *out, const ReviewScore *s, Color side)
{
    int value = side == WHITE ? s->value : -s->value;
    if (s->is_mate && value == 0)
        text_add_str(out, "#");
    else if (s->is_mate)
        text_addf(out, "#%d", value);
    else
        text_addf(out, "%c%d.%02d", value < 0 ? '-' : '+', (value < 0 ? -value : value) / 100,
                  (value < 0 ? -value : value) % 100);
}

static void add_move_button(Text *out, const Review *review, int i, const Position *p)
{
    const ReviewMove *m = &review->moves[i];
    char san[SAN_SIZE];
    san_write(p, m->move, san);
    text_addf(out, "<button type=\"button\" class=\"%s\"", review_label_name(m->label));
    add_step(out, review, i, p, san);
    text_addf(out, ">%s", san);
    if (m->label != REVIEW_FINE)
        text_addf(out, "<span class=\"glyph\">%s</span>", review_labels[m->label].glyph);
    else if (m->only_move)
        text_add_str(out, "<span class=\"glyph\" title=\"only move\">&#9633;</span>");
    text_add_str(out, "<span class=\"score\">");
    add_score(out, &m->after, p->side);
    text_add_str(out, "</span></button>");
}

static void add_moves(Text *out, const Review *review)
{
    Position p = review->start;
    Undo undo;
    text_add_str(out, "<ol class=\"moves\" aria-label=\"Moves\">\n");
    for (int i = 0; i < review->count; i++) {
        if (p.side == WHITE || i == 0)
            text_addf(out, "<li><span class=\"no\">%u.</span>%s", p.game_ply / 2 + 1,
                      p.side == BLACK ? "<span>...</span>" : "");
        add_move_button(out, review, i, &p);
        if (p.side == BLACK || i + 1 == review->count)
            text_add_str(out, "</li>\n");
        pos_make(&p, review->moves[i].move, &undo);
    }
    text_add_str(out, "</ol>\n");
}

static void add_player(Text *out, const Review *review)
{
    text_add_str(out, "<div class=\"player\">\n<div>\n<div class=\"board\"");
    add_placement(out, &review->start);
    text_add_str(out, " data-score=\"");
    add_score(out, &review->first, WHITE);
    text_add_str(out,
                 "\"></div>\n<div class=\"steps\">"
                 "<button type=\"button\" class=\"first\" aria-label=\"First\">|&lt;</button>"
                 "<button type=\"button\" class=\"back\" aria-label=\"Back\">&lt;</button>"
                 "<button type=\"button\" class=\"forward\" aria-label=\"Forward\">&gt;</button>"
                 "<button type=\"button\" class=\"end\" aria-label=\"Last\">&gt;|</button>"
                 "<button type=\"button\" class=\"next-mistake\">Next mistake</button>"
                 "<button type=\"button\" class=\"flip\">Turn</button></div>\n"
                 "<p class=\"now\" role=\"status\" aria-live=\"polite\"></p>\n</div>\n<div>\n");
    add_moves(out, review);
    text_add_str(out, "</div>\n</div>\n<div class=\"graph\">");
    report_add_graph(out, review);
    text_add_str(out, "</div>\n<p class=\"key keys\">Arrow keys: step through the game. Home, End: "
                      "first and last position. m: next mistake. f: flip the board.</p>\n");
}

/* -- The mistakes -- */

static void add_mistake(Text *out, const Review *review, int i, const Position *p)
{
    const ReviewMove *m = &review->moves[i];
    char san[SAN_SIZE];
    san_write(p, m->move, san);
    text_add_str(out, "<li class=\"diagram\">");
    report_add_diagram(out, p, m->move, m->line[0]);
    text_addf(out, "<p><strong>%u%s%s%s</strong> ", p->game_ply / 2 + 1,
              p->side == WHITE ? "." : "...", san, review_labels[m->label].glyph);
    add_words(out, review, i);
    text_add_str(out, "</p></li>\n");
}

static void add_mistakes(Text *out, const Review *review)
{
    Position p = review->start;
    Undo undo;
    bool any = false;
    for (int i = 0; i < review->count; i++) {
        const ReviewMove *m = &review->moves[i];
        if ((m->label >= REVIEW_MISTAKE || m->missed_mate) && m->line_length) {
            if (!any)
                text_add_str(
                    out, "<h3>Mistakes</h3>\n<p class=\"key\">Shown from the side that made "
                         "the mistake. Dashed arrow: move played. Solid arrow: better move.</p>\n"
                         "<ol class=\"mistakes\">\n");
            any = true;
            add_mistake(out, review, i, &p);
        }
        pos_make(&p, m->move, &undo);
    }
    text_add_str(out, any ? "</ol>\n" : "<p>No mistakes.</p>\n");
}

void report_add_game(Text *out, const Game *g, const Review *review, uint64_t number)
{
    text_addf(out, "<section class=\"game\" id=\"game%" PRIu64 "\">\n", number);
    add_heading(out, g, review);
    add_totals(out, g, review);
    add_player(out, review);
    add_mistakes(out, review);
    text_add_str(out, "</section>\n");
}

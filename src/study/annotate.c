#include "study/annotate.h"

#include "engine/about.h"
#include "notation/annotation.h"
#include "study/review_int.h"

#include <string.h>

enum { VARIATION_PLIES = 9, NAG_ONLY_MOVE = 7, LAST_VERDICT_NAG = 6 };

/* -- Comments -- */

/* The comment without its [%eval ...]. */
static void add_without_eval(Text *out, const char *comment)
{
    static const char opening[] = "[%eval";
    const char *at = comment ? strstr(comment, opening) : NULL;
    const char *end = at ? strchr(at, ']') : NULL;
    if (!comment)
        return;
    if (!end) {
        text_add_str(out, comment);
        return;
    }
    Span before = span_trim((Span){comment, (size_t)(at - comment)});
    Span after = span_trim(span_of(end + 1));
    text_add(out, before.at, before.len);
    text_add_str(out, before.len && after.len ? " " : "");
    text_add(out, after.at, after.len);
}

static void add_eval(Text *out, const ReviewScore *s, Color side)
{
    int value = side == WHITE ? s->value : -s->value;
    annotation_add_eval(out, (AnnotationScore){.is_mate = s->is_mate, .value = value, .depth = -1});
}

/* A mate on the board has no score that readers of PGN would know. */
static bool has_score(const ReviewScore *s)
{
    return !s->is_mate || s->value != 0;
}

static void add_apart(Text *out, const char *text)
{
    if (out->len && text[0])
        text_add_char(out, ' ');
    text_add_str(out, text);
}

static Status comment_move(Game *g, GameNode *n, const Review *review, int i, Color side,
                           Message *why)
{
    const ReviewMove *m = &review->moves[i];
    Text comment, kept, words;
    text_init(&comment);
    text_init(&kept);
    text_init(&words);
    if (has_score(&m->after))
        add_eval(&comment, &m->after, side);
    add_without_eval(&kept, n->after);
    review_add_words(review, i, &words);
    add_apart(&comment, kept.at);
    if (!strstr(kept.at, words.at))
        add_apart(&comment, words.at);
    Status s = comment.failed || kept.failed || words.failed
                   ? status_fail(why, STATUS_MEMORY, "not enough memory for a comment")
                   : game_set_comment(g, n, (Span){comment.at, comment.len}, why);
    text_free(&comment);
    text_free(&kept);
    text_free(&words);
    return s;
}

/* -- Glyphs and variations -- */

static bool has_verdict(const GameNode *n)
{
    for (int i = 0; i < n->nag_count; i++)
        if (n->nags[i] >= 1 && n->nags[i] <= LAST_VERDICT_NAG)
            return true;
    return false;
}

static void mark(GameNode *n, const ReviewMove *m)
{
    if (m->label != REVIEW_FINE && !has_verdict(n))
        game_add_nag(n, review_labels[m->label].nag);
    if (m->only_move)
        game_add_nag(n, NAG_ONLY_MOVE);
}

static Status add_variation(Game *g, GameNode *parent, const ReviewMove *m, Message *why)
{
    int plies = m->line_length < VARIATION_PLIES ? m->line_length : VARIATION_PLIES;
    if (m->missed_mate)
        plies = m->line_length;
    if (!plies || m->line[0] == m->move)
        return STATUS_OK;
    for (int i = 0; i < plies && parent; i++)
        parent = game_add(g, parent, m->line[i]);
    return parent ? STATUS_OK
                  : status_fail(why, STATUS_MEMORY, "not enough memory for a variation");
}

static Status annotate_move(Game *g, GameNode *n, const Review *review, int i, Color side,
                            Message *why)
{
    const ReviewMove *m = &review->moves[i];
    mark(n, m);
    Status s = comment_move(g, n, review, i, side, why);
    if (s == STATUS_OK && (m->label != REVIEW_FINE || m->missed_mate))
        s = add_variation(g, n->parent, m, why);
    return s;
}

/* -- The whole -- */

static void add_player(const ReviewTotals *t, const char *name, Text *out)
{
    if (!t->moves)
        return;
    text_addf(out, "%s: accuracy %.1f %%, average loss %.0f", name, t->accuracy, t->average_loss);
    for (int l = REVIEW_INACCURACY; l < REVIEW_LABEL_COUNT; l++) {
        const char *label = review_label_name((ReviewLabel)l);
        bool one = t->labels[l] == 1, inaccuracies = l == REVIEW_INACCURACY && !one;
        text_addf(out, ", %d %.*s%s", t->labels[l], (int)strlen(label) - inaccuracies, label,
                  one            ? ""
                  : inaccuracies ? "ies"
                                 : "s");
    }
    text_add_str(out, ".");
}

/* "White: accuracy 91.2 %, average loss 23, 1 inaccuracy, 0 mistakes, 1 blunder." and the same for
 * Black, with the opening and where theory ended. */
static void add_summary(const Review *review, Text *out)
{
    add_player(&review->totals[WHITE], "White", out);
    text_add_str(out, out->len ? " " : "");
    add_player(&review->totals[BLACK], "Black", out);
    if (review->has_opening) {
        unsigned last = review->start.game_ply + (unsigned)review->book_plies;
        text_addf(out, " %s %s", review->eco, review->opening);
        if (review->book_plies && review->book_plies < review->count)
            text_addf(out, ", theory up to move %u.", (last + 1) / 2);
        else
            text_add_str(out, ".");
    }
}

static Status summarize(Game *g, const Review *review, Message *why)
{
    Text summary = text_new();
    GameNode *root = game_root(g);
    add_summary(review, &summary);
    Status s = STATUS_OK;
    if (summary.failed)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for a comment");
    else if (summary.len && !(root->after && strstr(root->after, summary.at)))
        s = game_add_comment(g, root, (Span){summary.at, summary.len}, why);
    text_free(&summary);
    return s;
}

static Status set_if_missing(Game *g, const char *tag, const char *value, Message *why)
{
    if (game_tag(g, tag))
        return STATUS_OK;
    return game_set_tag(g, span_of(tag), span_of(value), why);
}

Status annotate_game(Game *g, const Review *review, Message *why)
{
    Status s = set_if_missing(g, "Annotator", ABOUT_NAME, why);
    if (s == STATUS_OK && review->has_opening) {
        s = set_if_missing(g, "ECO", review->eco, why);
        if (s == STATUS_OK)
            s = set_if_missing(g, "Opening", review->opening, why);
    }
    if (s == STATUS_OK)
        s = summarize(g, review, why);
    Color side = review->start.side;
    GameNode *n = game_root(g)->child;
    for (int i = 0; i < review->count && n && s == STATUS_OK; i++, n = n->child) {
        s = annotate_move(g, n, review, i, side, why);
        side = color_other(side);
    }
    return s;
}

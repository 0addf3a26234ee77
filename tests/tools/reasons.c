/* Reviews games and prints what its reasons claim, for `make reasons`.
 *
 *   reasons FILE.pgn NODES [FIRST STEP]
 *
 * A line for each label and reason, with tabs between the fields:
 *   label LABEL REASONS FEN MOVE
 *   reason LABEL KIND MATE BEFORE-FEN FROM-FEN MOVES PASS-FEN THREAT WORDS
 * LABEL is inaccuracy, mistake or blunder, REASONS the number of reasons. KIND is mate, hangs,
 * material, threat or fact; MATE the number of moves where that is claimed. BEFORE-FEN is the
 * position before the mistake, FROM-FEN where the shown line begins, MOVES are its moves; PASS-FEN
 * is the position after the first of them when the other side passes, THREAT what is then said to
 * follow. A game's line has its plies and both accuracies. With FIRST and STEP only each STEP-th
 * game is reviewed, to share the work among processes. */
#include "base/text.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "eval/eval.h"
#include "notation/game_read.h"
#include "study/review.h"

#include <stdio.h>
#include <stdlib.h>

static void add_moves(Text *out, Position p, const Move *moves, int count)
{
    Undo undo;
    for (int i = 0; i < count; i++) {
        char uci[UCI_MOVE_SIZE];
        uci_move_write(&p, moves[i], uci);
        text_addf(out, "%s%s", i ? " " : "", uci);
        pos_make(&p, moves[i], &undo);
    }
}

static bool is_missed(ReviewReasonKind k)
{
    return k >= REASON_ALLOWS_MATE && (k - REASON_ALLOWS_MATE) % 2 == 1;
}

/* Tricks count by what they win; a pin may just be unpleasant. */
static bool wins_material(const ReviewReason *r)
{
    bool pin = r->kind == REASON_ALLOWS_PIN || r->kind == REASON_MISSES_PIN;
    return r->kind >= REASON_LOSES && r->kind <= REASON_MISSES_RACE && !(pin && r->plies == 1);
}

static const char *kind_of(const ReviewReason *r)
{
    switch (r->kind) {
    case REASON_ALLOWS_MATE:
    case REASON_MISSES_MATE:
    case REASON_ALLOWS_BACK_RANK:
    case REASON_MISSES_BACK_RANK:
        return "mate";
    case REASON_HANGS:
        return "hangs";
    case REASON_ALLOWS_THREAT:
    case REASON_MISSES_THREAT:
        return "threat";
    default:
        return wins_material(r) ? "material" : "fact";
    }
}

static void print_reason(const Review *review, int i, int k)
{
    const ReviewMove *m = &review->moves[i];
    const ReviewReason *r = &m->reasons[k];
    Position from;
    Undo undo;
    Text moves, threat, words;
    char before[FEN_SIZE], fen[FEN_SIZE], pass[FEN_SIZE] = "-";
    text_init(&moves);
    text_init(&threat);
    text_init(&words);
    review_position(review, i, &from);
    fen_write(&from, FEN_X, before);
    bool missed = is_missed(r->kind);
    if (!missed)
        pos_make(&from, m->move, &undo);
    const Move *line = missed ? m->line : m->reply;
    int length = missed ? m->line_length : m->reply_length;
    add_moves(&moves, from, line, r->plies < length ? r->plies : length);
    fen_write(&from, FEN_X, fen);
    if (r->threat_length) {
        pos_make(&from, line[0], &undo);
        pos_make_null(&from, &undo);
        fen_write(&from, FEN_X, pass);
        add_moves(&threat, from, r->threat, r->threat_length);
    }
    review_add_reason(review, i, k, &words);
    const char *label = review_label_name(m->label);
    printf("reason\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", *label ? label : "fine", kind_of(r),
           r->moves, before, fen, moves.len ? moves.at : "-", pass, threat.len ? threat.at : "-",
           words.at);
    text_free(&moves);
    text_free(&threat);
    text_free(&words);
}

static void print_review(const Review *review)
{
    for (int i = 0; i < review->count; i++) {
        const ReviewMove *m = &review->moves[i];
        Position p;
        char fen[FEN_SIZE], uci[UCI_MOVE_SIZE];
        review_position(review, i, &p);
        fen_write(&p, FEN_X, fen);
        uci_move_write(&p, m->move, uci);
        if (m->label != REVIEW_FINE)
            printf("label\t%s\t%d\t%s\t%s\n", review_label_name(m->label), m->reason_count, fen,
                   uci);
        for (int k = 0; k < m->reason_count; k++)
            print_reason(review, i, k);
    }
    fflush(stdout);
}

static Status review_all(const char *path, Reviewer *reviewer, int first, int step, Message *why)
{
    PgnReader *reader;
    Game *g = game_new();
    Status s = g ? pgn_open(&reader, path, NULL, why) : STATUS_MEMORY;
    for (int n = 0; s == STATUS_OK || s == STATUS_INVALID; n++) {
        Review *review;
        s = game_read(g, reader, why);
        if (s != STATUS_OK || n % step != first)
            continue;
        s = review_game(reviewer, g, NULL, &review, why);
        if (s == STATUS_OK) {
            printf("game\t%d\t%d\t%.1f\t%.1f\n", n + 1, review->count,
                   review->totals[WHITE].accuracy, review->totals[BLACK].accuracy);
            print_review(review);
            review_free(review);
        }
    }
    return s == STATUS_END ? STATUS_OK : s;
}

int main(int argc, char **argv)
{
    ReviewOptions options = {.nodes = argc > 2 ? strtoull(argv[2], NULL, 10) : 0};
    Reviewer *reviewer;
    Message why = {""};
    chess_init();
    Status s = argc < 3
                   ? status_fail(&why, STATUS_INVALID, "usage: reasons FILE.pgn NODES [FIRST STEP]")
                   : evaluator_default(&options.evaluator, &why);
    if (s == STATUS_OK)
        s = reviewer_open(&reviewer, &options, &why);
    if (s == STATUS_OK)
        s = review_all(argv[1], reviewer, argc > 4 ? atoi(argv[3]) : 0,
                       argc > 4 ? atoi(argv[4]) : 1, &why);
    if (s != STATUS_OK)
        fprintf(stderr, "reasons: %s\n", why.text);
    return s == STATUS_OK ? 0 : 1;
}

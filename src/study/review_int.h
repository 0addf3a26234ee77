/* What the files of a review share. */
#ifndef STUDY_REVIEW_INT_H
#define STUDY_REVIEW_INT_H

#include "eval/score.h"
#include "search/search.h"
#include "study/review.h"

typedef struct ReviewLabelRow {
    const char *name, *glyph, *title; /* "blunder", "??", "Blunder" */
    int nag;                          /* 0: none */
} ReviewLabelRow;

extern const ReviewLabelRow review_labels[REVIEW_LABEL_COUNT];

/* A line of moves with its length. */
typedef struct Line {
    Move at[REVIEW_LINE_MAX];
    int length;
} Line;

/* What a search said of one position, from the side to move. */
typedef struct Seen {
    Score score;
    Score thought; /* by the last iteration that was finished: the one after it may have seen the
                      choice fall */
    int depth;
    Line line;
    bool over; /* the game ends here: nothing was searched */
} Seen;

/* Shares of the effort asked for, in percent. */
enum {
    LOOK_GLANCE = 12,  /* for a first idea whether a move was the only one */
    LOOK_USUAL = 100,  /* for every position */
    LOOK_AGAIN = 400,  /* for the second look at a mistake */
    LOOK_BEYOND = 1000 /* for the third, at what looks like a blunder but not beyond doubt */
};

void reviewer_forget(Reviewer *r); /* another game begins */

/* The search of a reviewer with that share of the usual effort. STATUS_STOPPED when the
 * reviewer was told to end. */
Status reviewer_look(Reviewer *r, const Position *p, int percent, Seen *out, Message *why);

/* The same without the moves that are not in the list. */
Status reviewer_look_among(Reviewer *r, const Position *p, const Move *moves, int count,
                           int percent, Seen *out, Message *why);

/* Where a queen does as well, the search takes a rook or bishop as gladly; people wonder why. A
 * queen can do all that those can, so it takes their place where the line goes on as before and
 * nobody is stalemated; that of a knight only where it is taken at once. */
void reviewer_prefer_queens(Line *line, const Position *root);

const ReviewOptions *reviewer_options(const Reviewer *r);

/* -- One game under review (review_look.c) -- */

typedef struct ReviewWork {
    Reviewer *reviewer;
    Review *review;
    Seen *seen;       /* of each position: count + 1 */
    Score *value;     /* the same, when the values were carried back */
    Position *places; /* a position every WORK_PLACE_STEP plies, to get at any of them fast */
    const ReviewProgress *progress;
    int done, total;
} ReviewWork;

enum { WORK_PLACE_STEP = 64 };

void work_position(const ReviewWork *w, int i, Position *out);
void work_tell(ReviewWork *w); /* progress: one more position */

/* What the next position says of this one: a mate is a ply farther away. */
Score work_lift(Score next);
bool work_was_best(const ReviewWork *w, int i);
/* The move was as good as any: the search's choice, or better than that. */
bool work_nothing_better(const ReviewWork *w, int i);
/* The legal moves that are not among the tried ones. */
int work_other_moves(const Position *p, const Move *tried, int tried_count, Move *out);

/* All passes over the positions; the values are final after it. */
enum { WORK_LOOK_PASSES = 4 };
Status work_look(ReviewWork *w, Message *why);

/* -- Judging (review_judge.c) -- */

/* As the side to move sees it, and as the other one does. */
ReviewScore judge_score(Score s, const Position *p);
ReviewScore judge_score_of_other(Score s, const Position *p);
double judge_chance(Score s, const Position *p);

/* How far a move let the chances fall, and from where on that has a name. */
#define JUDGE_INEXACT 0.1
#define JUDGE_MISTAKE 0.2
#define JUDGE_BLUNDER 0.3
double judge_fall(Score before, Score after, const Position *p);

/* Fills loss, accuracy and label of a move; `best`: it was the search's own choice. `before` and
 * `after` are the mover's, and measured with the same rule: the position before the move. */
void judge_move(ReviewMove *m, Score before, Score after, const Position *p, bool best);

int judge_pieces(const Position *p); /* on the board, without kings and pawns */

/* Phases, names, theory and sums, when every move is judged. `chances` has those of each position,
 * White's view: count + 1 of them. */
void judge_phases(Review *review);
void judge_opening(Review *review, const ReviewOptions *o);
void judge_totals(Review *review, const double *chances);

/* -- Reasons (reason*.c) -- */

/* One mistake, as far as the search knows it. The lines may be made longer where something has to
 * be shown to its end. */
typedef struct Mistake {
    const Position *before, *after; /* the move */
    Score best, played;             /* worth of both, the mover's view */
    double best_chance, played_chance;
    Move move;
    Line *line;  /* instead of the move */
    Line *reply; /* after it */
} Mistake;

/* One of the two views of a mistake: what the reply shows, or what the best line does. */
typedef struct ReasonView {
    Reviewer *reviewer;
    const Mistake *mistake;
    bool missed;
    const Position *from;
    Line *line;
} ReasonView;

/* Writes at most REVIEW_MAX_REASONS. */
Status reason_find(Reviewer *r, const Mistake *m, ReviewReason *out, int *count, Message *why);

ReviewReason reason_of(ReviewReasonKind kind, int plies);
/* A reason with that piece and square, which the line shows after so many plies; 0: it does not,
 * and the answer is false. */
bool reason_claim(ReviewReason *out, ReviewReasonKind kind, PieceType piece, Square square,
                  int plies);
void line_play(Position *p, const Line *line, int plies);
void line_append(Line *line, const Line *more); /* as far as there is room */
/* True when the line ends in mate; *end is the position there, in either case. */
bool line_mates(const Position *from, const Line *line, Position *end);
/* The mistake itself and the reply to it, as one line from before. */
void mistake_join(const Mistake *m, Line *out);

/* Lines that are searched move by move (reason_proof.c). */
typedef struct Proof {
    Reviewer *reviewer;
    const Position *from;
    Line *line;
    double chance; /* at `from`, the view of the side to move there */
} Proof;

typedef enum ProofVerdict {
    PROOF_HOLDS,
    PROOF_FAILED,
    PROOF_REPAIRED /* it did not hold; the line goes on differently now */
} ProofVerdict;

/* A line that ends too early goes on until it comes to rest. */
Status proof_lengthen(Reviewer *r, const Position *from, Line *line, Message *why);

/* The chances stay what they are through so many plies: neither side goes wrong on the way. */
Status proof_confirm(const Proof *p, int plies, ProofVerdict *verdict, Message *why);

/* Ends of the game (reason_end.c): mates, tables, draws. Kinds of both views. */
Status end_find_mate(const ReasonView *v, ReviewReason *out, Message *why);
/* A rook or queen mates along the king's first rank, where its own pieces shut it in. */
bool end_is_back_rank(const Position *mated);
ReviewReason end_find_in_tables(Tablebases *tb, const Mistake *m);
ReviewReason end_find_lost_trade(Tablebases *tb, const Mistake *m);
ReviewReason end_find_draw(const ReasonView *v);

/* Material (reason_material.c): what goes by the reply, or what the best line would have won; at
 * least so many pawns' worth. */
ReviewReason material_find_loss(const Mistake *m, int least);
ReviewReason material_find_missed(const Mistake *m, int least);
void material_note(ReviewReason *out, const uint8_t *gone, const uint8_t *got);
int material_count(const uint8_t *pieces, PieceType from); /* of that type and greater */
/* Where a trick with a name wins it, that. */
ReviewReason material_name_trick(const ReasonView *v, ReviewReason plain);

/* In pawns; a king is worth more than everything else. */
int trade_worth(PieceType t);

/* What one side wins and loses along a line. */
typedef struct Trade {
    int net;                                 /* in pawns, for that side */
    uint8_t won[QUEEN + 1], lost[QUEEN + 1]; /* what is left when like was set against like */
    int plies;                               /* where it was counted */
    int last_capture; /* plies up to and with the last capture or promotion */
} Trade;

/* The balance for `side` where the line comes to rest: no check, no capture next, nothing to be won
 * by taking. The last such place within reach; false when there is none. */
bool trade_of_line(const Position *from, const Line *line, Color side, Trade *out);

/* The first such place where the net is at least `least` (or, for a negative one, at most) and
 * stays so to the end of the line. */
bool trade_first(const Position *from, const Line *line, Color side, int least, Trade *out);

/* No check, and the side to move has nothing to win by taking. */
bool trade_is_quiet(const Position *p);

/* The trick at the beginning of a line that wins something for the side to move, when the line
 * shows it: kind is one of the MISSES ones. */
bool motif_find(const Position *from, const Line *line, ReviewReason *out);
/* A pin by the first move that still stands when the other side has answered. */
bool motif_find_pin(const Position *from, const Line *line, ReviewReason *out);

/* Pawns (reason_pawns.c). A runner is a passed pawn that the other king, which is alone with its
 * pawns, cannot catch; SQ_NONE: there is none. */
Bitboard pawns_passed(const Position *p, Color side);
Square pawns_find_runner(const Position *p, Color side);
ReviewReason pawns_find_run(const ReasonView *v);

/* What is neither mate nor material (reason_plan.c): facts that come about in the first plies of
 * `line` for the side to move there, and do not in `instead`, which is the other choice at
 * `before`. Kinds are the MISSES ones. */
typedef struct Plan {
    const Position *before, *from;
    const Line *line;    /* from `from` on */
    const Line *instead; /* from `before` on */
} Plan;

bool plan_find(const Plan *plan, ReviewReason *out);

/* What the first move of a line threatens: shown by a search in which the other side passes. */
Status plan_find_threat(Reviewer *r, const Plan *plan, ReviewReason *out, Message *why);

/* -- Drawings of a page (report_board.c) -- */

/* A board from the side to move, with the move that was played and the better one. */
void report_add_diagram(Text *out, const Position *p, Move played, Move best);

/* White's chances over the game. */
void report_add_graph(Text *out, const Review *review);

#endif

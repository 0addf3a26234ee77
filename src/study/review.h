/* A review: every move of a game judged, and what can be proven about the mistakes.
 *
 * A game is searched from its end to its beginning in one hash table, so that what the later
 * positions taught is known when the earlier ones are judged; where that shows a mistake, the
 * positions before and behind it are searched again and deeper. With a limit in nodes or depth a
 * review is the same every time: one thread, tables emptied before each game.
 *
 * Judgement is by winning chances, -1 .. +1, with the curve that players know from lichess. A mate,
 * however far, and a tablebase win count as +1: to mate more slowly is no mistake. */
#ifndef STUDY_REVIEW_H
#define STUDY_REVIEW_H

#include "base/status.h"
#include "base/text.h"
#include "book/book.h"
#include "chess/position.h"
#include "eval/eval.h"
#include "notation/game.h"
#include "notation/opening.h"
#include "tb/tb.h"

/* -- What is found -- */

/* A score as people read it; whose view, the field that has it says. */
typedef struct ReviewScore {
    bool is_mate;
    int value; /* moves to mate (negative: being mated; 0: mated already), or centipawns */
    int win, draw, loss; /* permille */
    double chance;       /* -1 .. +1 */
} ReviewScore;

/* By how much the winning chances fell: 0.1, 0.2, 0.3; and, in a review, the result that the
 * program expects as well: who is lost already cannot blunder. */
typedef enum ReviewLabel {
    REVIEW_FINE,
    REVIEW_INACCURACY, /* ?! */
    REVIEW_MISTAKE,    /* ?  */
    REVIEW_BLUNDER,    /* ?? */
    REVIEW_LABEL_COUNT
} ReviewLabel;

typedef enum ReviewPhase {
    REVIEW_OPENING,
    REVIEW_MIDDLEGAME,
    REVIEW_ENDGAME,
    REVIEW_PHASE_COUNT
} ReviewPhase;

/* What a line shows. */
typedef enum ReviewReasonKind {
    REASON_NONE,
#define REASON(kind, ...) REASON_##kind,
#include "study/reasons.def"
#undef REASON
} ReviewReasonKind;

enum { REASON_THREAT_MAX = 4 };

typedef struct ReviewReason {
    ReviewReasonKind kind;
    PieceType piece;                         /* NO_PIECE_TYPE where the kind has no use for it */
    Square square;                           /* SQ_NONE where the kind has no use for it */
    uint8_t gone[QUEEN + 1], got[QUEEN + 1]; /* material that changes hands, by type */
    int moves;                               /* to mate */
    bool certain;                            /* proven by mate or tablebase, not by a score */
    int plies; /* how much of the line (best line or reply) is needed to show it */
    Move threat[REASON_THREAT_MAX]; /* how it would go on if the other side passed */
    int threat_length;
} ReviewReason;

enum { REVIEW_LINE_MAX = 64, REVIEW_MAX_REASONS = 2 };

typedef struct ReviewMove {
    Move move;
    ReviewScore before;         /* what the position was worth, the mover's view */
    ReviewScore after;          /* what it is worth after the move, the mover's view still */
    Move line[REVIEW_LINE_MAX]; /* the best line instead; begins with `move` when that was best */
    int line_length;
    Move reply[REVIEW_LINE_MAX]; /* the best line after the move: what is wrong with it, if
                                    something is */
    int reply_length;
    int depth; /* of the search before the move */
    ReviewLabel label;
    ReviewPhase phase;
    bool in_book;    /* known theory up to here */
    bool only_move;  /* was found, and every other is worse by a blunder */
    int missed_mate; /* in so many moves, and the move gave it away; 0: none */
    int loss;        /* centipawns, 0 .. 1000 */
    double accuracy; /* 0 .. 100 */
    int reason_count;
    ReviewReason reasons[REVIEW_MAX_REASONS]; /* the weightiest first */
} ReviewMove;

/* Sums for one player: the whole game or one phase. */
typedef struct ReviewTotals {
    int moves;
    int labels[REVIEW_LABEL_COUNT];
    double accuracy;     /* 0 .. 100; 0 when there are no moves */
    double average_loss; /* centipawns a move */
} ReviewTotals;

typedef struct Review {
    Position start;
    int count;         /* of moves */
    ReviewScore first; /* of the start position, White's view */
    ReviewTotals totals[COLOR_COUNT];
    ReviewTotals by_phase[REVIEW_PHASE_COUNT][COLOR_COUNT];
    bool has_opening;
    char eco[8];
    char opening[160]; /* UTF-8 */
    int opening_plies; /* half-moves up to the position that gave the name */
    int book_plies;    /* half-moves that are known theory: an opening line or the book has them */
    ReviewMove moves[];
} Review;

/* -- Making one -- */

typedef struct Reviewer Reviewer;

/* Everything pointed to must outlive the reviewer and may be shared with others. */
typedef struct ReviewOptions {
    /* For each position; the first that is not 0 counts, REVIEW_DEFAULT_NODES when all are. */
    uint64_t nodes;
    int depth;
    int64_t movetime_ms;
    unsigned hash_mb;           /* 0: REVIEW_DEFAULT_HASH */
    const Evaluator *evaluator; /* NULL: the classical one */
    Tablebases *tb;             /* may be NULL */
    const Openings *openings;   /* NULL: no names */
    const Book *book;           /* NULL: theory is what the openings know */
} ReviewOptions;

enum { REVIEW_DEFAULT_NODES = 100000, REVIEW_DEFAULT_HASH = 16 };

/* Told between two positions, on the thread that reviews. */
typedef struct ReviewProgress {
    void *user;
    void (*tell)(void *user, int done, int total);
} ReviewProgress;

Status reviewer_open(Reviewer **r, const ReviewOptions *options, Message *why);
void reviewer_close(Reviewer *r); /* NULL is fine */

/* From any thread: the review under way ends soon with STATUS_STOPPED, and so does
 * every later one. */
void reviewer_stop(Reviewer *r);

/* Reviews the moves, all of them legal, that were played from `start`. One move is a review too,
 * for a judgement while the game goes on. `progress` may be NULL. */
Status review_moves(Reviewer *r, const Position *start, const Move *moves, int count,
                    const ReviewProgress *progress, Review **out, Message *why);

/* Reviews the main line of a game, up to its first null move if it has one. */
Status review_game(Reviewer *r, const Game *g, const ReviewProgress *progress, Review **out,
                   Message *why);
void review_free(Review *review); /* NULL is fine */

/* -- Telling about it -- */

/* The winning chances of a score, and the label of a move that led from one to the other: for
 * judging lines that someone else searched. */
double review_chance(const ReviewScore *s);
ReviewLabel review_label(double before, double after);

const char *review_label_name(ReviewLabel l); /* "", "inaccuracy", "mistake", "blunder" */

/* The position before move i (or, with i = count, the last one). */
void review_position(const Review *review, int i, Position *out);

/* What there is to say about move i in one or two sentences, "Blunder. Hangs the knight on f3:
 * 14...Bxf3. Better was 14.Be2."; nothing for a move that needs no words. */
void review_add_words(const Review *review, int i, Text *out);

/* One reason as a sentence with its line, as it stands in the words above. */
void review_add_reason(const Review *review, int i, int reason, Text *out);

/* The same in parts, for those who write it in another language: a text with places for the values
 * of the reason (reasons.def has them all), and the moves that belong to it. */
const char *review_reason_text(const ReviewReason *r);
const char *review_piece_word(PieceType t); /* "knight" */

typedef enum ReviewReasonPart {
    REASON_PART_LINE,  /* shows it */
    REASON_PART_MOVE,  /* makes a threat */
    REASON_PART_THREAT /* how the threat would go on */
} ReviewReasonPart;

/* Adds nothing where the reason has no such moves. */
void review_add_reason_moves(const Review *review, int i, int reason, ReviewReasonPart part,
                             Text *out);

#endif

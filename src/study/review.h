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

/* What a line shows. From ALLOWS_MATE on they come in pairs: what the reply to the move shows, and
 * behind it the same shown by the best line instead of the move. */
typedef enum ReviewReasonKind {
    REASON_NONE,
    REASON_HANGS,            /* `piece` on `square` can simply be taken */
    REASON_TRADES_INTO_LOSS, /* an ending that is lost; `certain` when a tablebase says so */
    REASON_SPOILS_TB_WIN,    /* tablebase: was won, is not any more */
    REASON_SPOILS_TB_DRAW,   /* tablebase: was drawn, is lost now */
    REASON_ALLOWS_MATE,      /* in `moves` */
    REASON_MISSES_MATE,
    REASON_ALLOWS_BACK_RANK, /* mate on the back rank, in `moves` */
    REASON_MISSES_BACK_RANK,
    REASON_LOSES, /* material: `gone` for `got` */
    REASON_MISSES_MATERIAL,
    REASON_ALLOWS_FORK, /* by `piece` on `square` */
    REASON_MISSES_FORK,
    REASON_ALLOWS_PIN, /* of `piece` on `square` */
    REASON_MISSES_PIN,
    REASON_ALLOWS_SKEWER, /* of `piece` on `square`, `other` behind it */
    REASON_MISSES_SKEWER,
    REASON_ALLOWS_DISCOVERY, /* discovered attack by `piece` on `square` */
    REASON_MISSES_DISCOVERY,
    REASON_ALLOWS_TRAP, /* `piece` on `square` has no safe square to go to */
    REASON_MISSES_TRAP,
    REASON_ALLOWS_OVERLOAD, /* `piece` on `square` cannot defend all that it defends */
    REASON_MISSES_OVERLOAD,
    REASON_ALLOWS_REMOVAL, /* of `piece` on `square`, which defended something */
    REASON_MISSES_REMOVAL,
    REASON_ALLOWS_PROMOTION, /* to `piece` on `square` */
    REASON_MISSES_PROMOTION,
    REASON_ALLOWS_RACE, /* promotion to `piece` on `square` before a pawn of the other side */
    REASON_MISSES_RACE,
    REASON_ALLOWS_RUN, /* of the pawn on `square`: the king is outside its square */
    REASON_MISSES_RUN,
    REASON_ALLOWS_STALEMATE,
    REASON_MISSES_STALEMATE,
    REASON_ALLOWS_REPETITION,
    REASON_MISSES_REPETITION,
    REASON_ALLOWS_THREAT, /* the first move threatens `threat`: mate in `moves`, or the win of
                             `gone` */
    REASON_MISSES_THREAT,
    REASON_ALLOWS_CHECKS, /* more than one */
    REASON_MISSES_CHECKS,
    REASON_ALLOWS_KING_MOVE, /* a king that could castle before has to move */
    REASON_MISSES_KING_MOVE,
    REASON_ALLOWS_ADVANCE, /* of a passed pawn to `square` */
    REASON_MISSES_ADVANCE,
    REASON_ALLOWS_PASSED_PAWN, /* on `square` */
    REASON_MISSES_PASSED_PAWN,
    REASON_ALLOWS_TEMPO, /* `piece` on `square` is attacked and has to move */
    REASON_MISSES_TEMPO,
    REASON_ALLOWS_SEVENTH, /* a rook on the seventh rank, on `square` */
    REASON_MISSES_SEVENTH,
    REASON_ALLOWS_DOUBLED, /* pawns, on the file of `square` */
    REASON_MISSES_DOUBLED,
    REASON_ALLOWS_ISOLATED, /* pawn on `square` */
    REASON_MISSES_ISOLATED,
    REASON_ALLOWS_BISHOP_PAIR, /* lost, while the other side has its own or keeps it */
    REASON_MISSES_BISHOP_PAIR,
    REASON_ALLOWS_QUEENS, /* the exchange of queens */
    REASON_MISSES_QUEENS,
    REASON_KIND_COUNT
} ReviewReasonKind;

enum { REASON_THREAT_MAX = 4 };

typedef struct ReviewReason {
    ReviewReasonKind kind;
    PieceType piece, other;                  /* NO_PIECE_TYPE where the kind has no use for them */
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

/* "", "inaccuracy", "mistake", "blunder"; "", "?!", "?", "??"; and the NAG, 0 for none. */
const char *review_label_name(ReviewLabel l);
const char *review_label_glyph(ReviewLabel l);
int review_label_nag(ReviewLabel l);
const char *review_phase_name(ReviewPhase p);

/* The position before move i (or, with i = count, the last one). */
void review_position(const Review *review, int i, Position *out);

/* What there is to say about move i in one or two sentences, "Blunder. Hangs the knight on f3:
 * 14...Bxf3. Better was 14.Be2."; nothing for a move that needs no words. */
void review_add_words(const Review *review, int i, Text *out);

/* One reason as a sentence with its line, as it stands in the words above. */
void review_add_reason(const Review *review, int i, int reason, Text *out);

/* The same in parts, for those who write it in another language: a text with places for the values
 * of the reason (review_words.c has them all), and the moves that belong to it. */
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

/* A score as people write it, from White's view: "+0.35", "-1.20", "#4", "#-2", and "#" for mate on
 * the board. `side` is whose view the score has. */
void review_add_score(Text *out, const ReviewScore *s, Color side);

#endif

/* FEN: lenient where dialects differ (missing counters, X-FEN, Shredder-FEN), strict elsewhere. */
#ifndef CHESS_FEN_H
#define CHESS_FEN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { FEN_SIZE = 128 };

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

typedef enum FenStyle {
    FEN_X,       /* KQkq wherever it is unambiguous, files where needed */
    FEN_SHREDDER /* always the rooks' files: HAha */
} FenStyle;

/* Reads a FEN. Castling letters KQkq and A-H a-h are accepted; chess960 is set on the position when
 * the caller asks for it or when the rights are impossible in standard chess. On failure *p is
 * unchanged and the message names the field and its text. Text after the sixth field
 * is an error. */
Status fen_parse(Position *p, Span fen, bool chess960, Message *why);

/* The first four fields, as in EPD; *rest is what follows them. */
Status fen_parse_epd(Position *p, Span line, bool chess960, Span *rest, Message *why);

/* The en passant square is written where a capture is legal. */
void fen_write(const Position *p, FenStyle style, char out[FEN_SIZE]);

/* The same with the caller's square, for programs that note it after every double step (SQ_NONE:
 * '-'). */
void fen_write_ep(const Position *p, FenStyle style, Square ep, char out[FEN_SIZE]);

/* The square that a double step passes over; SQ_NONE for any other move. */
Square fen_passed_square(const Position *before, Move m);

/* The en passant square of a FEN as it is written there; SQ_NONE if it has none. */
Square fen_ep_field(Span fen);

/* The standard start position. */
void pos_set_start(Position *p);

/* Start position number 0..959 (Scharnagl) for each side; standard chess is 518 for both. */
void pos_set_chess960(Position *p, int white, int black);

#endif

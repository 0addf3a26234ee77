/* Syzygy tablebases. A Tablebases value is opened once and may then be probed from any number of
 * threads; files are mapped on first use and checked. A damaged file counts as missing; tb_describe
 * names the refused files. */
#ifndef TB_TB_H
#define TB_TB_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef struct Tablebases Tablebases;

typedef enum TbWdl {
    TB_LOSS = -2,
    TB_BLESSED_LOSS = -1, /* lost, but drawn by the fifty-move rule */
    TB_DRAW = 0,
    TB_CURSED_WIN = 1,
    TB_WIN = 2
} TbWdl;

/* Opens every table in the directories of `paths` (separated by ':', or ';' as on Windows).
 * Directories that are missing or empty are reported in `why` (with STATUS_OK as long as one table
 * was found); no tables at all is STATUS_MISSING. */
Status tb_open(Tablebases **tb, const char *paths, Message *why);
void tb_close(Tablebases *tb);

/* Pieces (kings included) of the largest table; 0 for NULL. */
int tb_max_pieces(const Tablebases *tb);

/* One line: how many tables can be used, and which were refused and why. Checks the tables of up to
 * five pieces now; larger ones are checked on first use. */
void tb_describe(Tablebases *tb, Text *out);

/* WDL for the side to move, with the fifty-move counter at zero. False when there is no table (too
 * many pieces, castling rights, missing or damaged file). */
bool tb_probe_wdl(Tablebases *tb, const Position *p, TbWdl *wdl);

/* DTZ: plies to a zeroing move or mate, signed like wdl, 100 more for cursed wins and blessed
 * losses; -1 for checkmate. As Syzygy defines it: where a table counts moves, the true distance may
 * be one ply more. */
bool tb_probe_dtz(Tablebases *tb, const Position *p, int *dtz);

/* The rank of a root move: moves with equal rank keep the result equally well. Higher is better;
 * `wdl` is the result after the move for the side that makes it, with the fifty-move counter and
 * repetitions taken into account when rule50 is set. */
typedef struct TbRootMove {
    Move move;
    int rank;
    TbWdl wdl;
    int dtz; /* 0 without DTZ tables */
} TbRootMove;

/* Ranks every legal root move, in the order of movegen; `moves` has room for MAX_MOVES. By DTZ
 * where all tables exist, by WDL otherwise. False, and no moves, when the position is not covered
 * or has no legal move. */
bool tb_rank_moves(Tablebases *tb, const Position *p, bool rule50, TbRootMove *moves, int *count);

#endif

/* Syzygy endgame tables: own prober. A Tablebases value is opened once and may then be probed
 * from any number of threads; files are mapped on first use and checked before they are
 * trusted. A damaged file counts as missing; tb_report tells which were refused and why. */
#ifndef TB_TB_H
#define TB_TB_H

#include "base/status.h"
#include "chess/position.h"

typedef struct Tablebases Tablebases;

typedef enum TbWdl {
    TB_LOSS = -2,
    TB_BLESSED_LOSS = -1, /* lost, but the fifty-move rule saves it */
    TB_DRAW = 0,
    TB_CURSED_WIN = 1,
    TB_WIN = 2
} TbWdl;

/* Opens every table in the directories of `paths` (separated by ':', or ';' as on Windows).
 * Directories that do not exist or hold nothing are told in `why` (with STATUS_OK as long as
 * one table was found); no tables at all is STATUS_MISSING. */
Status tb_open(Tablebases **tb, const char *paths, Message *why);
void tb_close(Tablebases *tb);

int tb_max_men(const Tablebases *tb); /* men incl. kings of the largest table; 0 for NULL */
int tb_count(const Tablebases *tb);   /* how many WDL tables were found */

/* Number of files refused so far; the message of the first. */
int tb_report(Tablebases *tb, Message *first);

/* The value for the side to move, fifty-move rule at zero. False when there is no table for it
 * (too many men, castling rights, missing or damaged file). */
bool tb_probe_wdl(Tablebases *tb, const Position *p, TbWdl *wdl);

/* Distance to a zeroing move or mate in plies, signed like wdl, 100 more where the result is
 * cursed or blessed; -1 for a checkmate. As Syzygy defines it: where a table counts in moves, the
 * true distance may be one ply more. */
bool tb_probe_dtz(Tablebases *tb, const Position *p, int *dtz);

/* The worth of a root move for a player who must keep the result: moves with equal rank keep it
 * equally well. Higher is better; `wdl` is the result after the move, for the side that makes
 * it, with the fifty-move counter and repetitions taken into account when rule50 is set. */
typedef struct TbRootMove {
    Move move;
    int rank;
    TbWdl wdl;
    int dtz; /* 0 when only WDL tables were there */
} TbRootMove;

/* Ranks every legal root move, in the order of movegen; `moves` has room for MAX_MOVES. By DTZ if
 * all tables for it are there, by WDL otherwise. False, and no moves, when the position is not
 * covered or has no legal move. */
bool tb_rank_moves(Tablebases *tb, const Position *p, bool rule50, TbRootMove *moves, int *count);

#endif

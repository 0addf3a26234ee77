/* ChessBin at a console: the guide prints no session, but its texts of moves ("Nb1c3", "exd5",
 * "O-O", "e8=Q"), its FENs with the en passant square after every double step, and the two figures
 * that it keeps of a search: time and nodes. Moves are typed as squares ("e2e4"); "undo" takes the
 * last two back, which its board kept for that purpose. */
#ifndef CLASSICS_CHESSBIN_CONSOLE_H
#define CLASSICS_CHESSBIN_CONSOLE_H

#include "classics/console.h"

extern const ConsoleOps chessbin_console;

#endif

/* Someone who plays one side of match games: Castellan inside this process, or any UCI or xboard
 * program in a process of its own. Programs are not trusted: each answer has a deadline, and one
 * that does not come, or cannot be understood, is reported, never waited for. A player belongs to
 * one thread. */
#ifndef MATCH_PLAYER_H
#define MATCH_PLAYER_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "play/play.h"

#include <stdatomic.h>

enum {
    PLAYER_MAX_WORDS = 64, /* arguments, or options, of one player */
    PLAYER_NAME_SIZE = 64
};

/* What a side may use up on its moves; all zero: nothing was said. */
typedef struct PlayerLimits {
    int64_t base_ms, increment_ms; /* a clock when base_ms is not 0 */
    int moves; /* of a session: the base is added again after so many; 0: never */
    int64_t move_time_ms;
    int depth;
    uint64_t nodes;
} PlayerLimits;

bool player_limits_any(const PlayerLimits *l);

/* "40/60+0.5", "2+0.02", "1:30+1": moves a session, seconds or minutes:seconds, increment. */
Status player_read_clock(PlayerLimits *l, Span text, Message *why);

/* As a PGN tag TimeControl has it, and other limits in words: "2+0.02", "nodes 5000". */
void player_limits_text(const PlayerLimits *l, Text *out);

typedef enum PlayerKind { PLAYER_OWN, PLAYER_UCI, PLAYER_XBOARD } PlayerKind;

typedef struct PlayerOption {
    char *name, *value;
} PlayerOption;

typedef struct PlayerSpec {
    PlayerKind kind;
    char name[PLAYER_NAME_SIZE];
    char *dir;                         /* to start a program in; NULL: here */
    char *words[PLAYER_MAX_WORDS + 2]; /* of a program: itself, its arguments, NULL */
    int word_count;
    PlayerOption options[PLAYER_MAX_WORDS];
    int option_count;
    PlayerLimits limits; /* where they differ from the match's */
} PlayerSpec;

/* Reads "castellan,net=FILE,option.Threads=2" or "cmd=/usr/games/stockfish,name=SF,option.Hash=16":
 *
 *   castellan           this program, in this process (the default when there is no cmd)
 *   cmd=PATH            another program; a lone word that is not "castellan" means the same
 *   arg=WORD            one of its arguments
 *   dir=PATH            where to start it
 *   proto=uci|xboard    default: uci
 *   name=NAME           for reports and games
 *   net=FILE            the net to play with; eval=classical: without one
 *   opponent=NAME       one of the opponents (castellan opponents)
 *   elo=N               Castellan at that level of strength
 *   option.NAME=VALUE   any other option of the engine
 *   tc=, nodes=, depth=, movetime=   this player's own limits
 *
 * A comma inside a value is written "\,". */
Status player_spec_read(PlayerSpec *spec, const char *text, Message *why);
Status player_spec_add_option(PlayerSpec *spec, Span name, Span value, Message *why);
void player_spec_free(PlayerSpec *spec);

/* Does it know by itself how much to think? Opponents in this process do; others need limits. */
bool player_spec_has_effort(const PlayerSpec *spec);

/* Everything that tells this player from others, for fingerprints of matches. */
void player_spec_text(const PlayerSpec *spec, Text *out);

/* How an attempt to get a move ended. All but the first lose the game. */
typedef enum PlayerEnd {
    PLAYER_MOVED,
    PLAYER_RESIGNED,
    PLAYER_ILLEGAL, /* a move that is none, or a legal move refused */
    PLAYER_LATE,    /* the flag fell; the player is still sound */
    PLAYER_HUNG,    /* no answer, not even afterwards */
    PLAYER_CRASHED, /* the program ended */
    PLAYER_ABORTED  /* *stop was set: nobody's fault */
} PlayerEnd;

/* What a player may use on this move. */
typedef struct PlayerTurn {
    const PlayerLimits *limits;
    SearchLimits search; /* the same with the clocks as they stand */
    int64_t deadline_ns; /* from now: after this the move is late */
} PlayerTurn;

/* What the mover thinks of its move. */
typedef struct PlayerScore {
    bool is_told, is_mate;
    int value; /* mover's view: centipawns, or moves to mate */
    int depth;
} PlayerScore;

typedef struct PlayerMove {
    Move move;
    PlayerScore score;
    bool offers_draw; /* with this move */
    int64_t time_ns;  /* from the request to the answer */
    Message why;      /* what went wrong */
} PlayerMove;

typedef struct Player Player;

/* Starts it and sets its options; `hash_mb` unless an option says otherwise (0: its default). *stop
 * ends every waiting early. */
Status player_open(Player **p, const PlayerSpec *spec, int hash_mb, const atomic_bool *stop,
                   Message *why);
void player_close(Player *p); /* ends a program, by force if it must; NULL is fine */

/* One option more, between games. */
Status player_set_option(Player *p, Span name, Span value, Message *why);

/* The next game begins from `start`. On failure the player is of no more use. */
Status player_new_game(Player *p, const Position *start, const PlayerLimits *limits, Message *why);

/* Asks for a move. After PLAYER_HUNG, _CRASHED and _ILLEGAL the player should be closed. */
PlayerEnd player_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out);

/* Does it agree to a draw in the game as it stands, with the other side's last move made? Only
 * players in this process can be asked; programs never agree. */
bool player_accepts_draw(Player *p, const Play *game);

#endif

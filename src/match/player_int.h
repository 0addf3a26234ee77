/* What the kinds of players have in common, and the process two of them run in. */
#ifndef MATCH_PLAYER_INT_H
#define MATCH_PLAYER_INT_H

#include "base/child.h"
#include "base/clock.h"
#include "match/player.h"

enum {
    PLAYER_START_MS = 10000, /* a program may take so long to start, and to get ready */
    PLAYER_GRACE_MS = 2000,  /* to show signs of life after its flag has fallen */
    PLAYER_POLL_MS = 50      /* between two looks at *stop */
};

/* What each kind does for the functions of player.h; the player's first member is a Player. A
 * player is closed also when it could not be opened. */
typedef struct PlayerMethods {
    size_t size;
    Status (*open)(Player *p, const PlayerSpec *spec, int hash_mb, Message *why);
    void (*close)(Player *p);
    Status (*set_option)(Player *p, Span name, Span value, Message *why);
    Status (*new_game)(Player *p, const Position *start, const PlayerLimits *limits, Message *why);
    PlayerEnd (*move)(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out);
    bool (*accepts_draw)(Player *p, const Play *game); /* NULL: never */
} PlayerMethods;

struct Player {
    const PlayerMethods *methods;
    const atomic_bool *stop;
};

extern const PlayerMethods player_own, player_uci, player_xboard;

/* -- A program on two pipes, read line by line. -- */

typedef struct PlayerProcess {
    Child *child;
    char *buffer;
    size_t start, used; /* what is not handed out yet lies between them */
    bool overlong;      /* inside a line too long to keep: the rest of it is dropped */
    Text declared;      /* names of its options, each between line ends */
} PlayerProcess;

Status process_start(PlayerProcess *pr, const PlayerSpec *spec, Message *why);

/* Asks it to quit (with that line), waits a little, then kills it. */
void process_end(PlayerProcess *pr, const char *farewell);

/* Sends a line; false when the program is gone or does not read. */
bool process_send(PlayerProcess *pr, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool process_send_text(PlayerProcess *pr, const Text *line);

/* The next line, without its end, valid until the next call. STATUS_END: the program closed its
 * output; STATUS_MISSING: none came before `until_ns`; STATUS_STOPPED: *stop was set. */
Status process_line(PlayerProcess *pr, int64_t until_ns, const atomic_bool *stop, Span *line);

static inline int64_t process_from_now(int64_t ms)
{
    return clock_now_ns() + ms * 1000000;
}

/* The names of its options, up to some length in all. */
void process_declare(PlayerProcess *pr, Span name);
bool process_declares(const PlayerProcess *pr, Span name, bool ignoring_case);

/* The end of a game by an illegal move, or what else was said: "played 'e2e9'". */
PlayerEnd process_illegal(PlayerMove *out, const char *verb, Span text);

/* A reading failure as an end of the game. */
PlayerEnd process_end_of(Status status, PlayerMove *out);

#endif

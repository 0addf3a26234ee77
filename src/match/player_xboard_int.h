/* What the files of the xboard player share. */
#ifndef MATCH_PLAYER_XBOARD_INT_H
#define MATCH_PLAYER_XBOARD_INT_H

#include "base/clock.h"
#include "match/player_int.h"

typedef struct XboardFeatures {
    bool ping, setboard, usermove, san, memory, smp, reuse;
    bool time, frc;
    bool waits; /* done=0: it needs more time */
    bool done;
} XboardFeatures;

typedef struct XboardPlayer {
    Player base;
    const PlayerSpec *spec;
    int hash_mb;
    PlayerProcess process;
    XboardFeatures features;
    Text declared; /* names of its options, each between line ends */
    int pings, games;
    int told;     /* moves of this game that it knows */
    bool playing; /* it answers the next move without being asked */
    bool sound;   /* it may be asked to quit */
} XboardPlayer;

static inline int64_t xboard_from_now(int64_t ms)
{
    return clock_now_ns() + ms * 1000000;
}

/* Starts the conversation and reads the features until the program is ready. */
Status xboard_read_features(XboardPlayer *x, Message *why);
bool xboard_is_features(Span line, Span *rest); /* a line of features; what follows the word */
void xboard_take_features(XboardPlayer *x, Span rest);
bool xboard_has_option(const XboardPlayer *x, Span name);

#endif

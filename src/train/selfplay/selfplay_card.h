/* Self-play on the GPU, the host's part: it starts the card and writes what it plays. */
#ifndef TRAIN_SELFPLAY_CARD_H
#define TRAIN_SELFPLAY_CARD_H

#include "train/selfplay/selfplay.h"

/* See selfplay_run; `threads` of the options are threads and files that games are written with. */
Status selfplay_card_run(const SelfplayOptions *options, const atomic_bool *stop,
                         SelfplayCounts *counts, Message *why);

#endif

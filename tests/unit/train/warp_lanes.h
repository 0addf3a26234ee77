/* The lanes of a warp, one after the other (train/gpu/warp.h). */
#ifndef TESTS_TRAIN_WARP_LANES_H
#define TESTS_TRAIN_WARP_LANES_H

/* Runs `entry` once in every lane, and returns when all are through. */
void warp_run(void (*entry)(void *user), void *user);

#endif

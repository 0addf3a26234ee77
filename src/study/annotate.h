/* A review written into the game it is about. */
#ifndef STUDY_ANNOTATE_H
#define STUDY_ANNOTATE_H

#include "notation/game.h"
#include "study/review.h"

/* Adds scores ([%eval]), glyphs, words and better lines as variations to the main line, a summary
 * before the first move, and the tags ECO, Opening and Annotator where they are missing. What is
 * there stays: comments, variations, clocks, and glyphs that say good or bad; an older [%eval] is
 * replaced. To annotate twice with the same review changes nothing the second time. */
Status annotate_game(Game *g, const Review *review, Message *why);

#endif

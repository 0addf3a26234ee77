/* Commands in PGN comments: "[%clk 0:03:05] [%eval -0.35,18] a good move". */
#ifndef NOTATION_ANNOTATION_H
#define NOTATION_ANNOTATION_H

#include "base/text.h"

/* The value of the first command of that name ("clk"); false if there is none. */
bool annotation_find(Span comment, const char *name, Span *value);

/* A time such as 1:02:03, 0:59.5 or 17, in milliseconds; "clk" is the time left, "emt" the time of
 * the move, "egt" the time of the game. */
bool annotation_time(Span comment, const char *name, int64_t *ms);

/* The value of a TimeControl tag: "180+2" or "600", seconds for the game and for each move. False
 * for other kinds ("40/9000:3600", "-"). */
bool annotation_time_control(Span value, int64_t *initial_ms, int64_t *increment_ms);

/* A score from White's view. */
typedef struct AnnotationScore {
    bool is_mate;
    int value; /* centipawns, or moves to mate; negative for Black */
    int depth; /* -1: left out */
} AnnotationScore;

/* Append a command; the caller adds the separator. */
void annotation_add_clock(Text *out, int64_t ms);
void annotation_add_eval(Text *out, AnnotationScore score);

#endif

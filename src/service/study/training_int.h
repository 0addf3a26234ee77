/* When something that was learnt is asked again. */
#ifndef SERVICE_STUDY_TRAINING_INT_H
#define SERVICE_STUDY_TRAINING_INT_H

#include <stdint.h>

int64_t training_next_box(int64_t box);            /* after one more solution in a row */
int64_t training_due(int64_t box, int64_t now_ms); /* box 1 is the next day */

#endif

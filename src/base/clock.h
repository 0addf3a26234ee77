/* Monotonic time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_now_ms(void);
int64_t clock_now_ns(void);
void clock_sleep_ms(int64_t ms);

/* Milliseconds since 1970: for what is kept or told to others. It may jump; for differences take
 * the ones above. */
int64_t clock_wall_ms(void);

/* Writes the date in UTC as PGN wants it: "2026.11.15". */
enum { CLOCK_DATE_SIZE = 16 };
void clock_date(char out[CLOCK_DATE_SIZE]);

#endif

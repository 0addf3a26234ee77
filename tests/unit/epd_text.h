/* An EPD line from what was read, for tests of the reader. */
#ifndef TESTS_EPD_TEXT_H
#define TESTS_EPD_TEXT_H

#include "notation/epd.h"

/* Adds the line, without a line end. Moves are in exact SAN. */
void epd_text(const Epd *e, Text *out);

#endif

/* The elements of SVG that charts are made of. */
#ifndef BASE_SVG_H
#define BASE_SVG_H

#include "base/text.h"

/* The head of a picture with a white background, and its end. */
void svg_begin(Text *out, int width, int height, int font_size);
void svg_end(Text *out);

/* Text from outside, escaped; control characters and what is not ASCII become '?'. */
void svg_escape(Text *out, const char *text);

/* `attributes` is added as it is: "text-anchor=\"end\"", or "". */
void svg_text(Text *out, double x, double y, const char *attributes, const char *text);
void svg_line(Text *out, double x1, double y1, double x2, double y2, const char *color);

#endif

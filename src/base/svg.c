#include "base/svg.h"

void svg_begin(Text *out, int width, int height, int font_size)
{
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
              "height=\"%d\" font-family=\"sans-serif\" font-size=\"%d\" fill=\"#222\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
              width, height, width, height, font_size);
}

void svg_end(Text *out)
{
    text_add_str(out, "</svg>\n");
}

void svg_escape(Text *out, const char *text)
{
    for (; *text; text++)
        if (!text_add_entity(out, *text))
            text_add_char(out, *text >= ' ' && *text <= '~' ? *text : '?');
}

void svg_text(Text *out, double x, double y, const char *attributes, const char *text)
{
    text_addf(out, "<text x=\"%.1f\" y=\"%.1f\"%s%s>", x, y, attributes[0] ? " " : "", attributes);
    svg_escape(out, text);
    text_add_str(out, "</text>\n");
}

void svg_line(Text *out, double x1, double y1, double x2, double y2, const char *color)
{
    text_addf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1,
              y1, x2, y2, color);
}

#include "study/report_int.h"

#include "base/embed.h"

EMBED_FILE(report_pieces_data, "data/pieces.svg");
EMBED_FILE(report_style_data, "data/report.css");
EMBED_FILE(report_script_data, "data/report.js");

Span report_pieces(void)
{
    return EMBED_SPAN(report_pieces_data);
}

Span report_style(void)
{
    return EMBED_SPAN(report_style_data);
}

Span report_script(void)
{
    return EMBED_SPAN(report_script_data);
}

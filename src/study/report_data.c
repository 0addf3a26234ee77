/* As notation/opening_data.c does it: the assembler includes the files. */
#include "study/report_int.h"

#define EMBED(name_, path_)                                                           \
    __asm__(".pushsection .rodata\n"                                                  \
            ".hidden " #name_ "_begin\n.global " #name_ "_begin\n" #name_ "_begin:\n" \
            ".incbin \"" path_ "\"\n"                                                 \
            ".hidden " #name_ "_end\n.global " #name_ "_end\n" #name_ "_end:\n"       \
            ".byte 0\n"                                                               \
            ".popsection\n");                                                         \
    extern const char name_##_begin[] __attribute__((visibility("hidden")));          \
    extern const char name_##_end[] __attribute__((visibility("hidden")));

EMBED(report_pieces_data, "data/pieces.svg")
EMBED(report_style_data, "data/report.css")
EMBED(report_script_data, "data/report.js")

/* As numbers: to C these are two objects, whose distance is nobody's business. */
static Span between(const char *begin, const char *end)
{
    return (Span){begin, (size_t)((uintptr_t)end - (uintptr_t)begin)};
}

Span report_pieces(void)
{
    return between(report_pieces_data_begin, report_pieces_data_end);
}

Span report_style(void)
{
    return between(report_style_data_begin, report_style_data_end);
}

Span report_script(void)
{
    return between(report_script_data_begin, report_script_data_end);
}

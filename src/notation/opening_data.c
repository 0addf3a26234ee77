/* The assembler includes the file, so that no tool but the compiler is needed to build it in. The
 * path is relative to the root of the project, where make runs. */
#include "notation/opening_data_int.h"

__asm__(".pushsection .rodata\n"
        ".global opening_data_begin\n"
        ".hidden opening_data_begin\n"
        "opening_data_begin:\n"
        ".incbin \"data/openings.tsv\"\n"
        ".global opening_data_end\n"
        ".hidden opening_data_end\n"
        "opening_data_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const char opening_data_begin[] __attribute__((visibility("hidden")));
extern const char opening_data_end[] __attribute__((visibility("hidden")));

Span opening_data(void)
{
    /* As numbers: to C these are two objects, whose distance is nobody's business. */
    return (Span){opening_data_begin,
                  (size_t)((uintptr_t)opening_data_end - (uintptr_t)opening_data_begin)};
}

/* As notation/opening_data.c does it: the assembler includes the file. */
#include "book/book_data_int.h"

__asm__(".pushsection .rodata\n"
        ".global book_data_begin\n"
        ".hidden book_data_begin\n"
        "book_data_begin:\n"
        ".incbin \"data/book.bin\"\n"
        ".global book_data_end\n"
        ".hidden book_data_end\n"
        "book_data_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const char book_data_begin[] __attribute__((visibility("hidden")));
extern const char book_data_end[] __attribute__((visibility("hidden")));

Span book_data(void)
{
    return (Span){book_data_begin, (size_t)((uintptr_t)book_data_end - (uintptr_t)book_data_begin)};
}

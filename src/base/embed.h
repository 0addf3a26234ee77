/* Files built into the program: the assembler includes them, so that no tool but the compiler is
 * needed. Paths are relative to the root of the project, where make runs. The Makefile has a line
 * for each file that uses this: it compiles without LTO, which would not see the labels, and again
 * when the included file changes. */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include "base/text.h"

/* Defines NAME_begin and NAME_end, aligned for SIMD loads; a zero byte follows the file. The
 * assemblers for WebAssembly and Windows have no stack of sections, and the first wants the size of
 * every symbol. */
#if defined(__wasm__)
#define EMBED_FILE(name, path)                                                             \
    __asm__(".section .rodata." #name ",\"\",@\n"                                          \
            ".p2align 6\n"                                                                 \
            ".hidden " #name "_begin\n.globl " #name "_begin\n"                            \
            ".type " #name "_begin,@object\n" #name "_begin:\n"                            \
            ".incbin \"" path "\"\n"                                                       \
            ".L" #name "_last:\n.size " #name "_begin, .L" #name "_last-" #name "_begin\n" \
            ".hidden " #name "_end\n.globl " #name "_end\n"                                \
            ".type " #name "_end,@object\n" #name "_end:\n"                                \
            ".byte 0\n"                                                                    \
            ".size " #name "_end, 1\n");                                                   \
    extern const char name##_begin[] __attribute__((visibility("hidden")));                \
    extern const char name##_end[] __attribute__((visibility("hidden")))
#elif defined(_WIN32)
#define EMBED_FILE(name, path)                            \
    __asm__(".section .rdata,\"dr\"\n"                    \
            ".balign 64\n"                                \
            ".global " #name "_begin\n" #name "_begin:\n" \
            ".incbin \"" path "\"\n"                      \
            ".global " #name "_end\n" #name "_end:\n"     \
            ".byte 0\n.text\n");                          \
    extern const char name##_begin[];                     \
    extern const char name##_end[]
#else
#define EMBED_FILE(name, path)                                                     \
    __asm__(".pushsection .rodata\n"                                               \
            ".balign 64\n"                                                         \
            ".hidden " #name "_begin\n.global " #name "_begin\n" #name "_begin:\n" \
            ".incbin \"" path "\"\n"                                               \
            ".hidden " #name "_end\n.global " #name "_end\n" #name "_end:\n"       \
            ".byte 0\n"                                                            \
            ".popsection\n");                                                      \
    extern const char name##_begin[] __attribute__((visibility("hidden")));        \
    extern const char name##_end[] __attribute__((visibility("hidden")))
#endif

#define EMBED_SPAN(name) embed_span(name##_begin, name##_end)

/* As integers: to C these are two objects, whose pointers may not be subtracted. */
static inline Span embed_span(const char *begin, const char *end)
{
    return (Span){begin, (size_t)((uintptr_t)end - (uintptr_t)begin)};
}

#endif

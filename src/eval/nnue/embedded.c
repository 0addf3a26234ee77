/* The default net, put into the program byte by byte by the assembler. NET_EMBED is the file, given
 * by the Makefile for this file alone when there is one. */
#include "eval/nnue/net.h"

#ifdef NET_EMBED

__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".global castellan_net_begin\n"
        ".hidden castellan_net_begin\n"
        "castellan_net_begin:\n"
        ".incbin \"" NET_EMBED "\"\n"
        ".global castellan_net_end\n"
        ".hidden castellan_net_end\n"
        "castellan_net_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const uint8_t castellan_net_begin[] __attribute__((visibility("hidden")));
extern const uint8_t castellan_net_end[] __attribute__((visibility("hidden")));

const uint8_t *net_embedded(size_t *len)
{
    *len = (size_t)(castellan_net_end - castellan_net_begin);
    return castellan_net_begin;
}

#else

const uint8_t *net_embedded(size_t *len)
{
    *len = 0;
    return NULL;
}

#endif

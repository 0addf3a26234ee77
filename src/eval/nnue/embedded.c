/* The default net. NET_EMBED is its file, defined by the Makefile for this file alone when there is
 * one. */
#include "base/embed.h"
#include "eval/nnue/net.h"

#ifdef NET_EMBED
EMBED_FILE(castellan_net, NET_EMBED);

const uint8_t *net_embedded(size_t *len)
{
    Span net = EMBED_SPAN(castellan_net);
    *len = net.len;
    return (const uint8_t *)net.at;
}
#else
const uint8_t *net_embedded(size_t *len)
{
    *len = 0;
    return NULL;
}
#endif

#include "train/gpu/gpu_host.h"

#include "base/random.h"
#include "eval/score.h"

#include <string.h>

_Static_assert((int)G_EVAL_MAX == (int)SCORE_EVAL_MAX && (int)G_NO_SCORE == (int)SCORE_NONE &&
                   (int)G_MATE == (int)SCORE_MATE,
               "scores of the card are scores");
_Static_assert(sizeof(GPosition) % 8 == 0 && sizeof(GPosition) <= 8 * WARP_LANES,
               "a lane copies eight bytes");
_Static_assert(offsetof(GPosition, by_color) == 8 * G_PART_COLOR &&
                   offsetof(GPosition, key) == 8 * G_PART_KEY &&
                   offsetof(GPosition, board) == 8 * G_PART_BOARD &&
                   offsetof(GPosition, changes) == 8 * G_PART_CHANGES &&
                   offsetof(GPosition, side) == 8 * G_PARTS,
               "the parts of a position");
_Static_assert(sizeof(GEntry) == 16 && sizeof(G4) == 16, "one load");

void gpu_tables(GTables *t)
{
    memset(t->line, 0, sizeof t->line);
    for (int s = 0; s < SQUARE_COUNT; s++) {
        for (int to = 0; to < SQUARE_COUNT; to++) {
            int files = to % 8 - s % 8, ranks = to / 8 - s / 8;
            const bool on[G_LINES] = {!ranks, !files, files == ranks, files == -ranks};
            for (int i = 0; i < G_LINES; i++)
                t->line[i][s] |= on[i] && to != s ? bb_of((Square)to) : 0;
        }
        t->knight[s] = attacks_knight((Square)s);
        t->king[s] = attacks_king((Square)s);
    }
}

void gpu_random_keys(uint64_t *keys)
{
    Random random;
    random_seed(&random, G_KEYS);
    for (int i = 0; i < G_KEYS; i++)
        keys[i] = random_next(&random);
}

void gpu_position(GPosition *to, const Position *p, const uint64_t *keys)
{
    memset(to, 0, sizeof *to);
    memset(to->board, G_NO_PIECE << 4 | G_NO_PIECE, sizeof to->board);
    for (int i = 0; i < G_TYPES; i++)
        to->by_type[i] = p->by_type[i];
    for (int i = 0; i < COLOR_COUNT; i++)
        to->by_color[i] = p->by_color[i];
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = p->board[s];
        to->board[s / 8] ^= (uint32_t)(G_NO_PIECE ^ piece) << 4 * (s % 8);
        to->key ^= piece == NO_PIECE ? 0 : keys[piece * SQUARE_COUNT + s];
    }
    for (int i = 0; i < 4; i++)
        to->changes[i] = G_NO_CHANGE;
    to->side = (uint8_t)p->side;
    to->castling = p->st.castling;
    to->ep = p->st.ep_beside;
    to->rule50 = (uint8_t)(p->st.rule50 < 255 ? p->st.rule50 : 255);
    to->in_check = pos_in_check(p);
    to->key ^= g_state_key(keys, to->castling, to->ep) ^ (p->side == BLACK ? keys[G_KEY_SIDE] : 0);
}

const char *gpu_net_refused(const Net *net)
{
    if (net->sizes.hidden != G_HIDDEN || net->sizes.layers != 0)
        return "self-play on the GPU needs a net of 768 neurons without layers";
    return NULL;
}

size_t gpu_net_weights(const Net *net)
{
    return (size_t)net->sizes.king_buckets * FEATURE_COUNT * G_HIDDEN;
}

static const G4 *as_parts(const int16_t *weights)
{
    return (const G4 *)(const void *)weights;
}

GNet gpu_net(const Net *net, int16_t *negated)
{
    const double centipawn = (double)G_QA * net->qb;
    GNet to = {.rows = as_parts(net->ft_weights),
               .negated = as_parts(negated),
               .bias = as_parts(net->ft_bias),
               .output = as_parts(net->out_weights),
               .output_bias = net->out_bias,
               .buckets = net->sizes.buckets,
               .scale = net->scale,
               .centipawn = centipawn,
               .per_centipawn = 1 / centipawn};
    for (size_t i = 0; i < gpu_net_weights(net); i++)
        negated[i] = (int16_t)-net->ft_weights[i];
    for (int s = 0; s < SQUARE_COUNT; s++)
        to.king_bucket[s] = (uint8_t)feature_king_bucket(net->sizes.king_buckets, WHITE, (Square)s);
    return to;
}

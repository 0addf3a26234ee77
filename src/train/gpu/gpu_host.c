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

static Bitboard line_of(int square, int file_step, int rank_step)
{
    Bitboard line = 0;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int file = square % 8, rank = square / 8;;) {
            file += sign * file_step;
            rank += sign * rank_step;
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                break;
            line |= bb_of(square_make(file, rank));
        }
    return line;
}

void gpu_tables(GTables *t)
{
    static const int steps[G_LINES][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int s = 0; s < SQUARE_COUNT; s++) {
        for (int i = 0; i < G_LINES; i++)
            t->line[i][s] = line_of(s, steps[i][0], steps[i][1]);
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

void gpu_negate(int16_t *to, const Net *net)
{
    for (size_t i = 0; i < gpu_net_weights(net); i++)
        to[i] = (int16_t)-net->ft_weights[i];
}

void gpu_king_buckets(uint8_t *to, const Net *net)
{
    for (int s = 0; s < SQUARE_COUNT; s++)
        to[s] = (uint8_t)feature_king_bucket(net->sizes.king_buckets, WHITE, (Square)s);
}

#include "train/sample.h"

#include "base/job.h"
#include "chess/setup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(Sample) == 32, "samples are kept by the hundred million");

/* -- One position -- */

void sample_pack(Sample *s, const Position *p, Score score, Result result)
{
    *s = (Sample){.score = (int16_t)score};
    Color us = p->side;
    Bitboard occupied = pos_occupied(p);
    s->occupied = us == WHITE ? occupied : __builtin_bswap64(occupied);
    for (Bitboard b = s->occupied; b; s->piece_count++) {
        Square there = bb_pop(&b);
        Piece piece = (Piece)(p->board[square_relative(us, there)] ^ us);
        s->pieces[s->piece_count / 2] |= (uint8_t)(piece << 4 * (s->piece_count % 2));
    }
    s->king[0] = square_relative(us, pos_king(p, us));
    s->king[1] = square_relative(us, pos_king(p, color_other(us)));
    s->result = (uint8_t)result_half_points(result, us);
}

static Piece piece_at(const Sample *s, int index)
{
    return s->pieces[index / 2] >> 4 * (index % 2) & 15;
}

bool sample_is_sound(const Sample *s)
{
    int kings[COLOR_COUNT] = {0}, index = 0;
    if (s->piece_count > FEATURE_MAX_ACTIVE || s->piece_count != bb_count(s->occupied))
        return false;
    for (Bitboard b = s->occupied; b; index++) {
        Square square = bb_pop(&b);
        Piece piece = piece_at(s, index);
        if (piece_type(piece) > KING)
            return false;
        if (piece_type(piece) != KING)
            continue;
        if (s->king[piece_color(piece)] != square)
            return false;
        kings[piece_color(piece)]++;
    }
    return kings[WHITE] == 1 && kings[BLACK] == 1 && s->result <= 2;
}

int sample_features(const Sample *s, int king_buckets, uint16_t us[FEATURE_MAX_ACTIVE],
                    uint16_t them[FEATURE_MAX_ACTIVE])
{
    FeatureView view_us = feature_view(king_buckets, WHITE, s->king[0]);
    FeatureView view_them = feature_view(king_buckets, BLACK, s->king[1]);
    int count = 0;
    for (Bitboard b = s->occupied; b && count < FEATURE_MAX_ACTIVE; count++) {
        Square square = bb_pop(&b);
        Piece piece = piece_at(s, count);
        us[count] = feature_index(view_us, piece, square);
        them[count] = feature_index(view_them, piece, square);
    }
    return count;
}

Status sample_position(const Sample *s, Position *p, Message *why)
{
    Setup setup;
    setup_clear(&setup);
    int index = 0;
    for (Bitboard b = s->occupied; b; index++)
        setup.board[bb_pop(&b)] = piece_at(s, index);
    return pos_set(p, &setup, why);
}

/* -- Games -- */

SampleFilter sample_filter_defaults(void)
{
    return (SampleFilter){.skip_plies = 16,
                          .max_score = 2500,
                          .held_out = 0.01,
                          .sigmoid_scale = SAMPLE_SIGMOID_SCALE};
}

void sample_set_free(SampleSet *set)
{
    free(set->at);
    *set = (SampleSet){0};
}

Status sample_set_reserve(SampleSet *set, size_t count, Message *why)
{
    if (set->count + count <= set->room)
        return STATUS_OK;
    size_t room = set->room + set->room / 2 + 4096;
    if (room < set->count + count)
        room = set->count + count;
    Sample *at = realloc(set->at, room * sizeof *at);
    if (!at)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %zu positions", room);
    set->at = at;
    set->room = room;
    return STATUS_OK;
}

bool sample_is_quiet(const Position *p, Move m)
{
    return !pos_in_check(p) && !pos_is_capture(p, m) && !move_is_promotion(m);
}

static bool passes(const Position *p, const DataPly *ply, const SampleFilter *filter)
{
    int size = ply->score < 0 ? -ply->score : ply->score;
    return (int)p->game_ply >= filter->skip_plies && sample_is_quiet(p, ply->move) &&
           ply->score != SCORE_NONE && !score_is_decisive(ply->score) && size <= filter->max_score;
}

/* -- Scores that know what came after -- */

/* What a score may become: within what a sample's sixteen bits and the sigmoid can tell apart. */
enum { BLENDED_LEAST = 4000, BLENDED_SCALES = 5 };

static double expected_of(Score score, double sigmoid_scale)
{
    return 1 / (1 + exp(-(double)score / sigmoid_scale));
}

static Score score_of(double expected, double sigmoid_scale)
{
    double score = sigmoid_scale * log(expected / (1 - expected));
    double most = fmax(BLENDED_LEAST, BLENDED_SCALES * sigmoid_scale);
    return (Score)lround(score > most ? most : score < -most ? -most : score);
}

/* From the end of the game backwards; each score is for the side to move. */
static void blend_scores(const GameRecord *game, const SampleFilter *filter, Score *blended)
{
    Color side = game->count % 2 ? color_other(game->start.side) : game->start.side;
    double after = result_half_points(game->result, side) / 2.0;
    for (int i = game->count - 1; i >= 0; i--) {
        Score own = game->plies[i].score;
        after = 1 - after;
        if (own != SCORE_NONE)
            after = filter->blend * after +
                    (1 - filter->blend) * expected_of(own, filter->sigmoid_scale);
        blended[i] = score_of(after, filter->sigmoid_scale);
    }
}

Status sample_add_game(SampleSet *set, const GameRecord *game, const SampleFilter *filter,
                       Message *why)
{
    Status s = sample_set_reserve(set, (size_t)game->count, why);
    if (s != STATUS_OK)
        return s;
    Score blended[DATA_MAX_PLIES];
    if (filter->blend > 0)
        blend_scores(game, filter, blended);
    Position p = game->start;
    for (int i = 0; i < game->count; i++) {
        const DataPly *ply = &game->plies[i];
        Score score = filter->blend > 0 ? blended[i] : ply->score;
        if (passes(&p, ply, filter))
            sample_pack(&set->at[set->count++], &p, score, game->result);
        Undo undo;
        pos_make(&p, ply->move, &undo);
    }
    return STATUS_OK;
}

bool sample_is_held_out(const GameRecord *game, const SampleFilter *filter)
{
    uint64_t h = game->start.st.key;
    for (int i = 0; i < game->count; i++) {
        h = (h ^ game->plies[i].move) * 0x9e3779b97f4a7c15ULL;
        h ^= h >> 29;
    }
    return (double)(h >> 11) * 0x1p-53 < filter->held_out;
}

/* -- Files -- */

typedef struct Load Load;

/* What a file gave; put together in order afterwards. */
typedef struct Part {
    Load *load;
    SampleSet train, held_out;
} Part;

struct Load {
    char **paths;
    int count;
    Part *parts;
    const SampleFilter *filter;
    const atomic_bool *stop;
    SampleCounts *counts;
};

static Status take_game(void *user, const GameRecord *game, Message *why)
{
    Part *part = user;
    const SampleFilter *filter = part->load->filter;
    if (filter->max_count && part->train.count >= filter->max_count)
        return STATUS_END;
    SampleSet *set = sample_is_held_out(game, filter) ? &part->held_out : &part->train;
    size_t before = set->count;
    Status s = sample_add_game(set, game, filter, why);
    atomic_fetch_add(&part->load->counts->games, 1);
    atomic_fetch_add(&part->load->counts->positions, set->count - before);
    return s;
}

static Status read_file(void *user, int index, Message *why)
{
    Load *load = user;
    Part *part = &load->parts[index];
    DataFileCounts file = {0};
    GameRecord *game = malloc(sizeof *game);
    if (!game)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    part->load = load;
    Status s = data_read_file(load->paths[index], game, take_game, part, load->stop, &file, why);
    atomic_fetch_add(&load->counts->damaged, file.damaged);
    free(game);
    return s;
}

static Status append(SampleSet *to, const SampleSet *from, size_t limit, Message *why)
{
    size_t count = from->count;
    if (limit && to->count + count > limit)
        count = limit - to->count;
    Status s = sample_set_reserve(to, count, why);
    if (s == STATUS_OK && count) {
        memcpy(to->at + to->count, from->at, count * sizeof *to->at);
        to->count += count;
    }
    return s;
}

static Status join_parts(Load *load, Status s, SampleSet *train, SampleSet *held_out, Message *why)
{
    for (int i = 0; i < load->count; i++) {
        if (s == STATUS_OK)
            s = append(train, &load->parts[i].train, load->filter->max_count, why);
        if (s == STATUS_OK)
            s = append(held_out, &load->parts[i].held_out, 0, why);
        sample_set_free(&load->parts[i].train);
        sample_set_free(&load->parts[i].held_out);
    }
    return s;
}

Status sample_load(SampleSet *train, SampleSet *held_out, const char *dir_or_file,
                   const SampleFilter *filter, int threads, const atomic_bool *stop,
                   SampleCounts *counts, Message *why)
{
    Load load = {.filter = filter, .stop = stop, .counts = counts};
    Status s = data_files(&load.paths, &load.count, dir_or_file, DATA_SUFFIX, why);
    if (s != STATUS_OK)
        return s;
    load.parts = calloc((size_t)load.count + 1, sizeof *load.parts);
    if (load.parts) {
        s = job_parts(read_file, &load, load.count, threads, stop, why);
        s = join_parts(&load, s, train, held_out, why);
    } else {
        s = status_fail(why, STATUS_MEMORY, "not enough memory for %d files", load.count);
    }
    free(load.parts);
    data_files_free(load.paths, load.count);
    if (s == STATUS_OK && train->count == 0)
        s = status_fail(why, STATUS_INVALID, "%s: no training positions", dir_or_file);
    return s;
}

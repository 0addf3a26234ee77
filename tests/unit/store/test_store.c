#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/store.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Place {
    char dir[64], file[96];
} Place;

static int make_place(void **state)
{
    Place *p = calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/castellan-store-XXXXXX");
    if (!p || !mkdtemp(p->dir))
        return -1;
    snprintf(p->file, sizeof p->file, "%s/t.db", p->dir);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    Place *p = *state;
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[128];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", p->file, ends[i]);
        unlink(name);
    }
    rmdir(p->dir);
    free(p);
    return 0;
}

static Store *opened(const Place *p)
{
    Store *s;
    Message why;
    if (store_open(&s, p->file, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return s;
}

static void ok(Status s, const Message *why)
{
    if (s != STATUS_OK)
        fail_msg("%s", why->text);
}

static StorePlayer ada(Store *s)
{
    Message why;
    StorePlayer p = {
        .name = "Ada",
        .created = 5,
        .seen = 6,
        .rating = 1500,
        .deviation = 350,
        .volatility = 0.06,
    };
    ok(store_player_add(s, &p, &why), &why);
    return p;
}

static StoreGame example(int64_t player)
{
    StoreGame g = {.player = player,
                   .kind = STORE_PLAY,
                   .version = 1,
                   .you = WHITE,
                   .has_clock = true,
                   .initial_ms = 300000,
                   .increment_ms = 3000,
                   .clock_ms = {300000, 299000},
                   .turn_at = 77,
                   .seed = UINT64_MAX,
                   .rated = true,
                   .offer = -1,
                   .created = 1000,
                   .updated = 1001};
    snprintf(g.start_fen, sizeof g.start_fen, "%s", FEN_START);
    snprintf(g.fen, sizeof g.fen, "%s", FEN_START);
    g.side[WHITE] = (StoreSide){.kind = SIDE_HUMAN, .name = "Ada", .title = "Ada", .rating = 1500};
    g.side[BLACK] =
        (StoreSide){.kind = SIDE_LEVEL, .name = "level", .title = "Level 1200", .elo = 1200};
    return g;
}

/* -- Players -- */

static void keeps_players(void **state)
{
    Message why;
    Store *s = opened(*state);
    StorePlayer p = ada(s), q, twice = p;
    assert_int_equal(store_player_add(s, &twice, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "Ada"));
    p.rating = 1543.5;
    ok(store_player_save(s, &p, &why), &why);
    ok(store_rating_add(s, p.id, &(StoreRating){9, 3, 1543.5, 300}, &why), &why);
    store_close(s);
    s = opened(*state);
    ok(store_player_load(s, p.id, &q, &why), &why);
    assert_string_equal(q.name, "Ada");
    assert_true(q.rating == 1543.5 && q.volatility == 0.06);
    assert_int_equal(store_player_load(s, p.id + 1, &q, &why), STATUS_MISSING);
    store_close(s);
}

/* -- Games -- */

typedef struct Seen {
    char moves[64];
    int64_t clocks;
    int count;
} Seen;

static Seen see_moves(Store *s, int64_t game)
{
    Message why;
    StoreMove m;
    Seen seen = {0};
    StoreRows rows = store_moves(s, game);
    while (store_next(&rows, &m)) {
        size_t at = strlen(seen.moves);
        assert_int_equal(m.ply, seen.count);
        snprintf(seen.moves + at, sizeof seen.moves - at, "%s ", m.uci);
        seen.clocks += m.clock_ms;
        seen.count++;
    }
    ok(store_rows_end(&rows, &why), &why);
    return seen;
}

static void keeps_games_and_moves(void **state)
{
    Message why;
    Store *s = opened(*state);
    StoreGame g = example(ada(s).id), h;
    ok(store_game_add(s, &g, &why), &why);
    g.plies = 1;
    g.version = 2;
    snprintf(g.last, sizeof g.last, "e2e4");
    ok(store_move_put(s, g.id, &(StoreMove){0, "e2e4", 300000, 12}, &g, &why), &why);
    ok(store_move_put(s, g.id, &(StoreMove){1, "e7e5", 299000, 1000}, NULL, &why), &why);
    ok(store_talk_add(s, g.id, &(StoreTalk){2, BLACK, "hm"}, &why), &why);
    store_close(s);

    s = opened(*state);
    StoreTalk said;
    StoreRows talk_rows = store_talk(s, g.id);
    assert_true(store_next(&talk_rows, &said) && said.ply == 2 && said.side == BLACK);
    assert_string_equal(said.text, "hm");
    ok(store_rows_end(&talk_rows, &why), &why);
    ok(store_game_load(s, g.id, &h, &why), &why);
    assert_memory_equal(&g.side, &h.side, sizeof g.side);
    assert_true(h.version == 2 && h.plies == 1 && h.seed == UINT64_MAX && h.turn_at == 77);
    assert_true(h.clock_ms[WHITE] == 300000 && h.clock_ms[BLACK] == 299000);
    assert_string_equal(h.start_fen, FEN_START);
    assert_string_equal(h.last, "e2e4");
    Seen seen = see_moves(s, g.id);
    assert_string_equal(seen.moves, "e2e4 e7e5 ");
    assert_int_equal(seen.clocks, 599000);

    h.plies = 1;
    ok(store_moves_cut(s, &h, 1, &why), &why);
    seen = see_moves(s, g.id);
    assert_string_equal(seen.moves, "e2e4 ");
    talk_rows = store_talk(s, g.id);
    assert_false(store_next(&talk_rows, &said));
    ok(store_rows_end(&talk_rows, &why), &why);
    ok(store_game_delete(s, g.id, &why), &why);
    assert_int_equal(store_game_load(s, g.id, &h, &why), STATUS_MISSING);
    assert_int_equal(see_moves(s, g.id).count, 0);
    store_close(s);
}

static int listed(Store *s, StoreFilter f)
{
    Message why;
    StoreGame g;
    int count = 0;
    int64_t total;
    f.limit = 100;
    StoreRows rows = store_games(s, &f);
    while (store_next(&rows, &g))
        count++;
    ok(store_rows_end(&rows, &why), &why);
    ok(store_count_games(s, &f, &total, &why), &why);
    assert_int_equal(count, total);
    return count;
}

static void filters_games(void **state)
{
    Message why;
    Store *s = opened(*state);
    int64_t player = ada(s).id;
    static const Result results[] = {RESULT_NONE, RESULT_WHITE_WINS, RESULT_BLACK_WINS, RESULT_DRAW,
                                     RESULT_NONE};
    for (int i = 0; i < 10; i++) {
        StoreGame g = example(player);
        g.you = i % 2;
        g.over = i / 2 > 0;
        g.result = results[i / 2];
        g.created = 100 * i;
        snprintf(g.opening, sizeof g.opening, i == 3 ? "Ruy Lopez" : "Other");
        ok(store_game_add(s, &g, &why), &why);
        StoreGame got;
        ok(store_game_load(s, g.id, &got, &why), &why);
        assert_true(got.over == g.over && got.result == g.result);
    }
    StoreGame import = example(0);
    import.kind = STORE_IMPORT;
    import.you = -1;
    ok(store_game_add(s, &import, &why), &why);
    const StoreFilter all = {.kind = -1, .color = -1, .reviewed = -1};
    StoreFilter f = all;
    assert_int_equal(listed(s, f), 11);
    f.player = player;
    assert_int_equal(listed(s, f), 10);
    f = all, f.outcome = STORE_OUTCOME_WON;
    assert_int_equal(listed(s, f), 2);
    f.outcome = STORE_OUTCOME_LOST;
    assert_int_equal(listed(s, f), 2);
    f.outcome = STORE_OUTCOME_DRAWN, f.color = BLACK;
    assert_int_equal(listed(s, f), 1);
    f = all, f.search = span_of("ruy l");
    assert_int_equal(listed(s, f), 1);
    f = all, f.search = span_of("' OR 1 = 1 --");
    assert_int_equal(listed(s, f), 0);
    f = all, f.since = 300, f.until = 600;
    assert_int_equal(listed(s, f), 3);
    f = all, f.kind = STORE_IMPORT;
    assert_int_equal(listed(s, f), 1);
    f = all, f.reviewed = 1;
    assert_int_equal(listed(s, f), 0);
    store_close(s);
}

/* -- Mistakes -- */

static void schedules_mistakes(void **state)
{
    Message why;
    Store *s = opened(*state);
    StorePlayer p = ada(s);
    StoreGame g = example(p.id);
    ok(store_game_add(s, &g, &why), &why);
    StoreMove before = {.ply = 1, .uci = "g8f6"};
    ok(store_move_put(s, g.id, &before, NULL, &why), &why);
    StoreMistake m = {.player = p.id,
                      .game = g.id,
                      .ply = 3,
                      .played = "e2e4",
                      .best = "d2d4",
                      .label = "blunder",
                      .chance = 0.5,
                      .due = 100},
                 got;
    ok(store_mistake_add(s, &m, "{\"a\":1}", &why), &why);
    StoreMistake again = m;
    again.id = 0;
    snprintf(again.best, sizeof again.best, "c2c4");
    ok(store_mistake_add(s, &again, "{\"a\":2}", &why), &why);
    assert_int_equal(again.id, m.id);
    Text detail;
    text_init(&detail);
    ok(store_mistake_load(s, m.id, &got, &detail, &why), &why);
    assert_string_equal(got.last, "g8f6");
    assert_string_equal(got.best, "c2c4");
    assert_string_equal(detail.at, "{\"a\":2}");
    text_free(&detail);
    StoreQueue q;
    ok(store_queue(s, p.id, 99, &q, &why), &why);
    assert_true(q.due == 0 && q.total == 1 && q.next == 100);
    ok(store_queue(s, p.id, 100, &q, &why), &why);
    assert_true(q.due == 1 && q.total == 1 && q.next == 0);
    StoreRows due = store_due_mistakes(s, p.id, 100, 10);
    assert_true(store_next(&due, &got) && got.id == m.id && !store_next(&due, &got));
    ok(store_rows_end(&due, &why), &why);
    ok(store_mistake_drop(s, m.id, &why), &why);
    ok(store_queue(s, p.id, 100, &q, &why), &why);
    assert_true(q.due == 0 && q.total == 0);
    store_close(s);
}

static int64_t queued(Store *s, int64_t player)
{
    Message why;
    StoreQueue q;
    ok(store_queue(s, player, 100, &q, &why), &why);
    return q.total;
}

static void withdraws_mistakes(void **state)
{
    Message why;
    Store *s = opened(*state);
    StorePlayer p = ada(s);
    StoreGame g = example(p.id);
    ok(store_game_add(s, &g, &why), &why);
    StoreMistake m = {.player = p.id, .game = g.id, .ply = 3, .label = "blunder", .due = 100};
    StoreMistake other = m;
    other.ply = 5;
    ok(store_mistake_add(s, &m, "{}", &why), &why);
    ok(store_mistake_add(s, &other, "{}", &why), &why);
    ok(store_mistake_withdraw(s, g.id, 3, &why), &why);
    ok(store_mistake_withdraw(s, g.id, 4, &why), &why);
    assert_int_equal(queued(s, p.id), 1);
    assert_int_equal(store_mistake_load(s, m.id, &m, NULL, &why), STATUS_MISSING);
    /* What the player does not want to see stays away, whatever reviews think of it in turn. */
    ok(store_mistake_drop(s, other.id, &why), &why);
    ok(store_mistake_withdraw(s, g.id, 5, &why), &why);
    ok(store_mistake_add(s, &other, "{}", &why), &why);
    assert_int_equal(queued(s, p.id), 0);
    store_close(s);
}

/* -- The file -- */

static void refuses_a_newer_file(void **state)
{
    const Place *p = *state;
    Message why;
    Store *s = opened(p);
    store_close(s);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(store_open(&s, p->file, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "newer"));
}

/* A file of the first schema has no tags yet; the rest of it stays. */
static void updates_an_older_file(void **state)
{
    const Place *p = *state;
    Message why;
    Store *s = opened(p);
    StoreGame g = example(ada(s).id), got;
    ok(store_game_add(s, &g, &why), &why);
    store_close(s);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->file, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "DROP TABLE tag; DROP TABLE guest; DROP TABLE puzzle; DROP TABLE puzzle_game; "
                     "DROP TABLE solver; DROP TABLE drill; PRAGMA user_version = 1",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    s = opened(p);
    ok(store_game_load(s, g.id, &got, &why), &why);
    ok(store_tag_put(s, g.id, &(StoreTag){"Round", "2"}, &why), &why);
    ok(store_tag_put(s, g.id, &(StoreTag){"Round", "3"}, &why), &why);
    ok(store_tag_put(s, g.id, &(StoreTag){"Annotator", "Zoe"}, &why), &why);
    Text t;
    text_init(&t);
    StoreTag tag;
    StoreRows rows = store_tags(s, g.id);
    while (store_next(&rows, &tag))
        text_addf(&t, "%s=%s;", tag.name, tag.value);
    ok(store_rows_end(&rows, &why), &why);
    assert_string_equal(t.at, "Annotator=Zoe;Round=3;");
    text_free(&t);
    store_close(s);
}

static void refuses_what_is_no_store(void **state)
{
    const Place *p = *state;
    Message why;
    Store *s;
    FILE *f = fopen(p->file, "w");
    assert_non_null(f);
    for (int i = 0; i < 200; i++)
        fputs("this is no database, and long enough to be looked at\n", f);
    fclose(f);
    assert_int_equal(store_open(&s, p->file, &why), STATUS_IO);
    assert_non_null(strstr(why.text, p->file));
}

/* A child writes moves and tells each one that is done, until it is killed somewhere: what it told
 * must be there. */
static void write_until_killed(const Place *p, int64_t game, int tell)
{
    Message why;
    Store *s;
    if (store_open(&s, p->file, &why) != STATUS_OK)
        _exit(1);
    for (int32_t ply = 0;; ply++)
        if (store_move_put(s, game, &(StoreMove){ply, "e2e4", ply, 0}, NULL, &why) != STATUS_OK ||
            write(tell, &ply, sizeof ply) != sizeof ply)
            _exit(1);
}

static void loses_nothing_when_killed(void **state)
{
    const Place *p = *state;
    Message why;
    Store *s = opened(p);
    StoreGame g = example(0);
    ok(store_game_add(s, &g, &why), &why);
    store_close(s);
    int ends[2];
    int32_t ply = -1, last = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        write_until_killed(p, g.id, ends[1]);
    }
    close(ends[1]);
    while (last < 20 && read(ends[0], &ply, sizeof ply) == sizeof ply)
        last = ply;
    kill(child, SIGKILL);
    while (read(ends[0], &ply, sizeof ply) == sizeof ply)
        last = ply;
    waitpid(child, NULL, 0);
    close(ends[0]);
    assert_true(last >= 20);
    s = opened(p);
    assert_true(see_moves(s, g.id).count >= last + 1);
    store_close(s);
}

static void undoes_what_was_not_committed(void **state)
{
    Message why;
    Store *s = opened(*state);
    StoreGame g = example(0), h;
    store_begin(s);
    ok(store_game_add(s, &g, &why), &why);
    ok(store_move_put(s, g.id, &(StoreMove){.uci = "e2e4"}, &g, &why), &why);
    assert_int_equal(store_end(s, STATUS_REFUSED, &why), STATUS_REFUSED);
    assert_int_equal(store_game_load(s, g.id, &h, &why), STATUS_MISSING);
    ok(store_set_alive(s, 5, &why), &why);
    ok(store_set_alive(s, 7, &why), &why);
    assert_int_equal(store_alive(s), 7);
    store_close(s);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLACE(keeps_players),
        WITH_PLACE(keeps_games_and_moves),
        WITH_PLACE(filters_games),
        WITH_PLACE(schedules_mistakes),
        WITH_PLACE(withdraws_mistakes),
        WITH_PLACE(refuses_a_newer_file),
        WITH_PLACE(updates_an_older_file),
        WITH_PLACE(refuses_what_is_no_store),
        WITH_PLACE(loses_nothing_when_killed),
        WITH_PLACE(undoes_what_was_not_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The file of players: what was saved comes back, and a damaged file is told and kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "levels/rating/players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    char dir[64], path[96], aside[128];
} Place;

static int make_place(void **state)
{
    static const char PATTERN[] = "/tmp/castellan-players-XXXXXX";
    Place *p = calloc(1, sizeof *p);
    memcpy(p->dir, PATTERN, sizeof PATTERN);
    if (!mkdtemp(p->dir))
        return -1;
    snprintf(p->path, sizeof p->path, "%s/players", p->dir);
    snprintf(p->aside, sizeof p->aside, "%s.damaged-1", p->path);
    *state = p;
    return 0;
}

static int clear_place(void **state)
{
    Place *p = *state;
    unlink(p->path);
    unlink(p->aside);
    rmdir(p->dir);
    free(p);
    return 0;
}

/* By the lines of the file, which has one before them and one behind. */
static int count_players(const Players *players, const char *path)
{
    Message why;
    char *bytes;
    size_t len;
    int lines = 0;
    assert_int_equal(players_save(players, &why), STATUS_OK);
    assert_int_equal(file_read(&bytes, &len, path, 1 << 20, &why), STATUS_OK);
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    free(bytes);
    return lines - 2;
}

static void save_two(const char *path)
{
    Message why;
    Players *players;
    PlayerRecord *r;
    assert_int_equal(players_open(&players, path, &why), STATUS_OK);
    assert_int_equal(count_players(players, path), 0);
    assert_int_equal(players_find(players, span_of("  Ada Lovelace "), &r, &why), STATUS_OK);
    r->strength = (Glicko){1234.5, 88.25, 0.0599};
    r->wins = 7;
    r->draws = 2;
    assert_int_equal(players_find(players, span_of("Jos\xc3\xa9"), &r, &why), STATUS_OK);
    r->losses = 3;
    assert_int_equal(players_save(players, &why), STATUS_OK);
    players_close(players);
}

static void what_was_saved_comes_back(void **state)
{
    Place *at = *state;
    save_two(at->path);
    Message why;
    Players *players;
    PlayerRecord *r;
    assert_int_equal(players_open(&players, at->path, &why), STATUS_OK);
    assert_int_equal(count_players(players, at->path), 2);
    assert_int_equal(players_find(players, span_of("ada lovelace"), &r, &why), STATUS_OK);
    assert_int_equal(count_players(players, at->path), 2);
    assert_string_equal(r->name, "Ada Lovelace");
    assert_true(r->strength.rating == 1234.5 && r->strength.deviation == 88.25);
    assert_true(r->wins == 7 && r->draws == 2 && r->losses == 0);
    assert_int_equal(players_find(players, span_of("Jos\xc3\xa9"), &r, &why), STATUS_OK);
    assert_int_equal(r->losses, 3);
    players_close(players);
}

static void names_must_be_printable(void **state)
{
    Place *at = *state;
    Message why;
    Players *players;
    PlayerRecord *r;
    assert_int_equal(players_open(&players, at->path, &why), STATUS_OK);
    char wide[PLAYERS_NAME_SIZE + 1];
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 1] = 0;
    const char *const wrong[] = {"", "   ", "two\nlines", "bell\a", wide};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(players_find(players, span_of(wrong[i]), &r, &why), STATUS_INVALID);
    assert_int_equal(count_players(players, at->path), 0);
    players_close(players);
}

/* Every byte of a good file changed or the file cut there: told, and the damaged bytes kept. */
static void expect_damage(const Place *at, const char *bytes, size_t len)
{
    Message why;
    Players *players;
    assert_int_equal(file_write_atomic(at->path, bytes, len, &why), STATUS_OK);
    assert_int_equal(players_open(&players, at->path, &why), STATUS_INVALID);
    assert_non_null(players);
    assert_non_null(strstr(why.text, at->aside));
    char *kept;
    size_t kept_len;
    assert_int_equal(file_read(&kept, &kept_len, at->aside, 1 << 20, &why), STATUS_OK);
    assert_int_equal(kept_len, len);
    assert_memory_equal(kept, bytes, len);
    free(kept);
    assert_int_equal(access(at->path, F_OK), -1);
    assert_int_equal(count_players(players, at->path), 0); /* and life goes on */
    players_close(players);
    unlink(at->aside);
}

static void damage_is_told_and_kept(void **state)
{
    Place *at = *state;
    save_two(at->path);
    Message why;
    char *bytes;
    size_t len;
    assert_int_equal(file_read(&bytes, &len, at->path, 1 << 20, &why), STATUS_OK);
    for (size_t i = 0; i < len; i += 7) {
        bytes[i] ^= 1;
        expect_damage(at, bytes, len);
        bytes[i] ^= 1;
        expect_damage(at, bytes, i);
    }
    free(bytes);
    expect_damage(at, "castellan players 1\n1e999 1 1 1 1 1 x\n", 38);
}

static void an_older_damage_is_not_overwritten(void **state)
{
    Place *at = *state;
    Message why;
    Players *players;
    assert_int_equal(file_write_atomic(at->aside, "old", 3, &why), STATUS_OK);
    assert_int_equal(file_write_atomic(at->path, "new", 3, &why), STATUS_OK);
    assert_int_equal(players_open(&players, at->path, &why), STATUS_INVALID);
    players_close(players);
    char *kept;
    size_t len;
    assert_int_equal(file_read(&kept, &len, at->aside, 100, &why), STATUS_OK);
    assert_string_equal(kept, "old");
    free(kept);
    char second[128];
    snprintf(second, sizeof second, "%s.damaged-2", at->path);
    assert_int_equal(unlink(second), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_saved_comes_back, make_place, clear_place),
        cmocka_unit_test_setup_teardown(names_must_be_printable, make_place, clear_place),
        cmocka_unit_test_setup_teardown(damage_is_told_and_kept, make_place, clear_place),
        cmocka_unit_test_setup_teardown(an_older_damage_is_not_overwritten, make_place,
                                        clear_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

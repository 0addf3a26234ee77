/* Files read whole, and written so that a reader never sees a half. */
#include "base/file.h"
#include "base/state_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/castellan-file-XXXXXX";
static char paths[4][64];

static const char *in_folder(int slot, const char *name)
{
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", folder, name);
    return paths[slot];
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "link"};
    for (int i = 0; i < 3; i++)
        unlink(in_folder(0, names[i]));
    return rmdir(folder);
}

static void expect_content(const char *path, const char *text)
{
    char *bytes;
    size_t len;
    Message why;
    assert_int_equal(file_read(&bytes, &len, path, 1000, &why), STATUS_OK);
    assert_int_equal(len, strlen(text));
    assert_string_equal(bytes, text);
    free(bytes);
}

static void writes_and_replaces(void **state)
{
    (void)state;
    Message why;
    const char *a = in_folder(0, "a");
    assert_int_equal(file_write_atomic(a, "first", 5, &why), STATUS_OK);
    expect_content(a, "first");
    assert_int_equal(chmod(a, 0600), 0);
    assert_int_equal(file_write_atomic(a, "second one", 10, &why), STATUS_OK);
    expect_content(a, "second one");
    struct stat s;
    assert_int_equal(stat(a, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600); /* the rights stay */
}

static void writes_texts(void **state)
{
    (void)state;
    Message why;
    Text text;
    const char *a = in_folder(0, "a");
    text_init(&text);
    text_add_str(&text, "of a text");
    assert_int_equal(file_write_text(a, &text, &why), STATUS_OK);
    expect_content(a, "of a text");
    text_init(&text);
    text.failed = true; /* as when memory ran out: the file stays as it was */
    assert_int_equal(file_write_text(a, &text, &why), STATUS_MEMORY);
    expect_content(a, "of a text");
}

static void follows_a_link(void **state)
{
    (void)state;
    Message why;
    const char *a = in_folder(0, "a"), *link = in_folder(1, "link");
    assert_int_equal(symlink(a, link), 0);
    assert_int_equal(file_write_atomic(link, "third", 5, &why), STATUS_OK);
    expect_content(a, "third");
    struct stat s;
    assert_int_equal(lstat(link, &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_true(file_is_same(a, link));
    assert_false(file_is_same(a, NULL));
    assert_int_equal(file_keep_apart(link, a, &why), STATUS_INVALID);
}

static void refuses_with_a_reason(void **state)
{
    (void)state;
    char *bytes;
    size_t len;
    Message why;
    const char *a = in_folder(0, "a"), *missing = in_folder(1, "nowhere/file");
    assert_int_equal(file_read(&bytes, &len, missing, 1000, &why), STATUS_MISSING);
    assert_int_not_equal(file_read(&bytes, &len, a, 2, &why), STATUS_OK); /* larger than allowed */
    assert_int_not_equal(file_write_atomic(missing, "x", 1, &why), STATUS_OK);
    assert_int_not_equal(file_check_place(missing, &why), STATUS_OK);
    assert_int_equal(file_check_place(a, &why), STATUS_OK);
    expect_content(a, "third");
}

static void maps(void **state)
{
    (void)state;
    Message why;
    FileMap map;
    const char *b = in_folder(0, "b");
    assert_int_equal(file_write_atomic(b, "bytes", 5, &why), STATUS_OK);
    assert_int_equal(file_map(&map, b, &why), STATUS_OK);
    assert_int_equal(map.len, 5);
    assert_memory_equal(map.at, "bytes", 5);
    file_unmap(&map);
    assert_int_equal(file_map(&map, in_folder(1, "none"), &why), STATUS_MISSING);
}

/* A mapped file that is truncated reads as zeros where it was cut, and that is counted. */
static void survives_truncation(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16 };
    static char bytes[SIZE];
    Message why;
    FileMap map;
    const char *path = in_folder(0, "cut");
    memset(bytes, 7, sizeof bytes);
    assert_int_equal(file_write_atomic(path, bytes, sizeof bytes, &why), STATUS_OK);
    assert_int_equal(file_map(&map, path, &why), STATUS_OK);
    unsigned before = file_lost_pages();
    assert_int_equal(map.at[SIZE - 1], 7);
    assert_int_equal(file_lost_pages(), before);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(map.at[50], 7);
    assert_int_equal(map.at[SIZE - 1], 0);
    assert_int_equal(file_lost_pages(), before + 1);
    assert_int_equal(map.at[SIZE - 2], 0);
    assert_int_equal(file_lost_pages(), before + 1);
    file_unmap(&map);
    assert_int_equal(remove(path), 0);
}

static bool is_seven(void *state, Span text)
{
    Span rest;
    return state_line(&text, "seven", &rest) && state_count(&rest, state) &&
           *(uint64_t *)state == 7;
}

static void reads_state_files(void **state)
{
    (void)state;
    Message why;
    uint64_t number = 0;
    const char *a = in_folder(0, "a");
    assert_int_equal(file_write_atomic(a, "seven 7\n", 8, &why), STATUS_OK);
    assert_int_equal(state_read(a, "a seven", is_seven, &number, &why), STATUS_OK);
    assert_int_equal(number, 7);
    assert_int_equal(file_write_atomic(a, "seven 8\n", 8, &why), STATUS_OK);
    assert_int_equal(state_read(a, "a seven", is_seven, &number, &why), STATUS_INVALID);
    assert_non_null(strstr(why.text, "/a: not a seven, or damaged"));
}

static void makes_folders(void **state)
{
    (void)state;
    Message why;
    struct stat info;
    const char *inner = in_folder(0, "x/y/z"), *a = in_folder(1, "a");
    for (int i = 0; i < 2; i++) /* the second time they are there */
        assert_int_equal(file_make_folders(inner, 0700, &why), STATUS_OK);
    assert_int_equal(stat(inner, &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_int_equal(rmdir(inner) + rmdir(in_folder(0, "x/y")) + rmdir(in_folder(0, "x")), 0);
    assert_int_equal(file_make_folders("", 0700, &why), STATUS_INVALID);
    assert_int_equal(file_write_atomic(a, "", 0, &why), STATUS_OK);
    assert_int_equal(file_make_folders(in_folder(0, "a/b"), 0700, &why), STATUS_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_replaces),
        cmocka_unit_test(writes_texts),
        cmocka_unit_test(follows_a_link),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(maps),
        cmocka_unit_test(survives_truncation),
        cmocka_unit_test(reads_state_files),
        cmocka_unit_test(makes_folders),
    };
    return cmocka_run_group_tests_name("base/file", tests, make_folder, remove_folder);
}

/* The file of a game: its tags, its name, and finding it again. */
#include "base/clock.h"
#include "base/file.h"
#include "notation/annotation.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"
#include "term/table_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_A_SECOND = 100, COPIES_A_DAY = 1000, STAMP_SIZE = 32 };

/* -- Tags -- */

static Status set_tag(Table *t, const char *name, const char *value, Message *why)
{
    return game_set_tag(t->game, span_of(name), span_of(value), why);
}

static Status tag_seat(Table *t, Color c, Message *why)
{
    static const char *const names[COLOR_COUNT][3] = {{"White", "WhiteType", "WhiteSeat"},
                                                      {"Black", "BlackType", "BlackSeat"}};
    char title[SEAT_NAME_SIZE], words[SEAT_NAME_SIZE];
    seat_title(&t->spec[c], title);
    seat_write(&t->spec[c], words);
    Status s = set_tag(t, names[c][0], title, why);
    if (s == STATUS_OK)
        s = set_tag(t, names[c][1], t->spec[c].human ? "human" : "program", why);
    if (s == STATUS_OK)
        s = set_tag(t, names[c][2], words, why);
    return s;
}

Status table_tag(Table *t, Message *why)
{
    char date[CLOCK_DATE_SIZE], time[64] = "-";
    clock_date(date);
    if (t->time.base_ms)
        snprintf(time, sizeof time, "%lld+%lld", (long long)t->time.base_ms / 1000,
                 (long long)t->time.increment_ms / 1000);
    Status s = set_tag(t, "Event", "Casual game", why);
    if (s == STATUS_OK && !game_tag(t->game, "Date"))
        s = set_tag(t, "Date", date, why);
    if (s == STATUS_OK)
        s = set_tag(t, "TimeControl", time, why);
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        s = tag_seat(t, c, why);
    return s;
}

static void read_time(Table *t)
{
    const char *text = game_tag(t->game, "TimeControl");
    int64_t base, increment;
    const char *plus = text ? strchr(text, '+') : NULL;
    t->time = (TableTime){0};
    if (plus && span_to_int64((Span){text, (size_t)(plus - text)}, 1, 1000000, &base) &&
        span_to_int64(span_of(plus + 1), 0, 100000, &increment))
        t->time = (TableTime){base * 1000, increment * 1000};
}

Status table_read_tags(Table *t, Message *why)
{
    static const char *const names[COLOR_COUNT] = {"WhiteSeat", "BlackSeat"};
    static const char *const people[COLOR_COUNT] = {"White", "Black"};
    for (Color c = WHITE; c <= BLACK; c++) {
        const char *words = game_tag(t->game, names[c]), *name = game_tag(t->game, people[c]);
        SeatSpec wanted = t->spec[c];
        Status s = words ? seat_read(span_of(words), &t->spec[c], why) : STATUS_OK;
        t->spec[c].level = wanted.level;
        t->spec[c].seed = wanted.seed;
        if (t->spec[c].human && name && name[0])
            snprintf(t->person, sizeof t->person, "%.*s", SEAT_NAME_SIZE - 1, name);
        if (s != STATUS_OK) {
            message_prefix(why, "%s: ", names[c]);
            return s;
        }
    }
    read_time(t);
    return STATUS_OK;
}

/* -- Clocks -- */

void table_note_clock(Table *t, Color mover)
{
    Text text;
    Message why;
    if (!t->time.base_ms)
        return;
    text_init(&text);
    annotation_add_clock(&text, t->left_ms[mover]);
    if (game_set_comment(t->game, t->last, (Span){text.at, text.len}, &why) != STATUS_OK)
        table_remark(t, "%s", why.text);
    text_free(&text);
}

int64_t table_noted_clock(const Table *t, const GameNode *n, Color c)
{
    Color first = game_start(t->game)->side;
    int64_t ms;
    for (; n->parent; n = n->parent) {
        Color mover = game_ply(n) % 2 ? first : color_other(first);
        if (mover == c && n->after && annotation_time(span_of(n->after), "clk", &ms))
            return ms;
    }
    return t->time.base_ms;
}

/* -- Writing -- */

Status table_make_folder(const char *path, Message *why)
{
    char part[TABLE_PATH_SIZE];
    size_t len = strlen(path);
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return status_fail(why, STATUS_IO, "%.200s: %s", part, strerror(errno));
    }
    return STATUS_OK;
}

/* "2026-11-15-061443.pgn", with a number when that second has a game already. */
static Status choose_name(Table *t, Message *why)
{
    char stamp[STAMP_SIZE], number[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || !strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local))
        return status_fail(why, STATUS_IO, "the time of day is not known");
    for (int i = 2; i <= NAMES_A_SECOND; i++) {
        int len = snprintf(t->path, sizeof t->path, "%s/%s%s.pgn", t->folder, stamp, number);
        if (len < 0 || (size_t)len >= sizeof t->path)
            return status_fail(why, STATUS_IO, "%.100s...: the path is too long", t->folder);
        if (access(t->path, F_OK) != 0)
            return STATUS_OK;
        snprintf(number, sizeof number, "-%d", i);
    }
    return status_fail(why, STATUS_IO, "%.100s: too many games of one second", t->folder);
}

static Status write_game(const Table *t, const char *path, Message *why)
{
    Text text;
    text_init(&text);
    Status s = pgn_write(t->game, &text, why);
    if (s == STATUS_OK)
        s = file_write_atomic(path, text.at, text.len, why);
    text_free(&text);
    return s;
}

void table_keep(Table *t)
{
    Message why;
    if (!t->folder[0] || (!t->plies && !t->path[0]))
        return;
    Status s = t->path[0] ? STATUS_OK : table_make_folder(t->folder, &why);
    if (s == STATUS_OK && !t->path[0])
        s = choose_name(t, &why);
    if (s == STATUS_OK)
        s = write_game(t, t->path, &why);
    if (s == STATUS_OK) {
        t->saving_failed = false;
        return;
    }
    if (!t->saving_failed)
        table_remark(t, "The game is not saved: %s", why.text);
    t->saving_failed = true;
    t->path[0] = '\0';
}

/* "castellan-2026.11.15.pgn", or with -2, -3 ... before the dot: nothing is overwritten. */
static Status fresh_name(char named[TABLE_PATH_SIZE], Message *why)
{
    char date[CLOCK_DATE_SIZE], number[16] = "";
    clock_date(date);
    for (int i = 2; i <= COPIES_A_DAY; i++) {
        snprintf(named, TABLE_PATH_SIZE, "castellan-%s%s.pgn", date, number);
        if (access(named, F_OK) != 0)
            return STATUS_OK;
        snprintf(number, sizeof number, "-%d", i);
    }
    return status_fail(why, STATUS_REFUSED, "there are %d games of today here already",
                       COPIES_A_DAY);
}

Status table_save_copy(const Table *t, Span path, char named[TABLE_PATH_SIZE], Message *why)
{
    Status s = STATUS_OK;
    if (!path.len) {
        s = fresh_name(named, why);
    } else {
        if (path.len >= TABLE_PATH_SIZE || memchr(path.at, '\0', path.len))
            return status_fail(why, STATUS_INVALID, "that is no file name");
        memcpy(named, path.at, path.len);
        named[path.len] = '\0';
        if (access(named, F_OK) == 0)
            s = status_fail(why, STATUS_REFUSED, "%s is there already: another name, please",
                            named);
    }
    return s == STATUS_OK ? write_game(t, named, why) : s;
}

/* -- Finding -- */

static int is_game(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + len - 4, ".pgn") == 0;
}

static bool sits_there(const Game *g, const char *person)
{
    static const char *const types[COLOR_COUNT] = {"WhiteType", "BlackType"};
    static const char *const names[COLOR_COUNT] = {"White", "Black"};
    bool is = false;
    for (Color c = WHITE; c <= BLACK; c++) {
        const char *type = game_tag(g, types[c]), *name = game_tag(g, names[c]);
        is |= type && name && strcmp(type, "human") == 0 && strcmp(name, person) == 0;
    }
    return is;
}

/* True with t->game and t->path set when that file holds one game that goes on. */
static bool read_unfinished(Table *t, const char *name, const char *person)
{
    Message why;
    PgnReader *r = NULL;
    int len = snprintf(t->path, sizeof t->path, "%s/%s", t->folder, name);
    if (len < 0 || (size_t)len >= sizeof t->path || pgn_open(&r, t->path, &why) != STATUS_OK)
        return false;
    bool is = game_read(t->game, r, &why) == STATUS_OK && game_result(t->game) == RESULT_NONE &&
              game_root(t->game)->child && (!person || sits_there(t->game, person));
    pgn_close(r);
    return is;
}

Status table_find_unfinished(Table *t, const char *person, Message *why)
{
    struct dirent **entries = NULL;
    /* Names begin with the time, so that their order is the order of the games. */
    int count = scandir(t->folder, &entries, is_game, alphasort);
    bool found = false;
    for (int i = count - 1; i >= 0; i--) {
        found = found || read_unfinished(t, entries[i]->d_name, person);
        free(entries[i]);
    }
    free(entries);
    if (found)
        return STATUS_OK;
    return status_fail(why, STATUS_MISSING, "there is no unfinished game%s%.60s in %.180s",
                       person ? " of " : "", person ? person : "", t->folder);
}

static Status data_path(char out[TABLE_PATH_SIZE], const char *what, Message *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int len;
    if (data && data[0] == '/')
        len = snprintf(out, TABLE_PATH_SIZE, "%s/castellan/%s", data, what);
    else if (home && home[0] == '/')
        len = snprintf(out, TABLE_PATH_SIZE, "%s/.local/share/castellan/%s", home, what);
    else
        return status_fail(why, STATUS_MISSING, "neither XDG_DATA_HOME nor HOME is set");
    if (len < 0 || len >= TABLE_PATH_SIZE)
        return status_fail(why, STATUS_INVALID, "the name of the data directory is too long");
    return STATUS_OK;
}

Status table_folder(char out[TABLE_PATH_SIZE], Message *why)
{
    return data_path(out, "games", why);
}

Status table_players(char out[TABLE_PATH_SIZE], Message *why)
{
    return data_path(out, "players", why);
}

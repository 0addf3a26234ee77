/* The file of a game: its tags, its name and lock, and finding it again. */
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/os.h"
#include "notation/annotation.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"
#include "term/term_game_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAMES_A_SECOND = 100, COPIES_A_DAY = 1000, STAMP_SIZE = 32 };

/* -- Tags -- */

static Status set_tag(TermGame *t, const char *name, const char *value, Message *why)
{
    return game_set_tag(t->record, span_of(name), span_of(value), why);
}

static Status tag_player(TermGame *t, Color c, Message *why)
{
    static const char *const names[COLOR_COUNT][3] = {{"White", "WhiteType", "WhitePlayer"},
                                                      {"Black", "BlackType", "BlackPlayer"}};
    char title[TERM_PLAYER_NAME_SIZE], words[TERM_PLAYER_NAME_SIZE];
    term_player_title(&t->spec[c], title);
    term_player_write(&t->spec[c], words);
    Status s = set_tag(t, names[c][0], title, why);
    if (s == STATUS_OK)
        s = set_tag(t, names[c][1], t->spec[c].human ? "human" : "program", why);
    if (s == STATUS_OK)
        s = set_tag(t, names[c][2], words, why);
    return s;
}

Status term_game_tag(TermGame *t, Message *why)
{
    char date[CLOCK_DATE_SIZE], time[64] = "-";
    clock_date(date);
    if (t->play.setup.control[WHITE].base_ms)
        snprintf(time, sizeof time, "%lld+%lld",
                 (long long)t->play.setup.control[WHITE].base_ms / 1000,
                 (long long)t->play.setup.control[WHITE].increment_ms / 1000);
    Status s = set_tag(t, "Event", "Casual game", why);
    if (s == STATUS_OK && !game_tag(t->record, "Date"))
        s = set_tag(t, "Date", date, why);
    if (s == STATUS_OK)
        s = set_tag(t, "TimeControl", time, why);
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        s = tag_player(t, c, why);
    return s;
}

static TimeControl read_time(const TermGame *t)
{
    const char *text = game_tag(t->record, "TimeControl");
    int64_t base, increment;
    const char *plus = text ? strchr(text, '+') : NULL;
    if (plus && span_to_int64((Span){text, (size_t)(plus - text)}, 1, 1000000, &base) &&
        span_to_int64(span_of(plus + 1), 0, 100000, &increment))
        return (TimeControl){base * 1000, increment * 1000, 0};
    return (TimeControl){0};
}

Status term_game_read_tags(TermGame *t, TimeControl *control, Message *why)
{
    /* The last is how games of version 1 have it. */
    static const char *const names[COLOR_COUNT][3] = {{"White", "WhitePlayer", "WhiteSeat"},
                                                      {"Black", "BlackPlayer", "BlackSeat"}};
    for (Color c = WHITE; c <= BLACK; c++) {
        const char *name = game_tag(t->record, names[c][0]);
        const char *words = game_tag(t->record, names[c][1]);
        if (!words)
            words = game_tag(t->record, names[c][2]);
        TermPlayerSpec wanted = t->spec[c];
        Status s = words ? term_player_read(span_of(words), &t->spec[c], why) : STATUS_OK;
        t->spec[c].level = wanted.level;
        t->spec[c].seed = wanted.seed;
        if (t->spec[c].human && name && name[0])
            snprintf(t->person, sizeof t->person, "%.*s", TERM_PLAYER_NAME_SIZE - 1, name);
        if (s != STATUS_OK) {
            message_prefix(why, "%s: ", names[c][1]);
            return s;
        }
    }
    *control = read_time(t);
    return STATUS_OK;
}

/* -- Clocks -- */

void term_game_note_clock(TermGame *t, int64_t left_ms)
{
    Text text = text_new();
    Message why;
    annotation_add_clock(&text, left_ms);
    if (game_set_comment(t->record, t->last, (Span){text.at, text.len}, &why) != STATUS_OK)
        term_game_remark(t, "%s", why.text);
    text_free(&text);
}

int64_t term_game_noted_clock(const GameNode *n)
{
    int64_t ms;
    return n->after && annotation_time(span_of(n->after), "clk", &ms) ? ms : -1;
}

/* -- Locks -- */

/* The game's file is replaced at every move, so that the lock needs a file of its own, which goes
 * with the game. */
static void lock_name(const TermGame *t, char out[TERM_GAME_PATH_SIZE + 8])
{
    const char *name = strrchr(t->path, '/');
    snprintf(out, TERM_GAME_PATH_SIZE + 8, "%s/.%s.lock", t->folder, name ? name + 1 : "");
}

static Status lock_file(TermGame *t, Message *why)
{
    char name[TERM_GAME_PATH_SIZE + 8];
    lock_name(t, name);
    for (;;) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return status_fail(why, STATUS_IO, "%.180s: %s", name, strerror(errno));
        if (!file_lock(fd, 0)) {
            close(fd);
            return status_fail(why, STATUS_REFUSED,
                               "%.180s: locked by another process that plays it", t->path);
        }
        /* Somebody may have removed the file before we locked it: the lock would bind nobody. */
        if (file_is_at(fd, name)) {
            t->lock_fd = fd;
            return STATUS_OK;
        }
        close(fd);
    }
}

void term_game_forget_file(TermGame *t)
{
    char name[TERM_GAME_PATH_SIZE + 8];
    lock_name(t, name);
    if (t->lock_fd >= 0) {
        unlink(name);
        close(t->lock_fd);
    }
    t->lock_fd = -1;
    t->path[0] = '\0';
}

/* -- Writing -- */

/* Creates the file, so that nobody else takes the name; false when there is one already. */
static bool reserve(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* "2026-11-15-061443.pgn", with a number when that second has a game already. */
static Status choose_name(TermGame *t, Message *why)
{
    char stamp[STAMP_SIZE], number[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || !strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local))
        return status_fail(why, STATUS_IO, "the system time is not available");
    for (int i = 2; i <= NAMES_A_SECOND; i++) {
        int len = snprintf(t->path, sizeof t->path, "%s/%s%s.pgn", t->folder, stamp, number);
        if (len < 0 || (size_t)len >= sizeof t->path)
            return status_fail(why, STATUS_IO, "%.100s...: the path is too long", t->folder);
        if (reserve(t->path))
            return lock_file(t, why);
        if (errno != EEXIST)
            return status_fail(why, STATUS_IO, "%.180s: %s", t->path, strerror(errno));
        snprintf(number, sizeof number, "-%d", i);
    }
    return status_fail(why, STATUS_IO, "%.100s: %d games were started in this second", t->folder,
                       NAMES_A_SECOND);
}

static Status write_game(const TermGame *t, const char *path, Message *why)
{
    Text text = text_new();
    Status s = pgn_write(t->record, &text, why);
    if (s == STATUS_OK)
        s = file_write_atomic(path, text.at, text.len, why);
    text_free(&text);
    return s;
}

void term_game_save(TermGame *t)
{
    Message why;
    if (!t->folder[0] || (!t->play.count && !t->path[0]))
        return;
    Status s = t->path[0] ? STATUS_OK : file_make_folders(t->folder, 0777, &why);
    if (s == STATUS_OK && !t->path[0])
        s = choose_name(t, &why);
    if (s == STATUS_OK)
        s = write_game(t, t->path, &why);
    if (s == STATUS_OK) {
        t->saving_failed = false;
        return;
    }
    if (!t->saving_failed)
        term_game_remark(t, "The game is not saved: %s", why.text);
    t->saving_failed = true;
    term_game_forget_file(t);
}

/* "castellan-2026.11.15.pgn", or with -2, -3 ... before the dot: nothing is overwritten. */
static Status fresh_name(char named[TERM_GAME_PATH_SIZE], Message *why)
{
    char date[CLOCK_DATE_SIZE], number[16] = "";
    clock_date(date);
    for (int i = 2; i <= COPIES_A_DAY; i++) {
        snprintf(named, TERM_GAME_PATH_SIZE, "castellan-%s%s.pgn", date, number);
        if (reserve(named))
            return STATUS_OK;
        if (errno != EEXIST)
            return status_fail(why, STATUS_IO, "%.180s: %s", named, strerror(errno));
        snprintf(number, sizeof number, "-%d", i);
    }
    return status_fail(why, STATUS_REFUSED, "%d games of today already exist here", COPIES_A_DAY);
}

Status term_game_save_copy(const TermGame *t, Span path, char named[TERM_GAME_PATH_SIZE],
                           Message *why)
{
    Status s = STATUS_OK;
    if (!path.len) {
        s = fresh_name(named, why);
    } else {
        if (path.len >= TERM_GAME_PATH_SIZE || memchr(path.at, '\0', path.len))
            return status_fail(why, STATUS_INVALID, "invalid file name");
        memcpy(named, path.at, path.len);
        named[path.len] = '\0';
        if (!reserve(named))
            s = status_fail(why, errno == EEXIST ? STATUS_REFUSED : STATUS_IO,
                            errno == EEXIST ? "%.180s already exists" : "%.180s: cannot be created",
                            named);
    }
    return s == STATUS_OK ? write_game(t, named, why) : s;
}

/* -- Finding -- */

static bool is_game(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && name[0] != '.' && strcmp(name + len - 4, ".pgn") == 0;
}

/* Names begin with the time, so that their order is the order of the games. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_player_of(const Game *g, const char *person)
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

/* True with t->record and t->path set when that file has an unfinished game. */
static bool read_unfinished(TermGame *t, const char *name, const char *person)
{
    Message why;
    PgnReader *r = NULL;
    int len = snprintf(t->path, sizeof t->path, "%s/%s", t->folder, name);
    if (len < 0 || (size_t)len >= sizeof t->path || pgn_open(&r, t->path, NULL, &why) != STATUS_OK)
        return false;
    bool is = game_read(t->record, r, &why) == STATUS_OK && game_result(t->record) == RESULT_NONE &&
              game_root(t->record)->child && (!person || is_player_of(t->record, person));
    pgn_close(r);
    return is;
}

/* The file is read again under the lock: its game may have ended meanwhile. STATUS_MISSING: try
 * another. */
static Status take_unfinished(TermGame *t, const char *name, const char *person, Message *why)
{
    if (!read_unfinished(t, name, person))
        return STATUS_MISSING;
    Status s = lock_file(t, why);
    if (s == STATUS_OK && !read_unfinished(t, name, person)) {
        term_game_forget_file(t);
        return STATUS_MISSING;
    }
    return s;
}

Status term_game_find_unfinished(TermGame *t, const char *person, Message *why)
{
    char **names = NULL;
    size_t count = 0, room = 0;
    DIR *dir = opendir(t->folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (is_game(e->d_name) && memory_grow(&names, sizeof *names, count, &room) &&
            (names[count] = strdup(e->d_name)))
            count++;
    if (dir)
        closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    Status s = STATUS_MISSING;
    while (count--) {
        if (s == STATUS_MISSING)
            s = take_unfinished(t, names[count], person, why);
        free(names[count]);
    }
    free(names);
    if (s != STATUS_MISSING)
        return s;
    return status_fail(why, STATUS_MISSING, "there is no unfinished game%s%.60s in %.180s",
                       person ? " of " : "", person ? person : "", t->folder);
}

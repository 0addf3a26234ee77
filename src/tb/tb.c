/* The registry of tables: which files exist, and the state of each from unread to ready or refused.
 * */
#include "tb/tb_int.h"

#include "base/os.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REFUSALS_BYTES = 4096, CHECK_AT_ONCE_MEN = 5 };

/* -- Names and material -- */

static unsigned key_shift(Color c, PieceType t)
{
    return 4u * (unsigned)(t + KING * c);
}

TbKey tb_key_of(const Position *p)
{
    TbKey key = 0;
    for (Color c = WHITE; c < COLOR_COUNT; c++)
        for (PieceType t = PAWN; t < KING; t++)
            key |= (TbKey)bb_count(pos_pieces(p, c, t)) << key_shift(c, t);
    return key;
}

static void complete_material(TbMaterial *m)
{
    const uint8_t *white = m->count[WHITE], *black = m->count[BLACK];
    for (PieceType t = PAWN; t < KING; t++) {
        m->key |= (TbKey)white[t] << key_shift(WHITE, t) | (TbKey)black[t] << key_shift(BLACK, t);
        m->mirror |= (TbKey)black[t] << key_shift(WHITE, t) | (TbKey)white[t]
                                                                  << key_shift(BLACK, t);
        m->has_unique |= white[t] == 1 || black[t] == 1;
    }
    m->symmetric = m->key == m->mirror;
    m->has_pawns = white[PAWN] || black[PAWN];
    /* The side with fewer pawns leads the encoding, unless it has none. */
    bool white_leads = !black[PAWN] || (white[PAWN] && white[PAWN] <= black[PAWN]);
    m->lead = white_leads ? WHITE : BLACK;
}

/* One side of a name: K, then the other pieces from queen to pawn. Returns the length, 0 on error.
 * */
static int read_side(const char *name, uint8_t *count)
{
    static const char letters[] = "PNBRQ";
    if (name[0] != 'K')
        return 0;
    count[KING] = 1;
    int len = 1;
    for (int t = QUEEN; t >= PAWN; t--)
        while (len < TB_PIECES_MAX && name[len] == letters[t]) {
            count[t]++;
            len++;
        }
    return len;
}

/* True when the sides are in the order of names: more pieces first, then the stronger difference.
 * */
static bool in_order(const TbMaterial *m, int white_pieces, int black_pieces)
{
    if (white_pieces != black_pieces)
        return white_pieces > black_pieces;
    for (int t = QUEEN; t >= PAWN; t--)
        if (m->count[WHITE][t] != m->count[BLACK][t])
            return m->count[WHITE][t] > m->count[BLACK][t];
    return true;
}

/* "KQvKR.rtbw" to material and kind; false for other names. */
static bool read_name(const char *name, TbMaterial *m, TbKind *kind)
{
    *m = (TbMaterial){0};
    int white = read_side(name, m->count[WHITE]);
    if (!white || name[white] != 'v')
        return false;
    int black = read_side(name + white + 1, m->count[BLACK]);
    m->pieces = white + black;
    if (!black || m->pieces < 3 || m->pieces > TB_PIECES_MAX || !in_order(m, white, black))
        return false;
    const char *suffix = name + m->pieces + 1;
    *kind = strcmp(suffix, tb_file_suffix(TB_KIND_DTZ)) == 0 ? TB_KIND_DTZ : TB_KIND_WDL;
    if (strcmp(suffix, tb_file_suffix(*kind)) != 0)
        return false;
    complete_material(m);
    return true;
}

/* -- Listing directories -- */

static TbTable *table_for(Tablebases *tb, const TbMaterial *m, const char *name)
{
    for (int i = 0; i < tb->table_count; i++)
        if (tb->tables[i].material.key == m->key)
            return &tb->tables[i];
    TbTable *grown = realloc(tb->tables, (size_t)(tb->table_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    tb->tables = grown;
    TbTable *t = &grown[tb->table_count++];
    memset(t, 0, sizeof *t);
    memcpy(t->name, name, (size_t)m->pieces + 1);
    t->material = *m;
    for (int k = 0; k < TB_KIND_COUNT; k++)
        atomic_init(&t->files[k].state, TB_FILE_ABSENT);
    return t;
}

/* Adds a file, unless an earlier directory has it. False when memory ran out. */
static bool note_file(Tablebases *tb, const char *name, const char *directory, FileMap bytes,
                      int *found)
{
    TbMaterial m;
    TbKind kind;
    if (!read_name(name, &m, &kind))
        return true;
    ++*found;
    TbTable *t = table_for(tb, &m, name);
    if (!t)
        return false;
    TbFile *f = &t->files[kind];
    if (atomic_load_explicit(&f->state, memory_order_relaxed) != TB_FILE_ABSENT)
        return true;
    f->directory = directory;
    f->bytes = bytes;
    atomic_store_explicit(&f->state, TB_FILE_UNREAD, memory_order_relaxed);
    if (kind == TB_KIND_WDL) {
        tb->wdl_count++;
        if (m.pieces > tb->max_pieces)
            tb->max_pieces = m.pieces;
    }
    return true;
}

/* Keeps the first problem only. */
static void set_first_message(Message *why, const char *directory, const char *what)
{
    if (why && !why->text[0])
        status_fail(why, STATUS_MISSING, "%s: %s", directory, what);
}

static bool note_directory(Tablebases *tb, char *directory, Message *why)
{
    char **grown = realloc(tb->directories, (size_t)(tb->directory_count + 1) * sizeof *grown);
    if (!grown) {
        free(directory);
        return false;
    }
    tb->directories = grown;
    tb->directories[tb->directory_count++] = directory;

    DIR *dir = opendir(directory);
    if (!dir) {
        set_first_message(why, directory, strerror(errno));
        return true;
    }
    bool fine = true;
    int found = 0;
    for (struct dirent *entry; fine && (entry = readdir(dir)) != NULL;)
        fine = note_file(tb, entry->d_name, directory, (FileMap){0}, &found);
    closedir(dir);
    if (found == 0)
        set_first_message(why, directory, "contains no tablebase files");
    return fine;
}

/* -- Finding by material -- */

enum {
    SLOT_BITS = 13,
    SLOT_COUNT = 1 << SLOT_BITS
}; /* 1511 tables of at most 7 pieces, two keys each */

static unsigned slot_of(TbKey key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15ULL >> (64 - SLOT_BITS));
}

static void fill_slot(Tablebases *tb, TbKey key, int table)
{
    unsigned at = slot_of(key);
    while (tb->slots[at])
        at = (at + 1) % SLOT_COUNT;
    tb->slots[at] = (uint16_t)(table + 1);
}

static bool build_slots(Tablebases *tb)
{
    tb->slots = calloc(SLOT_COUNT, sizeof *tb->slots);
    if (!tb->slots)
        return false;
    for (int i = 0; i < tb->table_count; i++) {
        const TbMaterial *m = &tb->tables[i].material;
        fill_slot(tb, m->key, i);
        if (!m->symmetric)
            fill_slot(tb, m->mirror, i);
    }
    return true;
}

TbTable *tb_find(const Tablebases *tb, const Position *p)
{
    TbKey key = tb_key_of(p);
    for (unsigned at = slot_of(key); tb->slots[at]; at = (at + 1) % SLOT_COUNT) {
        TbTable *t = &tb->tables[tb->slots[at] - 1];
        if (t->material.key == key || t->material.mirror == key)
            return t;
    }
    return NULL;
}

/* -- File states -- */

static void refuse(Tablebases *tb, TbFile *f, const Message *why)
{
    tb->refused++;
    if (tb->refusals.len < MAX_REFUSALS_BYTES)
        text_addf(&tb->refusals, "%s%s", tb->refusals.len ? "; " : "", why->text);
    atomic_store_explicit(&f->state, TB_FILE_REFUSED, memory_order_release);
}

static TbFileState first_use(Tablebases *tb, TbTable *t, TbKind kind)
{
    TbFile *f = &t->files[kind];
    mutex_lock(&tb->lock);
    /* Another thread may have mapped it first. */
    if (atomic_load_explicit(&f->state, memory_order_relaxed) == TB_FILE_UNREAD) {
        Message why;
        if (tb_file_load(f, t, kind, &tb->maps, &why) == STATUS_OK)
            atomic_store_explicit(&f->state, TB_FILE_READY, memory_order_release);
        else
            refuse(tb, f, &why);
    }
    TbFileState state = (TbFileState)atomic_load_explicit(&f->state, memory_order_relaxed);
    mutex_unlock(&tb->lock);
    return state;
}

TbFile *tb_use(Tablebases *tb, TbTable *t, TbKind kind)
{
    TbFile *f = &t->files[kind];
    TbFileState state = (TbFileState)atomic_load_explicit(&f->state, memory_order_acquire);
    if (state == TB_FILE_UNREAD)
        state = first_use(tb, t, kind);
    return state == TB_FILE_READY ? f : NULL;
}

void tb_file_refuse(Tablebases *tb, TbTable *t, TbKind kind, const char *reason)
{
    TbFile *f = &t->files[kind];
    mutex_lock(&tb->lock);
    /* Other threads may be reading it: the bytes stay mapped until tb_close. */
    if (atomic_load_explicit(&f->state, memory_order_relaxed) == TB_FILE_READY) {
        Message why;
        status_fail(&why, STATUS_INVALID, "%s%s: %s", t->name, tb_file_suffix(kind), reason);
        refuse(tb, f, &why);
    }
    mutex_unlock(&tb->lock);
}

/* -- The interface -- */

static Tablebases *new_registry(Message *why)
{
    Tablebases *tb = calloc(1, sizeof *tb);
    if (why)
        why->text[0] = '\0';
    if (tb) {
        mutex_init(&tb->lock);
        text_init(&tb->refusals);
        tb_index_build(&tb->maps);
        tb->lost_pages = file_lost_pages();
    }
    return tb;
}

static Status finish_open(Tablebases **out, Tablebases *tb, bool fine, Message *why)
{
    *out = NULL;
    if (!fine || !build_slots(tb)) {
        tb_close(tb);
        return status_fail(why, STATUS_MEMORY, "tablebases: not enough memory");
    }
    if (tb->wdl_count == 0) {
        tb_close(tb);
        if (why && why->text[0])
            return STATUS_MISSING;
        return status_fail(why, STATUS_MISSING, "tablebases: no WDL files found");
    }
    *out = tb;
    return STATUS_OK;
}

Status tb_open(Tablebases **out, const char *paths, Message *why)
{
    Tablebases *tb = new_registry(why);
    bool fine = tb != NULL;
    while (fine && *paths) {
        size_t len = strcspn(paths, OS_PATH_SEPARATORS);
        char *directory = len ? strndup(paths, len) : NULL;
        if (len)
            fine = directory && note_directory(tb, directory, why);
        paths += len + (paths[len] != '\0');
    }
    return finish_open(out, tb, fine, why);
}

Status tb_open_bytes(Tablebases **out, const TbBytes *files, int count, Message *why)
{
    Tablebases *tb = new_registry(why);
    bool fine = tb != NULL;
    int found = 0;
    for (int i = 0; fine && i < count; i++)
        fine =
            note_file(tb, files[i].file_name, NULL, (FileMap){files[i].at, files[i].len}, &found);
    return finish_open(out, tb, fine, why);
}

void tb_close(Tablebases *tb)
{
    if (!tb)
        return;
    for (int i = 0; i < tb->table_count; i++)
        for (int k = 0; k < TB_KIND_COUNT; k++)
            tb_file_free(&tb->tables[i].files[k]);
    for (int i = 0; i < tb->directory_count; i++)
        free(tb->directories[i]);
    free(tb->directories);
    free(tb->tables);
    free(tb->slots);
    text_free(&tb->refusals);
    mutex_free(&tb->lock);
    free(tb);
}

int tb_max_pieces(const Tablebases *tb)
{
    return tb ? tb->max_pieces : 0;
}

/* Neither missing nor refused so far. */
static bool is_usable(TbTable *t, TbKind kind)
{
    int state = atomic_load(&t->files[kind].state);
    return state == TB_FILE_UNREAD || state == TB_FILE_READY;
}

void tb_describe(Tablebases *tb, Text *out)
{
    int count[TB_KIND_COUNT] = {0}, pieces = 0;
    for (int i = 0; i < tb->table_count; i++) {
        TbTable *t = &tb->tables[i];
        for (int k = 0; k < TB_KIND_COUNT; k++) {
            if (t->material.pieces <= CHECK_AT_ONCE_MEN)
                tb_use(tb, t, (TbKind)k);
            count[k] += is_usable(t, (TbKind)k);
        }
        if (is_usable(t, TB_KIND_WDL) && t->material.pieces > pieces)
            pieces = t->material.pieces;
    }
    mutex_lock(&tb->lock);
    text_addf(out, "%d WDL and %d DTZ tables", count[TB_KIND_WDL], count[TB_KIND_DTZ]);
    if (pieces)
        text_addf(out, ", up to %d pieces", pieces);
    if (tb->refused)
        text_addf(out, "; %d refused: %s", tb->refused, tb->refusals.at);
    mutex_unlock(&tb->lock);
}

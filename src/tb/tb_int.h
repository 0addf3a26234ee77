/* What the files of this folder share.
 *
 * The road of a probe: tb_probe.c resolves captures and asks tb.c for the table of the material;
 * tb_file.c maps and checks its file on first use; tb_index.c turns the position into a number;
 * tb_decode.c unpacks the value stored under that number.
 *
 * A man is written as the files write it: type + 1, plus 8 for Black, where "White" is the side
 * named first in the file's name. */
#ifndef TB_TB_INT_H
#define TB_TB_INT_H

#include "base/file.h"
#include "base/thread.h"
#include "tb/tb.h"

#include <stdatomic.h>

enum {
    TB_MEN_MAX = 7,        /* no larger tables exist */
    TB_CODE_BITS_MAX = 32, /* the longest code word of a symbol */
    TB_SYMBOLS_MAX = 4096, /* 12 bits name a symbol */
    TB_FILES_MAX = 4,      /* tables with pawns have a part for each of the files a to d */
    TB_NAME_SIZE = 16,     /* "KQRBvKRN" and a zero */
    TB_FOOT_BYTES = 16     /* every file ends with a checksum of this size */
};

typedef enum TbKind { TB_KIND_WDL, TB_KIND_DTZ, TB_KIND_COUNT } TbKind;

/* -- Material -- */

/* The men of both sides without the kings: four bits for each count. */
typedef uint64_t TbKey;

typedef struct TbMaterial {
    TbKey key, mirror; /* as the name says, and with the colours exchanged */
    uint8_t count[COLOR_COUNT][PIECE_TYPE_COUNT];
    int men;         /* with the kings */
    bool has_pawns;  /* these tables are cut in four by the leading pawn's file */
    bool has_unique; /* a man other than a king is the only one of his kind */
    bool symmetric;  /* both sides have the same: only White to move is stored */
    Color lead;      /* whose pawns lead the encoding */
} TbMaterial;

TbKey tb_key_of(const Position *p);

/* -- Numbering positions -- */

/* Orders of squares and numbers of arrangements; see tb_index.c. */
typedef struct TbMaps {
    uint64_t choose[TB_MEN_MAX][SQUARE_COUNT]; /* [k][n]: ways to choose k of n */
    uint8_t triangle[SQUARE_COUNT];            /* a1-d1-d4 as 0 .. 9, the diagonal last */
    uint8_t below[SQUARE_COUNT];               /* the squares below a1-h8 as 0 .. 27 */
    uint16_t kings[10][SQUARE_COUNT];          /* both kings as 0 .. 461 */
    uint8_t pawn[SQUARE_COUNT];                /* the rank of a pawn's square among the leaders */
    uint32_t lead_index[TB_MEN_MAX][SQUARE_COUNT];
    uint32_t lead_size[TB_MEN_MAX][TB_FILES_MAX];
} TbMaps;

/* How one part of a table numbers its positions. */
typedef struct TbShape {
    uint8_t man[TB_MEN_MAX];       /* in the order they are encoded, equal men together */
    uint8_t group[TB_MEN_MAX + 1]; /* sizes of the groups numbered as one; ends with 0 */
    uint64_t factor[TB_MEN_MAX];   /* by which the number of each group is multiplied */
    uint64_t size;                 /* every number is smaller */
} TbShape;

/* A position as a table sees it: the colours and ranks may be exchanged. */
typedef struct TbView {
    const Position *p;
    bool flip;
    int side;                  /* 0: the table's White is to move */
    int file;                  /* the part for this file of the leading pawn, 0 without pawns */
    Square square[TB_MEN_MAX]; /* the leading pawns are set, the leader first */
} TbView;

void tb_index_build(TbMaps *maps);

/* Fills s->group, factor and size from s->man, which must hold the men of the material. `order`
 * tells which groups count fastest, as the file gives it. False when men or order make no
 * sense. */
bool tb_index_shape(const TbMaps *maps, const TbMaterial *m, const int order[2], int file,
                    TbShape *s);

void tb_index_view(const TbMaps *maps, const TbMaterial *m, const Position *p, TbView *view);
uint64_t tb_index_of(const TbMaps *maps, const TbMaterial *m, const TbShape *s, const TbView *view);

/* -- Files -- */

enum {
    TB_FLAG_SIDE = 1,       /* DTZ: Black's positions are stored */
    TB_FLAG_MAPPED = 2,     /* DTZ: values go through a map */
    TB_FLAG_WIN_PLIES = 4,  /* DTZ: wins are counted in plies, else in moves */
    TB_FLAG_LOSS_PLIES = 8, /* the same for losses */
    TB_FLAG_WIDE = 16,      /* DTZ: the map has 16-bit values */
    TB_FLAG_CONSTANT = 128  /* one value for all positions */
};

/* Decoded value to distance, for one result. */
typedef struct TbMap {
    const uint8_t *at;
    unsigned count;
} TbMap;

/* One compressed array. Pointers lead into the file's bytes and were checked against their end
 * for the counts given here; what the bytes say is checked when it is used. */
typedef struct TbPairs {
    TbShape shape;
    unsigned flags;
    int constant;          /* with TB_FLAG_CONSTANT */
    unsigned block_bits;   /* log2 of the bytes of a block */
    unsigned span_bits;    /* log2 of the positions from one index entry to the next */
    uint64_t index_count;  /* entries of 6 bytes: block, offset in it */
    uint64_t length_count; /* entries of 2 bytes: positions in each block, less one */
    uint64_t block_count;  /* blocks there really are, <= length_count */
    const uint8_t *index, *lengths, *blocks;
    unsigned code_min, code_count; /* the shortest code, how many lengths there are */
    uint64_t code_base[TB_CODE_BITS_MAX];
    const uint8_t *code_lowest; /* the first symbol of each length, 2 bytes each */
    unsigned symbol_count;
    const uint8_t *pairs; /* 3 bytes a symbol: the two it stands for */
    uint8_t *symbol_len;  /* how many values each stands for, less one */
    TbMap map[4];
} TbPairs;

typedef enum TbFileState {
    TB_FILE_ABSENT,
    TB_FILE_UNSEEN,
    TB_FILE_READY,
    TB_FILE_REFUSED
} TbFileState;

typedef struct TbFile {
    atomic_int state;      /* TbFileState; what follows may be read once it is TB_FILE_READY */
    const char *directory; /* NULL: absent, or its bytes came from memory */
    FileMap bytes;
    bool mapped; /* bytes are ours to unmap */
    int sides;   /* 1 or 2 parts for each file */
    int part_count;
    TbPairs *parts; /* [file * sides + side] */
} TbFile;

typedef struct TbTable {
    char name[TB_NAME_SIZE];
    TbMaterial material;
    TbFile files[TB_KIND_COUNT];
} TbTable;

/* Maps the file when it has a directory; checks every count and offset in its head. After a failure
 * nothing is held. */
Status tb_file_load(TbFile *f, const TbTable *t, TbKind kind, const TbMaps *maps, Message *why);
void tb_file_free(TbFile *f);
const char *tb_file_suffix(TbKind kind);

/* -- Values -- */

/* The value under a number; false when the compressed bytes make no sense. */
bool tb_decode(const TbPairs *d, uint64_t index, int *value);

/* -- Probing -- */

/* No castling rights, and not more men than the largest table has. */
bool tb_covers(const Tablebases *tb, const Position *p);

typedef struct TbDistance {
    int dtz;    /* as tb_probe_dtz gives it */
    bool exact; /* otherwise it may be a ply short: its table counts in moves */
} TbDistance;

bool tb_probe_distance(Tablebases *tb, const Position *p, TbDistance *d);

/* The distance before a zeroing move that leads to this result, both for the same side. */
int tb_dtz_of_zeroing(TbWdl wdl);

/* -- The registry -- */

struct Tablebases {
    TbMaps maps;
    TbTable *tables;
    int table_count;
    uint16_t *slots; /* hash of keys: table number + 1, 0 where empty */
    int wdl_count, max_men;
    char **directories;
    int directory_count;
    Mutex lock; /* for first use and for what follows */
    int refused;
    Message first_refused;
};

/* The table for the material of p, NULL if there is none. */
TbTable *tb_find(const Tablebases *tb, const Position *p);

/* The file, mapped and checked; NULL when it is missing or was refused. */
TbFile *tb_use(Tablebases *tb, TbTable *t, TbKind kind);

/* A file that passed its checks turned out damaged: it counts as missing from now on. */
void tb_condemn(Tablebases *tb, TbTable *t, TbKind kind);

/* A registry of files whose bytes are given, for tests: the bytes must outlive it. */
typedef struct TbBytes {
    const char *file_name; /* "KQvK.rtbw" */
    const uint8_t *at;
    size_t len;
} TbBytes;

Status tb_open_bytes(Tablebases **tb, const TbBytes *files, int count, Message *why);

#endif

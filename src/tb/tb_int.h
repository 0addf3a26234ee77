/* Shared by the files of this folder.
 *
 * A probe: tb_probe.c resolves captures and asks tb.c for the table of the material; tb_file.c maps
 * and checks its file on first use; tb_index.c computes the index of the position; tb_decode.c
 * decompresses the value at that index.
 *
 * Pieces are written as in the files: type + 1, plus 8 for Black, where "White" is the side named
 * first in the file name. */
#ifndef TB_TB_INT_H
#define TB_TB_INT_H

#include "base/file.h"
#include "base/thread.h"
#include "tb/tb.h"

#include <stdatomic.h>

enum {
    TB_PIECES_MAX = 7,     /* larger tables do not exist */
    TB_CODE_BITS_MAX = 32, /* longest code word */
    TB_SYMBOLS_MAX = 4096, /* symbols have 12 bits */
    TB_FILES_MAX = 4,      /* tables with pawns have a part for each of the files a to d */
    TB_NAME_SIZE = 16,     /* "KQRBvKRN" and a zero */
    TB_FOOT_BYTES = 16     /* every file ends with a checksum of this size */
};

typedef enum TbKind { TB_KIND_WDL, TB_KIND_DTZ, TB_KIND_COUNT } TbKind;

/* -- Material -- */

/* The pieces of both sides without kings: four bits for each count. */
typedef uint64_t TbKey;

typedef struct TbMaterial {
    TbKey key, mirror; /* as named, and with colours exchanged */
    uint8_t count[COLOR_COUNT][PIECE_TYPE_COUNT];
    int pieces;      /* kings included */
    bool has_pawns;  /* such tables have four parts, by the file of the leading pawn */
    bool has_unique; /* a piece other than a king is unique */
    bool symmetric;  /* symmetric: only White to move is stored */
    Color lead;      /* the side whose pawns lead the encoding */
} TbMaterial;

TbKey tb_key_of(const Position *p);

/* -- Indexing -- */

/* Square orders and combination counts; see tb_index.c. */
typedef struct TbMaps {
    uint64_t choose[TB_PIECES_MAX][SQUARE_COUNT]; /* [k][n]: binomial coefficients, k of n */
    uint8_t triangle[SQUARE_COUNT];               /* a1-d1-d4 as 0 .. 9, the diagonal last */
    uint8_t below[SQUARE_COUNT];                  /* the squares below a1-h8 as 0 .. 27 */
    uint16_t kings[10][SQUARE_COUNT];             /* both kings as 0 .. 461 */
    uint8_t pawn[SQUARE_COUNT];                   /* the order of leading pawn squares */
    uint32_t lead_index[TB_PIECES_MAX][SQUARE_COUNT];
    uint32_t lead_size[TB_PIECES_MAX][TB_FILES_MAX];
} TbMaps;

/* The encoding of one part of a table. */
typedef struct TbEncoding {
    uint8_t piece[TB_PIECES_MAX];     /* in encoding order, equal pieces adjacent */
    uint8_t group[TB_PIECES_MAX + 1]; /* group sizes; ends with 0 */
    uint64_t factor[TB_PIECES_MAX];   /* factors of the group numbers */
    uint64_t size;                    /* every index is smaller */
} TbEncoding;

/* A position as a table sees it: colours and ranks may be exchanged. */
typedef struct TbView {
    const Position *p;
    bool flip;
    int side;                     /* 0: the table's White is to move */
    int file;                     /* the part of the leading pawn's file, 0 without pawns */
    Square square[TB_PIECES_MAX]; /* the leading pawns are set, the leader first */
} TbView;

void tb_index_build(TbMaps *maps);

/* Fills s->group, factor and size from s->piece, which must hold the pieces of the material.
 * `order` is the order of the groups in the file. False when pieces or order are invalid. */
bool tb_index_encoding(const TbMaps *maps, const TbMaterial *m, const int order[2], int file,
                       TbEncoding *s);

void tb_index_view(const TbMaps *maps, const TbMaterial *m, const Position *p, TbView *view);
uint64_t tb_index_of(const TbMaps *maps, const TbMaterial *m, const TbEncoding *s,
                     const TbView *view);

/* -- Files -- */

enum {
    TB_FLAG_SIDE = 1,       /* DTZ: Black's positions are stored */
    TB_FLAG_MAPPED = 2,     /* DTZ: values are mapped */
    TB_FLAG_WIN_PLIES = 4,  /* DTZ: wins are in plies, else in moves */
    TB_FLAG_LOSS_PLIES = 8, /* the same for losses */
    TB_FLAG_WIDE = 16,      /* DTZ: the map has 16-bit values */
    TB_FLAG_CONSTANT = 128  /* one value for all positions */
};

/* Decoded value to distance, for one result. */
typedef struct TbMap {
    const uint8_t *at;
    unsigned count;
} TbMap;

/* One compressed array. Pointers lead into the file and were checked for the counts given here; the
 * bytes themselves are checked when used. */
typedef struct TbPairs {
    TbEncoding encoding;
    unsigned flags;
    int constant;          /* with TB_FLAG_CONSTANT */
    unsigned block_bits;   /* log2 of the bytes of a block */
    unsigned span_bits;    /* log2 of the positions from one index entry to the next */
    uint64_t index_count;  /* entries of 6 bytes: block, offset */
    uint64_t length_count; /* entries of 2 bytes: positions per block - 1 */
    uint64_t block_count;  /* blocks that exist, <= length_count */
    const uint8_t *index, *lengths, *blocks;
    unsigned code_min, code_count; /* shortest code length, number of lengths */
    uint64_t code_base[TB_CODE_BITS_MAX];
    const uint8_t *code_lowest; /* first symbol of each length, 2 bytes each */
    unsigned symbol_count;
    uint8_t *symbol_len;  /* values of each symbol - 1 */
    const uint8_t *pairs; /* 3 bytes per symbol: its two halves; a copy behind symbol_len */
    TbMap map[4];
} TbPairs;

typedef enum TbFileState {
    TB_FILE_ABSENT,
    TB_FILE_UNREAD,
    TB_FILE_READY,
    TB_FILE_REFUSED
} TbFileState;

typedef struct TbFile {
    atomic_int state;      /* TbFileState; the rest may be read once it is TB_FILE_READY */
    const char *directory; /* NULL: absent, or bytes given by a test */
    FileMap bytes;
    bool mapped; /* unmapped by us */
    int sides;   /* 1 or 2 parts for each file */
    int part_count;
    TbPairs *parts; /* [file * sides + side] */
} TbFile;

typedef struct TbTable {
    char name[TB_NAME_SIZE];
    TbMaterial material;
    TbFile files[TB_KIND_COUNT];
} TbTable;

/* Maps the file when it has a directory; checks every count and offset of the header. On failure
 * nothing is held. */
Status tb_file_load(TbFile *f, const TbTable *t, TbKind kind, const TbMaps *maps, Message *why);
void tb_file_free(TbFile *f);
const char *tb_file_suffix(TbKind kind);

/* -- Values -- */

/* The value at an index; false when the compressed bytes are invalid. */
bool tb_decode(const TbPairs *d, uint64_t index, int *value);

/* -- Probing -- */

/* No castling rights, and not more pieces than the largest table. */
bool tb_covers(const Tablebases *tb, const Position *p);

typedef struct TbDistance {
    int dtz;    /* as tb_probe_dtz gives it */
    bool exact; /* otherwise it may be one ply short: its table counts moves */
} TbDistance;

bool tb_probe_distance(Tablebases *tb, const Position *p, TbDistance *d);

/* The DTZ before a zeroing move that leads to this result, both for the same side. */
int tb_dtz_of_zeroing(TbWdl wdl);

/* -- The registry -- */

struct Tablebases {
    TbMaps maps;
    TbTable *tables;
    int table_count;
    uint16_t *slots; /* hash table of keys: table number + 1, 0 if empty */
    int wdl_count, max_pieces;
    char **directories;
    int directory_count;
    unsigned
        lost_pages; /* file_lost_pages() when it was opened: once it differs, nothing is trusted */
    Mutex lock;     /* guards first use and the members below */
    int refused;
    Text refusals; /* all of them, separated by "; ", as long as there are not very many */
};

/* The table for the material of p, NULL if there is none. */
TbTable *tb_find(const Tablebases *tb, const Position *p);

/* The file, mapped and checked; NULL when missing or refused. */
TbFile *tb_use(Tablebases *tb, TbTable *t, TbKind kind);

/* A checked file turned out damaged: it counts as missing from now on. */
void tb_file_refuse(Tablebases *tb, TbTable *t, TbKind kind, const char *reason);

/* A registry of files given as bytes, for tests: the bytes must outlive it. */
typedef struct TbBytes {
    const char *file_name; /* "KQvK.rtbw" */
    const uint8_t *at;
    size_t len;
} TbBytes;

Status tb_open_bytes(Tablebases **tb, const TbBytes *files, int count, Message *why);

#endif

/* EPD: a position in four fields, followed by operations: "bm Nf3; id "test 1"; acd 12;". Known
 * operations are checked (moves must be legal, numbers in range); other opcodes keep their operands
 * as words. Also accepted: move counters after the four fields, as in FEN, operations separated by
 * a leading ';' as in perft suites, and a missing ';' at the end. */
#ifndef NOTATION_EPD_H
#define NOTATION_EPD_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum {
    EPD_MAX_LINE = 64 * 1024,
    EPD_MAX_OPERATIONS = 64,
    EPD_MAX_OPERANDS = 512, /* of all operations together */
    EPD_MAX_OPCODE = 15     /* characters */
};

typedef struct EpdOperand {
    size_t at, len; /* in the text of the Epd; without quotes */
    bool quoted;    /* a string; otherwise a word: a number or a move */
} EpdOperand;

typedef struct EpdOperation {
    char opcode[EPD_MAX_OPCODE + 1];
    int first, count; /* its operands */
} EpdOperation;

typedef struct Epd {
    Position position;
    EpdOperation operations[EPD_MAX_OPERATIONS]; /* in the order of the line */
    int operation_count;
    EpdOperand operands[EPD_MAX_OPERANDS];
    int operand_count;
    Text text; /* what the operands are made of */
} Epd;

void epd_init(Epd *e); /* the start position, no operations */
void epd_free(Epd *e);

/* Reads one line. On failure e is as after epd_init, and the message names the operation. */
Status epd_read(Epd *e, Span line, bool chess960, Message *why);

/* The operation, or NULL. */
const EpdOperation *epd_find(const Epd *e, const char *opcode);

/* Operand i of an operation: 0 <= i < o->count. */
Span epd_operand(const Epd *e, const EpdOperation *o, int i);

/* The operand of that operation as a number; false if it has none. */
bool epd_number(const Epd *e, const char *opcode, int64_t *out);

/* The moves of bm, am, sm, pm or rm, or the line of pv; returns their number. */
int epd_moves(const Epd *e, const char *opcode, Move *out, int max);

#endif

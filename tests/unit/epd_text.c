#include "epd_text.h"

#include "chess/fen.h"

static void write_position(const Epd *e, Text *out)
{
    char fen[FEN_SIZE];
    fen_write(&e->position, FEN_X, fen);
    int blanks = 0;
    for (const char *c = fen; *c; c++) {
        blanks += *c == ' ';
        if (blanks == 4)
            break;
        text_add_char(out, *c);
    }
}

void epd_text(const Epd *e, Text *out)
{
    write_position(e, out);
    for (int i = 0; i < e->operation_count; i++) {
        const EpdOperation *o = &e->operations[i];
        text_addf(out, " %s", o->opcode);
        for (int k = 0; k < o->count; k++) {
            Span text = epd_operand(e, o, k);
            const char *quote = e->operands[o->first + k].quoted ? "\"" : "";
            text_add_char(out, ' ');
            text_add_str(out, quote);
            text_add(out, text.at, text.len);
            text_add_str(out, quote);
        }
        text_add_char(out, ';');
    }
}

/* Results as values. A function that can fail returns a Status and, when the caller passes a
 * Message, says there what went wrong and with which text. Nothing here prints. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdarg.h>

typedef enum Status {
    STATUS_OK,
    STATUS_END,     /* nothing more to read; not an error */
    STATUS_INVALID, /* the input breaks its format or the rules of chess */
    STATUS_MISSING, /* the named thing does not exist */
    STATUS_IO,      /* the operating system refused a read or a write */
    STATUS_MEMORY,  /* not enough memory */
    STATUS_REFUSED, /* understood, but not possible here or now */
    STATUS_STOPPED, /* interrupted by the caller */
} Status;

/* One line of explanation, always terminated, never with a newline. */
typedef struct Message {
    char text[256];
} Message;

/* Writes the message (when `why` is given) and returns `code`, so that a failing function can end
 * with `return status_fail(why, STATUS_INVALID, "...", ...)`. Control characters that came with the
 * offending input are shown as '?', so that a message cannot garble a terminal or a protocol. */
Status status_fail(Message *why, Status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The end of a function that opens something in several steps: with STATUS_OK `opened` is put into
 * *out, otherwise close(opened) takes back the steps that were done. Returns the status, which has
 * to be a variable. */
#define GIVE_OR_CLOSE(status, out, opened, close) \
    ((status) == STATUS_OK ? (*(out) = (opened), STATUS_OK) : (close(opened), (status)))

/* Puts a prefix before an existing message: "file.pgn:12: " + text. */
void message_prefix(Message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

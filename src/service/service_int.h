/* What the files of the server share.
 *
 * One lock, Service.lock, guards everything here but the outboxes: messages are handled, clocks looked
 * at and answers of the engine taken while it is held. Whatever takes long (searching, writing to a
 * socket) happens without it, on threads of the crew and of the clients. */
#ifndef SERVICE_SERVICE_INT_H
#define SERVICE_SERVICE_INT_H

#include "base/random.h"
#include "base/thread.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "notation/opening.h"
#include "opponent/opponent.h"
#include "service/assets_int.h"
#include "service/json.h"
#include "service/service.h"
#include "store/store.h"

#include <stdatomic.h>

enum {
    WEB_MAX_CLIENTS = 64,
    WEB_REQUEST_THREADS = 192, /* besides those of the clients */
    WEB_MAX_BOARDS = 64,       /* in memory; unfinished games beyond that rest on the disk */
    WEB_MAX_WATCHED = 16,      /* games one client is subscribed to */
    WEB_MAX_MESSAGE = 256 << 10,
    WEB_MAX_BODY = 16 << 20,
    WEB_OUTBOX_BYTES = 4 << 20, /* a client that lets more pile up is given up */
    WEB_MAX_LINES = 5,
    WEB_TOKEN_SIZE = 33,
    WEB_MAX_PLIES = 2000,
    WEB_MOST_FILES = 4096 /* sockets with higher numbers are not served */
};

typedef struct Service Service;
typedef struct Client Client;
typedef struct Board Board;
typedef struct Task Task;
typedef struct Crew Crew;
typedef struct Analysis Analysis;
typedef struct Reviews Reviews;
typedef struct LabDesk LabDesk;
typedef struct Syncer Syncer;

/* Connections that did not say yet what they want, and those that are being answered (wire.c). */
typedef struct Arrivals {
    atomic_int waiting, at_work;
    atomic_llong due[WEB_MOST_FILES];  /* when such an answer should be over; 0: there is none */
    atomic_bool known[WEB_MOST_FILES]; /* sockets that have sent a request */
    int port[WEB_MOST_FILES];          /* of the other end, when it was silent at the last look */
    int64_t since[WEB_MOST_FILES];     /* that was first seen */
    int64_t looked;
} Arrivals;

struct Service {
    const WebOptions *options;
    Mutex lock;
    Condition wake; /* of the thread that keeps the time */
    Store *store;
    char store_path[4096];
    Syncer *syncer;
    Openings *openings;
    Tablebases *tb;
    const Evaluator *evaluator;
    Assets assets;
    Client *clients;
    int client_count;
    int64_t client_serial;
    Arrivals arrivals;
    Board *boards;
    int board_count;
    Crew *crew;
    Reviews *reviews;
    LabDesk *lab;
    int analyses;        /* that run */
    atomic_bool closing; /* nothing new is begun */
    Random chances;
    int64_t started_wall, alive_before, alive_told;
    char token[WEB_TOKEN_SIZE];
    int port;
    int64_t failed_logins, failed_since;
};

/* -- Clients (client.c) -- */

/* A frame of a WebSocket, as far as it has come. */
typedef struct Frame {
    unsigned char head[14], mask[4];
    unsigned char control[125]; /* what a ping or a close says */
    size_t head_len;
    uint64_t left, done; /* of its payload */
} Frame;

struct Client {
    Client *next;
    Service *service;
    int64_t serial;
    /* The thread that reads for it. */
    void *link; /* civetweb's connection */
    int socket; /* of that */
    Frame frame;
    Text partial;
    bool is_partial;
    int close_code; /* told before the connection is closed; 0: none */
    /* Under Service.lock. */
    int64_t player;
    double allowance; /* messages it may still send now */
    int64_t allowance_at;
    int64_t watched[WEB_MAX_WATCHED];
    int watched_count;
    Analysis *analysis;
    /* Under its own lock. */
    Mutex lock;
    Condition changed;
    char *out[256]; /* messages that wait, a ring */
    size_t out_len[256];
    int64_t out_after[256]; /* goes out when so many changes of the store are on the disk */
    int out_first, out_count;
    size_t out_bytes;
    bool ending, dead;
    bool written; /* the writer is done */
    bool wants_ping;
    int pong_len; /* -1: no ping to answer */
    unsigned char pong[125];
    Thread writer;
};

/* Both take Service.lock. `socket` is the one under civetweb's `link`. */
Status client_open(Client **c, Service *service, void *link, int socket, Message *why);
void client_close(Client *c);
void client_end_all(
    Service *service); /* under Service.lock: their threads see the end of the connection */

void client_give_up(Client *c); /* nothing more goes out */
bool client_given_up(Client *c);
void client_ping(Client *c);
void client_pong(Client *c, const unsigned char *bytes, size_t len); /* answers the newest ping */

/* Bytes as they came (frame.c), which are changed: handles the messages that are complete; false: the
 * connection should be closed with close_code. */
bool frame_take(Client *c, char *bytes, size_t len);
void frame_serve(Client *c); /* until the connection ends */

/* Under Service.lock: puts a message into the outbox. */
void client_send(Client *c, const Text *message);
Client *client_find(Service *service, int64_t serial); /* NULL: gone */

/* True, and counted, when it may send another message now. */
bool client_may_ask(Client *c);

/* Subscriptions. */
bool client_watches(const Client *c, int64_t game);
void client_watch(Client *c, int64_t game); /* the oldest goes when there are too many */
void client_unwatch(Client *c, int64_t game);
bool web_is_watched(const Service *service, int64_t game);

/* An answer: `members` are those of data, with commas between; and an event, to all who watch the game (all clients, when
 * it is 0) but `except`. */
void client_answer(Client *c, int64_t id, const Text *members);
void client_refuse(Client *c, int64_t id, const char *code, const char *message);
void web_tell(Service *service, const char *event, int64_t game, const Client *except,
              const Text *object);

/* -- Syncing (syncer.c) -- */

Status syncer_open(Syncer **s, const char *path, Message *why);
void syncer_close(Syncer *s); /* NULL is fine; nobody waits any more */
void syncer_want(Syncer *s, int64_t changes);
bool syncer_await(Syncer *s, int64_t changes); /* which were wanted; false: the disk failed */
bool syncer_failed(Syncer *s, Message *why);   /* then nobody is told anything any more */

/* -- Messages (dispatch.c) -- */

typedef struct Request {
    Client *client;
    const Json *json;
    const JsonNode *root;
    int64_t id;
    const char *code; /* of the error, when the status alone does not say it */
} Request;

/* Handles one message, under Service.lock; false: the connection should be closed with close_code. */
bool dispatch(Client *c, Span message);

/* Fields of a request. The message names the field. */
Status request_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                   Message *why);
Status request_text(const Request *r, const char *name, Span *out, Message *why);
/* Optional ones: *out stays as it is when they are absent; false when they are there and wrong. */
Status request_maybe_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                         Message *why);
Status request_maybe_text(const Request *r, const char *name, Span *out, Message *why);
Status request_maybe_bool(const Request *r, const char *name, bool *out, Message *why);
Status request_wrong(const Request *r, const char *name, Message *why);

/* A handler adds the members of `data`. STATUS_END: the answer will come later. */
typedef Status Handler(Service *service, Request *r, Text *data, Message *why);

typedef struct HandlerRow {
    const char *name;
    Handler *run;
} HandlerRow;

/* The tables of the handlers; each ends with a row without a name. */
extern const HandlerRow handlers_of_players[], handlers_of_games[], handlers_of_lists[],
    handlers_of_analysis[], handlers_of_training[], handlers_of_reviews[], handlers_of_lab[];

/* New games (new_game.c). */
Handler new_game_handler, new_watch_handler, rematch_handler;

/* -- Positions as JSON (show_position.c) -- */

const char *color_name(int color); /* "white", "black" */
int color_read(Span text);         /* -1: neither */

/* Members "dests" and "promotions": the legal moves, or none. */
void show_moves(Text *out, const Position *p, bool any);
void show_last(Text *out, const Position *before, Move m); /* MOVE_NONE: null */
void show_last_told(Text *out, const char *uci);           /* as it was stored; empty: null */
/* "captured" (since the start) and "balance". */
void show_material(Text *out, const Position *start, const Position *p);
void show_opening(Text *out, const char *eco, const char *name);
void show_line(Text *out, const char *name, const Position *from, const Move *moves, int count);
void show_result(Text *out, const char *name, bool over, Result r, const char *reason);

/* What ended the game by the rules: the result and the reason's word; false when it goes on. */
bool rules_end(const Position *p, Result *result, const char **reason);
const char *rules_claim(const Position *p); /* NULL: nothing may be claimed */

/* Sets up fen, chess960 and moves of a request. `before` is the position before the last move. */
typedef struct Line {
    Position start, now, before;
    Move moves[WEB_MAX_PLIES];
    int count;
} Line;

Status request_line(Request *r, Line *line, Message *why);

/* -- Boards: games in memory (board.c) -- */

typedef struct BoardMove {
    Move move;
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE], fen[FEN_SIZE];
    int64_t clock_ms, spent_ms;
    int64_t late_ms; /* an answer: how long after its player wanted to move */
} BoardMove;

typedef struct BoardTalk {
    struct BoardTalk *next;
    int64_t ply;
    int side;
    char text[OPPONENT_TALK_SIZE];
} BoardTalk;

struct Board {
    Board *next;
    StoreGame g;
    Position start, now;
    BoardMove *moves;
    int count, room;
    BoardTalk *talk;
    int64_t turn_since; /* monotonic: when this turn began */
    int64_t unwatched;  /* monotonic: since when nobody looks; 0: somebody does */
    bool paused;
    bool doomed; /* deleted, and goes when its task is done */
    /* The other side. */
    Opponent *mind[COLOR_COUNT];
    OpponentRow level[COLOR_COUNT]; /* who a level is, for its mind to look at */
    Task *task;                     /* at work on a move; the mind is its own until it is done */
    bool has_reply;
    int64_t reply_at; /* monotonic: when the answer below is played */
    OpponentAnswer reply;
    bool reply_accepts; /* would take the draw that is offered */
    Score last_score;   /* of Castellan itself, its view */
    bool has_score;
    /* The hint, while the position stands. */
    int hint_ply; /* -1: none */
    Move hint;
};

Status board_new(Service *service, const StoreGame *g, Board **out, Message *why); /* stores it */
Status board_get(Service *service, int64_t id, Board **out,
                 Message *why);                /* loads it when needed */
void board_unload(Service *service, Board *b); /* not while a task is at work */
void board_unload_all(Service *service);

bool board_over(const Board *b);
bool board_clock_runs(const Board *b);
int64_t board_clock_ms(const Board *b, Color c, int64_t now_ms); /* what is left now */

/* Changes; each is stored before it is true, and wakes the other side where it is to move. */
Status board_play(Service *service, Board *b, Move m, Message *why);
Status board_finish(Service *service, Board *b, Result result, const char *reason, Message *why);
Status board_take_back(Service *service, Board *b, Message *why);
Status board_save(Service *service, Board *b, const StoreGame *changed, Message *why);

/* Ends the game when the flag of the side to move has fallen; true then. */
bool board_flag(Service *service, Board *b);

/* Makes up `g->fen`, opening and so on from the moves. */
void board_describe(Service *service, const Board *b, StoreGame *g);

/* -- The other side (opponent_turn.c) -- */

bool turn_is_human(const Board *b, Color c);
void turn_wake(Service *service, Board *b);   /* lets the other side think when it is to move */
void turn_cancel(Service *service, Board *b); /* what it thinks is not wanted any more */
void turn_keep_time(Service *service, Board *b, int64_t now,
                    int64_t *next);                          /* replies and flags that are due */
Status turn_offer(Service *service, Board *b, Message *why); /* you offer a draw */

/* -- Games as JSON (show_game.c) -- */

void show_side(Text *out, const char *name, const StoreSide *side);
void show_game(Service *service, const Board *b, Text *out, const char *name);
void show_summary(Text *out, const char *name, const StoreGame *g);
void board_tell(Service *service, const Board *b, const Client *except); /* the event */

/* -- Ratings (standing.c) -- */

int64_t standing_adaptive_elo(const StorePlayer *p);
/* Takes the result of a finished game into the player's rating and level; `g` gets its change. */
Status standing_update(Service *service, StoreGame *g, Message *why);
StorePlayer standing_new_player(Span name, int64_t now);

/* -- The crew (crew.c) -- */

typedef struct Worker Worker;

struct Task {
    Task *next;
    void (*run)(Worker *w, Task *t);         /* on a thread of the crew */
    void (*done)(Service *service, Task *t); /* under Service.lock; frees the task */
    atomic_bool stop;
};

Status crew_open(Crew **crew, Service *service, int size, Message *why);
void crew_close(Crew *crew); /* stops what is under way; every task gets its `done` */
void crew_add(Crew *crew, Task *t);
int crew_waiting(Crew *crew);

/* Castellan's own search, on the worker's session. */
EngineResult worker_search(Worker *w, const Position *p, const SearchLimits *limits,
                           const atomic_bool *stop);

/* -- Analysis (do_analysis.c) -- */

void analysis_end(Service *service, Client *c); /* NULL analysis is fine */
void analysis_flush(Service *service);          /* tells the clients what is new */

/* -- Reviews (do_review.c) -- */

Status reviews_open(Reviews **r, Service *service, Message *why);
void reviews_close(Reviews *r);
const char *reviews_state(const Service *service, const StoreGame *g); /* "none", "queued" ... */
void reviews_forget(Service *service, int64_t game);

/* -- The laboratory (do_lab.c) -- */

void lab_desk_close(LabDesk *desk); /* NULL is fine */

/* -- PGN (pgn_exchange.c) -- */

typedef struct ImportReport {
    int64_t imported, skipped;
    int64_t ids[100];
    int id_count;
    Text errors; /* JSON strings with commas */
    int error_count;
} ImportReport;

Status pgn_of_game(Store *s, int64_t id, Text *out, Message *why);
Status pgn_of_games(Store *s, const StoreFilter *f, Text *out, Message *why);
Status pgn_take(Store *s, const Openings *names, int64_t player, Span pgn, ImportReport *report,
                Message *why);
void pgn_report_json(const ImportReport *report, Text *out); /* members */

/* -- The network (server.c, wire.c, http.c) -- */

typedef struct Server Server;

/* What a frame of a WebSocket is (RFC 6455); control frames are those from OPCODE_CLOSE on. */
enum {
    OPCODE_CONTINUATION = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10
};

Status server_open(Server **s, Service *service, Message *why);
void server_close(Server *s);
bool server_write(void *link, int opcode, const char *bytes, size_t len);

/* civetweb gives its threads a hundred kilobytes of stack: what does more than pass bytes on runs on a
 * thread with room, while the caller waits. False when there is no memory for one. */
bool server_with_room(void (*run)(void *arg), void *arg);

struct mg_connection;

/* A connection comes, its first request is there, an answer begins and ends, it goes. Each thread of civetweb waits
 * three seconds for a request, and as long for each further piece of it or of room for the answer. When many threads are
 * taken, connections that are silent for a moment are ended, and those whose answer takes long, so that others come in:
 * `wire_watch` does that when it is called often. Not covered is who asks in order, again and again. */
void wire_arrives(Service *service, void **mark);
void wire_asks(Service *service, struct mg_connection *c);
int wire_socket(const struct mg_connection *c); /* after that; -1: WEB_MOST_FILES or above */
void wire_works(Service *service, const struct mg_connection *c, bool trusted);
void wire_rests(Service *service, const struct mg_connection *c);
void wire_leaves(Service *service, const struct mg_connection *c);
void wire_watch(Service *service);
void wire_end(int fd); /* so that the last words arrive, and civetweb reads nothing more */

/* True when the request may come in: host, origin. Sends the refusal otherwise. */
bool http_admits(Service *service, struct mg_connection *c, bool origin_needed);
bool http_has_token(Service *service, struct mg_connection *c);
/* Answers; returns the status. */
int http_answer(Service *service, struct mg_connection *c);
void http_refuse(struct mg_connection *c, int status, const char *text);

#endif

/* The state that all parts of the service share. Service.lock guards it: messages are handled,
 * clocks looked at and results of the threads taken while it is held. Whatever takes long happens
 * without it, in the pools. */
#ifndef SERVICE_SERVICE_INT_H
#define SERVICE_SERVICE_INT_H

#include "base/random.h"
#include "base/thread.h"
#include "book/book.h"
#include "eval/eval.h"
#include "notation/opening.h"
#include "service/service.h"
#include "store/store.h"
#include "tb/tb.h"

#include <stdatomic.h>

enum {
    SERVICE_MAX_BOARDS = 64, /* in memory; unfinished games beyond that are on the disk only */
    SERVICE_MAX_LINES = 5,
    SERVICE_MAX_HASH_MB = 1024, /* of an analysis */
    SERVICE_MAX_PLIES = 2000
};

struct Service {
    const ServiceOptions *options;
    int folder_lock;
    Mutex lock;
    Condition wake; /* of the thread that runs service_run_once */
    Store *store;
    char store_path[4096];
    bool read_only;  /* the file is damaged or the disk is full: nothing can be stored */
    Message warning; /* why */
    struct Sync *sync;
    Openings *openings;
    Book *book;
    Tablebases *tb;
    Text tables; /* what is to be said of them */
    const Evaluator *evaluator;
    ServiceClient *clients;
    int64_t client_serial;
    struct Board *boards;
    int board_count;
    struct Pool *search_pool;     /* opponents, hints: as many threads as cores */
    struct Pool *request_pool;    /* long requests */
    struct Pool *background_pool; /* reviews, the laboratory */
    struct ReviewJob *reviews;
    struct PuzzleJob *puzzles;
    struct LabJob *lab; /* the laboratory's table: computed once, when somebody first asks for it */
    int analyses;       /* that run */
    atomic_bool closing; /* nothing new is begun */
    atomic_bool freed;   /* memory that the allocator may still keep */
    Random random;
    int64_t started_wall, alive_before, alive_noted, trimmed;
};

/* A store of its own for a thread, in the service's mode. */
Status service_open_store(const Service *service, Store **out, Message *why);
int64_t service_idle_ms(const Service *service);

#endif

/* Many games reviewed side by side: what cmd_analyse.c asks for and the files behind it do. */
#ifndef APP_ANALYSE_H
#define APP_ANALYSE_H

#include "base/status.h"
#include "base/text.h"
#include "study/review.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

/* -- Output that grows game by game (analyse_out.c) -- */

/* A file that is written beside its place and gets its name when it is whole. */
typedef struct AnalyseFile {
    const char *path;    /* NULL: none */
    bool direct;         /* a device or pipe, which no other file can take the place of */
    char real[PATH_MAX]; /* what gets replaced: behind links, which stay links */
    char part[PATH_MAX];
    FILE *file;
    uint64_t length; /* of what is finished in it */
} AnalyseFile;

/* How far a run has come: what it takes to go on where it ended. */
typedef struct AnalyseState {
    uint64_t games;     /* of the source, broken ones included */
    uint64_t pgn, html; /* bytes of finished output */
    char settings[256]; /* what the run was asked for; another one cannot go on with it */
} AnalyseState;

/* Begins the file, or opens what a former run has left of it and cuts it to `length`. */
Status analyse_file_open(AnalyseFile *f, const char *path, bool resume, uint64_t length,
                         Message *why);
Status analyse_file_add(AnalyseFile *f, const Text *text, Message *why);

/* Adds `tail`, syncs, and gives the file its name. */
Status analyse_file_finish(AnalyseFile *f, const Text *tail, Message *why);

/* Closes it; what was written so far is removed or left for a later run. */
void analyse_file_drop(AnalyseFile *f, bool keep);

/* The state lies beside the output, as OUT.resume. STATUS_MISSING: there is none. */
Status analyse_state_load(AnalyseState *state, const char *out, Message *why);
Status analyse_state_save(const AnalyseState *state, const char *out, Message *why);
void analyse_state_remove(const char *out);

/* -- The work (analyse_run.c) -- */

typedef struct AnalyseJob {
    const char *source;     /* a PGN file, "-" for standard input */
    const char *out, *html; /* NULL: standard output; no page */
    int threads;
    bool resume;
    ReviewOptions options; /* for each thread's reviewer */
} AnalyseJob;

typedef struct AnalyseCounts {
    uint64_t games, moves, errors, skipped; /* skipped: finished by the run before */
} AnalyseCounts;

/* STATUS_STOPPED: *stop was set; the finished games are written. */
Status analyse_run(const AnalyseJob *job, const atomic_bool *stop, AnalyseCounts *counts,
                   Message *why);

#endif

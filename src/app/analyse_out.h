/* The output of castellan analyse, which grows game by game. */
#ifndef APP_ANALYSE_OUT_H
#define APP_ANALYSE_OUT_H

#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>

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

/* In a file of its own. */
Status analyse_state_load(AnalyseState *state, const char *path, Message *why);
Status analyse_state_save(const AnalyseState *state, const char *path, Message *why);

#endif

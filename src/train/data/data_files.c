#include "base/memory.h"
#include "train/data/data.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 4 }; /* directories within directories */

typedef struct FileList {
    const char *suffix;
    char **at;
    size_t count, room;
} FileList;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t len = strlen(name), tail = strlen(suffix);
    return len > tail && strcmp(name + len - tail, suffix) == 0;
}

/* Takes the path over. */
static bool list_add(FileList *list, char *path)
{
    if (path && memory_grow(&list->at, sizeof *list->at, list->count, &list->room)) {
        list->at[list->count++] = path;
        return true;
    }
    free(path);
    return false;
}

/* A link to a directory is not followed: it could lead in a circle. */
static bool is_directory(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool add_directory(FileList *list, const char *path, int depth)
{
    DIR *dir = opendir(path);
    if (!dir)
        return depth > 0; /* one below that may not be read is left out */
    bool fine = true;
    for (struct dirent *e; fine && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        char *full;
        if (asprintf(&full, "%s/%s", path, e->d_name) < 0)
            full = NULL;
        if (full && depth < DEEPEST && is_directory(full)) {
            fine = add_directory(list, full, depth + 1);
            free(full);
        } else if (!full || has_suffix(e->d_name, list->suffix)) {
            fine = list_add(list, full);
        } else {
            free(full);
        }
    }
    closedir(dir);
    return fine;
}

Status data_files(char ***paths, int *count, const char *dir_or_file, const char *suffix,
                  Message *why)
{
    FileList list = {.suffix = suffix};
    *paths = NULL;
    *count = 0;
    struct stat info;
    if (stat(dir_or_file, &info) != 0)
        return status_fail(why, STATUS_MISSING, "%s: %s", dir_or_file, strerror(errno));
    errno = ENOMEM;
    bool fine = S_ISDIR(info.st_mode) ? add_directory(&list, dir_or_file, 0)
                                      : list_add(&list, strdup(dir_or_file));
    if (!fine) {
        int error = errno;
        data_files_free(list.at, (int)list.count);
        return status_fail(why, STATUS_IO, "%s: %s", dir_or_file, strerror(error));
    }
    if (list.count)
        qsort(list.at, list.count, sizeof *list.at, by_name);
    *paths = list.at;
    *count = (int)list.count;
    return STATUS_OK;
}

void data_files_free(char **paths, int count)
{
    for (int i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

Status data_each_file(const char *dir_or_file, DataFile *each, void *user, Message *why)
{
    char **paths;
    int count;
    Status s = data_files(&paths, &count, dir_or_file, DATA_SUFFIX, why);
    if (s != STATUS_OK)
        return s;
    if (!count)
        s = status_fail(why, STATUS_MISSING, "%s: no data files", dir_or_file);
    for (int i = 0; i < count && s == STATUS_OK; i++)
        s = each(user, paths[i], why);
    data_files_free(paths, count);
    return s;
}

Status data_path(char out[PATH_MAX], Message *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(out, PATH_MAX, format, args);
    va_end(args);
    return len < PATH_MAX ? STATUS_OK
                          : status_fail(why, STATUS_INVALID, "%.100s...: path too long", out);
}

Status data_make_dir(const char *path, Message *why)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
    return STATUS_OK;
}

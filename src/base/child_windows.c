/* Each child is in a job object of its own, which ends what it has started when the last handle is
 * closed, ours among others. It is the root of a process group, so that Ctrl-C in the console does
 * not reach it. */
#include "base/child.h"

#include "base/text.h"

#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { PIPE_BYTES = 1 << 20 };

struct Child {
    HANDLE process, job, in;
    int out;
    Stream *stream;
};

/* As the C library of the child splits it: quotes around each word, backslashes doubled before a
 * quote. */
static void add_word(Text *line, const char *word)
{
    text_addf(line, "%s\"", line->len ? " " : "");
    for (;; word++) {
        size_t slashes = strspn(word, "\\");
        word += slashes;
        for (size_t i = 0; i < (*word && *word != '"' ? slashes : 2 * slashes); i++)
            text_addf(line, "\\");
        if (!*word)
            break;
        text_addf(line, "%s%c", *word == '"' ? "\\" : "", *word);
    }
    text_addf(line, "\"");
}

static bool open_pipe(HANDLE *read, HANDLE *write, HANDLE *inherited)
{
    SECURITY_ATTRIBUTES own = {.nLength = sizeof own};
    return CreatePipe(read, write, &own, PIPE_BYTES) &&
           SetHandleInformation(*inherited, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

/* Starts it with exactly these handles: other threads may start others at the same time. */
static DWORD start(Child *c, char *line, const char *dir, HANDLE handles[3])
{
    char buffer[256];
    SIZE_T size = sizeof buffer;
    STARTUPINFOEXA how = {.StartupInfo = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES}};
    PROCESS_INFORMATION made;
    how.StartupInfo.hStdInput = handles[0];
    how.StartupInfo.hStdOutput = handles[1];
    how.StartupInfo.hStdError = handles[2];
    how.lpAttributeList = (LPPROC_THREAD_ATTRIBUTE_LIST)buffer;
    if (!InitializeProcThreadAttributeList(how.lpAttributeList, 1, 0, &size) ||
        !UpdateProcThreadAttribute(how.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                   handles, 3 * sizeof *handles, NULL, NULL))
        return GetLastError();
    BOOL fine =
        CreateProcessA(NULL, line, NULL, NULL, TRUE,
                       EXTENDED_STARTUPINFO_PRESENT | CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED,
                       NULL, dir, &how.StartupInfo, &made);
    DWORD error = GetLastError();
    DeleteProcThreadAttributeList(how.lpAttributeList);
    if (!fine)
        return error;
    c->process = made.hProcess;
    AssignProcessToJobObject(c->job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    return 0;
}

static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectA(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* The child's ends are closed here whatever happens: else its end would never be seen. */
static DWORD start_on_pipes(Child *c, char *line, const char *dir)
{
    HANDLE handles[3] = {0}, out = NULL;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    DWORD error = ERROR_NOT_ENOUGH_MEMORY;
    handles[2] = CreateFileA("NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                             OPEN_EXISTING, 0, NULL);
    c->job = make_job();
    if (open_pipe(&handles[0], &c->in, &handles[0]) && open_pipe(&out, &handles[1], &handles[1]))
        error = start(c, line, dir, handles);
    for (int i = 0; i < 3; i++)
        if (handles[i] && handles[i] != INVALID_HANDLE_VALUE)
            CloseHandle(handles[i]);
    c->out = out ? _open_osfhandle((intptr_t)out, O_RDONLY | O_BINARY) : -1;
    return error;
}

static const char *reason(DWORD error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND
               ? "No such file or directory"
           : error == ERROR_BAD_EXE_FORMAT ? "not a program of this system"
           : error == ERROR_ACCESS_DENIED  ? "Permission denied"
           : error == ERROR_DIRECTORY      ? "no such directory to run in"
                                           : "refused by the system";
}

Status child_start(Child **out, char *const words[], const char *dir, Message *why)
{
    Child *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %s", words[0]);
    c->out = -1;
    Text line = text_new();
    for (int i = 0; words[i]; i++)
        add_word(&line, words[i]);
    DWORD error = line.failed ? ERROR_NOT_ENOUGH_MEMORY : start_on_pipes(c, line.at, dir);
    text_free(&line);
    Status s = error ? status_fail(why, STATUS_REFUSED, "cannot start %s: %s (error %lu)", words[0],
                                   reason(error), error)
                     : stream_open(&c->stream, c->out, why);
    return GIVE_OR_CLOSE(s, out, c, child_end);
}

void child_end(Child *c)
{
    if (!c)
        return;
    if (c->job) {
        TerminateJobObject(c->job, 1);
        CloseHandle(c->job);
    }
    if (c->process) {
        TerminateProcess(c->process, 1);
        WaitForSingleObject(c->process, INFINITE);
        CloseHandle(c->process);
    }
    stream_close(c->stream);
    if (c->in)
        CloseHandle(c->in);
    if (c->out >= 0)
        _close(c->out);
    free(c);
}

bool child_exits_within(Child *c, int64_t ms)
{
    return WaitForSingleObject(c->process, (DWORD)ms) == WAIT_OBJECT_0;
}

/* The pipe holds a megabyte: only a program that reads nothing at all over a whole match could
 * block us, and such a one loses on time long before. */
bool child_write(Child *c, const char *bytes, size_t len, int64_t ms UNUSED)
{
    while (len) {
        DWORD put = 0;
        if (!WriteFile(c->in, bytes, (DWORD)len, &put, NULL) || put == 0)
            return false;
        bytes += put;
        len -= put;
    }
    return true;
}

StreamEvent child_read(Child *c, void *into, size_t size, size_t *len, int64_t ms)
{
    return stream_read(c->stream, into, size, len, ms);
}

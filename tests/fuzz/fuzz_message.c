/* Any bytes as the messages of a page, one a line, to the service: it must take them all, answer
 * valid JSON, and leave no game in a state that cannot be opened again. Long work is left out. */
#include "fuzzing.h"

#include "chess/attacks.h"
#include "service/service.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

/* Requests that search for seconds. */
static bool is_left_out(Span line)
{
    static const char *const words[] = {"review.start", "analysis.start", "lab",  "game.watch",
                                        "game.hint",    "train.try",      "drill"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(line.at, line.len, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Every message that goes out is one JSON object: an answer with "ok", or an event with "data". */
static void check_sent(void *connection, const char *text, size_t len)
{
    (void)connection;
    json_error_t error;
    json_t *j = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    must(json_is_object(j), "what is sent is a JSON object");
    bool is_answer = json_is_boolean(json_object_get(j, "ok"));
    bool is_event = json_is_string(json_object_get(j, "event"));
    must(is_answer != is_event, "it is an answer or an event");
    if (json_is_false(json_object_get(j, "ok"))) {
        const json_t *reason = json_object_get(json_object_get(j, "error"), "message");
        must(json_string_length(reason) > 0, "a refusal says why");
    }
    json_decref(j);
}

/* In memory, since every move is synced to the disk. */
static char folder[] = "/dev/shm/castellan-fuzz-XXXXXX";

static void remove_folder(void)
{
    static const char *const names[] = {"castellan.db", "castellan.db-wal", "castellan.db-shm",
                                        "castellan.lock"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* One service for all inputs. */
static Service *the_service(void)
{
    static Service *service;
    static ServiceOptions options;
    Message why;
    if (service)
        return service;
    chess_init();
    must(mkdtemp(folder) != NULL, "a folder can be made");
    atexit(remove_folder);
    options.data = folder;
    must(service_open(&service, &options, &why) == STATUS_OK, why.text);
    return service;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    ServiceClient *client = service_connect(the_service(), check_sent, NULL);
    must(client != NULL, "a client is accepted");
    Span rest = {(const char *)bytes, len}, line;
    int code = 0;
    while (code == 0 && span_next_line(&rest, &line))
        if (!is_left_out(line))
            code = service_message(client, line);
    must(code == 0 || (code >= 1000 && code < 1016), "a close code is one of WebSocket's");
    service_disconnect(client);
    return 0;
}

#include "CMosquitto.h"
#include "library.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Codes of the library with a meaning of their own here.
enum { LOST = 7, TLS = 8, REFUSED = 5, SYSTEM = 14, NAME = 15, PENDING = -1 };
/// Seconds of silence after which client and broker ask each other for a sign of life.
enum { KEEP_ALIVE_S = 15 };
enum { LEVEL_ERROR = 8, QOS = 1 };

struct tsm_client {
    const tsm_library *library;
    struct mosquitto *own;
    bool is_accepted;
    int refusal;  ///< the broker's answer to the client; 0 if it accepts it
    tsm_message *messages;
    int count;
    char log[TSM_ERROR_BYTES];  ///< the library's last error; it names the cause of a failed TLS handshake
};

static void connected(struct mosquitto *own, void *closure, int code) {
    tsm_client *client = closure;
    client->is_accepted = code == 0;
    client->refusal = code;
}

static void published(struct mosquitto *own, void *closure, int number) {
    tsm_client *client = closure;
    for (int i = 0; i < client->count; i++)
        if (client->messages[i].number == number) client->messages[i].acknowledged = true;
}

static void logged(struct mosquitto *own, void *closure, int level, const char *text) {
    tsm_client *client = closure;
    if (level == LEVEL_ERROR) snprintf(client->log, sizeof client->log, "%s", text);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static tsm_status check(tsm_client *client, int code, char *error) {
    if (code == 0) return TSM_OK;
    const char *text = code == SYSTEM ? strerror(errno) : client->library->strerror(code);
    if (client->refusal) text = client->library->connack_string(client->refusal);
    else if (client->log[0]) text = client->log;
    snprintf(error, TSM_ERROR_BYTES, "%s", text);
    if (client->refusal) return TSM_REFUSED;
    switch (code) {
    case TLS: return TSM_TLS;
    case LOST:
    case NAME:
    case SYSTEM: return client->log[0] ? TSM_TLS : TSM_UNREACHABLE;
    default: return TSM_FAILED;
    }
}

/// Reads and writes what is there; waits at most this long for it.
static int turn(tsm_client *client, int wait_ms) {
    const tsm_library *l = client->library;
    struct pollfd ready = {.fd = l->socket(client->own), .events = POLLIN};
    if (ready.fd < 0) return LOST;
    if (l->want_write(client->own)) ready.events |= POLLOUT;
    if (poll(&ready, 1, wait_ms) < 0 && errno != EINTR) return SYSTEM;
    int code = 0;
    if (ready.revents & POLLOUT) code = l->loop_write(client->own, 1);
    if (code == 0 && ready.revents & (POLLIN | POLLERR | POLLHUP)) code = l->loop_read(client->own, 1);
    if (code == 0) code = l->loop_misc(client->own);
    return code;
}

static int apply(tsm_client *client, const tsm_options *options) {
    const tsm_library *l = client->library;
    l->connect_callback_set(client->own, connected);
    l->publish_callback_set(client->own, published);
    l->log_callback_set(client->own, logged);
    int code = l->max_inflight_messages_set(client->own, options->window);
    if (code == 0 && options->user) code = l->username_pw_set(client->own, options->user, options->password);
    if (code == 0 && options->will_topic)
        code = l->will_set(client->own, options->will_topic, strlen(options->will_text), options->will_text, QOS, true);
    if (code == 0 && options->tls) {
        const char *system = options->ca_file ? NULL : "/etc/ssl/certs";
        code = l->tls_set(client->own, options->ca_file, system, NULL, NULL, NULL);
        // The library opens the file itself; what it answers names no file.
        if (code && options->ca_file) snprintf(client->log, sizeof client->log, "cannot read %.200s", options->ca_file);
    }
    return code;
}

tsm_status tsm_connect(const tsm_options *options, int wait_ms, tsm_client **made, char *error) {
    const tsm_library *l = tsm_get_library();
    if (!l) {
        snprintf(error, TSM_ERROR_BYTES, "libmosquitto.so.1 is not installed");
        return TSM_NO_LIBRARY;
    }
    tsm_client *client = calloc(1, sizeof *client);
    if (!client) return TSM_FAILED;
    client->library = l;
    client->own = l->new(options->client_id, true, client);
    if (!client->own) {
        free(client);
        return TSM_FAILED;
    }
    int64_t end = now_ms() + wait_ms;
    int code = apply(client, options);
    if (code == 0) code = l->connect_async(client->own, options->host, options->port, KEEP_ALIVE_S);
    if (code == PENDING) code = 0;
    while (code == 0 && !client->is_accepted && !client->refusal && now_ms() < end) code = turn(client, 100);
    tsm_status status = check(client, client->refusal ? REFUSED : code, error);
    if (status == TSM_OK && !client->is_accepted) {
        snprintf(error, TSM_ERROR_BYTES, "no broker answers there");
        status = TSM_TIMEOUT;
    }
    if (status == TSM_OK) *made = client;
    else tsm_drop(client);
    return status;
}

tsm_status tsm_publish(tsm_client *client, tsm_message *messages, int count, int wait_ms, char *error) {
    const tsm_library *l = client->library;
    client->messages = messages;
    client->count = count;
    int code = 0, done = 0;
    for (int i = 0; i < count; i++) messages[i].number = -1;
    for (int i = 0; i < count && code == 0; i++) {
        tsm_message *m = &messages[i];
        code = l->publish(client->own, &m->number, m->topic, m->length, m->data, QOS, m->retained);
    }
    int64_t end = now_ms() + wait_ms;
    while (code == 0) {
        while (done < count && messages[done].acknowledged) done++;
        if (done == count || now_ms() >= end) break;
        code = turn(client, 100);
    }
    client->messages = NULL;
    client->count = 0;
    if (code) return check(client, code, error);
    if (done == count) return TSM_OK;
    snprintf(error, TSM_ERROR_BYTES, "the broker does not acknowledge messages");
    return TSM_TIMEOUT;
}

tsm_status tsm_serve(tsm_client *client, char *error) { return check(client, turn(client, 0), error); }

void tsm_close(tsm_client *client) {
    client->library->disconnect(client->own);
    tsm_drop(client);
}

void tsm_drop(tsm_client *client) {
    client->library->destroy(client->own);
    free(client);
}

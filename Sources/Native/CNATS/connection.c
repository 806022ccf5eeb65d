#include "connection.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// JetStream's error codes with a meaning of their own here.
enum { NOT_ENABLED = 10076, NOT_ENABLED_FOR_ACCOUNT = 10039, MESSAGE_TOO_LARGE = 10054, STREAM_FULL = 10077 };
enum { NO_CONSUMER = 10014, NO_MESSAGE = 10037, NO_STREAM = 10059 };

tsq_status tsq_check(natsStatus status, jsErrCode code, char *error) {
    if (status == NATS_OK) return TSQ_OK;
    const tsq_library *l = tsq_get_library();
    // The text of this thread's last failed call, which may be an earlier one.
    natsStatus last_status = NATS_OK;
    const char *last = l->nats_GetLastError(&last_status);
    bool is_own = last && *last && last_status == status;
    snprintf(error, TSQ_ERROR_BYTES, "%s", is_own ? last : l->natsStatus_GetText(status));
    if ((int)code == NOT_ENABLED || (int)code == NOT_ENABLED_FOR_ACCOUNT) return TSQ_NO_JETSTREAM;
    if ((int)code == MESSAGE_TOO_LARGE || (int)code == STREAM_FULL) return TSQ_TOO_LARGE;
    if ((int)code == NO_CONSUMER || (int)code == NO_MESSAGE || (int)code == NO_STREAM) return TSQ_MISSING;
    switch (status) {
    case NATS_TIMEOUT: return TSQ_TIMEOUT;
    case NATS_NO_SERVER:
    case NATS_IO_ERROR:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_NOT_YET_CONNECTED:
    case NATS_STALE_CONNECTION: return TSQ_UNREACHABLE;
    case NATS_CONNECTION_AUTH_FAILED: return TSQ_REFUSED;
    case NATS_SSL_ERROR:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_SECURE_CONNECTION_REQUIRED: return TSQ_TLS;
    case NATS_NOT_PERMITTED: return TSQ_FORBIDDEN;
    case NATS_NOT_FOUND: return TSQ_MISSING;
    case NATS_NO_RESPONDERS: return TSQ_NO_JETSTREAM;
    case NATS_MAX_PAYLOAD: return TSQ_TOO_LARGE;
    case NATS_CONNECTION_CLOSED: return TSQ_CLOSED;
    default: return TSQ_FAILED;
    }
}

/// Without a handler the library prints to standard error.
static void ignore(natsConnection *c, natsSubscription *s, natsStatus status, void *closure) {}

static natsStatus apply(const tsq_library *l, natsOptions *o, const tsq_options *options) {
    natsStatus s = l->natsOptions_SetURL(o, options->url);
    if (s == NATS_OK && options->name) s = l->natsOptions_SetName(o, options->name);
    if (s == NATS_OK && options->inbox) s = l->natsOptions_SetCustomInboxPrefix(o, options->inbox);
    if (s == NATS_OK && options->user) s = l->natsOptions_SetUserInfo(o, options->user, options->password);
    if (s == NATS_OK && options->nkey) s = l->natsOptions_SetNKeyFromSeed(o, options->nkey, options->seed_file);
    if (s == NATS_OK && options->credentials_file)
        s = l->natsOptions_SetUserCredentialsFromFiles(o, options->credentials_file, NULL);
    if (s == NATS_OK && options->tls) s = l->natsOptions_SetSecure(o, true);
    if (s == NATS_OK && options->ca_file) s = l->natsOptions_LoadCATrustedCertificates(o, options->ca_file);
    if (s == NATS_OK && options->certificate_file)
        s = l->natsOptions_LoadCertificatesChain(o, options->certificate_file, options->key_file);
    if (s == NATS_OK) s = l->natsOptions_SetTimeout(o, options->wait_ms);
    if (s == NATS_OK) s = l->natsOptions_SetAllowReconnect(o, options->reconnects);
    if (s == NATS_OK) s = l->natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK) s = l->natsOptions_SetReconnectWait(o, 500);
    // A server that is gone without a word is noticed after 15 to 20 s.
    if (s == NATS_OK) s = l->natsOptions_SetPingInterval(o, 5000);
    if (s == NATS_OK) s = l->natsOptions_SetMaxPingsOut(o, 2);
    // Only the server that was named has been checked.
    if (s == NATS_OK) s = l->natsOptions_SetIgnoreDiscoveredServers(o, true);
    if (s == NATS_OK) s = l->natsOptions_SetFailRequestsOnDisconnect(o, true);
    if (s == NATS_OK) s = l->natsOptions_SetSendAsap(o, true);
    if (s == NATS_OK) s = l->natsOptions_SetErrorHandler(o, ignore, NULL);
    return s;
}

tsq_status tsq_connect(const tsq_options *options, tsq_connection **connection, char *error) {
    const tsq_library *l = tsq_get_library();
    if (!l) {
        snprintf(error, TSQ_ERROR_BYTES, "libnats.so.3.4 is not installed");
        return TSQ_NO_LIBRARY;
    }
    tsq_connection *made = calloc(1, sizeof *made);
    if (!made) return TSQ_FAILED;
    made->library = l;
    natsOptions *o = NULL;
    jsOptions js;
    natsStatus s = l->natsOptions_Create(&o);
    if (s == NATS_OK) s = apply(l, o, options);
    if (s == NATS_OK) s = l->natsConnection_Connect(&made->connection, o);
    if (s == NATS_OK) s = l->jsOptions_Init(&js);
    if (s == NATS_OK) {
        js.Wait = options->wait_ms;
        s = l->natsConnection_JetStream(&made->jetstream, made->connection, &js);
    }
    tsq_status status = tsq_check(s, 0, error);
    l->natsOptions_Destroy(o);
    if (status == TSQ_OK) *connection = made;
    else tsq_close(made);
    return status;
}

void tsq_close(tsq_connection *connection) {
    const tsq_library *l = connection->library;
    l->jsCtx_Destroy(connection->jetstream);
    if (connection->connection) l->natsConnection_Close(connection->connection);
    l->natsSubscription_Destroy(connection->answers);
    l->natsConnection_Destroy(connection->connection);
    free(connection);
}

bool tsq_is_connected(const tsq_connection *connection) {
    return connection->library->natsConnection_Status(connection->connection) == NATS_CONN_STATUS_CONNECTED;
}

bool tsq_is_closed(const tsq_connection *connection) {
    return connection->library->natsConnection_IsClosed(connection->connection);
}

int64_t tsq_max_payload(const tsq_connection *connection) {
    return connection->library->natsConnection_GetMaxPayload(connection->connection);
}

/// What a subscription answers. Never freed: the library's thread may still answer while the connection closes.
typedef struct {
    const tsq_library *library;
    char text[];
} tsq_text;

static void answer(natsConnection *c, natsSubscription *subscription, natsMsg *message, void *closure) {
    const tsq_text *own = closure;
    const char *reply = own->library->natsMsg_GetReply(message);
    if (reply) own->library->natsConnection_PublishString(c, reply, own->text);
    own->library->natsMsg_Destroy(message);
}

tsq_status tsq_answer(tsq_connection *connection, const char *subject, const char *text, char *error) {
    const tsq_library *l = connection->library;
    tsq_text *own = malloc(sizeof *own + strlen(text) + 1);
    if (!own) return TSQ_FAILED;
    own->library = l;
    strcpy(own->text, text);
    natsStatus s = l->natsConnection_Subscribe(&connection->answers, connection->connection, subject, answer, own);
    if (s == NATS_OK) s = l->natsConnection_FlushTimeout(connection->connection, 2000);
    return tsq_check(s, 0, error);
}

tsq_status tsq_ask(tsq_connection *connection, const char *subject, int64_t wait_ms, char *answer, int size, char *error) {
    const tsq_library *l = connection->library;
    natsMsg *message = NULL;
    natsStatus s = l->natsConnection_RequestString(&message, connection->connection, subject, "", wait_ms);
    if (s == NATS_OK) {
        int length = l->natsMsg_GetDataLength(message);
        if (length >= size) length = size - 1;
        memcpy(answer, l->natsMsg_GetData(message), length);
        answer[length] = 0;
    }
    l->natsMsg_Destroy(message);
    // Nobody listens on a subject of our own.
    if (s == NATS_NO_RESPONDERS) s = NATS_TIMEOUT;
    return tsq_check(s, 0, error);
}

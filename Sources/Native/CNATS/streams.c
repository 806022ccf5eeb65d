#include "connection.h"
#include <stdio.h>
#include <stdlib.h>

struct tsq_pull {
    const tsq_library *library;
    natsSubscription *subscription;
};

struct tsq_message {
    const tsq_library *library;
    natsMsg *message;
    uint64_t sequence, deliveries;
};

/// Units of JetStream's times: nanoseconds.
enum { MILLISECOND = 1000000 };
static const int64_t SECOND = 1000000000;

tsq_status tsq_make_stream(tsq_connection *connection, const char *stream, const char *subjects, int64_t max_age_s,
                           int64_t max_bytes, int64_t duplicates_s, char *error) {
    const tsq_library *l = connection->library;
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    natsStatus s = l->js_GetStreamInfo(&info, connection->jetstream, stream, NULL, &code);
    if (s == NATS_OK) {
        bool fits = info->Config->Retention == js_WorkQueuePolicy;
        l->jsStreamInfo_Destroy(info);
        if (fits) return TSQ_OK;
        snprintf(error, TSQ_ERROR_BYTES, "the stream %s exists and is no work queue", stream);
        return TSQ_FAILED;
    }
    if (s != NATS_NOT_FOUND) return tsq_check(s, code, error);
    jsStreamConfig config;
    l->jsStreamConfig_Init(&config);
    const char *list[] = {subjects};
    config.Name = stream;
    config.Subjects = list;
    config.SubjectsLen = 1;
    config.Retention = js_WorkQueuePolicy;
    config.Discard = js_DiscardNew;
    config.MaxAge = max_age_s * SECOND;
    config.MaxBytes = max_bytes;
    config.Duplicates = duplicates_s * SECOND;
    s = l->js_AddStream(&info, connection->jetstream, &config, NULL, &code);
    l->jsStreamInfo_Destroy(info);
    return tsq_check(s, code, error);
}

tsq_status tsq_make_consumer(tsq_connection *connection, const char *stream, const char *consumer, const char *subject,
                             int64_t ack_wait_ms, int64_t max_deliver, int64_t max_unacknowledged, char *error) {
    const tsq_library *l = connection->library;
    jsConsumerConfig config;
    l->jsConsumerConfig_Init(&config);
    config.Durable = consumer;
    config.FilterSubject = subject;
    config.AckPolicy = js_AckExplicit;
    config.AckWait = ack_wait_ms * MILLISECOND;
    config.MaxDeliver = max_deliver;
    config.MaxAckPending = max_unacknowledged;
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    natsStatus s = l->js_AddConsumer(&info, connection->jetstream, stream, &config, NULL, &code);
    l->jsConsumerInfo_Destroy(info);
    return tsq_check(s, code, error);
}

tsq_status tsq_consumer_info(tsq_connection *connection, const char *stream, const char *consumer,
                             tsq_consumer_figures *figures, char *error) {
    const tsq_library *l = connection->library;
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    natsStatus s = l->js_GetConsumerInfo(&info, connection->jetstream, stream, consumer, NULL, &code);
    if (s == NATS_OK) {
        figures->waiting = info->NumPending;
        figures->unacknowledged = info->NumAckPending;
        figures->redelivered = info->NumRedelivered;
        figures->delivered = info->Delivered.Stream;
    }
    l->jsConsumerInfo_Destroy(info);
    return tsq_check(s, code, error);
}

tsq_status tsq_purge(tsq_connection *connection, const char *stream, const char *subject, char *error) {
    const tsq_library *l = connection->library;
    jsOptions options;
    l->jsOptions_Init(&options);
    options.Stream.Purge.Subject = subject;
    jsErrCode code = 0;
    return tsq_check(l->js_PurgeStream(connection->jetstream, stream, &options, &code), code, error);
}

tsq_status tsq_delete_message(tsq_connection *connection, const char *stream, uint64_t sequence, char *error) {
    jsErrCode code = 0;
    natsStatus s = connection->library->js_DeleteMsg(connection->jetstream, stream, sequence, NULL, &code);
    return tsq_check(s, code, error);
}

tsq_status tsq_has_message(tsq_connection *connection, const char *stream, uint64_t sequence, char *error) {
    const tsq_library *l = connection->library;
    natsMsg *message = NULL;
    jsErrCode code = 0;
    natsStatus s = l->js_GetMsg(&message, connection->jetstream, stream, sequence, NULL, &code);
    l->natsMsg_Destroy(message);
    return tsq_check(s, code, error);
}

tsq_status tsq_publish(tsq_connection *connection, const char *subject, const void *data, int length, const char *id,
                       uint64_t *sequence, bool *is_duplicate, char *error) {
    const tsq_library *l = connection->library;
    jsPubOptions options;
    l->jsPubOptions_Init(&options);
    options.MsgId = id;
    jsPubAck *ack = NULL;
    jsErrCode code = 0;
    natsStatus s = l->js_Publish(&ack, connection->jetstream, subject, data, length, &options, &code);
    if (s == NATS_OK) {
        *sequence = ack->Sequence;
        *is_duplicate = ack->Duplicate;
    }
    l->jsPubAck_Destroy(ack);
    return tsq_check(s, code, error);
}

tsq_status tsq_pull_open(tsq_connection *connection, const char *stream, const char *consumer, tsq_pull **pull,
                         char *error) {
    const tsq_library *l = connection->library;
    tsq_pull *made = calloc(1, sizeof *made);
    if (!made) return TSQ_FAILED;
    made->library = l;
    jsSubOptions options;
    l->jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Consumer = consumer;
    jsErrCode code = 0;
    natsStatus s =
        l->js_PullSubscribe(&made->subscription, connection->jetstream, NULL, consumer, NULL, &options, &code);
    tsq_status status = tsq_check(s, code, error);
    if (status == TSQ_OK) *pull = made;
    else free(made);
    return status;
}

void tsq_pull_close(tsq_pull *pull) {
    pull->library->natsSubscription_Destroy(pull->subscription);
    free(pull);
}

tsq_status tsq_pull_fetch(tsq_pull *pull, int most, int64_t wait_ms, tsq_message **messages, int *count, char *error) {
    const tsq_library *l = pull->library;
    natsMsgList list = {0};
    jsErrCode code = 0;
    *count = 0;
    natsStatus s = l->natsSubscription_Fetch(&list, pull->subscription, most, wait_ms, &code);
    for (int i = 0; i < list.Count; i++) {
        tsq_message *message = calloc(1, sizeof *message);
        jsMsgMetaData *meta = NULL;
        if (!message || l->natsMsg_GetMetaData(&meta, list.Msgs[i]) != NATS_OK) {
            // Without its number the message cannot be acknowledged; the server delivers it again.
            free(message);
            l->natsMsg_Destroy(list.Msgs[i]);
            continue;
        }
        message->library = l;
        message->message = list.Msgs[i];
        message->sequence = meta->Sequence.Stream;
        message->deliveries = meta->NumDelivered;
        l->jsMsgMetaData_Destroy(meta);
        messages[(*count)++] = message;
    }
    // The messages have owners now; only the array is left.
    free(list.Msgs);
    return *count > 0 ? TSQ_OK : tsq_check(s, code, error);
}

const void *tsq_message_data(const tsq_message *message, int *length) {
    *length = message->library->natsMsg_GetDataLength(message->message);
    return message->library->natsMsg_GetData(message->message);
}

uint64_t tsq_message_sequence(const tsq_message *message) { return message->sequence; }

uint64_t tsq_message_deliveries(const tsq_message *message) { return message->deliveries; }

tsq_status tsq_message_ack(tsq_message *message) {
    char error[TSQ_ERROR_BYTES];
    return tsq_check(message->library->natsMsg_Ack(message->message, NULL), 0, error);
}

tsq_status tsq_message_in_progress(tsq_message *message) {
    char error[TSQ_ERROR_BYTES];
    return tsq_check(message->library->natsMsg_InProgress(message->message, NULL), 0, error);
}

void tsq_message_free(tsq_message *message) {
    message->library->natsMsg_Destroy(message->message);
    free(message);
}

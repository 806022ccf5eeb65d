// Debian's client of NATS JetStream, libnats 3.4, opened at run time: only a daemon or a worker with a queue needs it.
//
// Each function is one whole call of the library. Ownership: the caller owns a tsq_connection until tsq_close, a tsq_pull
// until tsq_pull_close, and each fetched tsq_message until tsq_message_free. Data of a message is valid until it is freed.
// A connection must outlive its pulls, and a pull its messages. All functions are thread-safe, but two threads must not fetch from
// the same pull at once. Functions that talk to the server block, at most for the time of the connection's options.
#ifndef TABLESIGHT_CNATS_H
#define TABLESIGHT_CNATS_H
#include <stdbool.h>
#include <stdint.h>

/// Result of a call.
typedef enum {
    TSQ_OK = 0,
    TSQ_TIMEOUT,       ///< no answer, or no message, in time
    TSQ_UNREACHABLE,   ///< no server, or the connection is down at the moment
    TSQ_REFUSED,       ///< the server does not accept the credentials
    TSQ_TLS,           ///< the TLS handshake failed
    TSQ_FORBIDDEN,     ///< the credentials do not allow this subject
    TSQ_MISSING,       ///< no such stream, consumer or message
    TSQ_NO_JETSTREAM,  ///< the server runs without JetStream
    TSQ_TOO_LARGE,     ///< larger than the server or the stream accepts
    TSQ_CLOSED,        ///< the connection is closed for good
    TSQ_NO_LIBRARY,    ///< libnats is not installed, or another version
    TSQ_FAILED,        ///< anything else
} tsq_status;

/// Bytes of an error text, its null included.
enum { TSQ_ERROR_BYTES = 256 };

typedef struct tsq_connection tsq_connection;
typedef struct tsq_pull tsq_pull;
typedef struct tsq_message tsq_message;

/// Texts may be null where a part is not used.
typedef struct {
    const char *url;               ///< nats://host:port
    const char *name;              ///< name of this client in the server's list of connections
    const char *inbox;             ///< first words of the subjects on which this client gets answers
    const char *user, *password;   ///< user name and password
    const char *nkey, *seed_file;  ///< public key, and the file with its seed
    const char *credentials_file;  ///< file with a JWT and a seed
    bool tls;                      ///< true requires TLS
    const char *ca_file;           ///< trusted certificates; null trusts those of the system
    const char *certificate_file, *key_file;  ///< the client's certificate
    bool reconnects;               ///< true connects again after an interruption, for ever
    int64_t wait_ms;               ///< longest time of one call
} tsq_options;

/// Figures of a consumer.
typedef struct {
    uint64_t waiting;        ///< messages that were not delivered yet
    int64_t unacknowledged;  ///< messages at workers
    int64_t redelivered;     ///< messages at workers that were delivered before
    uint64_t delivered;      ///< highest sequence that was delivered
} tsq_consumer_figures;

/// Version of the library, "3.4.1"; null if it cannot be loaded.
const char *tsq_library_version(void);

/// The first line of a server, `INFO {…}`, without the library and before any credentials are sent.
///
/// - line: `size` bytes for it, its null included.
tsq_status tsq_greeting(const char *host, const char *port, int64_t wait_ms, char *line, int size, char *error);

/// - error: TSQ_ERROR_BYTES bytes for the reason of a failure.
tsq_status tsq_connect(const tsq_options *options, tsq_connection **connection, char *error);
void tsq_close(tsq_connection *connection);
bool tsq_is_connected(const tsq_connection *connection);
/// True if the library gave up: the connection must be made again.
bool tsq_is_closed(const tsq_connection *connection);
/// Largest message that the server accepts, bytes.
int64_t tsq_max_payload(const tsq_connection *connection);

/// Makes a stream that keeps each message until it is acknowledged. An existing one stays as it is.
///
/// - max_age_s: seconds after which messages are dropped; 0 keeps them.
/// - max_bytes: more are refused; -1 for no limit.
tsq_status tsq_make_stream(tsq_connection *connection, const char *stream, const char *subjects, int64_t max_age_s,
                           int64_t max_bytes, int64_t duplicates_s, char *error);
/// Makes a durable pull consumer, or gives an existing one these limits.
tsq_status tsq_make_consumer(tsq_connection *connection, const char *stream, const char *consumer, const char *subject,
                             int64_t ack_wait_ms, int64_t max_deliver, int64_t max_unacknowledged, char *error);
tsq_status tsq_consumer_info(tsq_connection *connection, const char *stream, const char *consumer,
                             tsq_consumer_figures *figures, char *error);
/// Deletes all messages with this subject.
tsq_status tsq_purge(tsq_connection *connection, const char *stream, const char *subject, char *error);
tsq_status tsq_delete_message(tsq_connection *connection, const char *stream, uint64_t sequence, char *error);

/// TSQ_OK if the stream holds this message, TSQ_MISSING if not.
tsq_status tsq_has_message(tsq_connection *connection, const char *stream, uint64_t sequence, char *error);

/// Publishes to a stream and waits until the server has stored the message.
///
/// - id: the server drops a second message with the same id within the stream's window; null for none.
/// - sequence: its number in the stream.
tsq_status tsq_publish(tsq_connection *connection, const char *subject, const void *data, int length, const char *id,
                       uint64_t *sequence, bool *is_duplicate, char *error);

/// Binds to an existing consumer.
tsq_status tsq_pull_open(tsq_connection *connection, const char *stream, const char *consumer, tsq_pull **pull,
                         char *error);
void tsq_pull_close(tsq_pull *pull);
/// Waits until a message arrives or the time is up; takes what is there, at most `most`.
tsq_status tsq_pull_fetch(tsq_pull *pull, int most, int64_t wait_ms, tsq_message **messages, int *count, char *error);

const void *tsq_message_data(const tsq_message *message, int *length);
/// Its number in the stream; 0 if unknown.
uint64_t tsq_message_sequence(const tsq_message *message);
/// How often it was delivered, this time included.
uint64_t tsq_message_deliveries(const tsq_message *message);
tsq_status tsq_message_ack(tsq_message *message);
/// Tells the server that work continues: the time until the next delivery starts again.
tsq_status tsq_message_in_progress(tsq_message *message);
void tsq_message_free(tsq_message *message);

/// Answers every request on this subject with the text, until the connection is closed.
tsq_status tsq_answer(tsq_connection *connection, const char *subject, const char *text, char *error);
/// Asks and copies the answer into `answer`, at most `size` bytes with the null.
tsq_status tsq_ask(tsq_connection *connection, const char *subject, int64_t wait_ms, char *answer, int size, char *error);
#endif

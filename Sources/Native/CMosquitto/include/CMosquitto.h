// Debian's client of MQTT, libmosquitto 2.0, opened at run time: only a daemon with a broker needs it.
//
// Each function is one whole call of the library. Ownership: the caller owns a tsm_client until tsm_close. A client is used
// by one thread at a time; the library starts no thread. A client whose call failed is closed, not used again.
#ifndef TABLESIGHT_CMOSQUITTO_H
#define TABLESIGHT_CMOSQUITTO_H
#include <stdbool.h>
#include <stdint.h>

/// Result of a call.
typedef enum {
    TSM_OK = 0,
    TSM_TIMEOUT,      ///< no answer in time
    TSM_UNREACHABLE,  ///< no broker listens there, or the connection ended
    TSM_REFUSED,      ///< the broker does not accept user name, password or client id
    TSM_TLS,          ///< the TLS handshake failed
    TSM_NO_LIBRARY,   ///< libmosquitto is not installed
    TSM_FAILED,       ///< anything else
} tsm_status;

/// Bytes of an error text, its null included.
enum { TSM_ERROR_BYTES = 256 };

typedef struct tsm_client tsm_client;

/// Texts may be null where a part is not used.
typedef struct {
    const char *host;
    int port;
    const char *client_id;
    const char *user, *password;
    bool tls;             ///< true requires TLS, with the certificate's name checked
    const char *ca_file;  ///< trusted certificates; null trusts those of the system
    const char *will_topic, *will_text;  ///< what the broker publishes, retained, if this client is gone without a word
    int window;           ///< most messages that are sent and not acknowledged
} tsm_options;

/// A message that is published with QoS 1.
typedef struct {
    const char *topic;
    const void *data;
    int length;
    bool retained;
    bool acknowledged;  ///< set by tsm_publish when the broker has taken the message over (PUBACK)
    int number;         ///< the library's, while it is sent
} tsm_message;

/// Version of the library, "2.0.11"; null if it cannot be loaded.
const char *tsm_library_version(void);

/// Connects, and waits until the broker accepts the client.
tsm_status tsm_connect(const tsm_options *options, int wait_ms, tsm_client **client, char *error);

/// Publishes messages in order, and waits until the broker has acknowledged each of them.
tsm_status tsm_publish(tsm_client *client, tsm_message *messages, int count, int wait_ms, char *error);

/// Answers and sends what keeps the connection alive; does not wait. To be called every few seconds.
tsm_status tsm_serve(tsm_client *client, char *error);

/// Says goodbye, so that the broker does not publish the last will, and frees the client.
void tsm_close(tsm_client *client);

/// Frees the client without a word.
void tsm_drop(tsm_client *client);
#endif

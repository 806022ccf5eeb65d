// The functions of libmosquitto that are used, as its manual libmosquitto(3) declares them. Its headers are not needed.
#ifndef TABLESIGHT_CMOSQUITTO_LIBRARY_H
#define TABLESIGHT_CMOSQUITTO_LIBRARY_H
#include <stdbool.h>

struct mosquitto;

#define TSM_FUNCTIONS(F)                                                                                               \
    F(int, lib_init, (void))                                                                                           \
    F(int, lib_version, (int *major, int *minor, int *revision))                                                       \
    F(struct mosquitto *, new, (const char *id, bool clean_session, void *closure))                                    \
    F(void, destroy, (struct mosquitto *))                                                                             \
    F(int, username_pw_set, (struct mosquitto *, const char *user, const char *password))                              \
    F(int, will_set, (struct mosquitto *, const char *topic, int length, const void *data, int qos, bool retain))      \
    F(int, tls_set, (struct mosquitto *, const char *ca_file, const char *ca_path, const char *certificate,            \
                     const char *key, int (*password)(char *, int, int, void *)))                                      \
    F(int, max_inflight_messages_set, (struct mosquitto *, unsigned int most))                                         \
    F(int, connect_async, (struct mosquitto *, const char *host, int port, int keep_alive_s))                          \
    F(int, disconnect, (struct mosquitto *))                                                                           \
    F(int, publish, (struct mosquitto *, int *number, const char *topic, int length, const void *data, int qos,        \
                     bool retain))                                                                                     \
    F(int, socket, (struct mosquitto *))                                                                               \
    F(bool, want_write, (struct mosquitto *))                                                                          \
    F(int, loop_read, (struct mosquitto *, int most_packets))                                                          \
    F(int, loop_write, (struct mosquitto *, int most_packets))                                                         \
    F(int, loop_misc, (struct mosquitto *))                                                                            \
    F(void, connect_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int code)))                \
    F(void, publish_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int number)))              \
    F(void, log_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int level, const char *)))     \
    F(const char *, strerror, (int code))                                                                              \
    F(const char *, connack_string, (int code))

#define TSM_MEMBER(result, name, parameters) result(*name) parameters;
typedef struct {
    TSM_FUNCTIONS(TSM_MEMBER)
} tsm_library;

/// The loaded library; null if it is missing or lacks a function.
const tsm_library *tsm_get_library(void);
#endif

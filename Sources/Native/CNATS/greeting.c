#include "CNATS.h"
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/// Connects within the time; -1 if the server does not listen there.
static int open_socket(const struct addrinfo *place, int64_t wait_ms) {
    int s = socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0) return -1;
    int code = connect(s, place->ai_addr, place->ai_addrlen);
    struct pollfd ready = {.fd = s, .events = POLLOUT};
    socklen_t size = sizeof code;
    if (code == 0 || (errno == EINPROGRESS && poll(&ready, 1, (int)wait_ms) == 1
                      && getsockopt(s, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0))
        return s;
    close(s);
    return -1;
}

tsq_status tsq_greeting(const char *host, const char *port, int64_t wait_ms, char *line, int size, char *error) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *places = NULL;
    int code = getaddrinfo(host, port, &hints, &places);
    if (code) {
        snprintf(error, TSQ_ERROR_BYTES, "%s", gai_strerror(code));
        return TSQ_UNREACHABLE;
    }
    int s = -1;
    for (const struct addrinfo *place = places; place && s < 0; place = place->ai_next) s = open_socket(place, wait_ms);
    freeaddrinfo(places);
    if (s < 0) {
        snprintf(error, TSQ_ERROR_BYTES, "no server listens there");
        return TSQ_UNREACHABLE;
    }
    int length = 0;
    struct pollfd ready = {.fd = s, .events = POLLIN};
    // The server speaks first: one line.
    while (length < size - 1 && !memchr(line, '\n', length) && poll(&ready, 1, (int)wait_ms) == 1) {
        ssize_t count = read(s, line + length, size - 1 - length);
        if (count <= 0) break;
        length += count;
    }
    close(s);
    line[length] = 0;
    if (strncmp(line, "INFO ", 5) == 0 && strchr(line, '\n')) return TSQ_OK;
    snprintf(error, TSQ_ERROR_BYTES, "no NATS server answers there");
    return TSQ_UNREACHABLE;
}

#ifndef TABLESIGHT_CNATS_CONNECTION_H
#define TABLESIGHT_CNATS_CONNECTION_H
#include "CNATS.h"
#include "library.h"

struct tsq_connection {
    const tsq_library *library;
    natsConnection *connection;
    jsCtx *jetstream;
    natsSubscription *answers;
};

/// The status of a call, with the library's text in `error`.
tsq_status tsq_check(natsStatus status, jsErrCode code, char *error);
#endif

// For LD_PRELOAD: holds each lease for 5 ms, as a daemon does that waits for a processor. So every process that opens the
// file for writing breaks the lease, and the kernel sends SIGIO.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

static int kept(const char *name, int descriptor, int command, void *argument) {
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
    int result = real(descriptor, command, argument);
    if (command == F_SETLEASE && (long)argument == F_RDLCK && result == 0) usleep(5000);
    return result;
}

#define WRAPPED(name)                                       \
    int name(int descriptor, int command, ...) {            \
        va_list list;                                       \
        va_start(list, command);                            \
        void *argument = va_arg(list, void *);              \
        va_end(list);                                       \
        return kept(#name, descriptor, command, argument);  \
    }

WRAPPED(fcntl)
WRAPPED(fcntl64)

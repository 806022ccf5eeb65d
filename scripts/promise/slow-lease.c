// Preloaded: a lease is kept for some milliseconds, as by a daemon that has to wait for a processor just then. So whoever opens the
// file for writing breaks it, each time and not by chance, and the kernel sends SIGIO.
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

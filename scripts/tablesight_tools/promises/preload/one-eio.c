// For LD_PRELOAD: call number EIO_NUMBER of EIO_CALL (fsync or fdatasync) fails with EIO, and the file EIO_MARK is made.
// strace cannot do this: it counts the calls of each thread, so each thread would meet an error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int calls = 0;
static _Thread_local int closing = 0;

// SQLite copies its log to the database when the last connection closes, and ignores a failure: the log keeps the rest.
int sqlite3_close_v2(void *database) {
    int (*real)(void *) = dlsym(RTLD_NEXT, "sqlite3_close_v2");
    closing = 1;
    int result = real(database);
    closing = 0;
    return result;
}

static int synced(const char *name, int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    const char *call = getenv("EIO_CALL"), *number = getenv("EIO_NUMBER"), *mark = getenv("EIO_MARK");
    struct stat status;
    // SQLite syncs folders with fdatasync, and ignores a failure.
    int counts = !closing
        && (strcmp(name, "fdatasync") || (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode)));
    if (counts && call && number && mark && !strcmp(call, name) && atomic_fetch_add(&calls, 1) + 1 == atoi(number)) {
        close(open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        errno = EIO;
        return -1;
    }
    return real(descriptor);
}

int fsync(int descriptor) { return synced("fsync", descriptor); }
int fdatasync(int descriptor) { return synced("fdatasync", descriptor); }

#include "library.h"
#include "CNATS.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static tsq_library library;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // Debian's name of the library; structures of another version may have other members.
    void *handle = dlopen("libnats.so.3.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    bool is_complete = true;
    void *address;
#define TSQ_FIND(name)                               \
    address = dlsym(handle, #name);                  \
    is_complete = is_complete && address;            \
    memcpy(&library.name, &address, sizeof address); \
    /* only POSIX converts data to function pointers */
    TSQ_FUNCTIONS(TSQ_FIND)
    is_loaded = is_complete;
}

const tsq_library *tsq_get_library(void) {
    pthread_once(&once, load);
    return is_loaded ? &library : NULL;
}

const char *tsq_library_version(void) {
    const tsq_library *l = tsq_get_library();
    return l ? l->nats_GetVersion() : NULL;
}

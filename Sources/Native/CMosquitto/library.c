#include "library.h"
#include "CMosquitto.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static tsm_library library;
static char version[32];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    bool is_complete = true;
    void *address;
#define TSM_FIND(result, name, parameters)           \
    address = dlsym(handle, "mosquitto_" #name);     \
    is_complete = is_complete && address;            \
    memcpy(&library.name, &address, sizeof address); \
    /* only POSIX converts data to function pointers */
    TSM_FUNCTIONS(TSM_FIND)
    if (!is_complete || library.lib_init() != 0) return;
    int major = 0, minor = 0, revision = 0;
    library.lib_version(&major, &minor, &revision);
    snprintf(version, sizeof version, "%d.%d.%d", major, minor, revision);
}

const tsm_library *tsm_get_library(void) {
    pthread_once(&once, load);
    return version[0] ? &library : NULL;
}

const char *tsm_library_version(void) { return tsm_get_library() ? version : NULL; }

#define _GNU_SOURCE
#include "CLinuxSupport.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 8 };

int ts_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    if (descriptor_count < 0 || descriptor_count > MOST_DESCRIPTORS) return -EINVAL;
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
        struct cmsghdr align;
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

ssize_t ts_receive(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count) {
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    // Without a control buffer the kernel closes descriptors that were sent.
    if (!descriptors) message.msg_control = NULL, message.msg_controllen = 0;
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (descriptor_count) *descriptor_count = 0;
    if (got < 0) return -errno;
    for (struct cmsghdr *header = descriptors ? CMSG_FIRSTHDR(&message) : NULL; header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (*descriptor_count < MOST_DESCRIPTORS) descriptors[(*descriptor_count)++] = descriptor;
            else close(descriptor);
        }
    }
    return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : got;
}

int ts_accept(int listener) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return connection < 0 ? -errno : connection;
}

int ts_pidfd_open(pid_t process) {
    long descriptor = syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int ts_pidfd_kill(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

int ts_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return -posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int ts_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
    return -posix_spawn_file_actions_addchdir_np(actions, folder);
}

int ts_spawn_apart(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none), sigfillset(&all);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, 0);
    return -posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int ts_open_beneath(int folder, const char *path, int flags) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    long descriptor;
    do descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
    // EPERM: a container's seccomp filter that does not know openat2.
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM))
        descriptor = openat(folder, path, flags | O_NOFOLLOW | O_CLOEXEC);
    return descriptor < 0 ? -errno : (int)descriptor;
}

static void ignore_broken_leases(void) {
    struct sigaction now;
    // Replaces only the default action, which would end the process.
    if (sigaction(SIGIO, NULL, &now) == 0 && now.sa_handler == SIG_DFL) signal(SIGIO, SIG_IGN);
}

int ts_has_no_writer(int descriptor) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ignore_broken_leases);
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(descriptor, F_SETLEASE, F_UNLCK);
        return 1;
    }
    return errno == EAGAIN ? 0 : -errno;
}

int64_t ts_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) < 0 ? -errno : (int64_t)(uint32_t)status.f_type;
}

int ts_notify(const char *state) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (!path || !*path) return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;
    int socket_descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_descriptor < 0) return -errno;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(socket_descriptor, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    int code = sent < 0 ? -errno : 0;
    close(socket_descriptor);
    return code;
}

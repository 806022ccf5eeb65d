#define _GNU_SOURCE
#include "CLinuxSupport.h"
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <unistd.h>

int ts_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) < 0 ? -errno : 0; }
int ts_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0; }

// --- crash journal

static _Atomic int64_t last_number = 0;
static int journal_descriptor = -1;

// With O_APPEND, eight bytes from two workers never interleave.
static void append(int64_t number) {
    if (journal_descriptor >= 0 && write(journal_descriptor, &number, sizeof number) < 0) return;
}

static void write_crash_record(int signal) {
    (void)signal;
    append(-atomic_load(&last_number));
    _exit(0);
}

int ts_open_crash_journal(int signal, int descriptor) {
    journal_descriptor = descriptor;
    struct sigaction action = {.sa_handler = write_crash_record};
    sigfillset(&action.sa_mask);
    return sigaction(signal, &action, NULL) < 0 ? -errno : 0;
}

void ts_journal_job(int64_t number) {
    atomic_store(&last_number, number);
    append(number);
}

void ts_journal_job_end(void) { append(-atomic_load(&last_number)); }

// --- crash of the daemon

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof *crash_signals };
static struct sigaction before_crash[CRASH_SIGNALS];
static int crash_descriptor = -1;
static int64_t crash_mark = 0;

static void note_crash(int signal, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    if (write(crash_descriptor, &crash_mark, sizeof crash_mark) < 0) {}
    // A fault recurs as soon as this handler returns, and the previous handler then receives it, for example Swift's
    // backtrace. A signal that was sent, abort() included, does not recur. It is raised again, and ends the process.
    struct sigaction ending = {.sa_handler = SIG_DFL};
    for (int i = 0; i < CRASH_SIGNALS; i++)
        if (crash_signals[i] == signal) sigaction(signal, info->si_code <= 0 ? &ending : &before_crash[i], NULL);
    errno = saved;
    if (info->si_code <= 0) raise(signal);
}

int ts_note_crash(int descriptor, int64_t mark) {
    crash_descriptor = descriptor;
    crash_mark = mark;
    struct sigaction action = {.sa_sigaction = note_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CRASH_SIGNALS; i++)
    {
        if (sigaction(crash_signals[i], &action, &before_crash[i]) < 0) return -errno;
        // The parent may have ignored the signal, but a process that faulted must not continue.
        if (before_crash[i].sa_handler == SIG_IGN) before_crash[i].sa_handler = SIG_DFL;
    }
    return 0;
}

int ts_use_signal_stack(void) {
    enum { BYTES = 64 << 10 };
    stack_t stack = {.ss_size = BYTES};
    stack.ss_sp = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack.ss_sp == MAP_FAILED) return -errno;
    return sigaltstack(&stack, NULL) < 0 ? -errno : 0;
}

int ts_append_number(int descriptor, int64_t number) {
    return write(descriptor, &number, sizeof number) < 0 ? -errno : 0;
}

void ts_ignore_harmless_signals(void) {
    signal(SIGIO, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

// --- Landlock

// Missing in the headers of Linux 6.1; from include/uapi/linux/landlock.h of 6.12.
enum {
    ACCESS_FS_TRUNCATE = 1 << 14,    // ABI 3
    ACCESS_FS_IOCTL_DEV = 1 << 15,   // ABI 5
    ACCESS_NET_BIND_CONNECT = 3,     // ABI 4
    SCOPE_SOCKET_AND_SIGNAL = 3,     // ABI 6
};
struct ruleset_attributes {
    uint64_t handled_access_fs, handled_access_net, scoped;
};

int ts_landlock_read_only(const char *const *paths, int count) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 0) return -errno;
    struct ruleset_attributes attributes = {.handled_access_fs = (1 << 13) - 1};
    if (abi >= 2) attributes.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) attributes.handled_access_fs |= ACCESS_FS_TRUNCATE;
    if (abi >= 4) attributes.handled_access_net = ACCESS_NET_BIND_CONNECT;
    if (abi >= 5) attributes.handled_access_fs |= ACCESS_FS_IOCTL_DEV;
    if (abi >= 6) attributes.scoped = SCOPE_SOCKET_AND_SIGNAL;
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return -errno;
    for (int i = 0; i < count; i++) {
        struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
        rule.parent_fd = open(paths[i], O_PATH | O_CLOEXEC);
        if (rule.parent_fd < 0) continue;
        struct stat status;
        if (fstat(rule.parent_fd, &status) == 0 && S_ISDIR(status.st_mode))
            rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
        long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        int code = errno;
        close(rule.parent_fd);
        if (added < 0) {
            close(ruleset);
            return -code;
        }
    }
    long restricted = syscall(SYS_landlock_restrict_self, ruleset, 0);
    int code = errno;
    close(ruleset);
    return restricted < 0 ? -code : (int)abi;
}

// --- seccomp

// Missing in the headers of Linux 6.1; the same on every architecture.
enum { SYS_fchmodat2_number = 452, SYS_memfd_secret_number = 447, SYS_process_mrelease_number = 448 };

static const int blocked[] = {
    // sockets: sendmsg and recvmsg on open ones still work
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_recvfrom,
    SYS_sendmmsg, SYS_recvmmsg,
    // programs and other processes
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd, SYS_kcmp,
    SYS_process_madvise, SYS_move_pages, SYS_migrate_pages,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    // file systems
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_open_by_handle_at,
    SYS_name_to_handle_at, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
    SYS_mount_setattr, SYS_fanotify_init, SYS_quotactl,
    // parts of the kernel that image decoders do not need
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_syslog, SYS_personality, SYS_settimeofday, SYS_clock_settime,
    SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_vhangup,
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    // permissions and attributes of files, which Landlock does not restrict
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat, SYS_fchmodat2_number,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    // scheduling and groups of other processes
    SYS_setpriority, SYS_ioprio_set, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr, SYS_setpgid,
    SYS_setsid, SYS_get_robust_list, SYS_process_mrelease_number,
    // memory that outlives or leaves the process
    SYS_memfd_create, SYS_memfd_secret_number, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    // identities
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid,
    SYS_setfsgid, SYS_capset,
};

// These let the kernel send a signal, SIGKILL too, to any process of the same user when a descriptor becomes readable.
static const uint32_t signal_owners[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG};
// The same for sockets, and keys typed into a terminal.
static const uint32_t refused_ioctls[] = {FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX};

int ts_seccomp_block_list(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -ENOMEM;
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    int code = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, refuse);  // x32 and 32-bit calls
    // Also applies to threads that libraries have already started.
    if (code == 0) code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    // A binary tree: some 130 sequential comparisons would slow every call down.
    if (code == 0) code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    for (size_t i = 0; code == 0 && i < sizeof blocked / sizeof *blocked; i++)
        code = seccomp_rule_add(filter, refuse, blocked[i], 0);
    // The flags of clone3 are in memory, which no filter can inspect. On ENOSYS glibc uses clone.
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_clone3, 0);
    // Allows threads, refuses processes.
    if (code == 0) code = seccomp_rule_add(filter, refuse, SYS_clone, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    // abort() signals its own process.
    if (code == 0) code = seccomp_rule_add(filter, refuse, SYS_tgkill, 1, SCMP_A0_32(SCMP_CMP_NE, (uint32_t)getpid()));
    // Allows limits of the own process only.
    if (code == 0) code = seccomp_rule_add(filter, refuse, SYS_prlimit64, 1, SCMP_A0_32(SCMP_CMP_NE, 0));
    // Allows the calling thread's own processors only: libraries take a refusal for a missing feature.
    if (code == 0) code = seccomp_rule_add(filter, refuse, SYS_sched_setaffinity, 1, SCMP_A0_32(SCMP_CMP_NE, 0));
    for (size_t i = 0; code == 0 && i < sizeof signal_owners / sizeof *signal_owners; i++)
        code = seccomp_rule_add(filter, refuse, SYS_fcntl, 1, SCMP_A1_32(SCMP_CMP_EQ, signal_owners[i]));
    for (size_t i = 0; code == 0 && i < sizeof refused_ioctls / sizeof *refused_ioctls; i++)
        code = seccomp_rule_add(filter, refuse, SYS_ioctl, 1, SCMP_A1_32(SCMP_CMP_EQ, refused_ioctls[i]));
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}

// Kernel calls that Swift cannot make: variadic functions, macros, and structures of kernel headers.
//
// Ownership: the caller closes descriptors returned by ts_receive, ts_pidfd_open and ts_open_beneath; nothing else is
// kept. Every function returns a negated errno on failure.
#pragma once
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Sends one packet over a SOCK_SEQPACKET socket, with at most 8 descriptors. Returns 0.
int ts_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

// Receives one packet, with at most 8 descriptors, which are opened close-on-exec. Returns its length, 0 at the end
// of the stream, or -EMSGSIZE if the packet is longer than `capacity`. If `descriptors` is NULL, the kernel closes
// the descriptors that were sent.
ssize_t ts_receive(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count);

// A descriptor for the process, so that a signal never reaches another process with the reused number.
int ts_pidfd_open(pid_t process);
int ts_pidfd_kill(int pidfd, int signal);

// Closes the descriptors from `first` on in the program to be started. Returns 0.
int ts_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
// Starts the program in this folder. Returns 0, or a negated errno.
int ts_spawn_in(posix_spawn_file_actions_t *actions, const char *folder);
// Initialises attributes, which the caller destroys, of a program with a process group of its own: Ctrl-C asks this one
// to finish and must not end that one. Signals that this one blocks or ignores reach it. Returns 0.
int ts_spawn_apart(posix_spawnattr_t *attributes);

// Opens `path` below `folder` without following symbolic links and without leaving the folder (openat2). On kernels
// without openat2 (before 5.6), O_NOFOLLOW protects only the last component.
int ts_open_beneath(int folder, const char *path, int flags);

// F_SETLEASE with F_RDLCK and F_UNLCK: 1 if no process writes the file, 0 if one does, else a negated errno.
int ts_has_no_writer(int descriptor);

// The kernel's number for the file system type (statfs.f_type); negative on failure.
int64_t ts_file_system(const char *path);

// Accepts a connection on a listening socket, close-on-exec. Returns the descriptor or a negated errno.
int ts_accept(int listener);

// Sends `state` to systemd, as sd_notify(3) does. Returns 0 if no socket is set, else a negated errno on failure.
int ts_notify(const char *state);

// --- the worker's memory

// Makes freed memory stay with the process. Networks allocate and free tens of megabytes a hundred times per photo, and
// fresh pages cost a third of their time. Uses glibc's mallopt, for all threads.
void ts_memory_keep(void);
// Returns free memory to the kernel if it exceeds `least` bytes.
void ts_memory_return(size_t least);

// --- the worker's confinement

// Ends this process with `signal` when the thread that started it ends.
int ts_die_with_parent(int signal);
int ts_no_new_privileges(void);

// Landlock: from now on only reading below `paths` is allowed, no TCP, and no signals to other processes. Missing
// paths are ignored. Returns the kernel's ABI version.
int ts_landlock_read_only(const char *const *paths, int count);

// A seccomp filter that refuses, with EPERM: sockets, new programs, new processes, other processes, mounts, kernel
// interfaces. It is a block list, because allow lists break with every update of a library.
int ts_seccomp_block_list(void);

// On `signal`, writes the negated current job number to `descriptor`, which is open for appending, and ends the
// process. Async-signal-safe.
int ts_open_crash_journal(int signal, int descriptor);
// Sets the current job, a number above 0, and writes it to the journal.
void ts_journal_job(int64_t number);
// Writes that the current job has ended: its negated number.
void ts_journal_job_end(void);

// --- crash of the daemon

// On SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP or SIGABRT, appends `mark` to `descriptor`, which is open for
// appending. The previous action follows. Async-signal-safe.
int ts_note_crash(int descriptor, int64_t mark);
// Gives the calling thread a separate signal stack, so that a stack overflow is recorded too. Call it once per
// thread; the memory is never freed.
int ts_use_signal_stack(void);
// Appends a number of eight bytes to a descriptor that is open for appending. Concurrent writes do not interleave.
int ts_append_number(int descriptor, int64_t number);
// Ignores signals that would end a healthy process: SIGIO (broken lease), SIGPIPE (closed reader), SIGXFSZ (file size
// limit).
void ts_ignore_harmless_signals(void);

// Kernel calls that Swift cannot make by itself: variadic ones, macros, and structures of the kernel's own headers.
//
// Ownership: descriptors that come out of ts_receive, ts_pidfd_open and ts_open_beneath belong to the caller, who closes
// them; nothing else is kept. Every function answers a negated errno where it fails.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// One packet over a SOCK_SEQPACKET socket, with at most 8 descriptors. Answers 0.
int ts_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

// One packet; at most 8 descriptors, opened close-on-exec. Answers its length, 0 at the end of the stream, -EMSGSIZE where
// the packet was longer than `capacity`. With NULL for `descriptors`, none is taken: the kernel closes what was sent.
ssize_t ts_receive(int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count);

// A descriptor that stands for the process, so that a signal never reaches another one that took over its number.
int ts_pidfd_open(pid_t process);
int ts_pidfd_kill(int pidfd, int signal);

// Opens `path` below `folder` without following any symbolic link on the way and without leaving the folder (openat2).
// Where the kernel has no openat2 (before 5.6), the last component alone is guarded, by O_NOFOLLOW.
int ts_open_beneath(int folder, const char *path, int flags);

// F_SETLEASE with F_RDLCK and F_UNLCK: 1 while nobody writes the file, 0 while somebody does, else a negated errno.
int ts_has_no_writer(int descriptor);

// The kernel's number for the kind of file system (statfs.f_type); negative where it cannot be told.
int64_t ts_file_system(const char *path);

// The next connection to a listening socket, closed in programs that are started; a negated errno.
int ts_accept(int listener);

// Tells systemd `state`, as sd_notify(3) does; 0 where nobody listens, else a negated errno.
int ts_notify(const char *state);

// --- the worker's memory

// From now on, memory that is given back stays with the process for the next to take: networks allocate and free tens of
// megabytes a hundred times a photo, and fresh pages cost a third of their time (glibc's mallopt, for all threads).
void ts_memory_keep(void);
// Gives what is free back to the kernel where it is more than `least` bytes.
void ts_memory_return(size_t least);

// --- the worker's confinement

// Ends this process with `signal` when the thread that started it ends.
int ts_die_with_parent(int signal);
int ts_no_new_privileges(void);

// Landlock: from now on nothing but reading below `paths` (those that are not there are left out), no TCP, no signals out.
// Answers the ABI that the kernel has.
int ts_landlock_read_only(const char *const *paths, int count);

// A seccomp filter that refuses, with EPERM: sockets, new programs, new processes, other processes, mounts, kernel parts.
// It is a block-list because allow-lists break with every update of a library.
int ts_seccomp_block_list(void);

// When `signal` comes, writes minus the number that ts_last_words_job was given last to `descriptor`, which is open for
// appending, and ends the process. Async-signal-safe: it works in the middle of any library.
int ts_last_words(int signal, int descriptor);
// Notes a number above 0, and writes it to the descriptor.
void ts_last_words_job(int64_t number);

// --- the daemon's own end

// From now on a SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP or SIGABRT of this process appends `mark` to `descriptor`, which is
// open for appending, and then does what it would have done. Async-signal-safe.
int ts_note_crash(int descriptor, int64_t mark);
// Gives the calling thread a stack of its own for signals, so that the end of its stack can be noted too. Once a thread; the
// memory goes with the process.
int ts_use_signal_stack(void);
// Appends a number to a descriptor that is open for appending: eight bytes, never torn.
int ts_append_number(int descriptor, int64_t number);
// Ignores signals whose default would end the process though nothing is wrong with it: SIGIO (a lease that was broken), SIGPIPE
// (a reader that left), SIGXFSZ (a file that may not grow).
void ts_ignore_harmless_signals(void);

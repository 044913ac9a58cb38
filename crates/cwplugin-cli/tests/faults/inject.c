/* Makes one system call of a program go wrong: preloaded (LD_PRELOAD), compiled and used by tests/faults.
 *
 * FAULT_CALL  open, read, write, sync, rename, lock or any: the calls that count
 * FAULT_PATH  of `open`, only the files whose path ends like this count
 * FAULT_N     the call that goes wrong, from 1; 0 for all of them
 * FAULT_DO    a number: it fails with this errno; with FAULT_N=0 every other call does
 *             short: it reads or writes less than was asked for
 *             kill:  the process is killed before the call
 *             run:   before the call the shell runs FAULT_COMMAND
 * FAULT_MARK  a file that is created when it happens
 *
 * Calls on standard error do not count: it has to tell what went wrong.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum outcome { NORMAL, FAILS, SHORT };

static const char *call, *path_end, *action;
static long chosen = -1, count;

__attribute__((constructor)) static void start(void) {
    const char *n = getenv("FAULT_N");
    call = getenv("FAULT_CALL");
    path_end = getenv("FAULT_PATH");
    action = getenv("FAULT_DO");
    if (call && n && action) chosen = atol(n);
}

static void mark(void) {
    const char *file = getenv("FAULT_MARK");
    int fd = file ? syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) syscall(SYS_close, fd);
}

/* What happens to this call. errno is set if it fails. */
static enum outcome next(const char *kind, const char *path) {
    if (chosen < 0 || (strcmp(call, kind) && strcmp(call, "any"))) return NORMAL;
    if (path && path_end) {
        size_t all = strlen(path), end = strlen(path_end);
        if (all < end || strcmp(path + all - end, path_end)) return NORMAL;
    }
    long n = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (chosen != 0 && n != chosen) return NORMAL;
    int number = atoi(action);
    if (chosen == 0 && number && n % 2 == 0) return NORMAL;
    mark();
    if (number) {
        errno = number;
        return FAILS;
    }
    if (!strcmp(action, "short")) return SHORT;
    if (!strcmp(action, "kill")) {
        syscall(SYS_kill, getpid(), SIGKILL);
        for (;;) pause();
    }
    if (!strcmp(action, "run")) {
        unsetenv("LD_PRELOAD");
        if (system(getenv("FAULT_COMMAND"))) abort();
    }
    return NORMAL;
}

/* A part of the bytes, never none. */
static size_t part(size_t n) { return n > 1 ? (n + 2) / 3 : n; }

#define FAILS_ON(kind, path) \
    if (next(kind, path) == FAILS) return -1

static int opened(int folder, const char *path, int flags, mode_t mode) {
    FAILS_ON("open", path);
    return syscall(SYS_openat, folder, path, flags, mode);
}

#define WITH_MODE(flags)                              \
    mode_t mode = 0;                                  \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {          \
        va_list more;                                 \
        va_start(more, flags);                        \
        mode = va_arg(more, mode_t);                  \
        va_end(more);                                 \
    }

int open(const char *path, int flags, ...) { WITH_MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { WITH_MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { WITH_MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { WITH_MODE(flags) return opened(folder, path, flags, mode); }

ssize_t read(int fd, void *to, size_t n) {
    enum outcome outcome = next("read", NULL);
    return outcome == FAILS ? -1 : syscall(SYS_read, fd, to, outcome == SHORT ? part(n) : n);
}

static ssize_t read_at(int fd, void *to, size_t n, off_t place) {
    enum outcome outcome = next("read", NULL);
    return outcome == FAILS ? -1 : syscall(SYS_pread64, fd, to, outcome == SHORT ? part(n) : n, place);
}
ssize_t pread(int fd, void *to, size_t n, off_t place) { return read_at(fd, to, n, place); }
ssize_t pread64(int fd, void *to, size_t n, off_t place) { return read_at(fd, to, n, place); }

ssize_t readv(int fd, const struct iovec *to, int n) {
    enum outcome outcome = next("read", NULL);
    if (outcome == FAILS) return -1;
    if (outcome == SHORT && n > 0) return syscall(SYS_read, fd, to[0].iov_base, part(to[0].iov_len));
    return syscall(SYS_readv, fd, to, n);
}

ssize_t write(int fd, const void *from, size_t n) {
    enum outcome outcome = fd == 2 ? NORMAL : next("write", NULL);
    return outcome == FAILS ? -1 : syscall(SYS_write, fd, from, outcome == SHORT ? part(n) : n);
}

static ssize_t write_at(int fd, const void *from, size_t n, off_t place) {
    enum outcome outcome = next("write", NULL);
    return outcome == FAILS ? -1 : syscall(SYS_pwrite64, fd, from, outcome == SHORT ? part(n) : n, place);
}
ssize_t pwrite(int fd, const void *from, size_t n, off_t place) { return write_at(fd, from, n, place); }
ssize_t pwrite64(int fd, const void *from, size_t n, off_t place) { return write_at(fd, from, n, place); }

ssize_t writev(int fd, const struct iovec *from, int n) {
    enum outcome outcome = fd == 2 ? NORMAL : next("write", NULL);
    if (outcome == FAILS) return -1;
    if (outcome == SHORT && n > 0) return syscall(SYS_write, fd, from[0].iov_base, part(from[0].iov_len));
    return syscall(SYS_writev, fd, from, n);
}

int fsync(int fd) {
    FAILS_ON("sync", NULL);
    return syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
    FAILS_ON("sync", NULL);
    return syscall(SYS_fdatasync, fd);
}

static int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    FAILS_ON("rename", NULL);
    return syscall(SYS_renameat2, from, old, to, new, flags);
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return renamed(from, old, to, new, flags);
}

int flock(int fd, int operation) {
    FAILS_ON("lock", NULL);
    return syscall(SYS_flock, fd, operation);
}

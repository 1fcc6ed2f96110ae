/* A disk of which only what was synced outlives a loss of power: each fsync copies the file to the shadow's folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int real(const char *name, int file) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return next(file);
}

static void keep(int file) {
    const char *shadow = getenv("SHADOW");
    char link[64], path[PATH_MAX], target[PATH_MAX + 256], part[PATH_MAX + 300], block[65536];
    if (!shadow) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    snprintf(target, sizeof target, "%s/%s", shadow, strrchr(path, '/') + 1);
    snprintf(part, sizeof part, "%s.part%d", target, (int)getpid());
    int from = open(path, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (ssize_t got; from >= 0 && to >= 0 && (got = read(from, block, sizeof block)) > 0;)
        if (write(to, block, got) != got) abort();
    close(from), close(to);
    rename(part, target);
}

int fsync(int file) { int done = real("fsync", file); keep(file); return done; }
int fdatasync(int file) { int done = real("fdatasync", file); keep(file); return done; }

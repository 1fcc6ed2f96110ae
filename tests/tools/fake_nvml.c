/* A stand-in for libnvidia-ml.so.1: one line a GPU in the file that FAKE_GPUS names, as
     util=93 used=40960 total=81920 temp=61 power=350000 ecc=2 xid=79 pid=4242 pmem=30000 psm=88
   and for its health: throttle=64 limit=90 remap=pending remap=failed retired=1, and lost=1 for one off the bus.
   A key that is left out is a question that this GPU does not support (error 3). It checks how we read, not a driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, UNSUPPORTED = 3, TOO_SMALL = 7, NO_DRIVER = 9, TIMEOUT = 10, LOST = 15 };
static char lines[8][512];
static int count, ready, told[8];

static int number(const void *device, const char *key, unsigned long long *value) {
    char name[32];
    snprintf(name, sizeof name, "%s=", key);
    if (strstr((const char *)device, "lost=")) return LOST;
    const char *found = strstr((const char *)device, name);
    if (!found) return UNSUPPORTED;
    *value = strtoull(found + strlen(name), NULL, 10);
    return OK;
}
static int small(const void *device, const char *key, unsigned *value) {
    unsigned long long wide = 0;
    int status = number(device, key, &wide);
    *value = (unsigned)wide;
    return status;
}
int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    const char *path = getenv("FAKE_GPUS");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return NO_DRIVER;
    for (count = 0; count < 8 && fgets(lines[count], sizeof lines[0], file);) count++;
    fclose(file);
    ready = 1;
    return OK;
}
int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
int nvmlShutdown(void) { ready = 0; return OK; }
const char *nvmlErrorString(int status) { return status == NO_DRIVER ? "Driver Not Loaded" : "Error"; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = count; return ready ? OK : UNINITIALIZED; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **device) {
    if (i >= (unsigned)count) return INVALID;
    if (strstr(lines[i], "lost=handle")) return LOST;
    *device = lines[i];
    return OK;
}
int nvmlDeviceGetIndex(void *device, unsigned *i) { *i = ((char (*)[512])device) - lines; return OK; }
int nvmlDeviceGetName(void *device, char *text, unsigned n) { (void)device; snprintf(text, n, "Stand-in GPU"); return OK; }
int nvmlDeviceGetUUID(void *device, char *text, unsigned n) {
    snprintf(text, n, "GPU-%d", (int)(((char (*)[512])device) - lines));
    return OK;
}
struct rates { unsigned gpu, memory; };
int nvmlDeviceGetUtilizationRates(void *device, struct rates *r) { r->memory = 0; return small(device, "util", &r->gpu); }
struct memory { unsigned long long total, spare, used; };
int nvmlDeviceGetMemoryInfo(void *device, struct memory *m) {
    int status = number(device, " total", &m->total) | number(device, "used", &m->used);
    m->total <<= 20;
    m->used <<= 20;
    m->spare = m->total - m->used;
    return status;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw) { return small(device, "power", mw); }
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *c) { (void)sensor; return small(device, "temp", c); }
int nvmlDeviceGetTotalEccErrors(void *device, int kind, int counter, unsigned long long *n) {
    (void)kind, (void)counter;
    return number(device, "ecc", n);
}
int nvmlDeviceGetTemperatureThreshold(void *device, int which, unsigned *c) { (void)which; return small(device, "limit", c); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *r) { return number(device, "throttle", r); }
int nvmlDeviceGetRetiredPagesPendingStatus(void *device, unsigned *is) { return small(device, "retired", is); }
int nvmlDeviceGetRemappedRows(void *device, unsigned *mended, unsigned *not, unsigned *waits, unsigned *failed) {
    if (!strstr((const char *)device, "remap=")) return UNSUPPORTED;
    *mended = 1;
    *not = 0;
    *waits = strstr((const char *)device, "remap=pending") != NULL;
    *failed = strstr((const char *)device, "remap=failed") != NULL;
    return OK;
}
struct process { unsigned pid; unsigned long long used; unsigned gi, ci; };
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, struct process *p) {
    unsigned pid = 0;
    if (small(device, "pid", &pid)) { *n = 0; return OK; }
    if (*n < 1) { *n = 1; return TOO_SMALL; }
    *n = 1;
    p->pid = pid;
    number(device, "pmem", &p->used);
    p->used <<= 20;
    return OK;
}
struct share { unsigned pid; unsigned long long when; unsigned sm, memory, encoder, decoder; };
int nvmlDeviceGetProcessUtilization(void *device, struct share *s, unsigned *n, unsigned long long since) {
    (void)since;
    unsigned pid = 0, sm = 0;
    if (small(device, "pid", &pid) || small(device, "psm", &sm)) return UNSUPPORTED;
    if (*n < 1) { *n = 1; return TOO_SMALL; }
    memset(s, 0, sizeof *s);
    s->pid = pid;
    s->when = 1;
    s->sm = sm;
    return OK;
}
int nvmlEventSetCreate(void **set) { *set = lines; return OK; }
int nvmlDeviceRegisterEvents(void *device, unsigned long long kinds, void *set) { (void)device, (void)kinds, (void)set; return OK; }
struct event { void *device; unsigned long long kind, data; unsigned gi, ci; };
int nvmlEventSetWait_v2(void *set, struct event *e, unsigned wait_ms) {
    (void)set, (void)wait_ms;
    for (int i = 0; i < count; i++)
        if (!told[i] && !number(lines[i], "xid", &e->data)) {
            told[i] = 1;
            e->device = lines[i];
            e->kind = 8;
            return OK;
        }
    return TIMEOUT;
}

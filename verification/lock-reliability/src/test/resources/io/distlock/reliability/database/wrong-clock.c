/*
 * The clock of the day of one process is CLOCK_OFFSET seconds off; if CLOCK_JUMPS is set, it jumps every 3 s
 * between that much ahead and that much behind. The clock that measures durations stays as it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

typedef int gettime(clockid_t, struct timespec *);

static gettime *real(void) {
	static gettime *found;
	if (!found) {
		found = (gettime *) dlsym(RTLD_NEXT, "clock_gettime");
	}
	return found;
}

static long offset(void) {
	static long seconds;
	static int jumps = -1;
	if (jumps < 0) {
		const char *text = getenv("CLOCK_OFFSET");
		seconds = text ? atol(text) : 0;
		jumps = getenv("CLOCK_JUMPS") ? 1 : 0;
	}
	struct timespec elapsed;
	if (jumps && real()(CLOCK_MONOTONIC, &elapsed) == 0 && elapsed.tv_sec / 3 % 2) {
		return -seconds;
	}
	return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
	int result = real()(clock, now);
	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
		now->tv_sec += offset();
	}
	return result;
}

int gettimeofday(struct timeval *now, void *zone) {
	struct timespec precise;
	int result = clock_gettime(CLOCK_REALTIME, &precise);
	now->tv_sec = precise.tv_sec;
	now->tv_usec = precise.tv_nsec / 1000;
	return result;
}

time_t time(time_t *now) {
	struct timespec precise;
	clock_gettime(CLOCK_REALTIME, &precise);
	if (now) {
		*now = precise.tv_sec;
	}
	return precise.tv_sec;
}

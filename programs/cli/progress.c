/* A progress bar, on a terminal only, with the time that is left. */
#include "command.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define LONG_RUN_S 20     /* from here on an estimate is worth a line */
#define QUIET_START_S 0.5 /* short runs show no bar at all */
#define REFRESH_S 0.1

double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void draw_progress_bar(double fraction, double left_s, const char *stage)
{
    char bar[BAR_WIDTH + 1];
    int full = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K[%s] %3.0f %%  %.30s", bar, 100 * fraction, stage);
    if (fraction > 0.02 && left_s >= 60)
        fprintf(stderr, ", %.0f min left", left_s / 60 + 0.5);
    else if (fraction > 0.02)
        fprintf(stderr, ", %.0f s left", left_s + 0.5);
    fflush(stderr);
}

/* For a program that runs this one: RASTERWAVE_PROGRESS=N asks for lines of "share stage" on file descriptor N. */
static void write_progress_line(struct progress *progress, double fraction, const char *stage)
{
    const char *wanted = getenv("RASTERWAVE_PROGRESS");
    double now = now_s();
    char line[96];
    if (!wanted || now - progress->last_report_s < REFRESH_S)
        return;
    progress->last_report_s = now;
    int length = snprintf(line, sizeof line, "%.4f %.60s\n", fraction, stage ? stage : "");
    if (write(atoi(wanted), line, (size_t)length) < 0)
        progress->last_report_s = INFINITY; /* there is no reader any more */
}

int on_progress(void *user, double fraction, const char *stage)
{
    struct call *call = user;
    struct progress *progress = &call->progress;
    write_progress_line(progress, fraction, stage);
    if (call->quiet || call->json || !isatty(STDERR_FILENO))
        return 0;
    double now = now_s();
    if (progress->start_s == 0)
        progress->start_s = now;
    if (now - progress->start_s < QUIET_START_S || (now - progress->shown_s < REFRESH_S && fraction < 1))
        return 0;
    fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    draw_progress_bar(fraction, fraction > 0 ? (now - progress->start_s) * (1 - fraction) / fraction : 0,
                      stage ? stage : "");
    progress->shown_s = now;
    progress->shown = 1;
    return 0;
}

void on_estimate(void *user, size_t cells, size_t transmitters, double seconds, double bytes)
{
    struct call *call = user;
    if (call->progress.announces_run && !call->quiet && !call->json && seconds >= LONG_RUN_S) {
        printf("%zu cells x %zu transmitters, about %.0f s and %.0f MB of memory\n", cells, transmitters, seconds,
               bytes / 1e6 + 1);
        fflush(stdout);
    }
    call->progress.announces_run = 0;
}

void wipe_progress(struct call *call)
{
    if (call->progress.shown)
        fputs("\r\033[K", stderr);
    call->progress.shown = 0;
    call->progress.start_s = 0;
}

/* Signals that end the program: temporary files and empty folders are removed first. */

/* Everything here may be called from a handler. The signal is raised again and then ends the process, so that its
 * parent sees what ended it. */
static void end_interrupted_call(int number)
{
    rw_remove_unfinished();
    undo_interrupted_folder();
    raise(number);
}

void catch_interrupts(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction ours, before;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = end_interrupted_call;
    ours.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup ignores SIGHUP */
            sigaction(numbers[i], &ours, NULL);
}

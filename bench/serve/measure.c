/* Speed of one client that drags, and behaviour under many. Results are one line of JSON. */
#include "bench/serve/serve.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_MAX 65536
#define TIMES_MAX 1000000
#define FIRST_X_M 1281.36
#define STEP_X_M 1.5
#define STEPS 60 /* to and fro */

/* The body with the place of the moment. */
static void move_body(const char *body, unsigned long number, char *out, size_t size)
{
    const char *mark = strstr(body, "@X");
    unsigned long phase = number % (2 * STEPS), step = phase < STEPS ? phase : 2 * STEPS - phase;
    if (mark)
        snprintf(out, size, "%.*s%.2f%s", (int)(mark - body), body, FIRST_X_M + STEP_X_M * (double)step, mark + 2);
    else
        snprintf(out, size, "%s", body);
}

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

int measure_speed(int port, double seconds, const char *body)
{
    static double times_s[TIMES_MAX];
    char moved[REQUEST_MAX / 2], request[REQUEST_MAX];
    size_t count = 0, failed = 0;
    struct client client = {.fd = -1};
    if (!client_open(&client, port))
        return 1;
    double start_s = 0;
    for (unsigned long i = 0; count < TIMES_MAX; i++) {
        move_body(body, i, moved, sizeof moved);
        size_t size = client_request(request, sizeof request, port, "/v1/predict", moved);
        double sent_s = client_now_s();
        if (!client_send(&client, request, size) || client_wait(&client) != 200) {
            failed++;
            fprintf(stderr, "%.300s\n", client.answer ? client.answer : "no answer");
            break;
        }
        if (i == 2) /* the first ones open the model and fill its tables */
            start_s = client_now_s();
        else if (i > 2)
            times_s[count++] = client_now_s() - sent_s;
        if (i > 2 && client_now_s() - start_s > seconds)
            break;
    }
    double total_s = client_now_s() - start_s;
    qsort(times_s, count, sizeof *times_s, compare_times);
    if (count)
        printf("{\"answers\": %zu, \"answers_per_s\": %.2f, \"median_s\": %.4f, \"p95_s\": %.4f, \"bytes\": %zu}\n",
               count, (double)count / total_s, times_s[count / 2], times_s[count * 95 / 100], client.size);
    client_close(&client);
    free(client.answer);
    return failed || !count;
}

/* Memory of a process in kB; 0 where it cannot be told. */
static long memory_kb(int pid)
{
    char path[64], line[256];
    long found = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = pid > 0 ? fopen(path, "r") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            found = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return found;
}

struct load {
    int port, connections;
    const char *body;
    struct client *clients;
    struct pollfd *list;
    unsigned long sent, busy_at_send;
    size_t good, rejected, failed; /* 200, 429, anything else */
    double *times_s;
};

static int open_all(struct load *load)
{
    for (int i = 0; i < load->connections; i++) {
        load->clients[i].fd = -1;
        if (!client_open(&load->clients[i], load->port))
            return 0;
        load->list[i] = (struct pollfd){.fd = load->clients[i].fd, .events = POLLIN};
    }
    return 1;
}

static void read_load_answers(struct load *load, int wait_ms)
{
    if (poll(load->list, (nfds_t)load->connections, wait_ms) <= 0)
        return;
    for (int i = 0; i < load->connections; i++) {
        struct client *client = &load->clients[i];
        if (!load->list[i].revents)
            continue;
        int status = client_read(client);
        if (status == 0)
            continue;
        if (client->sent_s > 0 && status == 200 && load->good < TIMES_MAX)
            load->times_s[load->good] = client_now_s() - client->sent_s;
        load->good += status == 200;
        load->rejected += status == 429;
        load->failed += status != 200 && status != 429;
        client->sent_s = 0;
        client->size = 0;
        if (status < 0) { /* closed: opened again, as a browser does */
            client_close(client);
            if (client_open(client, load->port))
                load->list[i].fd = client->fd;
        }
    }
}

static void send_one(struct load *load)
{
    char moved[REQUEST_MAX / 2], request[REQUEST_MAX];
    struct client *client = &load->clients[load->sent % (unsigned long)load->connections];
    if (client->sent_s > 0) {
        load->busy_at_send++;
        load->sent++;
        return;
    }
    move_body(load->body, load->sent, moved, sizeof moved);
    size_t size = client_request(request, sizeof request, load->port, "/v1/predict", moved);
    load->failed += !client_send(client, request, size);
    load->sent++;
}

static void run_load(struct load *load, double rate, double seconds, int pid, long memory[3])
{
    double start_s = client_now_s();
    for (double now_s = start_s; now_s - start_s < seconds; now_s = client_now_s()) {
        if (!memory[1] && now_s - start_s > seconds / 3)
            memory[1] = memory_kb(pid); /* after the first third: everything has been used once */
        if ((double)load->sent < rate * (now_s - start_s))
            send_one(load);
        read_load_answers(load, 1);
    }
    for (int i = 0; i < 2000 && load->good + load->rejected + load->failed + load->busy_at_send < load->sent; i++)
        read_load_answers(load, 10);
    memory[2] = memory_kb(pid);
}

int measure_load(int port, int connections, double rate, double seconds, const char *body, int pid)
{
    struct load load = {.port = port, .connections = connections, .body = body};
    long memory[3] = {memory_kb(pid), 0, 0};
    load.clients = calloc((size_t)connections, sizeof *load.clients);
    load.list = calloc((size_t)connections, sizeof *load.list);
    load.times_s = calloc(TIMES_MAX, sizeof *load.times_s);
    int good = load.clients && load.list && load.times_s && open_all(&load);
    if (good)
        run_load(&load, rate, seconds, pid, memory);
    else
        fprintf(stderr, "not all of %d connections could be opened\n", connections);
    if (good) {
        size_t count = load.good < TIMES_MAX ? load.good : TIMES_MAX;
        size_t missing = load.sent - load.busy_at_send - load.good - load.rejected - load.failed;
        qsort(load.times_s, count, sizeof *load.times_s, compare_times);
        printf("{\"connections\": %d, \"requests\": %lu, \"answers\": %zu, \"refused\": %zu, \"failed\": %zu, "
               "\"missing\": %zu, \"median_s\": %.4f, \"p99_s\": %.4f, \"memory_kb\": [%ld, %ld, %ld]}\n",
               connections, load.sent - load.busy_at_send, load.good, load.rejected, load.failed, missing,
               count ? load.times_s[count / 2] : 0, count ? load.times_s[count * 99 / 100] : 0, memory[0], memory[1],
               memory[2]);
        good = load.failed == 0 && missing == 0 && load.good > 0;
    }
    for (int i = 0; load.clients && i < connections; i++) {
        client_close(&load.clients[i]);
        free(load.clients[i].answer);
    }
    free(load.clients);
    free(load.list);
    free(load.times_s);
    return !good;
}

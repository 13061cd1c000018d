/* What the client of the server has in common: connections on loopback, requests, and what came back. */
#ifndef BENCH_SERVE_SERVE_H
#define BENCH_SERVE_SERVE_H

#include <stddef.h>

#define ANSWER_MAX ((size_t)8 << 20)

/* One connection and the answer that it reads. */
struct client {
    int fd; /* -1: closed */
    char *answer;
    size_t size, capacity;
    double sent_s;
};

double client_now_s(void);

/* A connection to the port on loopback; 0 where there is none. */
int client_open(struct client *client, int port);
void client_close(struct client *client);

/* A request as text, into room of size bytes: its length. body NULL: GET. */
size_t client_request(char *buffer, size_t size, int port, const char *path, const char *body);

/* Sends all; 0 where the connection is gone. */
int client_send(struct client *client, const char *bytes, size_t size);

/* Reads without waiting; the status of the answer where it is whole, 0 where there is more to come, -1 at the end. */
int client_read(struct client *client);

/* Waits for the whole answer. */
int client_wait(struct client *client);

/* modes of the program; each returns its exit status. */
int measure_speed(int port, double seconds, const char *body);
int measure_load(int port, int connections, double rate, double seconds, const char *body, int pid);
int try_noise(int port, long count, unsigned long seed);

#endif

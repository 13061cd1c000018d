/* Runs a program and stops it at every system call that changes files, to look at what stands on the disk at that
 * moment, to end the program there, to tear the write or to let the call fail. By ptrace and a seccomp filter, which
 * x86-64 alone is taught; elsewhere, and where the system forbids it, traced_run returns -1. */
#ifndef RW_TESTS_TRACED_RUN_H
#define RW_TESTS_TRACED_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum traced_kind {
    TRACED_OPEN, /* to write */
    TRACED_WRITE,
    TRACED_SYNC,
    TRACED_RENAME,
    TRACED_OTHER /* cut, removed, linked, a folder made */
} traced_kind;

typedef struct traced_call {
    traced_kind kind;
    int number;     /* from 1 */
    int descriptor; /* of a write */
    int flags;      /* of an open */
} traced_call;

typedef enum traced_answer {
    TRACED_GO_ON,
    TRACED_KILL, /* before the call */
    TRACED_TEAR, /* within it: half of a write is done */
    TRACED_FAIL, /* the call fails with the error */
    TRACED_SIGNAL
} traced_answer;

typedef struct traced_plan {
    traced_answer (*at_call)(void *user, const traced_call *call);
    void *user;
    int error;         /* of TRACED_FAIL */
    int signal;        /* of TRACED_SIGNAL */
    const char *said;  /* file for what the program prints; NULL: nowhere */
    int is_impossible; /* out: tracing is not allowed here */
} traced_plan;

#if defined(__linux__) && defined(__x86_64__)

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#define TRACED_EXIT_IMPOSSIBLE 121

static const struct {
    long number;
    traced_kind kind;
} traced_calls[] = {{SYS_openat, TRACED_OPEN},     {SYS_open, TRACED_OPEN},        {SYS_creat, TRACED_OTHER},
                    {SYS_write, TRACED_WRITE},     {SYS_pwrite64, TRACED_WRITE},   {SYS_writev, TRACED_WRITE},
                    {SYS_fsync, TRACED_SYNC},      {SYS_fdatasync, TRACED_SYNC},   {SYS_rename, TRACED_RENAME},
                    {SYS_renameat, TRACED_RENAME}, {SYS_renameat2, TRACED_RENAME}, {SYS_ftruncate, TRACED_OTHER},
                    {SYS_truncate, TRACED_OTHER},  {SYS_unlink, TRACED_OTHER},     {SYS_unlinkat, TRACED_OTHER},
                    {SYS_rmdir, TRACED_OTHER},     {SYS_mkdir, TRACED_OTHER},      {SYS_mkdirat, TRACED_OTHER},
                    {SYS_link, TRACED_OTHER},      {SYS_linkat, TRACED_OTHER}};
#define TRACED_CALL_COUNT (sizeof traced_calls / sizeof *traced_calls)

/* Stops at the calls of the table alone; at an open, where it may write. */
static inline int traced_set_filter(void)
{
    struct sock_filter code[2 + 2 * TRACED_CALL_COUNT + 2];
    unsigned short used = 0;
    code[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 1; i < TRACED_CALL_COUNT; i++) {
        code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)traced_calls[i].number, 0, 1);
        code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0);
    code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_filter flags[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_filter all[sizeof code / sizeof *code + 4];
    memcpy(all, code, used * sizeof *code);
    memcpy(all + used, flags, sizeof flags);
    struct sock_fprog program = {.len = (unsigned short)(used + 4), .filter = all};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static inline void traced_child(char *const arguments[], const char *said)
{
    int out = open(said ? said : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(out, 1);
    dup2(out, 2);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the leak sanitizer does not work in a traced process */
    setenv("OMP_NUM_THREADS", "1", 1);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP}; /* which a test in the background may have been told to ignore */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(TRACED_EXIT_IMPOSSIBLE);
    raise(SIGSTOP);
    if (!traced_set_filter())
        _exit(TRACED_EXIT_IMPOSSIBLE);
    execv(arguments[0], arguments);
    _exit(TRACED_EXIT_IMPOSSIBLE);
}

static inline traced_call traced_look(const struct user_regs_struct *registers, int number)
{
    traced_call call = {.kind = TRACED_OTHER, .number = number, .descriptor = (int)registers->rdi};
    for (size_t i = 0; i < TRACED_CALL_COUNT; i++)
        if (traced_calls[i].number == (long)registers->orig_rax)
            call.kind = traced_calls[i].kind;
    call.flags = (int)(registers->orig_rax == SYS_openat ? registers->rdx : registers->rsi);
    return call;
}

/* The call does half of what it was to do; then the process is killed. */
static inline void traced_tear(pid_t thread, pid_t process, struct user_regs_struct *registers)
{
    int status;
    registers->rdx /= 2;
    ptrace(PTRACE_SETREGS, thread, NULL, registers);
    ptrace(PTRACE_SYSCALL, thread, NULL, NULL);
    waitpid(thread, &status, __WALL);
    kill(process, SIGKILL);
}

/* Answers one stop; returns the signal to go on with, or -1 where the process is killed. */
static inline int traced_stop(traced_plan *plan, pid_t thread, pid_t process, int *number)
{
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, thread, NULL, &registers);
    traced_call call = traced_look(&registers, ++*number);
    traced_answer answer = plan->at_call ? plan->at_call(plan->user, &call) : TRACED_GO_ON;
    if (answer == TRACED_KILL)
        kill(process, SIGKILL);
    if (answer == TRACED_TEAR)
        traced_tear(thread, process, &registers);
    if (answer == TRACED_SIGNAL)
        kill(process, plan->signal);
    if (answer == TRACED_FAIL) {
        registers.orig_rax = (unsigned long long)-1;
        registers.rax = (unsigned long long)-plan->error;
        ptrace(PTRACE_SETREGS, thread, NULL, &registers);
    }
    return answer == TRACED_KILL || answer == TRACED_TEAR ? -1 : 0;
}

/* The status of waitpid for the program; -1 where tracing is impossible. */
static inline int traced_run(char *const arguments[], traced_plan *plan)
{
    int status, number = 0;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        traced_child(arguments, plan->said);
    if (process < 0 || waitpid(process, &status, __WALL) != process || !WIFSTOPPED(status))
        return -1;
    ptrace(PTRACE_SETOPTIONS, process, NULL,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, process, NULL, NULL);
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            return -1;
        if (thread == process && !WIFSTOPPED(status))
            break;
        if (!WIFSTOPPED(status))
            continue;
        int event = status >> 16, passed = event ? 0 : WSTOPSIG(status);
        if (passed == SIGSTOP) /* of a new thread */
            passed = 0;
        if (event == PTRACE_EVENT_SECCOMP && traced_stop(plan, thread, process, &number) < 0)
            continue;
        ptrace(PTRACE_CONT, thread, NULL, (void *)(long)passed);
    }
    plan->is_impossible = WIFEXITED(status) && WEXITSTATUS(status) == TRACED_EXIT_IMPOSSIBLE;
    return plan->is_impossible ? -1 : status;
}

#else

static inline int traced_run(char *const arguments[], traced_plan *plan)
{
    (void)arguments;
    plan->is_impossible = 1;
    return -1;
}

#endif
#endif

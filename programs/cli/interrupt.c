/* Signals that end the program: temporary files and empty folders are removed first. */
#include "command.h"

#include <signal.h>
#include <string.h>

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

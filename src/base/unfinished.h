/* The temporary files that this process is writing, so that a signal handler can remove them. */
#ifndef RW_BASE_UNFINISHED_H
#define RW_BASE_UNFINISHED_H

typedef struct rw_unfinished rw_unfinished;

/* Notes a path before the file is made. NULL where memory is out, or where rw_remove_unfinished was called: then no
 * file is to be made. */
rw_unfinished *rw_unfinished_note(const char *path);

/* The file has its final name or is removed. NULL is allowed. */
void rw_unfinished_forget(rw_unfinished *noted);

#endif

/* Files below the root. */
#ifndef RW_SERVE_FILES_H
#define RW_SERVE_FILES_H

#include "serve/serve.h"

/* Answers with a file of the folder: a plain file whose real path is inside of it. */
void serve_send_file(const char *folder, const char *name, struct serve_answer *answer);

/* The type of a file's content, by the end of its name. */
const char *serve_type_of(const char *name);

#endif

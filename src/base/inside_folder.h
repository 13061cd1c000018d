/* Where a path leads. Shared by the library and the program, so it knows neither. */
#ifndef RW_BASE_INSIDE_FOLDER_H
#define RW_BASE_INSIDE_FOLDER_H

/* Whether a path leads to a place in the folder ("": the current one) or below it, when every symbolic link on the way
 * is followed. What is not there yet counts by the folder that it would be made in. 0 also where a path cannot be
 * followed. */
int rw_path_is_inside(const char *path, const char *folder);

#endif

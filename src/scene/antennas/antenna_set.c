/* Sets of MSI files, one for each electrical tilt and frequency, as manufacturers publish them: from a folder or a
 * pattern of names and the tilt that a site has to one file. The tilt is that of the file's line ELECTRICAL_TILT, or of
 * its name: ..._06T.msi, ..._T6.msi, ...-ET04.pln. */
#include "scene/antennas/antenna.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SAME_TILT_DEG 0.05
#define TILTS_NAMED_MAX 200 /* characters of the list of tilts in a refusal */

static int is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

int rw_antenna_is_set(const char *path)
{
    return strchr(path, '*') != NULL || is_folder(path);
}

/* The tilt in a name: digits before or behind a T that is no part of a word; NaN where there is none. */
static double tilt_of_name(const char *path)
{
    const char *name = rw_path_name(path);
    double tilt_deg = NAN;
    for (const char *at = name; *at; at++) {
        if ((*at | 32) != 't')
            continue;
        const char *digits = at;
        int before = at > name && ((at[-1] | 32) == 'd' || (at[-1] | 32) == 'e') ? 1 : 0; /* DT, ET */
        digits -= before;
        while (digits > name && isdigit((unsigned char)digits[-1]))
            digits--;
        if (digits < at - before && !isalnum((unsigned char)at[1]))
            tilt_deg = strtod(digits, NULL);
        else if (isdigit((unsigned char)at[1]) && (at - before == name || !isalnum((unsigned char)at[-before - 1])))
            tilt_deg = strtod(at + 1, NULL);
    }
    return tilt_deg;
}

static int is_pattern_file(const char *path)
{
    return rw_path_is_regular_file(path) &&
           (rw_path_has_extension(path, ".msi") || rw_path_has_extension(path, ".pln") ||
            rw_path_has_extension(path, ".ant") || rw_path_has_extension(path, ".txt"));
}

/* What is chosen so far, and the tilts that there are, as a text. */
typedef struct choice {
    double tilt_deg, freq_hz, nearest;
    char tilts[TILTS_NAMED_MAX];
    size_t files;
} choice;

static void name_tilt(choice *of, double tilt_deg)
{
    char string[32];
    size_t used = strlen(of->tilts);
    snprintf(string, sizeof string, "%g", tilt_deg);
    for (const char *at = of->tilts; (at = strstr(at, string)) != NULL; at++)
        if ((at == of->tilts || at[-1] == ' ') && (at[strlen(string)] == ',' || !at[strlen(string)]))
            return; /* named already */
    if (used + strlen(string) + 3 < sizeof of->tilts)
        snprintf(of->tilts + used, sizeof of->tilts - used, "%s%s", used ? ", " : "", string);
}

static rw_status try_file(rw_context *context, const char *file, choice *of, char path[RW_PATH_MAX])
{
    rw_antenna *antenna;
    rw_status status = rw_antenna_create(context, file, &antenna);
    if (status == RW_BAD_INPUT && rw_path_has_extension(file, ".txt"))
        return RW_OK; /* a text beside the patterns */
    RW_TRY(status);
    double tilt_deg = isnan(antenna->electrical_tilt_deg) ? tilt_of_name(file) : antenna->electrical_tilt_deg;
    double apart = of->freq_hz > 0 && antenna->freq_hz > 0 ? fabs(log(antenna->freq_hz / of->freq_hz)) : 0;
    rw_antenna_destroy(antenna);
    of->files++;
    if (!isnan(tilt_deg))
        name_tilt(of, tilt_deg);
    int fits = isnan(of->tilt_deg) || fabs(tilt_deg - of->tilt_deg) <= SAME_TILT_DEG;
    if (fits && apart < of->nearest && strlen(file) < RW_PATH_MAX) {
        of->nearest = apart;
        strcpy(path, file);
    }
    return RW_OK;
}

static rw_status reject_antenna_set(rw_context *context, const char *set, const choice *of)
{
    if (of->files == 0)
        return rw_fail(context, RW_NOT_FOUND, "the antenna set %.300s has no file NAME.msi, .pln, .ant or .txt", set);
    if (isnan(of->tilt_deg))
        return rw_fail(context, RW_BAD_INPUT,
                       "the antenna set %.300s has electrical tilts of %s degrees; choose one with the column etilt",
                       set, of->tilts);
    return rw_fail(context, RW_BAD_INPUT,
                   "the antenna set %.300s has no file of an electrical tilt of %g degrees; it has %s", set,
                   of->tilt_deg, *of->tilts ? of->tilts : "none that its files or their names say");
}

rw_status rw_antenna_choose(rw_context *context, const char *set, double electrical_tilt_deg, double freq_hz,
                            char path[RW_PATH_MAX])
{
    choice of = {.tilt_deg = electrical_tilt_deg, .freq_hz = freq_hz, .nearest = INFINITY};
    char pattern[RW_PATH_MAX];
    glob_t found = {0};
    rw_status status = RW_OK;
    int length = snprintf(pattern, sizeof pattern, "%s%s", set, is_folder(set) ? "/*" : "");
    if (length < 0 || (size_t)length >= sizeof pattern)
        return rw_fail(context, RW_BAD_CALL, "the path of the antenna set %.60s... is too long", set);
    path[0] = 0;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && status == RW_OK; i++)
            if (is_pattern_file(found.gl_pathv[i]))
                status = try_file(context, found.gl_pathv[i], &of, path);
    globfree(&found);
    RW_TRY(status);
    int several = isnan(electrical_tilt_deg) && strchr(of.tilts, ',') != NULL;
    return path[0] && !several ? RW_OK : reject_antenna_set(context, set, &of);
}

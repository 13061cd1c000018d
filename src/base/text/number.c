#define _GNU_SOURCE /* strtod_l */
#include "base/text/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

size_t rw_parse_number(const char *string, double *value)
{
    pthread_once(&c_locale_once, make_c_locale);
    char *end = NULL;
    *value = strtod_l(string, &end, c_locale);
    return end == string ? 0 : (size_t)(end - string);
}

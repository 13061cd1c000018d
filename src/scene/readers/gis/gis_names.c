/* What names of layers and fields mean, in many languages: buildings, numbers of storeys, heights of roofs.
 *
 * Names are compared folded: lower case, without accents, and everything that is not a letter is a separator. Fields of
 * shapefiles end after ten bytes. */
#include "scene/readers/gis/gis.h"

#include "base/text/utf8.h"

#include <string.h>

#define NAME_MAX_BYTES 256
#define SHAPEFILE_FIELD_BYTES 10

/* U+00C0 to U+017F without their accents. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooo"
                            "oooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

static uint32_t fold_greek(uint32_t code)
{
    static const struct {
        uint32_t accented, plain;
    } letters[] = {{0x386, 0x3b1}, {0x388, 0x3b5}, {0x389, 0x3b7}, {0x38a, 0x3b9}, {0x38c, 0x3bf},
                   {0x38e, 0x3c5}, {0x38f, 0x3c9}, {0x3ac, 0x3b1}, {0x3ad, 0x3b5}, {0x3ae, 0x3b7},
                   {0x3af, 0x3b9}, {0x3cc, 0x3bf}, {0x3cd, 0x3c5}, {0x3ce, 0x3c9}, {0x3c2, 0x3c3}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (code == letters[i].accented)
            return letters[i].plain;
    return code >= 0x391 && code <= 0x3a9 ? code + 0x20 : code;
}

/* A letter in lower case and without its accent; 0: an accent that follows its letter; '_': no letter. */
static uint32_t fold_letter(uint32_t code)
{
    if (code < 0x80) {
        uint32_t lower = code | 0x20;
        return lower >= 'a' && lower <= 'z' ? lower : '_';
    }
    if (code >= 0xc0 && code - 0xc0 < sizeof latin - 1)
        return latin[code - 0xc0] == ' ' ? '_' : (uint32_t)latin[code - 0xc0];
    if (code >= 0x218 && code <= 0x21b) /* Romanian s and t with a comma */
        return code < 0x21a ? 's' : 't';
    if (code >= 0x300 && code <= 0x36f)
        return 0;
    if (code >= 0x386 && code <= 0x3ce)
        return fold_greek(code);
    if (code >= 0x400 && code <= 0x40f)
        return code + 0x50;
    return code >= 0x410 && code <= 0x42f ? code + 0x20 : code;
}

/* "Gebaeude-Hoehe 2" becomes "_gebaeude_hoehe_". */
static void fold_name(const char *name, char folded[NAME_MAX_BYTES])
{
    const unsigned char *at = (const unsigned char *)name;
    char *out = folded, last = '_';
    *out++ = '_';
    while (*at && out - folded < NAME_MAX_BYTES - 6) {
        size_t length = rw_utf8_length(at, 4);
        uint32_t code = length <= 1 ? *at : at[0] & (0xffu >> (length + 1));
        for (size_t i = 1; i < length; i++)
            code = code << 6 | (at[i] & 63u);
        at += length ? length : 1;
        code = fold_letter(code);
        if (code == 0 || (code == '_' && last == '_'))
            continue;
        out = rw_utf8_write(out, code);
        last = (char)(code == '_' ? '_' : 'x');
    }
    if (last != '_')
        *out++ = '_';
    *out = 0;
}

static int contains_any(const char *folded, const char *const *words)
{
    for (; *words; words++)
        if (strstr(folded, *words))
            return 1;
    return 0;
}

int rw_gis_names_buildings(const char *name)
{
    /* "_word_": only as a word of its own */
    static const char *const words[] = {
        "building",   "bldg",      "footprint", "_houses_", "gebaeude",   "gebaude",  "haeuser",  "hauser",
        "hausumr",    "bauwerk",   "batiment",  "_bati_",   "_batim_",    "immeuble", "maisons",  "edific",
        "edifici",    "construcc", "construco", "fabbric",  "volumetric", "gebouw",   "_pand_",   "_panden_",
        "budyn",      "budov",     "_domy_",    "stavb",    "bygning",    "byggnad",  "bygging",  "_hus_",
        "rakennu",    "cladir",    "pastat",    "hoone",    "ehitis",     "_ekas_",   "epulet",   "zgrad",
        "objekti_zg", "eraikin",   "_binalar_", "_bina_",   "_yapi_",     "yapilar",  "bangunan", "gedung",
        "edifice",    "toanha",    "toa_nha",   "κτιρι",    "κτηρι",      "здани",    "строени",  "будин",
        "будивл",     "будівл",    "сгради",    "зград",    "建筑",       "建築",     "建物",     "房屋",
        "건물",       "อาคาร",     "مبان",      "مبنى",     "בניינ",      "מבנ",      "भवन",      NULL};
    char folded[NAME_MAX_BYTES];
    fold_name(name, folded);
    return contains_any(folded, words);
}

int rw_gis_names_other_layer(const char *name)
{
    static const char *const words[] = {
        "landuse", "land_use", "landcover", "parcel",  "plot",     "_sites_", "_site_",     "block",  "address",
        "adress",  "entran",   "eingang",   "point",   "punkt",    "line",    "linie",      "label",  "text",
        "annot",   "permit",   "district",  "nutzung", "quartier", "usage",   "zone",       "zoning", "_areas_",
        "_plan_",  "boundar",  "envelope",  "grid",    "old",      "demol",   "abgerissen", NULL};
    char folded[NAME_MAX_BYTES];
    fold_name(name, folded);
    return contains_any(folded, words);
}

int rw_gis_names_parts(const char *name)
{
    static const char *const words[] = {"part", "teil", "partie", "deel", NULL};
    char folded[NAME_MAX_BYTES];
    fold_name(name, folded);
    return contains_any(folded, words);
}

int rw_gis_same_but_numbers(const char *first, const char *second)
{
    char a[NAME_MAX_BYTES], b[NAME_MAX_BYTES];
    fold_name(first, a);
    fold_name(second, b);
    return strcmp(a, b) == 0;
}

/* Names that shapefiles cut off. */
static int is_cut_off(const char *name)
{
    static const char *const names[] = {"building:levels",     "building_levels",
                                        "anzahl_geschosse",    "nombre_d_etages",
                                        "nombre_etages",       "nombre_niveaux",
                                        "number_of_floors",    "number_of_storeys",
                                        "number_of_stories",   "number_of_levels",
                                        "numberOfFloors",      "numberOfStoreys",
                                        "numero_de_pisos",     "numero_pisos",
                                        "numero_plantas",      "numero_de_plantas",
                                        "numero_piani",        "liczba_kondygnacji",
                                        "aantal_bouwlagen",    "aantal_verdiepingen",
                                        "storeysAboveGround",  "anzahlGeschosse",
                                        "anzahl_stockwerke",   "anzahl_vollgeschosse",
                                        "num_building_floors", NULL};
    if (strlen(name) != SHAPEFILE_FIELD_BYTES)
        return 0;
    char folded[NAME_MAX_BYTES], full[NAME_MAX_BYTES];
    fold_name(name, folded);
    size_t length = strlen(folded);
    length -= folded[length - 1] == '_'; /* the end is where it was cut */
    for (const char *const *each = names; *each; each++) {
        fold_name(*each, full);
        if (strncmp(full, folded, length) == 0)
            return 1;
    }
    return 0;
}

int rw_gis_names_storeys(const char *name)
{
    static const char *const words[] = {
        "levels",     "numlevel",   "_nlevel",     "storey",   "stories",   "floors",   "numfloor", "num_floor",
        "_nfloor",    "floorcount", "floor_count", "floornum", "floor_num", "geschoss", "etage",    "stockwerk",
        "_stocke_",   "piani_",     "_piani",      "pisos",    "plantas",   "niveaux",  "niveles",  "kondygn",
        "verdieping", "bouwla",     "kerros",      "kerrosl",  "etaj",      "vaning",   "etasje",   "etager",
        "emelet",     "podlazi",    "podlaz",      "katsay",   "kat_say",   "katova",   "_etaz",    "nadzemn",
        "andares",    "pavimentos", "этаж",        "поверх",   "οροφ",      "階数",     "层数",     "層數",
        "층수",       NULL};
    static const char *const others[] = {"area",   "height", "hoehe",   "hohe",   "haut",   "altur",    "altez",
                                         "flach",  "flaech", "surf",    "elev",   "base",   "ground",   "min",
                                         "under",  "below",  "unter",   "keller", "cellar", "sous",     "sotto",
                                         "kelder", "_id_",   "typ",     "_name_", "_use_",  "_code_",   "desc",
                                         "podzem", "suelo",  "podziem", "kjell",  "_lod_",  "material", NULL};
    char folded[NAME_MAX_BYTES];
    fold_name(name, folded);
    if (strstr(folded, "aboveground") || strstr(folded, "above_ground"))
        return contains_any(folded, words);
    return (contains_any(folded, words) && !contains_any(folded, others)) || is_cut_off(name);
}

static size_t match_start(const char *at, const char *const *words, size_t skip)
{
    for (; *words; words++)
        if (strncmp(at, *words, strlen(*words)) == 0 && skip-- == 0)
            return strlen(*words);
    return 0;
}

/* Whether a folded name is words about buildings, roofs and measures, with one word for height among them. */
static int splits_into_words(const char *at, int has_height)
{
    static const char *const heights[] = {"height",    "hoehe",    "hohe",    "hauteur",  "altura",   "altezza",
                                          "hoogte",    "hojde",    "hojd",    "hoyde",    "hogde",    "wysokosc",
                                          "vyska",     "korkeus",  "korgus",  "inaltime", "magassag", "visina",
                                          "yukseklik", "augstums", "aukstis", "высота",   "висота",   "височина",
                                          "υψοσ",      "高度",     "高さ",    "높이",     NULL};
    static const char *const others[] = {
        "building",    "bldg",      "bldng",    "bld",         "batiment",    "bat",     "gebaeude", "gebaude",
        "geb",         "edificios", "edificio", "edificacao",  "edificacion", "edif",    "gebouw",   "pand",
        "budynku",     "budynek",   "budovy",   "budova",      "bygnings",    "bygning", "byggnads", "byggnad",
        "rakennuksen", "rakennus",  "zgrade",   "stavby",      "здания",      "будинку", "κτιριου",  "roof",
        "dach",        "toiture",   "toit",     "tetto",       "dak",         "tak",     "maximum",  "maximale",
        "maxima",      "massima",   "max",      "totale",      "total",       "gesamt",  "relative", "rel",
        "mean",        "average",   "avg",      "median",      "moyenne",     "media",   "mittlere", "measured",
        "estimated",   "est",       "lidar",    "aboveground", "agl",         "metres",  "meters",   "metre",
        "meter",       "mt",        "ft",       "feet",        "dell",        "del",     "della",    "des",
        "du",          "de",        "d",        "m",           NULL};
    at += *at == '_';
    if (!*at)
        return has_height;
    size_t length;
    for (size_t skip = 0; !has_height && (length = match_start(at, heights, skip)) > 0; skip++)
        if (splits_into_words(at + length, 1))
            return 1;
    for (size_t skip = 0; (length = match_start(at, others, skip)) > 0; skip++)
        if (splits_into_words(at + length, has_height))
            return 1;
    return 0;
}

int rw_gis_names_height(const char *name)
{
    char folded[NAME_MAX_BYTES] = "";
    fold_name(name, folded);
    return strlen(folded) < 48 && splits_into_words(folded, 0);
}

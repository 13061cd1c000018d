/* The stroke font. A glyph is its width and its strokes, parted by spaces. A stroke is a row of points: a digit x (a
 * tilde before it adds a half) and a letter y, from 'a' = -2 over 'c' = 0, the baseline, and 'h' = 5, the height of
 * small letters, to 'j' = 7, that of capitals. A point with a small letter lies on the stroke; one with a capital
 * letter pulls it, as the control point of a quadratic curve; between two that pull, the point halfway lies on the
 * stroke. '@' closes a stroke. */
#include "output/pictures/pictures.h"

#include <ctype.h>
#include <string.h>

#define CAPITAL_HEIGHT 7.0
#define SPACING 1.9       /* between two glyphs */
#define STRETCH 0.94      /* of widths */
#define STROKE_WIDTH 0.92 /* regular */
#define STROKE_POINTS_MAX 24
#define CURVE_STEPS 6

struct glyph {
    unsigned code;
    double width;
    const char *strokes;
};

static const struct glyph glyphs[] = {
    {' ', 1.2, ""},
    {'!', 0, "0j0e 0c0c"},
    {'"', 2, "0j0h 2j2h"},
    {'#', 5, "1c2j 3c4j 0e5e 0h5h"},
    {'$', 4, "4i4J2j0J0G2g4G4C2c0C0d 2k2b"},
    {'%', 6, "0c6j @0G2G2J0J @4C6C6F4F"},
    {'&', 5, "5c1H1J3J3H0E0C3C5e"},
    {'\'', 0, "0j0h"},
    {'(', 2, "2k0J0B2a"},
    {')', 2, "0k2J2B0a"},
    {'*', 4, "2j2f 0i4g 0g4i"},
    {'+', 4, "0f4f 2d2h"},
    {',', 1, "1c0b"},
    {'-', 3, "0f3f"},
    {'.', 0, "0c0c"},
    {'/', 3, "0b3k"},
    {'0', 4, "@0C4C4J0J"},
    {'1', 4, "0h2j2c 0c4c"},
    {'2', 4, "0h0J2j4J4h4F0c4c"},
    {'3', 4, "0i0J2j4J4G2g 1g2g4G4C2c0C0d"},
    {'4', 4, "3c3j0e4e"},
    {'5', 4, "4j0j0g2g4G4C2c0C0d"},
    {'6', 4, "4i4J2j0J0e @0C4C4G0G"},
    {'7', 4, "0j4j1c"},
    {'8', 4, "@0C4C4G0G @0G4G4J0J"},
    {'9', 4, "0d0C2c4C4h @0F4F4J0J"},
    {':', 0, "0c0c 0g0g"},
    {';', 1, "1c0b 1g1g"},
    {'<', 4, "4h0f4d"},
    {'=', 4, "0e4e 0g4g"},
    {'>', 4, "0h4f0d"},
    {'?', 4, "0i0J2j4J4h4G2f2e 2c2c"},
    {'@', 6, "@2E4E4H2H 4h4e6E6J0J0C5c"},
    {'A', 5, "0c~2j5c 1e4e"},
    {'B', 5, "0c0j2j5J5G2g0g 2g5G5C2c0c"},
    {'C', 5, "5i5J3j0J0C3c5C5d"},
    {'D', 5, "0c0j2j5J5C2c0c0j"},
    {'E', 4, "4j0j0c4c 0g3g"},
    {'F', 4, "4j0j0c 0g3g"},
    {'G', 5, "5i5J3j0J0C3c5C5f3f"},
    {'H', 5, "0c0j 5c5j 0g5g"},
    {'I', 0, "0c0j"},
    {'J', 4, "4j4e4C2c0C0d"},
    {'K', 4, "0c0j 4j0f 1g4c"},
    {'L', 4, "0j0c4c"},
    {'M', 6, "0c0j3e6j6c"},
    {'N', 5, "0c0j5c5j"},
    {'O', 5, "@0C5C5J0J"},
    {'P', 4, "0c0j2j4J4F2f0f"},
    {'Q', 5, "@0C5C5J0J 3e5c"},
    {'R', 5, "0c0j2j5J5F2f0f 2f5c"},
    {'S', 4, "4i4J2j0J0G2g4G4C2c0C0d"},
    {'T', 4, "0j4j 2c2j"},
    {'U', 5, "0j0e0C5C5e5j"},
    {'V', 5, "0j~2c5j"},
    {'W', 7, "0j2c~3j5c7j"},
    {'X', 5, "0j5c 0c5j"},
    {'Y', 4, "0j2g4j 2g2c"},
    {'Z', 4, "0j4j0c4c"},
    {'[', 2, "2k0k0a2a"},
    {'\\', 3, "0k3b"},
    {']', 2, "0k2k2a0a"},
    {'^', 4, "0h2j4h"},
    {'_', 4, "0b4b"},
    {'`', 1, "0j1i"},
    {'a', 4, "4h4c @0C4C4H0H"},
    {'b', 4, "0j0c @0C4C4H0H"},
    {'c', 4, "4g4H2h0H0C2c4C4d"},
    {'d', 4, "4j4c @0C4C4H0H"},
    {'e', 4, "0f4f4H2h0H0C2c4C4d"},
    {'f', 3, "3j1J1h1c 0h3h"},
    {'g', 4, "4h4b4A2a0A0b @0C4C4H0H"},
    {'h', 4, "0c0j 0f0H4H4f4c"},
    {'i', 0, "0c0h 0j0j"},
    {'j', 1, "1h1b1A0a 1j1j"},
    {'k', 4, "0c0j 4h0e 1f4c"},
    {'l', 1, "0j0d0C1c"},
    {'m', 6, "0c0h 0f0H3H3f3c 3f3H6H6f6c"},
    {'n', 4, "0c0h 0f0H4H4f4c"},
    {'o', 4, "@0C4C4H0H"},
    {'p', 4, "0h0a @0C4C4H0H"},
    {'q', 4, "4h4a @0C4C4H0H"},
    {'r', 3, "0c0h 0f0H3h"},
    {'s', 3, "3g3H0H0F3E3C0C0d"},
    {'t', 3, "1j1d1C3c 0h3h"},
    {'u', 4, "0h0e0C4C4e 4h4c"},
    {'v', 4, "0h2c4h"},
    {'w', 6, "0h~1c3h~4c6h"},
    {'x', 4, "0h4c 0c4h"},
    {'y', 4, "0h2c 4h1a"},
    {'z', 4, "0h4h0c4c"},
    {'{', 2, "2k1K1f0f 0f1f1A2a"},
    {'|', 0, "0k0a"},
    {'}', 2, "0k1K1f2f 2f1f1A0a"},
    {'~', 4, "0f0G2f4E4g"},
    {0xb0, 2, "@0H2H2J0J"},          /* degree */
    {0xb2, 2, "0i0J2J2I0g2g"},       /* square */
    {0xb5, 4, "0h0a 0e0C4C4e 4h4c"}, /* micro */
    {0xb7, 0, "0f0f"},               /* middle dot */
    {0xd7, 4, "0h4d 0d4h"},          /* times */
    {0x2013, 4, "0f4f"},             /* dash */
    {0x2212, 4, "0f4f"},             /* minus */
};

static const struct glyph missing = {0, 4, "0c4c4j0j0c"};

/* The next character of UTF-8 text; a broken sequence counts as one strange character. */
static unsigned next_code(const char **text)
{
    const unsigned char *byte = (const unsigned char *)*text;
    if (byte[0] < 0x80) {
        *text += 1;
        return byte[0];
    }
    int more = byte[0] >= 0xf0 ? 3 : byte[0] >= 0xe0 ? 2 : 1;
    unsigned code = byte[0] & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            *text += i;
            return 0xfffd;
        }
        code = code << 6 | (byte[i] & 0x3f);
    }
    *text += more + 1;
    return code;
}

/* Letters with marks are drawn without them: a name stays readable. U+00C0 to U+00FF, then U+0100 to U+017F. */
static const char without_marks[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo:ouuuuyty"
                                    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
                                    "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

static const struct glyph *find_glyph(unsigned code)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].code == code)
            return &glyphs[i];
    if (code >= 0xc0 && code <= 0x17f)
        return find_glyph((unsigned char)without_marks[code - 0xc0]);
    return &missing;
}

double rw_text_width_px(const char *text, const rw_text_style *style)
{
    double width = 0;
    while (*text)
        width += find_glyph(next_code(&text))->width * STRETCH + SPACING;
    return width > 0 ? (width - SPACING) * style->size_px / CAPITAL_HEIGHT : 0;
}

/* From glyph units to pixels: origin of the glyph, the directions of its axes, the width of strokes. */
struct pen {
    rw_canvas *canvas;
    rw_vec2 origin, right, up;
    double width_px;
};

static rw_vec2 glyph_to_canvas(const struct pen *pen, rw_vec2 at)
{
    return rw_vec2_of(pen->origin.x + at.x * pen->right.x + at.y * pen->up.x,
                      pen->origin.y + at.x * pen->right.y + at.y * pen->up.y);
}

static void draw_curve(const struct pen *pen, rw_vec2 from, rw_vec2 pull, rw_vec2 to)
{
    rw_vec2 last = from;
    for (int step = 1; step <= CURVE_STEPS; step++) {
        double t = (double)step / CURVE_STEPS, u = 1 - t;
        rw_vec2 next = {u * u * from.x + 2 * u * t * pull.x + t * t * to.x,
                        u * u * from.y + 2 * u * t * pull.y + t * t * to.y};
        rw_canvas_stroke(pen->canvas, glyph_to_canvas(pen, last), glyph_to_canvas(pen, next), pen->width_px);
        last = next;
    }
}

static rw_vec2 find_halfway_point(rw_vec2 a, rw_vec2 b)
{
    return rw_vec2_of(0.5 * (a.x + b.x), 0.5 * (a.y + b.y));
}

static void draw_points(const struct pen *pen, const rw_vec2 *points, const int *pulls, size_t count)
{
    rw_vec2 at = points[0];
    for (size_t i = 1; i < count; i++) {
        if (!pulls[i]) {
            /* A dot is a little heavier than a stroke, or it would look lighter. */
            int dot = at.x == points[i].x && at.y == points[i].y;
            rw_canvas_stroke(pen->canvas, glyph_to_canvas(pen, at), glyph_to_canvas(pen, points[i]),
                             pen->width_px * (dot ? 1.25 : 1));
            at = points[i];
            continue;
        }
        rw_vec2 end = pulls[i + 1] ? find_halfway_point(points[i], points[i + 1]) : points[i + 1];
        draw_curve(pen, at, points[i], end);
        at = end;
        if (!pulls[i + 1])
            i++;
    }
}

/* One stroke of a glyph's text; returns what follows it. */
static const char *draw_stroke(const struct pen *pen, const char *text)
{
    rw_vec2 points[STROKE_POINTS_MAX + 2] = {{0, 0}};
    int pulls[STROKE_POINTS_MAX + 2] = {0};
    size_t count = 0;
    int closed = *text == '@';
    text += closed;
    if (closed)
        count = 1; /* the starting point, between the last and the first that pull */
    while (*text && *text != ' ' && count < STROKE_POINTS_MAX) {
        double half = *text == '~' ? 0.5 : 0;
        text += *text == '~';
        points[count] = rw_vec2_of((text[0] - '0' + half) * STRETCH, tolower((unsigned char)text[1]) - 'c');
        pulls[count] = isupper((unsigned char)text[1]) != 0;
        count++;
        text += 2;
    }
    if (closed) {
        points[0] = find_halfway_point(points[1], points[count - 1]);
        points[count] = points[0];
        pulls[count++] = 0;
    }
    draw_points(pen, points, pulls, count);
    return text + (*text == ' ');
}

static void draw_text(rw_canvas *canvas, rw_vec2 baseline, int upwards, const rw_text_style *style, double extra_px,
                      const char *text)
{
    double unit_px = style->size_px / CAPITAL_HEIGHT, width_px = rw_text_width_px(text, style);
    double shift = style->align == RW_TEXT_LEFT ? 0 : style->align == RW_TEXT_CENTRE ? 0.5 * width_px : width_px;
    struct pen pen = {.canvas = canvas, .width_px = STROKE_WIDTH * style->weight * unit_px + extra_px};
    rw_vec2 forward = upwards ? rw_vec2_of(0, -1) : rw_vec2_of(1, 0);
    pen.right = rw_vec2_of(forward.x * unit_px, forward.y * unit_px);
    pen.up = upwards ? rw_vec2_of(-unit_px, 0) : rw_vec2_of(0, -unit_px);
    pen.origin = rw_vec2_of(baseline.x - shift * forward.x, baseline.y - shift * forward.y);
    while (*text) {
        const struct glyph *glyph = find_glyph(next_code(&text));
        for (const char *stroke = glyph->strokes; *stroke;)
            stroke = draw_stroke(&pen, stroke);
        double advance = glyph->width * STRETCH + SPACING;
        pen.origin = glyph_to_canvas(&pen, rw_vec2_of(advance, 0));
    }
}

void rw_canvas_text(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, const char *text)
{
    draw_text(canvas, baseline, 0, style, 0, text);
    rw_canvas_ink(canvas, style->colour, 1);
}

void rw_canvas_text_upwards(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, const char *text)
{
    draw_text(canvas, baseline, 1, style, 0, text);
    rw_canvas_ink(canvas, style->colour, 1);
}

void rw_canvas_text_with_rim(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, rw_colour rim,
                             const char *text)
{
    draw_text(canvas, baseline, 0, style, 0.45 * style->size_px, text);
    rw_canvas_ink(canvas, rim, 0.85);
    rw_canvas_text(canvas, baseline, style, text);
}

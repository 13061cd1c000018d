/* The colour scale is a curve through OKLab: lightness rises steadily while the hue turns from violet to yellow. The
 * curve is then cut into steps of equal length in that space, which makes it uniform to the eye.
 *
 * After B. Ottosson, "A perceptual color space for image processing" (2020), and IEC 61966-2-1 for sRGB. */
#include "output/pictures/pictures.h"

#include <math.h>

#define CURVE_POINTS 2048
#define DEGREE (3.14159265358979323846 / 180)

struct lab {
    double lightness, a, b;
};

struct linear_rgb {
    double red, green, blue;
};

static struct linear_rgb to_linear_rgb(struct lab lab)
{
    double l = lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b;
    double m = lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b;
    double s = lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (struct linear_rgb){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                               -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                               -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

static struct lab to_lab(struct linear_rgb rgb)
{
    double l = cbrt(0.4122214708 * rgb.red + 0.5363325363 * rgb.green + 0.0514459929 * rgb.blue);
    double m = cbrt(0.2119034982 * rgb.red + 0.6806995451 * rgb.green + 0.1073969566 * rgb.blue);
    double s = cbrt(0.0883024619 * rgb.red + 0.2817188376 * rgb.green + 0.6299787005 * rgb.blue);
    return (struct lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static uint8_t to_byte(double linear)
{
    double clamped = fmin(1, fmax(0, linear));
    double coded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055;
    return (uint8_t)(255 * coded + 0.5);
}

static double from_byte(uint8_t byte)
{
    double coded = byte / 255.0;
    return coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4);
}

static int is_in_gamut(struct linear_rgb rgb)
{
    const double slack = 1e-6;
    return rgb.red >= -slack && rgb.green >= -slack && rgb.blue >= -slack && rgb.red <= 1 + slack &&
           rgb.green <= 1 + slack && rgb.blue <= 1 + slack;
}

static struct lab lab_from_polar(double lightness, double chroma, double hue_deg)
{
    return (struct lab){lightness, chroma * cos(hue_deg * DEGREE), chroma * sin(hue_deg * DEGREE)};
}

/* The most chroma up to the wanted one that a screen shows. */
static struct lab fit_to_gamut(double lightness, double chroma, double hue_deg)
{
    struct lab wanted = lab_from_polar(lightness, chroma, hue_deg);
    if (is_in_gamut(to_linear_rgb(wanted)))
        return wanted;
    double low = 0, high = chroma;
    for (int step = 0; step < 24; step++) {
        double middle = 0.5 * (low + high);
        if (is_in_gamut(to_linear_rgb(lab_from_polar(lightness, middle, hue_deg))))
            low = middle;
        else
            high = middle;
    }
    return lab_from_polar(lightness, low, hue_deg);
}

static rw_colour to_colour(struct lab lab)
{
    struct linear_rgb rgb = to_linear_rgb(lab);
    return (rw_colour){to_byte(rgb.red), to_byte(rgb.green), to_byte(rgb.blue)};
}

rw_colour rw_colour_from_oklch(double lightness, double chroma, double hue_deg)
{
    return to_colour(fit_to_gamut(lightness, chroma, hue_deg));
}

static struct lab colour_to_lab(rw_colour colour)
{
    return to_lab((struct linear_rgb){from_byte(colour.red), from_byte(colour.green), from_byte(colour.blue)});
}

static double lab_distance(struct lab p, struct lab q)
{
    return sqrt((p.lightness - q.lightness) * (p.lightness - q.lightness) + (p.a - q.a) * (p.a - q.a) +
                (p.b - q.b) * (p.b - q.b));
}

double rw_colour_difference(rw_colour a, rw_colour b)
{
    return lab_distance(colour_to_lab(a), colour_to_lab(b));
}

/* The curve before it is cut: t from 0, dark, to 1, bright. */
static struct lab evaluate_scale_curve(double t)
{
    double lightness = 0.27 + 0.66 * t;
    double hue_deg = 312 - 206 * t;
    /* Blue and green carry more chroma on a screen than the teal between them. */
    double chroma = 0.096 + 0.05 * t - 0.016 * cos(720 * t * DEGREE);
    return fit_to_gamut(lightness, chroma, hue_deg);
}

void rw_colour_scale_compute(rw_colour steps[RW_COLOUR_STEPS])
{
    double length[CURVE_POINTS];
    struct lab last = evaluate_scale_curve(0);
    length[0] = 0;
    for (int i = 1; i < CURVE_POINTS; i++) {
        struct lab next = evaluate_scale_curve((double)i / (CURVE_POINTS - 1));
        length[i] = length[i - 1] + lab_distance(last, next);
        last = next;
    }
    int at = 0;
    for (int step = 0; step < RW_COLOUR_STEPS; step++) {
        double wanted = length[CURVE_POINTS - 1] * step / (RW_COLOUR_STEPS - 1);
        while (at < CURVE_POINTS - 2 && length[at + 1] < wanted)
            at++;
        double fraction = (wanted - length[at]) / (length[at + 1] - length[at]);
        steps[step] = to_colour(evaluate_scale_curve((at + fraction) / (CURVE_POINTS - 1)));
    }
}

void rw_colour_scale_compute_two_sided(rw_colour steps[RW_COLOUR_STEPS])
{
    for (int step = 0; step < RW_COLOUR_STEPS; step++) {
        double side = 2.0 * step / (RW_COLOUR_STEPS - 1) - 1, far = fabs(side);
        steps[step] = rw_colour_from_oklch(0.96 - 0.5 * far, 0.17 * far, side < 0 ? 255 : 28);
    }
}

rw_colour rw_class_colour(size_t index)
{
    /* The golden angle keeps hues apart; after 21 of them it comes back near the first, in another shade. */
    static const double shades[4][2] = {{0, 0.12}, {0.06, 0.09}, {-0.03, 0.15}, {0.12, 0.05}}; /* lightness, chroma */
    const double *shade = shades[index / 21 % 4];
    double hue_deg = fmod(250 + 137.50776 * (double)index, 360);
    double lightness = index % 3 == 0 ? 0.62 : index % 3 == 1 ? 0.78 : 0.50;
    return rw_colour_from_oklch(lightness + shade[0], shade[1], hue_deg);
}

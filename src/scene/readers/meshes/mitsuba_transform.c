/* Reference: Mitsuba 3 documentation, Scene XML file format, Transformations. */
#include "scene/readers/meshes/meshes.h"

#include "base/text/units.h"

#include <string.h>

rw_affine rw_affine_identity(void)
{
    rw_affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    return identity;
}

rw_vec3 rw_affine_apply(const rw_affine *transform, rw_vec3 point)
{
    double moved[3];
    for (int i = 0; i < 3; i++) {
        const double *row = transform->rows[i];
        moved[i] = row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3];
    }
    return rw_vec3_of(moved[0], moved[1], moved[2]);
}

static rw_affine compose_affine(const rw_affine *step, const rw_affine *before)
{
    rw_affine product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? step->rows[i][3] : 0;
            for (int k = 0; k < 3; k++)
                sum += step->rows[i][k] * before->rows[k][j];
            product.rows[i][j] = sum;
        }
    return product;
}

static rw_status fail_transform(const rw_xml *xml, const char *right)
{
    return rw_fail(xml->context, RW_BAD_INPUT, "%s, line %zu: <%.40s> of a transform: expected %s", xml->path,
                   xml->line, xml->name, right);
}

/* Numbers apart by blanks or commas; returns how many, or -1 for other text, infinities or more than room. */
static int parse_list(const char *string, double *numbers, int capacity)
{
    int count = 0;
    for (;;) {
        string += strspn(string, " \t\r\n,");
        if (!*string)
            return count;
        double value;
        size_t used = rw_parse_number(string, &value);
        if (used == 0 || count == capacity || !isfinite(value))
            return -1;
        numbers[count++] = value;
        string += used;
    }
}

/* x, y and z from value="x y z" or from attributes of these names; one number in value counts for all three. */
static rw_status read_vector(const rw_xml *xml, double otherwise, double vector[3])
{
    static const char *const names[3] = {"x", "y", "z"};
    const char *value = rw_xml_attribute(xml, "value", NULL);
    if (value) {
        int count = parse_list(value, vector, 3);
        if (count == 1)
            vector[1] = vector[2] = vector[0];
        return count == 1 || count == 3 ? RW_OK : fail_transform(xml, "value=\"x y z\"");
    }
    for (int i = 0; i < 3; i++) {
        const char *string = rw_xml_attribute(xml, names[i], NULL);
        vector[i] = otherwise;
        if (string && parse_list(string, &vector[i], 1) != 1)
            return fail_transform(xml, "a number for each of x, y and z");
    }
    return RW_OK;
}

/* Rodrigues' formula. */
static rw_status read_rotation(const rw_xml *xml, rw_affine *step)
{
    double axis[3], angle_deg;
    RW_TRY(read_vector(xml, 0, axis));
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0) || parse_list(rw_xml_attribute(xml, "angle", ""), &angle_deg, 1) != 1)
        return fail_transform(xml, "an axis that is not zero and angle=\"degrees\"");
    double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
    double angle = angle_deg * 0.017453292519943295769, c = cos(angle), s = sin(angle), v = 1 - c;
    *step = (rw_affine){{{x * x * v + c, x * y * v - z * s, x * z * v + y * s, 0},
                         {x * y * v + z * s, y * y * v + c, y * z * v - x * s, 0},
                         {x * z * v - y * s, y * z * v + x * s, z * z * v + c, 0}}};
    return RW_OK;
}

static rw_status read_matrix(const rw_xml *xml, rw_affine *step)
{
    double numbers[16];
    int count = parse_list(rw_xml_attribute(xml, "value", ""), numbers, 16);
    if (count != 16 && count != 9)
        return fail_transform(xml, "16 numbers (or 9 without a translation), row after row");
    if (count == 16 && (numbers[12] != 0 || numbers[13] != 0 || numbers[14] != 0 || numbers[15] != 1))
        return fail_transform(xml, "0 0 0 1 as the last row: perspective has no place in a scene");
    int width = count == 16 ? 4 : 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < width; j++)
            step->rows[i][j] = numbers[i * width + j];
    return RW_OK;
}

static rw_status read_step(const rw_xml *xml, rw_affine *step)
{
    double vector[3];
    *step = rw_affine_identity();
    if (strcmp(xml->name, "translate") == 0) {
        RW_TRY(read_vector(xml, 0, vector));
        for (int i = 0; i < 3; i++)
            step->rows[i][3] = vector[i];
        return RW_OK;
    }
    if (strcmp(xml->name, "scale") == 0) {
        RW_TRY(read_vector(xml, 1, vector));
        for (int i = 0; i < 3; i++)
            step->rows[i][i] = vector[i];
        return RW_OK;
    }
    if (strcmp(xml->name, "rotate") == 0)
        return read_rotation(xml, step);
    if (strcmp(xml->name, "matrix") == 0)
        return read_matrix(xml, step);
    return fail_transform(xml, "translate, scale, rotate or matrix");
}

rw_status rw_mitsuba_read_transform(rw_xml *xml, rw_affine *transform)
{
    *transform = rw_affine_identity();
    for (;;) {
        rw_xml_event event;
        RW_TRY(rw_xml_next(xml, &event));
        if (event != RW_XML_OPEN)
            return RW_OK;
        rw_affine step;
        RW_TRY(read_step(xml, &step));
        *transform = compose_affine(&step, transform);
        RW_TRY(rw_xml_skip(xml));
    }
}

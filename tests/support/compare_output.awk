# Whether the lines of a page's output block are in the output of its commands, in order: words are the same, numbers within
# 0.5 % or one unit of their last digit. Lines may be missing from the page; "..." and times are not compared.
# Usage: awk -f compare_output.awk EXPECTED OUTPUT
function skeleton(line, text)
{
    text = line
    gsub(/[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/, "#", text)
    gsub(/[ \t]+/, " ", text)
    sub(/ $/, "", text)
    return text
}
function next_number(text)
{
    return match(text, /[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)
}
function last_digit(number, point)
{
    point = index(number, ".")
    return point ? 10 ^ (point - length(number)) : 1
}
function same_numbers(a, b, x, y, off)
{
    while (next_number(a)) {
        x = substr(a, RSTART, RLENGTH)
        a = substr(a, RSTART + RLENGTH)
        next_number(b)
        y = substr(b, RSTART, RLENGTH)
        b = substr(b, RSTART + RLENGTH)
        off = x - y < 0 ? y - x : x - y
        if (off > last_digit(x) * 1.001 && off > 0.005 * (x < 0 ? -x : x)) {
            wrong = x " is " y
            return 0
        }
    }
    return 1
}
FNR == NR { expected[++count] = $0; next }
{ output[++lines] = $0 }
END {
    at = 1
    for (i = 1; i <= count; i++) {
        if (expected[i] ~ /^[ \t]*(\.\.\.|…)?[ \t]*$/ || expected[i] ~ /seconds|second |memory|version/)
            continue
        found = 0
        wrong = "it is not printed"
        for (k = at; k <= lines && !found; k++)
            if (skeleton(output[k]) == skeleton(expected[i]) && same_numbers(expected[i], output[k]))
                found = k
        if (!found) {
            print "the page has \"" expected[i] "\": " wrong
            failed = 1
        } else
            at = found + 1
    }
    exit failed
}

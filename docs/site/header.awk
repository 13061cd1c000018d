# Input filter of Doxygen for the public headers. They carry plain comments; this makes documentation of them:
# a comment before a declaration, a comment behind one, and a line of dashes with a title, which begins a section.
# Declarations that follow each other without a blank line share the comment before the first.
# The number of lines stays, so that Doxygen's messages name the right line.

# A declaration that has no comment of its own, right behind one that has.
function shared(line) { return comment != "" && depth == 0 && line ~ /^[A-Za-z]/ && line !~ /\/\*/ ? comment : "" }

# Of "type a, b; /* text */" the text belongs to both: "type a; /**< text */ type b; /**< text */".
function members(line,    declaration, text, type, names, n, i, out)
{
    if (line !~ /^ +[A-Za-z0-9_ ]+[ *][a-z0-9_]+(, \**[a-z0-9_]+)+; +\/\*.*\*\/$/)
        return ""
    declaration = text = line
    sub(/; +\/\*.*$/, "", declaration)
    sub(/^[^;]*; +\/\*/, "", text)
    n = split(declaration, names, ", ")
    type = names[1]
    sub(/\**[a-z0-9_]+$/, "", type)
    out = names[1] "; /**<" text
    for (i = 2; i <= n; i++)
        out = out type names[i] "; /**<" text
    return out
}

function deeper(text) { return gsub(/\{/, "", text) - gsub(/\}/, "", text) }

{ line = $0 }

NR == 1 && /^\/\* / { sub(/^\/\* /, "/** @file\n * ", line); print line; in_comment = line !~ /\*\//; next }

in_comment {
    print line
    if (inside_text != "")
        inside_text = inside_text " " line
    if (line ~ /\*\//) {
        in_comment = 0
        comment = inside_text
        gsub(/\n|^ *\/\*\*| +\* |\*\/ *$/, " ", comment)
        inside_text = ""
    }
    next
}

/^\/\* -----/ {
    title = line
    gsub(/^\/\* -+ *| *\*\/$/, "", title)
    print (section ? "/** @} */ " : "") "/** @name " toupper(substr(title, 1, 1)) substr(title, 2) " */ /** @{ */"
    section = 1
    comment = ""
    next
}

/^ *\/\*/ {
    sub(/\/\*/, "/**", line)
    print line
    inside_text = line
    if (line ~ /\*\//) {
        comment = inside_text
        gsub(/^ *\/\*\*|\*\/ *$/, " ", comment)
        inside_text = ""
    } else {
        in_comment = 1
    }
    fresh = 1
    next
}

/^ *$/ { comment = ""; fresh = 0; print; next }

/^extern "C"/ || /^}$/ { print; next }

/^#/ || /\\$/ {
    if (line ~ /^#define [A-Z_]+ .*\/\*.*\*\/$/)
        sub(/\/\*/, "/**<", line)
    else if (line ~ /^#define/ && line !~ /\\$/ && comment != "" && !fresh)
        line = line " /**<" comment "*/"
    else if (line ~ /^#define/ && line ~ /\\$/ && comment != "" && !fresh)
        ending = comment # of a macro over two lines, behind its last
    else if (ending != "" && line !~ /\\$/) {
        line = line " /**<" ending "*/"
        ending = ""
    }
    print line
    fresh = 0
    next
}

ending != "" {
    print line " /**<" ending "*/"
    ending = ""
    next
}

{
    prefix = ""
    if (depth == 0 && !continued && !fresh) {
        text = shared(line)
        if (text != "")
            prefix = "/**" text "*/ "
    }
    fresh = 0
    split_line = depth > 0 ? members(line) : ""
    if (split_line != "") {
        print split_line
        next
    }
    depth += deeper(line)
    continued = depth == 0 && line !~ /;/
    if (sub(/; *\/\*/, "; /**<", line) || sub(/, *\/\*/, ", /**<", line) || sub(/ \/\* /, " /**< ", line))
        if (line !~ /\*\//)
            in_comment = 1
    print prefix line
}

END { if (section) print "/** @} */" }

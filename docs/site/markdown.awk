# Input filter of Doxygen for the Markdown pages, which are written to be read as they are. It gives each page and section
# a name made from its path, points links between pages at those names, and leaves links to other files as text.
# The environment has ROOT, the folder of the project, and PAGES, that of generated pages, which belong to the reference.

function page_name(path,    name)
{
    name = path
    sub(/\.md$/, "", name)
    sub(/^docs\//, "", name)
    gsub(/[^A-Za-z0-9]/, "_", name)
    return tolower(name)
}

function section_name(title)
{
    title = tolower(title)
    gsub(/[^a-z0-9 _-]/, "", title)
    gsub(/[ -]/, "_", title)
    return title
}

# folder and a relative path to one path without "..".
function joined(folder, path,    parts, kept, n, i, k, out)
{
    n = split((folder == "" ? "" : folder "/") path, parts, "/")
    k = 0
    for (i = 1; i <= n; i++)
        if (parts[i] == "..")
            k--
        else if (parts[i] != "." && parts[i] != "")
            kept[++k] = parts[i]
    out = ""
    for (i = 1; i <= k; i++)
        out = out (i > 1 ? "/" : "") kept[i]
    return out
}

function link(text, target,    at, path, anchor)
{
    if (target ~ /^(https?|mailto):/)
        return "[" text "](" target ")"
    at = index(target, "#")
    anchor = at ? substr(target, at + 1) : ""
    path = at ? substr(target, 1, at - 1) : target
    if (path == "")
        return "[" text "](@ref " page "_" section_name(anchor) ")"
    path = joined(folder, path)
    if (path == "README.md" || path == "docs/index.md")
        return "[" text "](@ref index)"
    if (path ~ /^(ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md$/ ||
        path ~ /^docs\/.*\.md$/)
        return "[" text "](@ref " page_name(path) (anchor == "" ? "" : "_" section_name(anchor)) ")"
    if (path ~ /\.h$/)
        return "[" text "](@ref " substr(path, match(path, /[^\/]*$/)) ")"
    return text
}

function linked(line,    out, match_text, text, target, image)
{
    out = ""
    while (match(line, /!?\[[^]]*\]\([^) ]*\)/)) {
        match_text = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        image = substr(match_text, 1, 1) == "!"
        text = match_text
        sub(/^!?\[/, "", text)
        sub(/\]\(.*$/, "", text)
        target = match_text
        sub(/^.*\]\(/, "", target)
        sub(/\)$/, "", target)
        if (image) {
            sub(/^.*\//, "", target)
            out = out "![" text "](" target ")"
        } else {
            out = out link(text, target)
        }
    }
    return out line
}

FNR == 1 {
    path = FILENAME
    if (index(path, ENVIRON["PAGES"] "/") == 1)
        path = "docs/reference/" substr(path, length(ENVIRON["PAGES"]) + 2)
    if (index(path, ENVIRON["ROOT"] "/") == 1)
        path = substr(path, length(ENVIRON["ROOT"]) + 2)
    folder = path
    if (!sub(/\/[^\/]*$/, "", folder))
        folder = ""
    page = page_name(path)
}

/^```/ { fenced = !fenced; print; next }

fenced || /^    / { print; next }

/^# / { print $0 (page == "index" ? "" : " {#" page "}"); next }

/^##+ / {
    title = $0
    sub(/^#+ /, "", title)
    if (page == "index") { # the navigation has these already
        print "<h2 id=\"" section_name(title) "\">" title "</h2>"
        next
    }
    print linked($0) " {#" page "_" section_name(title) "}"
    next
}

{ print linked($0) }

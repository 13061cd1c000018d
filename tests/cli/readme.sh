# labels: slow, documents
# Every ```sh block of README.md and of the pages in docs/ is run, line by line, in one scratch folder a file, with rasterwave on the
# PATH. Lines that start with ./, git, cmake, sudo or cd are for a checkout and are left out. What a tutorial shows as the output
# of a block (the ```text block after it) is compared with what is printed, number by number.
. "$2/tests/support/cli.sh"

commands_of()
{
    awk '/^```sh[ \t]*$/ { inside = 1; print "echo \"@@ " ++block "\""; next } /^```/ { inside = 0 } inside { print }' "$1" |
        grep -v -E '^[[:space:]]*(#|$|\./|git |cmake |sudo |cd |ctest )'
}

# The output that a page shows, one file for each block of commands.
shown_of()
{
    awk '/^```sh[ \t]*$/ { block++; follows = 1; inside = "sh"; next }
         /^```text[ \t]*$/ { inside = follows ? "text" : "other"; next }
         /^```[a-z]/ { inside = "other"; follows = 0; next }
         /^```/ { if (inside == "text") follows = 0; inside = ""; next }
         inside == "text" { print >("shown." block) }' "$1"
}

found=0
for page in "$source_dir"/README.md "$source_dir"/docs/*.md "$source_dir"/docs/*/*.md; do
    [ -f "$page" ] || continue
    mkdir run
    commands_of "$page" >commands.sh
    [ -s commands.sh ] && found=1
    # Writing GeoPackages needs GDAL, project files libcyaml.
    if ! has_library gdal && grep -q -E 'gpkg|geojson|\.tif' commands.sh; then
        rm -r run
        continue
    fi
    if ! has_library hdf5 && grep -q '[.]h5' commands.sh; then
        rm -r run
        continue
    fi
    (cd run && sh -e ../commands.sh >../output.txt 2>&1) || fail "$page: $(tail -n 3 output.txt)"
    case $page in
    */tutorial/*)
        shown_of "$page"
        awk '/^@@ [0-9]+$/ { block = $2; printf "" >("printed." block); next } block { print >("printed." block) }' output.txt
        for shown in shown.*; do
            [ -f "$shown" ] || continue
            awk -f "$source_dir/tests/support/compare_output.awk" "$shown" "printed.${shown##*.}" >differences.txt ||
                fail "$page, output of block ${shown##*.}: $(cat differences.txt)"
        done
        rm -f shown.* printed.*
        ;;
    esac
    rm -rf run
done
[ "$found" = 1 ] || fail "no commands in README.md and docs"
finish

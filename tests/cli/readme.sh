# labels: slow, documents
# Every ```sh block of README.md and of the pages in docs/ is run, line by line, in one scratch folder a file, with rasterwave on the
# PATH. Lines that start with ./, git, cmake, sudo or cd are for a checkout and are left out.
. "$2/tests/support/cli.sh"

commands_of()
{
    awk '/^```sh[ \t]*$/ { inside = 1; next } /^```/ { inside = 0 } inside { print }' "$1" |
        grep -v -E '^[[:space:]]*(#|$|\./|git |cmake |sudo |cd |ctest )'
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
    rm -rf run
done
[ "$found" = 1 ] || fail "no commands in README.md and docs"
finish

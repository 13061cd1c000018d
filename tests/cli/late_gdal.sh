# GDAL is loaded when a call first needs it: the program starts without it, and where it cannot be loaded what needs it is refused in a sentence.
. "$2/tests/support/cli.sh"
has_library gdal || finish
if grep -q __asan_init "$(command -v rasterwave)"; then
    echo "SKIPPED: late_gdal (a build with AddressSanitizer is linked with GDAL)"
    exit 77
fi
scene=city:grid:size=200m,200m

ldd "$(command -v rasterwave)" | grep -q libgdal && fail "the program is linked with GDAL"
mkdir broken
for version in $(seq 20 60); do
    : >broken/libgdal.so.$version
done
without_gdal()
{
    LD_LIBRARY_PATH=$PWD/broken rasterwave "$@"
}
without_gdal --help >"$scratch.text" || fail "--help without GDAL"
without_gdal info $scene >"$scratch.text" || fail "info without GDAL"
rm "$scratch.text"
refuses 1 "GDAL cannot be loaded" without_gdal predict --scene $scene --tx 100,100,60 --res 20 --out map --quiet
refuses 1 "GDAL cannot be loaded" without_gdal generate city --size 200m,200m --out city.gpkg
refuses 2 "GDAL cannot be loaded" without_gdal predict --scene $scene --crs EPSG:25832 --tx 100,100,60 --res 20 --out map --quiet
finish

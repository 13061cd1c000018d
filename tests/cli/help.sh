# labels: slow, documents
# Help of every command fits a screen of 24 lines and 100 columns and ends with two examples, which run.
. "$2/tests/support/cli.sh"

check_help()
{
    "$@" --help >help.txt 2>errors.txt || fail "$* --help ends with an error"
    [ ! -s errors.txt ] || fail "$* --help writes on standard error"
    lines=$(wc -l <help.txt)
    [ "$lines" -le 24 ] || fail "$* --help has $lines lines"
    awk -v call="$*" 'length > 100 { print "FAILED: " call " --help: " length " columns: " $0; bad = 1 } END { exit bad }' \
        help.txt || failures=$((failures + 1))
    tail -n 3 help.txt | head -n 1 | grep -q '^Examples:' || fail "$* --help does not end with two examples"
    tail -n 2 help.txt | grep -c '^  rasterwave ' | grep -q 2 || fail "$* --help does not end with two examples"
}

# Both examples run one after the other in an empty folder.
run_examples()
{
    mkdir examples
    tail -n 2 help.txt | (
        cd examples && while read -r line; do
            sh -c "$line" </dev/null >../output.txt 2>&1 || {
                echo "FAILED: the example '$line':"
                cat ../output.txt
                exit 1
            }
        done
    ) || failures=$((failures + 1))
    rm -rf examples
}

check_help rasterwave
run_examples
for command in predict paths preprocess generate import render info bench; do
    check_help rasterwave $command
    case $command in
    generate | import) has_library gdal || continue ;; # GeoPackages are written by GDAL
    esac
    run_examples
done
for command in evaluate calibrate compare polygons statistics plan serve share network merge; do # their examples need measurements or maps, or do not end
    check_help rasterwave $command
done
check_help rasterwave calc terrain # its examples need a profile: calc.sh
check_help rasterwave calc
run_examples
for name in free-space material slab knife-edge wedge two-ray scatter antenna walfisch-ikegami cost-hata 3gpp-umi 3gpp-uma p1411; do
    check_help rasterwave calc $name
    run_examples
done
finish

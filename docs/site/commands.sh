# The reference page of the command line with the help texts of the program. Usage, in the project's folder: commands.sh PROGRAM
program=$1

# help_block ARGUMENTS...: the help text of a call as a code block.
help_block()
{
    echo '```text'
    "$program" "$@" --help
    echo '```'
    echo
}

cat docs/reference/commands.md
echo
for command in predict paths preprocess evaluate calibrate generate import render info bench calc; do
    echo "## $command"
    echo
    help_block $command
    case $command in
    predict)
        for model in shadow beams cubes images sbr tiles rt; do
            text=$("$program" predict --model $model --help 2>/dev/null) || continue
            [ "$text" != "$("$program" predict --help)" ] || continue
            echo "### predict --model $model"
            echo
            help_block predict --model $model
        done
        ;;
    calc)
        for number in free-space material slab knife-edge wedge two-ray terrain scatter antenna walfisch-ikegami cost-hata 3gpp-umi 3gpp-uma p1411; do
            echo "### calc $number"
            echo
            help_block calc $number
        done
        ;;
    esac
done

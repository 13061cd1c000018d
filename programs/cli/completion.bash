# Bash completion of rasterwave: commands, their options, and values of options. Commands and options are asked of the
# program's own help, so that they need not be listed twice.

_rasterwave_commands()
{
    "$1" --help 2>/dev/null | awk '/^  [a-z]+  /{ print $1 }'
}

_rasterwave_options()
{
    "$@" --help 2>/dev/null | awk '
        /^  (--|as in |also, )/ { for (i = 1; i <= NF; i++) if ($i ~ /^--/) print $i }
        END { print "--help" }'
}

# The model that the words typed so far choose; nothing where they choose none.
_rasterwave_model()
{
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i - 1]} == --model ]] && echo "--model ${COMP_WORDS[i]}"
    done
}

# Words that an option of the model takes, from the table of its options.
_rasterwave_choices()
{
    "${COMP_WORDS[0]}" "${COMP_WORDS[1]}" $(_rasterwave_model) --help --json 2>/dev/null | awk -v option="${1#--}" '
        $1 == "\"name\":" { gsub(/[",]/, "", $2); name = $2 }
        $1 == "\"choices\":" && name == option { gsub(/["]/, "", $2); gsub(/,/, " ", $2); print $2 }'
}

# A comma-separated list: the names after the last comma.
_rasterwave_list()
{
    local done=
    [[ $2 == *,* ]] && done=${2%,*},
    COMPREPLY=($(compgen -P "$done" -W "$1" -- "${2##*,}"))
    compopt -o nospace 2>/dev/null
}

_rasterwave_files()
{
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$1"))
}

_rasterwave_value()
{
    case $1 in
    --layers | --effects) _rasterwave_list "$(_rasterwave_choices "$1")" "$2" ;;
    --sum | --cells | --method) COMPREPLY=($(compgen -W "$(_rasterwave_choices "$1")" -- "$2")) ;;
    --layer) COMPREPLY=($(compgen -W "path_loss los walls mechanism deflections sigma coverage_probability indoor power best ci volume delay_spread delay azimuth_spread elevation_spread azimuth elevation paths" -- "$2")) ;;
    --model) COMPREPLY=($(compgen -W "shadow beams cubes images sbr rt tiles" -- "$2")) ;;
    --backend) COMPREPLY=($(compgen -W "auto cpu cuda" -- "$2")) ;;
    --style) COMPREPLY=($(compgen -W "european grid" -- "$2")) ;;
    --format) COMPREPLY=($(compgen -W "cost231 mitsuba ply obj floorplan cityjson gis" -- "$2")) ;;
    --antenna) COMPREPLY=($(compgen -W "isotropic dipole 3gpp" -f -- "$2")) ;;
    --fit) _rasterwave_list "offset street roof roof_count wall walls reflection" "$2" ;;
    --holdout) COMPREPLY=($(compgen -W "route= site= random=0.3" -- "$2")) ;;
    --quantity) COMPREPLY=($(compgen -W "path_loss power" -- "$2")) ;;
    --average) COMPREPLY=($(compgen -W "db linear none" -- "$2")) ;;
    --scene | --sites | --data | --out | --map | --measurements | --params | --database | --update | --tiles | --reuse) _rasterwave_files "$2" ;;
    --terrain) COMPREPLY=($(compgen -W "flat" -f -- "$2")) ;;
    --json | --quiet | --hills | --help) return 1 ;;
    --*) ;; # a number or a name that nobody can guess
    *) return 1 ;;
    esac
    return 0
}

_rasterwave()
{
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$(_rasterwave_commands "$program") help --help --version" -- "$word") \
            $(compgen -f -X '!*.yaml' -- "$word"))
        return
    fi
    _rasterwave_value "$before" "$word" && return
    local subject=("$command")
    if [[ $command == calc ]] && ((COMP_CWORD > 2)); then
        subject+=("${COMP_WORDS[2]}")
    fi
    if [[ $word == -* ]]; then
        local options=$(_rasterwave_options "$program" "${subject[@]}")
        case $command in
        predict | paths | evaluate | calibrate | preprocess)
            local model=$(_rasterwave_model)
            options+=" $(_rasterwave_options "$program" "$command" ${model:---model shadow})"
            ;;
        esac
        COMPREPLY=($(compgen -W "$options" -- "$word"))
        return
    fi
    case $command in
    calc) ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W "$("$program" calc --help | awk '/^  [a-z0-9-]+  /{ print $1 }')" -- "$word")) ;;
    generate) COMPREPLY=($(compgen -W "city office terrain" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "$(_rasterwave_commands "$program")" -- "$word")) ;;
    *) _rasterwave_files "$word" ;;
    esac
}

complete -F _rasterwave rasterwave

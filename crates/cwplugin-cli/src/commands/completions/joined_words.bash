# bash ends words at `:` and `=`. Join them, so that `--metric f1:CLASS` is one word, and return what follows the last one.
_cwplugin() {
    local joined=() before="" current=0 i part
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        part=${COMP_WORDS[i]}
        if ((i > COMP_CWORD)); then
            joined+=("$part")
            continue
        elif ((i == COMP_CWORD)) && [[ ! $part =~ ^[:=]+$ ]]; then
            part=$2 # up to the cursor
        fi
        if ((i > 1)) && [[ $part =~ ^[:=]+$ || ${COMP_WORDS[i - 1]} =~ ^[:=]+$ ]]; then
            before=${joined[current]}
            [[ $part =~ ^[:=]+$ ]] && before+=$part
            joined[current]+=$part
        else
            before=""
            current=${#joined[@]}
            joined+=("$part")
        fi
    done
    local COMP_WORDS=("${joined[@]}") COMP_CWORD=$current
    _clap_complete_cwplugin "$1" "${joined[current]}" "${joined[current - 1]}"
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -o nospace -o bashdefault -o nosort -F _cwplugin cwplugin 2>/dev/null ||
    complete -o nospace -o bashdefault -F _cwplugin cwplugin

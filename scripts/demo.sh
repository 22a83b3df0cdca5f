#!/usr/bin/env bash
# The main job in five languages, one table. usage: demo.sh BUILD_FOLDER
# Each example prints one tab-separated row: language, device, n, kernel ms, max error, ok.
set -uo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

rows=()
failed=0
row() {
    local language=$1
    shift
    local line
    if line=$("$@" --row) && [[ $line == *$'\t'ok || $line == *$'\tyes' ]]; then
        rows+=("$line")
    else
        failed=1
        rows+=("${line:-$language	-	-	-	-	FAILED}")
    fi
}

row C++ "$build/bin/saxpy_cpp"
row C "$build/bin/saxpy_c"
row Python "$root/.venv/bin/python" "$root/examples/python/saxpy.py"
row Java java -cp "$build/java/cuprum.jar:$build/java/examples" Saxpy
row 'C#' mono "$build/csharp/examples/Saxpy.exe"

printf '%s\n' "${rows[@]}" | awk -F '\t' '
    BEGIN { split("language\tdevice\tn\tkernel ms\tmax error\tok", head, "\t"); rows = 1; for (i in head) cell[1, i] = head[i] }
    { rows++; for (i = 1; i <= 6; i++) cell[rows, i] = i == 5 && $i ~ /[0-9]/ ? sprintf("%.2g", $i) : $i }
    END {
        for (r = 1; r <= rows; r++) for (i = 1; i <= 6; i++) if (length(cell[r, i]) > width[i]) width[i] = length(cell[r, i])
        for (r = 1; r <= rows; r++) {
            line = ""
            for (i = 1; i <= 6; i++) line = line sprintf(i >= 3 && i <= 5 ? "%" width[i] "s  " : "%-" width[i] "s  ", cell[r, i])
            sub(/ +$/, "", line); print line
        }
    }'
exit $failed

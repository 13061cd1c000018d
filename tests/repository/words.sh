#!/bin/sh
# labels: documents
# Plain technical English: phrases that a reader would have to translate do not come back. Usage: words.sh SOURCE_FOLDER
cd "$1" || exit 1
failed=0
while IFS='|' read -r phrase plain; do
    found=$(grep -rniF --include='*.md' --include='*.c' --include='*.h' --include='*.cu' --include='*.sh' --include='*.awk' --include='*.ts' \
        --exclude=words.sh --exclude=CHANGELOG.md --exclude-dir=.git --exclude-dir='build*' --exclude-dir=out --exclude-dir=node_modules -e "$phrase" . | head -n 3)
    [ -z "$found" ] || { echo "\"$phrase\" is: $plain"; echo "$found"; failed=1; }
done <<END
way that carries most|dominant mechanism
what is there|features
where nobody has calibrated|without calibration
who sees whom|visibility database
whom they see|visibility database
does not know that a wall is in the way|ignores walls
tells of the paths|gives the total power of all paths
how strong they are together|total power
one word for thirty-two|32 tiles in one bit mask
for those who look for time|for profiling
nobody comes out again|no ray leaves
gone on with|resumed
level that covers|coverage threshold
tells its options|lists its options
has or has not|may find or miss
nobody|no receiver, no caller, unused, without
somebody|a caller, a model, a user
unasked|by default
goes on with|resumes, continues, adds to
carries most|dominant
comes out of|leaves
END
exit $failed

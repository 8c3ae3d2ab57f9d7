#!/bin/sh
# Reads {"args":{"text":"..."},"tool":"count"} and answers {"ok": "..."}.
#
# A shell cannot read JSON properly. The one line that comes has its keys in this order and no blanks between them, so this
# takes what stands between the two; a program in another language should parse it.
asked=$(cat)
text=${asked#*'"text":"'}
text=${text%'"},"tool":'*}
text=$(printf '%s' "$text" | sed 's/\\[nt]/ /g; s/\\"/"/g')
words=$(printf '%s' "$text" | wc -w)
printf '{"ok": "%s words"}\n' "$((words))"

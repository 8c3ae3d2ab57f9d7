"""Reads {"args": {"path": ..., "first": ..., "last": ...}, "tool": "text"} and answers {"ok": text} or {"error": why}.

The folder of the workspace is the only argument. A file outside it is not there: the jail holds no other.
"""

import json
import os
import subprocess
import sys

PROGRAM = "/usr/bin/pdftotext"
# The plugin's answer is kept up to 50 KB; what stands in it should fit.
MOST = 40_000
SECONDS = 20


def main(workspace):
    args = json.load(sys.stdin)["args"]
    if not os.path.exists(PROGRAM):
        return {"error": "pdftotext is not installed; Debian has it in the package poppler-utils"}
    path = os.path.normpath(os.path.join(workspace, args["path"]))
    if not path.startswith(workspace.rstrip("/") + "/") or not os.path.isfile(path):
        return {"error": "there is no file `%s` in the workspace" % args["path"]}
    first, last = args.get("first", 1), args.get("last")
    if last is not None and last < first:
        return {"error": "last (%d) is before first (%d)" % (last, first)}
    pages = ["-f", str(first)] + (["-l", str(last)] if last is not None else [])
    try:
        ran = subprocess.run(
            [PROGRAM, "-q", "-enc", "UTF-8", *pages, "--", path, "-"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return {"error": "reading the file took more than %d s; ask for fewer pages" % SECONDS}
    if ran.returncode != 0:
        why = ran.stderr.decode("utf-8", "replace").strip() or "it is not a PDF file, or it needs a password"
        return {"error": "pdftotext cannot read the file (exit code %d): %s" % (ran.returncode, why[:300])}
    # A page ends with a form feed.
    read = ran.stdout.decode("utf-8", "replace").split("\f")
    pages, text = [page.strip() for page in read[:-1]], ""
    for number, page in enumerate(pages, first):
        piece = "[page %d]\n%s\n" % (number, page)
        if text and len((text + piece).encode()) > MOST:
            return {"ok": text + "[more from page %d on]" % number}
        text += piece
    if not "".join(pages):
        return {"error": "the pages hold no text; they may be pictures"}
    encoded = text.encode()
    return {"ok": text if len(encoded) <= MOST else encoded[:MOST].decode("utf-8", "ignore") + "\n[cut]"}


print(json.dumps(main(sys.argv[1])))

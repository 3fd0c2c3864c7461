"""The web server of an application's owner: static files over TLS, and nothing else. Standard library only."""
import http.server
import os
import ssl
import threading

HOST = "app.almoner.test"


class Site:
    """Serves `pages` (text by path) as `HOST` with the certificate that relay.sh made; `visits` is what was asked for."""

    def __init__(self, pages):
        directory = os.environ["ALMONER_SITE"]
        site = self
        self.visits = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.visits.append(self.path)
                page = pages.get(self.path.partition("?")[0])
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                body = (page or "").encode()
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(directory, "site.pem"), os.path.join(directory, "site.key"))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

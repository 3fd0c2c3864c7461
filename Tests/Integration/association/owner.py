"""A site over TLS, with a certificate authority of its own and an association file for each way to publish it wrongly."""
import gzip
import http.server
import json
import os
import ssl
import subprocess
import threading

NAMES = "listed other moved html huge packed slow gone broken private loopback".split()
ISSUER = "https://issuer.example.test"


def callback(name):
    return "https://%s.example.test/signed-in" % name


def file(name, app="org.almoner.Almoner", issuer=ISSUER):
    return json.dumps({"version": 1, "apps": [
        {"app": app, "issuer": issuer, "client_id": "desk", "callback": callback(name)}]}).encode()


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


class Authority:
    """Makes `ca.pem`, a certificate for all names, and one of another authority, in `directory`."""

    def __init__(self, directory):
        self.directory = directory
        for name in ("ca", "stranger"):
            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=" + name, "-keyout", self.path(name + ".key"), "-out", self.path(name + ".pem"))
        self.sign("site", "ca", NAMES)
        self.sign("untrusted", "stranger", ["untrusted"])

    def path(self, name):
        return os.path.join(self.directory, name)

    def sign(self, name, authority, hosts):
        names = ",".join("DNS:%s.example.test" % host for host in hosts)
        with open(self.path(name + ".ext"), "w") as extensions:
            extensions.write("subjectAltName=" + names)
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name,
                "-keyout", self.path(name + ".key"), "-out", self.path(name + ".csr"))
        openssl("x509", "-req", "-days", "2", "-in", self.path(name + ".csr"), "-CA", self.path(authority + ".pem"),
                "-CAkey", self.path(authority + ".key"), "-CAcreateserial", "-extfile", self.path(name + ".ext"),
                "-out", self.path(name + ".pem"))

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path(name + ".pem"), self.path(name + ".key"))
        return context


class Site:
    """Listens on 443 of every address there is. `asked` are the hosts whose file was asked for."""

    def __init__(self, authority):
        self.asked = []
        self.connections = 0
        self.files = {name: file(name) for name in NAMES}
        self.stopping = threading.Event()
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.headers["Host"].split(".")[0]
                site.asked.append(name)
                if self.path == "/.well-known/almoner-association.json":
                    site.answer(self, name)
                else:
                    site.send(self, 200, file(name))

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def get_request(self):
                connection, address = super().get_request()
                site.connections += 1
                return connection, address

            def finish_request(self, request, address):
                try:
                    super().finish_request(site.context.wrap_socket(request, server_side=True), address)
                except OSError:
                    pass

        untrusted = authority.context("untrusted")
        self.context = authority.context("site")

        def choose(connection, name, _):
            if name == "untrusted.example.test":
                connection.context = untrusted

        self.context.sni_callback = choose
        self.server = Server(("0.0.0.0", 443), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    def send(self, handler, status, body, kind="application/json", **headers):
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    def answer(self, handler, name):
        body = self.files.get(name, b"")
        if name == "moved":
            self.send(handler, 301, b"", Location="https://listed.example.test/moved")
        elif name == "html":
            self.send(handler, 200, body, "text/html")
        elif name == "gone":
            self.send(handler, 404, b"{}")
        elif name == "broken":
            self.send(handler, 500, body)
        elif name == "packed":
            self.send(handler, 200, gzip.compress(body + b" " * (1 << 25)), Content_Encoding="gzip")
        elif name == "huge":
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(1 << 30))
            handler.end_headers()
            handler.wfile.write(body[:-1])
            while not self.stopping.is_set():
                handler.wfile.write(b" " * 65536)
        elif name == "slow":
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            for byte in body:
                handler.wfile.write(bytes([byte]))
                if self.stopping.wait(10):
                    return
        else:
            self.send(handler, 200, body)

"""A web server for tests: files with ranges and ETags, and whatever may go wrong with them."""

import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


@dataclass
class WebFile:
    """What lies at a path.

    Attributes:
        tag: Its ETag; another one from request number `changes_at` on.
        ranges: Whether parts of it are sent.
        cut: After so many bytes of an answer the connection ends, in the first `cuts` answers.
        status: What else is answered, its content then the body.
        wait_s: How long it takes.
    """

    data: bytes = b""
    tag: str = "first"
    changes_at: int = 10**9
    ranges: bool = True
    cut: int = 10**9
    cuts: int = 10**9
    status: int = 200
    location: str = ""
    wait_s: float = 0.0
    requests: list[str] = field(default_factory=list)


class WebServer:
    """Serves `files`, by path, at `address`."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.files: dict[str, WebFile] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.files = self.files
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    files: dict[str, WebFile]
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that has gone."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:  # noqa: ANN401
        pass

    def do_GET(self) -> None:
        file = self.server.files.get(urlsplit(self.path).path)
        if file is None:
            self._answer(404, b"none")
            return
        file.requests.append(self.path)
        time.sleep(file.wait_s)
        if file.status != 200:
            headers = {"Location": file.location} if file.location else {}
            self._answer(file.status, file.data, headers)
            return
        data, status, headers = file.data, 200, {}
        wanted = self.headers.get("Range")
        if wanted and file.ranges:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start, end = int(first), min(int(last or len(data)) + 1, len(data))
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
            data, status = data[start:end], 206
        number = len(file.requests)
        headers["ETag"] = '"changed"' if number >= file.changes_at else f'"{file.tag}"'
        self._answer(status, data, headers, cut=file.cut if number <= file.cuts else None)

    def _answer(
        self,
        status: int,
        data: bytes,
        headers: dict[str, str] | None = None,
        *,
        cut: int | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:cut] if self.command == "GET" else b"")
        if cut is not None and cut < len(data):
            self.wfile.flush()
            self.close_connection = True

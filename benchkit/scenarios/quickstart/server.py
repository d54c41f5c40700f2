"""One small server in three ways of waiting.

Every request waits 2 ms, as if for a database, and gets the same 12 bytes.

    python server.py blocking|asyncio|threads [--port 8932] [--wait-ms 2]

`blocking` waits inside its event loop, so requests queue behind each other;
`asyncio` gives the loop back while it waits; `threads` has a thread per
connection. All three keep connections alive. Standard library only.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"
BODY = b"Hello world\n"
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 12\r\nConnection: keep-alive\r\n\r\n" + BODY
)


async def serve_loop(port: int, *, wait_s: float, blocking: bool) -> None:
    """Serve with one event loop until cancelled."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                if blocking:
                    time.sleep(wait_s)  # noqa: ASYNC251 - the mistake this variant shows
                else:
                    await asyncio.sleep(wait_s)
                writer.write(ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, HOST, port, backlog=128)
    async with server:
        await server.serve_forever()


def serve_threads(port: int, *, wait_s: float) -> None:
    """Serve with a thread per connection until interrupted."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            time.sleep(wait_s)
            self.wfile.write(ANSWER)

        def log_message(self, *_: object) -> None:
            """Write no log."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: object) -> None:
            """Say nothing of connections that a load generator resets at its end."""

    with Server((HOST, port), Handler) as server:
        server.serve_forever()


def main() -> None:
    """Serve the variant named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=["blocking", "asyncio", "threads"])
    parser.add_argument("--port", type=int, default=8932)
    parser.add_argument("--wait-ms", type=float, default=2.0)
    options = parser.parse_args()
    wait_s = options.wait_ms / 1000
    try:
        if options.variant == "threads":
            serve_threads(options.port, wait_s=wait_s)
        else:
            blocking = options.variant == "blocking"
            asyncio.run(serve_loop(options.port, wait_s=wait_s, blocking=blocking))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()

"""Services that do what they can against the driver that tests them, for Tests/Interop/attack.py: none begins a sign-in."""
import http.server
import threading
import time

PIECE = b'x' * 65536


def redirects(handler):
    handler.answer(302, b'', ('Location', '/login?again'))


def large(handler):
    handler.answer(200, b'', length=1 << 30)
    for _ in range((1 << 30) // len(PIECE)):
        handler.wfile.write(PIECE)


def endless(handler):
    """Without a length, so that it ends with the connection."""
    handler.answer(200, b'', length=None)
    while True:
        handler.wfile.write(PIECE)


def silent(handler):
    time.sleep(60)


def slow(handler):
    handler.answer(200, b'', length=1000)
    for _ in range(60):
        handler.wfile.write(b'x')
        time.sleep(1)


def markup(handler):
    forms = b''.join(b'<button name=a%d><input name="%d' % (number, number) for number in range(24_000))
    handler.answer(200, b'<form action=/login method=post>' + forms + b'<!-- <script>' * 1000)


def cookies(handler):
    handler.answer(200, b'<p>Choose</p>', *(('Set-Cookie', 'a%d=1' % number) for number in range(10_000)))


def fields(handler):
    handler.send_response(200)
    handler.flush_headers()
    while True:
        handler.wfile.write(b'X-Field: ' + PIECE + b'\r\n')


# What each comes to: the exit code, and the codes of which one is told.
SERVICES = {
    redirects: (4, ['attack.no-request']), large: (3, ['transport.too-large']), endless: (3, ['transport.too-large']),
    silent: (3, ['transport.timeout']), slow: (3, ['transport.timeout']), markup: (4, ['attack.no-request']),
    cookies: (None, ['attack.no-request', 'transport.']), fields: (3, ['transport.']),
}


def serve(port, behave):
    """A server whose pages but /me are by `behave`."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, status, body, *more, length=0):
            self.send_response(status)
            self.send_header('Content-Type', 'text/html')
            if length is not None:
                self.send_header('Content-Length', str(length or len(body)))
            for name, value in more:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            try:
                self.answer(401, b'signed out') if self.path == '/me' else behave(self)
            except OSError:
                self.close_connection = True

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(('127.0.0.1', port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server

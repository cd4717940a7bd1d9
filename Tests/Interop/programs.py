"""What plays share: programs that they start and stop on loopback, an application behind a proxy, key pairs, and a tally of what
was seen."""
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time


class Tally:
    """What was seen, a line each."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, is_so, found=''):
        is_so = bool(is_so)
        self.passed += is_so
        self.failed += not is_so
        shown = re.sub('<style>.*?</style>', '', str(found), flags=re.DOTALL)[:800]
        print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': ' + shown), flush=True)


class Table:
    """What each client made of each flow: checks of a tally, and a row for each."""

    def __init__(self, tally):
        self.tally, self.rows = tally, {}

    def check(self, client, flow, is_so, found=''):
        self.rows[client, flow] = self.rows.get((client, flow), True) and bool(is_so)
        self.tally.check('%s: %s' % (client, flow), is_so, found)

    def show(self):
        print()
        for (client, flow), good in self.rows.items():
            print('%-24s%-44s%s' % (client, flow, 'ok' if good else 'FAIL'))


class TokenStore:
    """What a client of PyPI's mcp keeps, in memory."""
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Programs:
    """The programs of a play, each with its log in `folder`, which is gone at the end if nothing failed."""

    def __init__(self, name):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=name + '-'))
        self.children = {}

    def start(self, name, command, port=None, host='127.0.0.1', **more):
        """The process, once it listens, where it has a port, which nothing else may have."""
        if port and self.is_taken(host, port, time.monotonic() + 10):
            sys.exit('%s does not start: another program has port %d' % (name, port))
        with open(self.folder / (name + '.log'), 'ab') as log:
            child = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, **more)
        self.children[name] = child
        if not port:
            return child
        # A first run makes keys, which takes long where processors are few and busy.
        end = time.monotonic() + 120
        while child.poll() is None and time.monotonic() < end:
            if self.listens(host, port):
                return child
            time.sleep(0.025)
        sys.exit('%s does not start: %s' % (name, self.log(name)[-2000:]))

    @staticmethod
    def listens(host, port):
        with socket.socket() as probe:
            return probe.connect_ex((host, port)) == 0

    def is_taken(self, host, port, end):
        """Whether a port is still in use at that time: what was stopped takes a moment to leave it."""
        while self.listens(host, port):
            if time.monotonic() > end:
                return True
            time.sleep(0.1)
        return False

    def log(self, name):
        path = self.folder / (name + '.log')
        return path.read_text(errors='replace') if path.exists() else ''

    def stop(self, name, how=signal.SIGTERM):
        """Its exit code; None for one that does not run."""
        child = self.children.pop(name, None)
        if not child:
            return None
        child.send_signal(how)
        child.wait(30)
        # PHP's server and a killed nginx leave their workers behind.
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return child.returncode

    def stop_all(self):
        for name in list(self.children):
            self.stop(name, signal.SIGKILL)

    def end(self, tally):
        """Ends the play: exit code 1 where something failed."""
        print('%d passed, %d failed' % (tally.passed, tally.failed) + ('; logs in %s' % self.folder if tally.failed else ''))
        if not tally.failed:
            shutil.rmtree(self.folder, ignore_errors=True)
        sys.exit(tally.failed > 0)

    def clock(self, name, seconds=0):
        """Moves the clock of a program by so many seconds, also while it runs; the environment to start it with. Needs gcc."""
        library, path = self.folder / 'clock.so', self.folder / (name + '.clock')
        if not library.exists():
            subprocess.run(['gcc', '-O1', '-shared', '-fPIC', '-o', library, pathlib.Path(__file__).with_name('shifted_clock.c')], check=True)
        with open(path, 'r+b' if path.exists() else 'w+b') as file:
            file.write(struct.pack('l', seconds))
        return dict(os.environ, LD_PRELOAD=str(library), CLOCK_FILE=str(path))

    def keypair(self, name, *more, subject=None):
        """`name.key` and `name.crt`, good for 30 days."""
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', '30', '-subj',
                        '/CN=' + (subject or name + '.example'), '-keyout', name + '.key', '-out', name + '.crt', *more],
                       check=True, capture_output=True, cwd=self.folder)

    def certificate(self, name):
        """Base64 of `name.crt`."""
        return ''.join((self.folder / (name + '.crt')).read_text().split('\n')[1:-2])


def install(*packages):
    """Debian's packages."""
    subprocess.run(['apt-get', 'update', '-q'], check=True)
    subprocess.run(['apt-get', 'install', '-y', '-q', '--no-install-recommends', *packages], check=True)


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # HAProxy resets the connections that it kept.
        if not isinstance(sys.exc_info()[1], ConnectionResetError):
            super().handle_error(request, client_address)


class JSONHandler(http.server.BaseHTTPRequestHandler):
    """Answers with JSON, and says nothing of it."""

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(port, handler):
    """Has a handler answer on loopback until the play ends; the server."""
    server = _Server(('127.0.0.1', port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def application(port, answer, kind='text/html'):
    """An application behind a proxy: every page is `answer` of its path and headers."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            body = answer(self.path, self.headers).encode()
            self.send_response(200)
            self.send_header('Content-Type', kind)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    serve(port, Handler)

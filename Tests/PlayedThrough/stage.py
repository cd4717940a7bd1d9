"""The fixtures of every play: strict servers on loopback, a browser, and a person who runs the command."""
import collections
import html.parser
import http.client
import http.server
import json
import os
import pty
import re
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "Secrets"))
import search  # noqa: E402

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
# The fields of any request. An endpoint must name all others.
USUAL_FIELDS = {"host", "content-length", "accept"}


class Fault(Exception):
    """A request that violates the protocol. Its response is 400, and the play fails."""


def pairs(text):
    """The pairs of a form or of a query, each name at most once."""
    found = {}
    for pair in text.split("&") if text else []:
        name, equals, value = pair.partition("=")
        if not equals or re.search("%(?![0-9a-fA-F]{2})", pair):
            raise Fault(f"a pair that is none: {name}")
        name = urllib.parse.unquote_plus(name, errors="strict")
        if name in found and not name.endswith("[]"):
            raise Fault(f"{name} occurs twice")
        found[name] = urllib.parse.unquote_plus(value, errors="strict")
    return found


class Request:
    def __init__(self, method, target, fields, body):
        self.method, self.fields, self.body = method, fields, body
        self.path, _, query = target.partition("?")
        self.query = pairs(query)

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        if len(values) > 1:
            raise Fault(f"{name} occurs {len(values)} times")
        return values[0] if values else None

    def only(self, *fields, query=()):
        """No field but the usual and the named ones, and exactly these parameters in the query."""
        for name, _ in self.fields:
            if name.lower() not in USUAL_FIELDS | {field.lower() for field in fields}:
                raise Fault(f"a field {name}")
            self.field(name)
        if set(self.query) != set(query):
            raise Fault(f"parameters {sorted(self.query)} instead of {sorted(query)}")

    def empty(self):
        if self.body or self.field("Content-Type"):
            raise Fault("a body where there is none")

    def form(self, *names, optional=()):
        if self.field("Content-Type") != FORM:
            raise Fault(f"content type {self.field('Content-Type')}")
        form = pairs(self.body.decode("ascii"))
        if not set(names) <= set(form) <= set(names) | set(optional):
            raise Fault(f"fields {sorted(form)} instead of {sorted(names)}")
        for name, value in form.items():
            if not value:
                raise Fault(f"{name} is empty")
        return form

    def json(self, *names, optional=()):
        if self.field("Content-Type") != JSON:
            raise Fault(f"content type {self.field('Content-Type')}")
        value = json.loads(self.body.decode("utf-8"), object_pairs_hook=once)
        if not isinstance(value, dict) or not set(names) <= set(value) <= set(names) | set(optional):
            raise Fault(f"members {sorted(value)} instead of {sorted(names)}")
        return value


def once(members):
    if len({name for name, _ in members}) != len(members):
        raise Fault("a member occurs twice")
    return dict(members)


# The commands that can write a log.
VERBOSE = {"sign-in", "call", "post", "register", "token", "providers", ("session", "renew"), ("session", "sign-out")}

Answer = collections.namedtuple("Answer", "status fields body")


def answer(status, body=b"", kind=None, **fields):
    """A response; names of fields have `_` for `-`."""
    if isinstance(body, (dict, list)):
        body, kind = json.dumps(body), kind or JSON + "; charset=utf-8"
    if isinstance(body, str):
        body = body.encode()
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    if kind:
        named["Content-Type"] = kind
    return Answer(status, named, body)


class Server:
    """A service on loopback. `routes` has a method for each method and path."""

    def __init__(self):
        self.faults, self.requests, self.secrets = [], [], set()
        self.connections = 0
        self.lock = threading.RLock()
        # The response of a failing service to every path, or to those with a prefix.
        self.broken = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def setup(self):
                with outer.lock:
                    outer.connections += 1
                super().setup()

            def log_message(self, *_):
                pass

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                reply = outer.reply(self.command, self.path, self.headers.items(), body)
                self.send_response_only(reply.status)
                for name, value in reply.fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """The client closed the connection."""

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.authority = f"127.0.0.1:{self.listener.server_address[1]}"
        self.address = f"http://{self.authority}"
        threading.Thread(target=self.listener.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Stops listening: connections are refused."""
        if self.listener:
            self.listener.shutdown()
            self.listener.server_close()
            self.listener = None

    def secret(self, text):
        self.secrets.add(text)
        return text

    def count(self, method, path):
        return sum(one == (method, path) for one in self.requests)

    def reply(self, method, target, fields, body):
        with self.lock:
            path = target.partition("?")[0]
            self.requests.append((method, path))
            for start, reply in self.broken.items():
                if path.startswith(start):
                    return reply
            try:
                request = Request(method, target, fields, body)
                if request.field("Host") != self.authority:
                    raise Fault(f"host {request.field('Host')}")
                if request.field("Cookie") is not None:
                    raise Fault("a cookie")
                return self.answer(request)
            except Fault as fault:
                self.faults.append(f"{method} {path}: {fault}")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                self.faults.append(f"{method} {path}: {type(error).__name__} {error}")
            return answer(400, "the protocol does not know this request", "text/plain")

    def answer(self, request):
        raise NotImplementedError


class Page:
    """The page in the browser, and its first form."""

    def __init__(self, status, fields, body):
        self.status, self.fields = status, fields
        self.source = body.decode("utf-8", "replace")
        self.action, self.inputs, self.text = None, [], ""
        page = self

        class Reader(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                attributes = dict(attributes)
                if tag == "form":
                    page.action = attributes["action"]
                elif tag == "input":
                    page.inputs.append((attributes["name"], attributes["value"]))

            def handle_data(self, data):
                page.text += data

        Reader().feed(self.source)


class Browser:
    """Opens addresses, follows redirects, and posts forms."""

    def open(self, address):
        for _ in range(10):
            if not address.startswith("http"):
                return address
            page = self.get(address)
            place = page.fields.get("Location")
            if page.status not in (302, 303) or not place:
                return page
            address = urllib.parse.urljoin(address, place)
            # The fragment is not sent; only the person or program at the browser can read it.
            if "#" in address:
                return address
        raise Fault("the browser is sent round in circles")

    def get(self, address):
        return self.send("GET", address)

    def submit(self, page, base, changed=None, host=None):
        """Posts the form of a page, optionally with changed fields or another Host."""
        fields = [(name, (changed or {}).get(name, value)) for name, value in page.inputs]
        body = urllib.parse.urlencode(fields).replace("%0A", "%0D%0A")
        reply = self.send("POST", urllib.parse.urljoin(base, page.action), body, host)
        place = reply.fields.get("Location")
        return self.open(urllib.parse.urljoin(base, place)) if reply.status in (302, 303) else reply

    def send(self, method, address, body=None, host=None):
        url = urllib.parse.urlsplit(address)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        fields = {"Accept": "text/html,application/xhtml+xml"}
        if body is not None:
            # The form comes from another site.
            fields |= {"Content-Type": FORM, "Origin": "null"}
        if host:
            fields["Host"] = host
        try:
            connection.request(method, url.path + ("?" + url.query if url.query else ""), body, fields)
            reply = connection.getresponse()
            return Page(reply.status, dict(reply.getheaders()), reply.read())
        finally:
            connection.close()


class Outcome:
    """The result of a run of the command."""

    def __init__(self, status, output, talk, seen):
        self.status, self.output, self.talk, self.seen = status, output, talk, seen
        try:
            self.json = json.loads(output)
        except ValueError:
            self.json = None

    def __getitem__(self, name):
        return self.json.get(name) if isinstance(self.json, dict) else None

    @property
    def error(self):
        return self["error"] or {}

    @property
    def code(self):
        return self.error.get("code")

    def __repr__(self):
        return f"exit code {self.status}, output {self.output!r}, talk {self.talk!r}, seen {self.seen!r}"


class Play:
    """One story: its folder, its checks, and all of its output."""

    def __init__(self, name, client, folder):
        self.name, self.client, self.folder = name, client, folder
        os.makedirs(folder)
        self.lines, self.failed, self.played = [], 0, 0
        self.shown, self.secrets, self.servers = [], set(), []
        # Whether the command writes its log, so that the log is searched, too.
        self.verbose = False
        self.untidy = []
        self.browser = Browser()
        key = self.secret(os.urandom(32).hex()[:32])
        self.store = ["--store", os.path.join(folder, "sessions"),
                      "--store-key-file", self.file("store.key", key)]

    def serve(self, server):
        self.servers.append(server)
        return server

    def secret(self, text):
        self.secrets.add(text)
        return text

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(text)
        return path

    def hidden(self, name, text):
        """A file with a secret."""
        return self.file(name, self.secret(text))

    def check(self, what, holds, seen=None):
        self.played += 1
        self.lines.append(f"{'ok    ' if holds else 'FAILED'}  {self.name}: {what}")
        if not holds:
            self.failed += 1
            self.lines.append(f"        {seen!r}")

    def refused(self, what, outcome, code, *words, status=1):
        """Checks that the command failed with that code and those words, on the right streams."""
        talk = outcome.talk.lower()
        said = all(word.lower() in talk for word in words) and "claims-client: error: " in talk
        printed = outcome.code == code if status == 1 else outcome.output == "" and code in outcome.talk
        self.check(f"{what}: {code}, exit code {status}",
                   outcome.status == status and printed and said, outcome)

    def run(self, *arguments, hear=None, answers=None, piped=None, environment=None, reveals=False):
        """Runs the command to its end.

        hear: called with the address that the command prints; its result is recorded, and written to the
        command's standard input if that is a pipe (piped=True).
        answers: prompts and the input of a person at a terminal, or a function of the recorded results.
        """
        if self.verbose and (arguments[0] in VERBOSE or arguments[:2] in VERBOSE):
            arguments += ("--verbose",)
        master, echoed = None, ""
        if answers is not None:
            master, stdin = pty.openpty()
        elif piped:
            stdin = subprocess.PIPE
        else:
            stdin = subprocess.DEVNULL
        process = subprocess.Popen(
            [self.client, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.folder, env=dict(os.environ, **(environment or {})))
        if master is not None:
            os.close(stdin)
        talk, seen, output = [], [], []
        reading = threading.Thread(
            target=self._listen, args=(process, talk, seen, hear, list(answers or []), master, piped))
        printing = threading.Thread(target=lambda: output.append(process.stdout.read()))
        reading.start()
        printing.start()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            seen.append("the command did not end")
        reading.join(20)
        printing.join(20)
        if master is not None:
            os.set_blocking(master, False)
            try:
                echoed = os.read(master, 65536).decode()
            except OSError:
                """Without an echo."""
            os.close(master)
        if process.stdin:
            process.stdin.close()
        process.stderr.close()
        process.stdout.close()
        outcome = Outcome(process.returncode, output[0].decode(), b"".join(talk).decode(), seen)
        self.shown += [outcome.talk, echoed] if reveals else [outcome.output, outcome.talk, echoed]
        if outcome.output and (outcome.json is None or not outcome.output.endswith("\n")
                               or "\n" in outcome.output[:-1]):
            self.untidy.append(outcome)
        return outcome

    @staticmethod
    def _listen(process, talk, seen, hear, answers, master, piped):
        """Reads standard error line by line: opens the address, answers the prompts."""
        heard, browsing = 0, None

        def browse(address):
            try:
                found = hear(address, lambda: b"".join(talk).decode("utf-8", "replace"))
            except (OSError, Fault, http.client.HTTPException) as error:
                found = f"{type(error).__name__}: {error}"
            seen.append(found)
            if piped:
                process.stdin.write(f"{found}\n".encode())
                process.stdin.flush()

        while True:
            part = os.read(process.stderr.fileno(), 65536)
            if not part:
                break
            talk.append(part)
            text = b"".join(talk).decode("utf-8", "replace")
            address = re.search(r"^(https?://\S+)\n", text, re.M)
            if address and hear and not browsing:
                browsing = threading.Thread(target=browse, args=(address.group(1),))
                browsing.start()
            if answers and answers[0][0] in text[heard:]:
                question, typed = answers.pop(0)
                if callable(typed):
                    browsing.join(20)
                    typed = typed(seen)
                heard = text.index(question, heard) + len(question)
                os.write(master, typed.encode() + b"\n")
        if browsing:
            browsing.join(20)

    def sessions(self):
        return self.run("session", "list", *self.store).json

    def end(self):
        """Checks every play: the servers accepted each request, and the output has no secret."""
        faults = [fault for server in self.servers for fault in server.faults]
        self.check("every request is one that the protocol knows", not faults, faults)
        self.check("standard output is one line of JSON, or nothing", not self.untidy, self.untidy)
        for server in self.servers:
            self.secrets |= server.secrets
            server.close()
        finder = search.Search({secret for secret in self.secrets if len(secret) >= search.LENGTH})
        store = self.store[1]
        if os.path.exists(store):
            with open(store, encoding="latin-1") as file:
                self.shown.append(file.read())
            self.check("the file of sessions is for its owner alone", os.stat(store).st_mode & 0o777 == 0o600)
        found = {hit for text in self.shown for _, plain in search.layers(text) for hit in finder.find(plain)}
        self.check(f"none of {len(self.secrets)} secrets in {sum(map(bool, self.shown))} outputs and files", not found, found)

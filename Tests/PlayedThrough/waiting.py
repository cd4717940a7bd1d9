"""What clients that wait cost `claims-gate` and `acs` (SVC-9): idle connections beyond the descriptors, held bodies, half
headers, thousands of connections, and the end at SIGTERM in the middle of all that.

    python3 Tests/PlayedThrough/waiting.py FOLDER_OF_COMMANDS [gate|acs]

Loopback alone, under three minutes a command. A line for each measurement; exit 1 where one is beyond its bound.
"""
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = sys.argv[1]
WANTED = sys.argv[2:] or ["gate", "acs"]
MEBIBYTE = 1 << 20
wrong = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=idp", "-days", "9",
         "-keyout", folder + "/idp.key", "-out", folder + "/idp.crt"], check=True, capture_output=True)
    return "".join(line for line in open(folder + "/idp.crt").read().splitlines() if "-----" not in line)


def metadata(folder):
    return (
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/">'
        '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">'
        '<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>'
        f"<ds:X509Certificate>{certificate(folder)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
        '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" '
        'Location="https://idp.example/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>')


class Service:
    """A command that serves, at a limit of descriptors."""

    def __init__(self, kind, descriptors):
        self.kind, self.port, self.operations = kind, free_port(), free_port()
        self.folder = tempfile.mkdtemp(prefix="waiting-")
        if kind == "gate":
            open(self.folder + "/idp.xml", "w").write(metadata(self.folder))
            file = {
                "public": "https://app.example", "listen": f"127.0.0.1:{self.port}",
                "operations": f"127.0.0.1:{self.operations}",
                "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
                "providers": [{"id": "campus", "saml": {"metadata": "idp.xml"}}],
                "headers": {"X-Remote-User": "subject"}, "rules": []}
            command = "claims-gate"
        else:
            file = {
                "issuer": f"http://127.0.0.1:{self.port}/", "listen": f"127.0.0.1:{self.port}", "state": "memory",
                "providers": [{"kind": "google"}],
                "ruleGroups": [{"name": "all", "generate": ["Google"]}],
                "relyingParties": [
                    {"realm": "urn:app", "format": "SWT", "return": ["https://app.example/"], "rules": ["all"]}],
                "serviceIdentities": [{"name": "uploader", "password": "only-for-this-test"}]}
            command = "acs"
        path = self.folder + "/file.json"
        json.dump(file, open(path, "w"))
        self.log = open(self.folder + "/log", "w")
        self.process = subprocess.Popen(
            [os.path.join(FOLDER, command), "run", path], stdout=self.log, stderr=self.log,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        self.ask()

    def ask(self, timeout=10):
        """The seconds of a check, or of a token of a service identity; nil where nobody answers."""
        begin = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
            if self.kind == "gate":
                connection.request("GET", "/.gate/check", headers={
                    "X-Original-URI": "/page", "X-Original-Method": "GET"})
                expected = 401
            else:
                connection.request(
                    "POST", "/WRAPv0.9/",
                    "wrap_name=uploader&wrap_password=only-for-this-test&wrap_scope=urn%3Aapp",
                    {"Content-Type": "application/x-www-form-urlencoded"})
                expected = None
            status = connection.getresponse().status
            connection.close()
        except OSError:
            return None
        if expected and status != expected:
            return None
        return time.monotonic() - begin

    def latency(self, count=50):
        taken = [self.ask() for _ in range(count)]
        if None in taken:
            return None
        taken.sort()
        return taken[count // 2] * 1000, taken[-1] * 1000

    def memory(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) // 1024
        return None

    def connect(self, octets=b""):
        try:
            connection = socket.create_connection(("127.0.0.1", self.port), 5)
            if octets:
                connection.settimeout(5)
                connection.sendall(octets)
            return connection
        except OSError:
            return None

    def head(self, length):
        path = "/.gate/saml/acs" if self.kind == "gate" else "/v2/wsfederation"
        return (f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {length}\r\n\r\n").encode()

    def end(self):
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        return time.monotonic() - begin


def report(kind, what, isRight, text):
    print(f"{'ok   ' if isRight else 'WRONG'} {kind}: {what}: {text}", flush=True)
    if not isRight:
        wrong.append(what)


def words(latency):
    return "no answer" if latency is None else f"{latency[0]:.1f} ms in the middle, {latency[1]:.0f} ms at most"


def open_ones(held):
    count = 0
    for connection in filter(None, held):
        connection.setblocking(False)
        try:
            count += connection.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


def idle(kind):
    service = Service(kind, 1_024)
    before = service.memory()
    held = [service.connect() for _ in range(1_100)]
    for _ in range(4):
        held += [service.connect() for _ in range(50)]
        time.sleep(1)
    latency = service.latency()
    report(kind, "1,300 idle connections at 1,024 descriptors",
           service.process.poll() is None and latency is not None and latency[1] < 2_000,
           f"{words(latency)}; {before} MB, then {service.memory()} MB")
    half = service.connect(service.head(100) + b"abc")
    assert half
    taken = service.end()
    report(kind, "SIGTERM beside half a body", taken is not None and taken < 10 and service.process.returncode == 0,
           f"{'never' if taken is None else f'{taken:.1f} s'}, exit {service.process.returncode}")


def bodies(kind):
    service = Service(kind, 1_024)
    before = service.memory()
    most = [before]
    held = []

    def hold():
        held.append(service.connect(service.head(4_000_000) + b"a" * 3_900_000))
        most[0] = max(most[0], service.memory() or 0)

    threads = []
    for _ in range(200):
        threads.append(threading.Thread(target=hold))
        threads[-1].start()
        if len(threads) % 20 == 0:
            for thread in threads:
                thread.join()
    for thread in threads:
        thread.join()
    latency = service.latency()
    report(kind, "200 held bodies of 3.9 MB", most[0] < before + 300 and latency is not None,
           f"{before} MB, at most {most[0]} MB; {words(latency)}")
    headers = [service.connect(b"GET / HTTP/1.1\r\nHost:") for _ in range(300)]
    latency = service.latency()
    report(kind, "300 half headers beside them", latency is not None and latency[1] < 2_000, words(latency))
    time.sleep(12)
    waiting = [c for c in filter(None, headers) if still(c)]
    report(kind, "half headers after 12 s", not waiting, f"{len(waiting)} wait")
    time.sleep(20)
    answered = [c for c in filter(None, held) if still(c)]
    report(kind, "held bodies after 32 s", not answered, f"{len(answered)} wait")
    taken = service.end()
    report(kind, "SIGTERM", taken is not None and taken < 10 and service.process.returncode == 0,
           f"{'never' if taken is None else f'{taken:.1f} s'}, exit {service.process.returncode}")


def still(connection):
    """Whether a connection is neither closed nor answered."""
    connection.setblocking(False)
    try:
        connection.recv(1)
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def thousands(kind):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if limit < 12_000:
        print(f"not measured: 5,000 connections: only {limit} descriptors")
        return
    service = Service(kind, 6_000)
    before = service.memory()
    held = [service.connect() for _ in range(5_000)]
    time.sleep(1)
    latency = service.latency()
    count = open_ones(held)
    report(kind, "5,000 connections at 6,000 descriptors",
           count == 5_000 and latency is not None and latency[1] < 2_000 and service.memory() < before + 500,
           f"{count} open; {before} MB, then {service.memory()} MB; {words(latency)}")
    taken = service.end()
    report(kind, "SIGTERM beside them", taken is not None and taken < 10 and service.process.returncode == 0,
           f"{'never' if taken is None else f'{taken:.1f} s'}, exit {service.process.returncode}")


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
for kind in WANTED:
    idle(kind)
    bodies(kind)
    thousands(kind)
sys.exit(bool(wrong))

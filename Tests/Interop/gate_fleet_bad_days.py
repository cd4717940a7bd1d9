#!/usr/bin/env python3
"""Two gates and two acs on one Redis, on its bad days: it is restarted, killed, demoted and full, its clock and theirs move by a
minute, and then it drops keys, has no append-only file, and comes back empty. No answer and no code is good twice, no session
that was given is lost, and /health tells each state within five seconds.

    swift build -c release --enable-all-traits --product claims-gate     # and claims, acs
    python3 Tests/Interop/gate_fleet_bad_days.py --bin .build/release [--minutes 10] [--install]

--install fetches Debian's redis-server, gcc and libc6-dev and openssl first. The identity provider is `claims mint`. Prints what it
saw, and exits with 1 on a surprise.
"""
import argparse
import base64
import html
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--bin', default='.build/release')
parser.add_argument('--minutes', type=float, default=2)
parser.add_argument('--install', action='store_true')
parser.add_argument('--port', type=int, default=18640)
arguments = parser.parse_args()
if arguments.install:
    programs.install('redis-server', 'gcc', 'libc6-dev', 'openssl')
BIN = pathlib.Path(arguments.bin).resolve()
PORT = arguments.port
REDIS, GATES = PORT, {'one': PORT + 1, 'two': PORT + 3}
# Both acs have the issuer's port, as their file has to say, each at a loopback address of its own.
ISSUED, SERVICES = PORT + 5, {'first': '127.0.0.1', 'second': '127.0.0.2'}
ORIGIN, ISSUER = 'http://127.0.0.1:%d' % GATES['one'], 'http://127.0.0.1:%d/' % ISSUED
REPLY = 'https://rp.example/cb'
# Seconds for which an answer is valid, and for which a gate takes it beyond that.
LIFE, SKEW = 60, 60
tally, running, lock = programs.Tally(), programs.Programs('bad-days'), threading.Lock()
check, stop, folder = tally.check, running.stop, running.folder


# Processes, each with a clock of its own.

def start(name, command, port, host='127.0.0.1'):
    # One that is started anew has the clock that it had.
    clock = folder / (name + '.clock')
    seconds = struct.unpack('l', clock.read_bytes())[0] if clock.exists() else 0
    running.start(name, command, port, host, env=running.clock(name, seconds), cwd=folder)



def redis(appendonly='yes', where='redis'):
    (folder / where).mkdir(exist_ok=True)
    start('redis', ['redis-server', '--port', str(REDIS), '--bind', '127.0.0.1', '--dir', str(folder / where), '--save', '',
                    # With `everysec` a killed server may lose what it answered while the disk was busy.
                    '--appendonly', appendonly, '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'], REDIS)


def ask_redis(*words):
    """One command as an administrator; the reply's first line."""
    with socket.create_connection(('127.0.0.1', REDIS), timeout=5) as connection:
        connection.sendall(('*%d\r\n' % len(words) + ''.join('$%d\r\n%s\r\n' % (len(word), word) for word in words)).encode())
        return connection.makefile('rb').readline().decode().strip()


# Requests.

def ask(port, method, path, body=None, headers=None, host='127.0.0.1'):
    """Status, headers and text; None where nobody answers."""
    connection = http.client.HTTPConnection(host, port, timeout=15)
    try:
        connection.request(method, path, body, headers or {})
        got = connection.getresponse()
        return got.status, got.headers, got.read().decode('utf-8', 'replace')
    except (OSError, http.client.HTTPException):
        return None, None, ''
    finally:
        connection.close()


def health(name):
    status, _, text = ask(GATES[name] + 1, 'GET', '/health')
    return status, text


def post(name, answer):
    """The status, and the cookie of a session that was given."""
    status, headers, _ = ask(GATES[name], 'POST', '/.gate/saml/acs', urllib.parse.urlencode({'SAMLResponse': answer}), {
        'Content-Type': 'application/x-www-form-urlencoded', 'Accept': 'text/html', 'Sec-Fetch-Site': 'cross-site'})
    cookies = [c.split(';')[0] for c in headers.get_all('Set-Cookie', [])] if headers else []
    return status, next((c for c in cookies if c.startswith('session=') and len(c) > 40), None)


def verdict(name, cookie):
    return ask(GATES[name], 'GET', '/.gate/check', None, {
        'Cookie': cookie, 'X-Original-URI': '/page', 'X-Original-Method': 'GET', 'Accept': '*/*'})[0]


def answer(subject):
    """An answer of the identity provider."""
    made = subprocess.run([
        str(BIN / 'claims'), 'mint', 'saml20', '--issuer', 'https://idp.example/', '--audience', ORIGIN + '/saml', '--subject', subject,
        '--signing-key', 'idp.key', '--certificate', 'idp.crt', '--wrap', 'response', '--recipient', ORIGIN + '/.gate/saml/acs',
        '--lifetime', str(LIFE)], cwd=folder, capture_output=True, check=True).stdout
    return base64.b64encode(made.strip()).decode()


class Browser:
    def __init__(self, host):
        self.host, self.jar = host, {}

    def open(self, method, address, fields=None):
        parts = urllib.parse.urlsplit(address)
        headers = {'Host': urllib.parse.urlsplit(ISSUER).netloc, 'Cookie': '; '.join('%s=%s' % pair for pair in self.jar.items()), 'Accept': 'text/html'}
        body = None
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            headers.update({'Content-Type': 'application/x-www-form-urlencoded', 'Origin': ISSUER.rstrip('/')})
        status, got, text = ask(
            ISSUED, method, parts.path + ('?' + parts.query if parts.query else ''), body, headers, self.host)
        for cookie in (got.get_all('Set-Cookie', []) if got else []):
            name, _, value = cookie.partition('=')
            self.jar[name] = value.split(';')[0]
        return status, got.get('Location') if got else None, text


def code(host):
    """A code of OpenID Connect for the test person; None where it cannot be had now."""
    browser = Browser(host)
    status, location, text = browser.open('GET', '/v2/openid/authorize?' + urllib.parse.urlencode({
        'response_type': 'code', 'client_id': 'rp', 'redirect_uri': REPLY, 'scope': 'openid', 'state': 's', 'nonce': 'n'}))
    for _ in range(6):
        if location and location.startswith(REPLY):
            return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query)).get('code')
        if location:
            status, location, text = browser.open('GET', urllib.parse.urljoin(ISSUER, location))
            continue
        form = re.search(r'<form\b[^>]*action="([^"]*)"[^>]*>(.*?)</form>', text, re.S)
        if not form:
            return None
        fields = {html.unescape(n): html.unescape(v) for n, v in re.findall(r'<input\b[^>]*name="([^"]*)"[^>]*value="([^"]*)"', form.group(2))}
        status, location, text = browser.open('POST', urllib.parse.urljoin(ISSUER, html.unescape(form.group(1))), fields)
    return None


def exchange(host, code):
    return ask(ISSUED, 'POST', '/v2/openid/token', urllib.parse.urlencode({
        'grant_type': 'authorization_code', 'code': code, 'redirect_uri': REPLY, 'client_id': 'rp', 'client_secret': 'secret-of-the-party'}),
        {'Content-Type': 'application/x-www-form-urlencoded'}, host)[0]


# What happened.

class Ledger:
    """What was accepted, and how often each status came."""

    def __init__(self):
        self.accepted, self.statuses, self.sessions = {}, {}, []

    def note(self, thing, status, cookie=None):
        with lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status in (200, 303):
                self.accepted[thing] = self.accepted.get(thing, 0) + 1
            if cookie:
                self.sessions.append(cookie)

    @property
    def twice(self):
        with lock:
            return sum(count > 1 for count in self.accepted.values())


answers, codes = Ledger(), Ledger()
stopping, pausing = threading.Event(), threading.Event()


def at_once(calls):
    """Runs calls at the same instant."""
    barrier = threading.Barrier(len(calls))

    def run(call):
        barrier.wait()
        call()
    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def sign_ins(number):
    """Posts answers to both gates at once, and again and again until they are too old."""
    seen, count = [], 0
    while not stopping.is_set():
        count += 1
        made = answer('person-%d-%d' % (number, count))
        seen.append((made, time.monotonic()))
        at_once([lambda name=name: answers.note(made, *post(name, made)) for name in GATES])
        seen = [item for item in seen if item[1] > time.monotonic() - LIFE - 3 * SKEW]
        for again, _ in random.sample(seen, min(4, len(seen))):
            name = random.choice(list(GATES))
            answers.note(again, *post(name, again))


def token_requests():
    """Exchanges codes at both services at once, and again."""
    seen = []
    while not stopping.is_set():
        made = code(random.choice(list(SERVICES.values())))
        if not made:
            time.sleep(0.1)
            continue
        seen = (seen + [made])[-40:]
        at_once([lambda host=host: codes.note(made, exchange(host, made)) for host in SERVICES.values()])
        again = random.choice(seen)
        codes.note(again, exchange(random.choice(list(SERVICES.values())), again))


slowest = 0.0


def told(what, *words):
    """Waits until /health of both gates has one of the words, or, without any, is 200."""
    global slowest
    begun, found = time.monotonic(), None
    while time.monotonic() < begun + 5:
        found = [health(name) for name in GATES]
        if all(status == (503 if words else 200) and (not words or any(word in text for word in words)) for status, text in found):
            slowest = max(slowest, time.monotonic() - begun)
            return
        time.sleep(0.05)
    check('health tells within 5 s: ' + what, False, found)


def living(after):
    """No session that was given is lost."""
    with lock:
        some = random.sample(answers.sessions, min(30, len(answers.sessions)))
    lost = [(name, found) for cookie in some for name in GATES if (found := verdict(name, cookie)) != 200]
    check('%s: of %d sessions none is lost' % (after, len(some)), not lost, lost)


def restarted():
    stop('redis')
    told('away', 'store.unavailable', 'store.timeout')
    redis()


def killed():
    stop('redis', signal.SIGKILL)
    told('killed', 'store.unavailable', 'store.timeout')
    redis()


def demoted():
    ask_redis('REPLICAOF', '127.0.0.1', '1')
    told('demoted', 'role')
    ask_redis('REPLICAOF', 'NO', 'ONE')


def filled():
    ask_redis('CONFIG', 'SET', 'maxmemory', '1')
    told('full', 'OOM')
    ask_redis('CONFIG', 'SET', 'maxmemory', '0')


def moved():
    for name in ('redis', *GATES, *SERVICES):
        running.clock(name, random.choice([-60, 0, 60]))
    time.sleep(2)


def gate_restarted():
    name = random.choice(list(GATES))
    stop(name, random.choice([signal.SIGTERM, signal.SIGKILL]))
    start(name, [str(BIN / 'claims-gate'), 'run', name + '.json'], GATES[name])


def configure():
    for name in ('idp', 'gate'):
        running.keypair(name)
    (folder / 'cookies.keys').write_text(base64.b64encode(os.urandom(32)).decode() + '\n')
    (folder / 'idp.xml').write_bytes(subprocess.run([
        str(BIN / 'claims'), 'mint', 'metadata', '--issuer', 'https://idp.example/', '--certificate', 'idp.crt', '--sign-on',
        'https://idp.example/sso'], check=True, capture_output=True, cwd=folder).stdout)
    for name, port in GATES.items():
        (folder / (name + '.json')).write_text(json.dumps({
            'public': ORIGIN, 'listen': '127.0.0.1:%d' % port, 'operations': '127.0.0.1:%d' % (port + 1),
            'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'entityID': ORIGIN + '/saml', 'signingKey': 'gate.key',
            'certificate': 'gate.crt', 'decryptKeys': ['gate.key'], 'cookieKeys': 'cookies.keys',
            'providers': [{'id': 'idp', 'saml': {'metadata': 'idp.xml'}, 'acceptsUnsolicited': True}],
            'session': {'store': {'redis': 'redis://127.0.0.1:%d' % REDIS, 'namespace': 'wiki'}}, 'headers': {'X-Remote-User': 'subject'}, 'rules': []}))
    for name, host in SERVICES.items():
        (folder / (name + '.json')).write_text(json.dumps({
            'issuer': ISSUER, 'listen': '%s:%d' % (host, ISSUED), 'state': {'redis': 'redis://127.0.0.1:%d' % REDIS, 'namespace': 'acs'},
            'providers': [{'id': 'http://people.example/', 'name': 'People', 'offers': ['nameidentifier'],
                           'people': [{'name': 'Ada', 'claims': {'nameidentifier': 'ada'}}]}],
            'ruleGroups': [{'name': 'default', 'generate': ['http://people.example/'], 'rules': []}],
            'relyingParties': [{'realm': 'rp', 'format': 'JWT', 'clientSecret': 'secret-of-the-party', 'return': [REPLY], 'rules': ['default']}]}))


try:
    configure()
    redis()
    for name, port in GATES.items():
        start(name, [str(BIN / 'claims-gate'), 'run', name + '.json'], port)
    for name, host in SERVICES.items():
        start(name, [str(BIN / 'acs'), 'run', name + '.json'], ISSUED, host)
    told('well')
    workers = [threading.Thread(target=sign_ins, args=(number,)) for number in range(2)] + [threading.Thread(target=token_requests)]
    for worker in workers:
        worker.start()
    end, events = time.monotonic() + 60 * arguments.minutes, {}
    days = [restarted, killed, demoted, filled, moved, gate_restarted]
    while time.monotonic() < end:
        for day in random.sample(days, len(days)):
            day()
            told('well after ' + day.__name__)
            living(day.__name__)
            events[day.__name__] = events.get(day.__name__, 0) + 1
            time.sleep(1)
            if time.monotonic() >= end:
                break
    stopping.set()
    for worker in workers:
        worker.join()
    print('      %s; answers %s, codes %s; health told the slowest state after %.1f s' % (events, answers.statuses, codes.statuses, slowest), flush=True)
    check('%d answers were accepted, none twice' % len(answers.accepted), answers.accepted and not answers.twice, answers.twice)
    check('%d codes were accepted, none twice' % len(codes.accepted), codes.accepted and not codes.twice, codes.twice)

    # A server that may forget is told so, and nothing is accepted from then on.
    for name in ('redis', *GATES, *SERVICES):
        running.clock(name)
    used = answer('used')
    check('an answer is accepted', post('one', used)[0] == 303)
    for what, setting, careless, careful, word in [
            ('evicting', 'maxmemory-policy', 'allkeys-lru', 'noeviction', 'allkeys-lru'), ('without append-only file', 'appendonly', 'no', 'yes', 'appendonly no')]:
        ask_redis('CONFIG', 'SET', setting, careless)
        told(what, word)
        found = [post(name, thing)[0] for name in GATES for thing in (used, answer(what))]
        check(what + ': no answer is accepted', 303 not in found and 503 in found, found)
        ask_redis('CONFIG', 'SET', setting, careful)
        told('well after ' + what)
        living(what)
    check('used before, refused after', post('two', used)[0] != 303)
    made = code(SERVICES['first'])
    first = exchange(SERVICES['first'], made)
    # And one that comes back empty knows that it does.
    fresh = answer('not used yet')
    time.sleep(1.1)
    stop('redis', signal.SIGKILL)
    told('away', 'store.unavailable', 'store.timeout')
    redis(where='empty')
    told('well, and empty')
    found = [post(name, thing)[0] for name in GATES for thing in (used, fresh)]
    check('an empty store: what was issued before it is refused', found == [400] * 4, found)
    check('an empty store: so is a code that was used', first == 200 and exchange(SERVICES['second'], made) != 200, first)
    time.sleep(1.1)
    later = answer('later')
    check('an empty store: what was issued after it is accepted', post('two', later)[0] == 303)
    check('once', post('one', later)[0] != 303)
finally:
    stopping.set()
    running.stop_all()
running.end(tally)

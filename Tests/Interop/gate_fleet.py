#!/usr/bin/env python3
"""Two gates behind nginx with one Redis between them: replays, sessions, outages and a rolling restart, all on loopback.

    swift build -c release --enable-all-traits --product claims-gate
    Tests/Interop/gate_fleet.py --gate .build/release/claims-gate [--install] [--plain] [--sign-ins 10000]

The identity provider is SimpleSAMLphp. Redis listens with TLS and knows the gates by a user of its access list that may
run the documented commands alone; with --plain it has neither. --install fetches Debian's nginx-light redis-server
simplesamlphp php-cli php-xml php-mbstring php-curl php-sqlite3 openssl first. Prints what it saw, and exits with 1 on a
surprise.
"""
import argparse
import concurrent.futures
import http.client
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser  # noqa: E402
import programs  # noqa: E402
import proxies  # noqa: E402
import simplesamlphp  # noqa: E402

IDP, UPSTREAM, PROXY, REDIS = 18281, 18283, 18290, 18296
GATES = {'one': 18284, 'two': 18285}
ORIGIN = 'http://127.0.0.1:%d' % PROXY
PACKAGES = ['nginx-light', 'redis-server', 'simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl', 'php-sqlite3', 'openssl']

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--plain', action='store_true')
parser.add_argument('--sign-ins', type=int, default=1000)
arguments = parser.parse_args()
if arguments.install:
    programs.install(*PACKAGES)
tally, running = programs.Tally(), programs.Programs('fleet')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def certificates():
    for name in ('gate', 'idp'):
        running.keypair(name)
    running.keypair('redis', '-addext', 'subjectAltName=IP:127.0.0.1')


def redis():
    common = ['--bind', '127.0.0.1', '--dir', str(folder), '--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction']
    if arguments.plain:
        command = ['redis-server', '--port', str(REDIS), *common]
    else:
        (folder / 'users.acl').write_text(
            'user default off\nuser gate on >fleet-password ~wiki:* +auth +ping +select +time +info +get +getdel +exists +set +del +sadd +srem +smembers +srandmember +pexpire\n')
        command = ['redis-server', '--port', '0', '--tls-port', str(REDIS), '--tls-cert-file', 'redis.crt', '--tls-key-file', 'redis.key',
                   '--tls-ca-cert-file', 'redis.crt', '--tls-auth-clients', 'no', '--aclfile', str(folder / 'users.acl'), *common]
    start('redis', command, REDIS, cwd=folder)


def gate_file(name):
    store = {'redis': ('redis://127.0.0.1:%d' if arguments.plain else 'rediss://gate@127.0.0.1:%d/0') % REDIS, 'namespace': 'wiki'}
    if not arguments.plain:
        store.update(password='file:redis.password', trustedRoots='redis.crt')
    port = GATES[name]
    (folder / (name + '.json')).write_text(json.dumps({
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % port, 'operations': '127.0.0.1:%d' % (port + 2),
        'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'entityID': ORIGIN + '/saml', 'signingKey': 'gate.key',
        'certificate': 'gate.crt', 'decryptKeys': ['gate.key'], 'cookieKeys': 'cookies.keys',
        'providers': [{'id': 'ssp', 'saml': {'metadata': 'idp.xml'}}], 'session': {'store': store},
        'headers': {'X-Remote-User': 'uid'}, 'rules': []}))


def gate(name):
    start(name, [arguments.gate, 'run', str(folder / (name + '.json'))], GATES[name])


def nginx():
    upstream = 'upstream gates { server 127.0.0.1:%d max_fails=0; server 127.0.0.1:%d max_fails=0; }\n' % tuple(GATES.values())
    command, environment = proxies.command(
        'nginx', folder, PROXY, 4180, UPSTREAM, lambda text: upstream + text.replace('http://127.0.0.1:4180', 'http://gates'))
    start('nginx', command, PROXY, env=environment)


def identity_provider():
    command, environment = simplesamlphp.write(folder, IDP)
    certificate = running.certificate('gate')
    (folder / 'metadata/saml20-sp-remote.php').write_text(
        "<?php\n$metadata['%s/saml'] = ['AssertionConsumerService' => '%s/.gate/saml/acs', 'certData' => '%s'];\n" % (
            ORIGIN, ORIGIN, certificate))
    start('idp', command, IDP, env=environment)
    page = Browser().open('http://127.0.0.1:%d/simplesaml/saml2/idp/metadata.php' % IDP)
    (folder / 'idp.xml').write_text(page.text)


def answer(person):
    """A whole answer of the identity provider, not yet posted: the form's fields and the browser's cookies."""
    page = person.open(ORIGIN + '/page')
    for _ in range(4):
        names = [name for name, _ in page.forms[0]['fields']] if page.forms else []
        if 'password' in names:
            page = person.submit(page, {'username': 'ada', 'password': 'lovelace'})
        elif 'SAMLResponse' in names:
            cookies = '; '.join('%s=%s' % (c.name, c.value) for c in person.jar if c.name.startswith('signin-'))
            for cookie in list(person.jar):
                if cookie.name.startswith(('signin-', 'session')):
                    person.jar.clear(cookie.domain, cookie.path, cookie.name)
            return urllib.parse.urlencode(page.forms[0]['fields']), cookies
        elif page.forms:
            page = person.submit(page)
        else:
            break
    raise LookupError(page.text[:2000])


def ask(port, method, path, body=None, headers=None):
    """The status, the session cookie and the text; None where the gate does not answer."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    try:
        connection.request(method, path, body, headers or {})
        got = connection.getresponse()
        cookie = next((c.split(';')[0] for c in got.headers.get_all('Set-Cookie', []) if c.startswith('session=') and len(c) > 40), None)
        return got.status, cookie, got.read().decode('utf-8', 'replace')
    except (OSError, http.client.HTTPException):
        return None, None, ''
    finally:
        connection.close()


def post(name, prepared):
    fields, cookies = prepared
    return ask(GATES[name], 'POST', '/.gate/saml/acs', fields, {
        'Content-Type': 'application/x-www-form-urlencoded', 'Cookie': cookies, 'Accept': 'text/html', 'Host': '127.0.0.1:%d' % PROXY})


def verdict(name, cookie):
    return ask(GATES[name], 'GET', '/.gate/check', None, {
        'Cookie': cookie, 'X-Original-URI': '/page', 'X-Original-Method': 'GET', 'Accept': 'text/html'})[0]


people = threading.local()


def prepared(_=0):
    # PHP's server locks its own sessions out now and then.
    for _ in range(5):
        try:
            if not hasattr(people, 'person'):
                people.person = Browser()
            return answer(people.person)
        except LookupError as error:
            last = error
            del people.person
    raise last


try:
    certificates()
    (folder / 'cookies.keys').write_text(subprocess.run(['openssl', 'rand', '-base64', '32'], capture_output=True, text=True).stdout)
    (folder / 'redis.password').write_text('fleet-password\n')
    identity_provider()
    programs.application(UPSTREAM, lambda _, headers: headers.get('X-Remote-User') or '')
    for name in GATES:
        gate_file(name)
        checked = subprocess.run([arguments.gate, 'check', str(folder / (name + '.json'))], capture_output=True, text=True)
        check('check of gate ' + name, checked.returncode == 0, checked.stderr)
    redis()
    for name in GATES:
        gate(name)
    nginx()
    pool = concurrent.futures.ThreadPoolExecutor(4)

    # The same answer at both, at the same instant.
    sent = list(pool.map(prepared, range(1000)))
    both = concurrent.futures.ThreadPoolExecutor(2)
    wins, ends, cookies = 0, {}, []
    for fields in sent:
        results = list(both.map(lambda name: post(name, fields), GATES))
        cookies += [cookie for status, cookie, _ in results if status == 303 and cookie]
        wins += sum(status == 303 and cookie is not None for status, cookie, _ in results)
        for status, cookie, text in results:
            # The browser that brings the pending sign-in is led to where that led, and gets no session.
            if status != 303 or not cookie:
                kind = 'replay.used' if 'replay.used' in text else str(status)
                ends[kind] = ends.get(kind, 0) + 1
    check('1,000 answers posted to both gates at once: %d of 2,000 accepted, of the others %s' % (wins, ends),
          wins == len(set(cookies)) == 1000 and sum(ends.values()) == 1000 and set(ends) <= {'303', 'replay.used'}, (wins, ends))
    check('each session is one at both', all(verdict(name, cookie) == 200 for cookie in cookies[:200] for name in GATES))
    question = ask(GATES['one'], 'GET', '/.gate/sign-out', None, {'Cookie': cookies[0], 'Accept': 'text/html'})[2]
    token = question.split('name="')[1:]
    fields = {part.split('"')[0]: part.split('value="')[1].split('"')[0] for part in token if 'value="' in part}
    ask(GATES['one'], 'POST', '/.gate/sign-out', urllib.parse.urlencode(fields), {
        'Content-Type': 'application/x-www-form-urlencoded', 'Cookie': cookies[0]})
    check('signed out at one, signed out at both', [verdict(name, cookies[0]) for name in GATES] == [401, 401],
          [verdict(name, cookies[0]) for name in GATES])

    # Away and back.
    late = prepared()
    stop('redis')
    statuses = [verdict(name, cookies[1]) for name in GATES]
    text = ask(GATES['one'], 'GET', '/.gate/check', None, {'Cookie': cookies[1], 'X-Original-URI': '/', 'X-Original-Method': 'GET', 'Accept': '*/*'})[2]
    check('Redis stopped: 503 with the code', statuses == [503, 503] and 'store.' in text, (statuses, text))
    status, cookie, text = post('one', late)
    check('Redis stopped: no answer is accepted', status == 503 and cookie is None and 'store.' in text, (status, text))
    health = ask(GATES['one'] + 2, 'GET', '/health')
    check('Redis stopped: health says so', health[0] == 503 and 'store.' in health[2], health)
    redis()
    begun = time.monotonic()
    while time.monotonic() < begun + 20 and [verdict(name, cookies[1]) for name in GATES] != [200, 200]:
        time.sleep(0.02)
    took = time.monotonic() - begun
    check('Redis back: well again by itself after %.1f s, with its sessions' % took, took < 5, took)
    check('the answer that was refused is accepted now', post('one', late)[0] == 303)

    # A gate dies amid sign-ins.
    lock = threading.Lock()
    sessions, finished = [], []

    def sign_in(number):
        made = prepared()
        name = list(GATES)[number % 2]
        status, cookie, _ = post(name, made)
        if status is None:
            # As nginx does: the other one.
            status, cookie, _ = post([other for other in GATES if other != name][0], made)
        with lock:
            # An answer that a gate took before it died is a used one: on to the page without a session.
            if status == 303 and cookie:
                sessions.append(cookie)
            finished.append((status, made))
    futures = [pool.submit(sign_in, number) for number in range(arguments.sign_ins)]
    while len(finished) < arguments.sign_ins // 3:
        time.sleep(0.01)
    stop('two', signal.SIGKILL)
    while len(finished) < arguments.sign_ins // 2:
        time.sleep(0.01)
    gate('two')
    for future in futures:
        future.result()
    lost = [cookie for cookie in sessions if verdict('one', cookie) != 200 or verdict('two', cookie) != 200]
    check('kill -9 of a gate amid %d sign-ins: %d sessions, none lost' % (arguments.sign_ins, len(sessions)),
          not lost and len(sessions) >= arguments.sign_ins - 8, (len(sessions), len(lost)))
    again = [post(name, made)[1] for status, made in finished if status == 303 for name in GATES]
    check('and no answer gives another session (%d tried)' % len(again), again and not any(again), len(list(filter(None, again))))

    # A rolling restart under load.
    stopping, results = threading.Event(), []

    def load():
        connection = None
        while not stopping.is_set():
            try:
                connection = connection or http.client.HTTPConnection('127.0.0.1', PROXY, timeout=20)
                connection.request('GET', '/page', headers={'Cookie': cookies[1], 'Accept': 'text/html'})
                got = connection.getresponse()
                results.append((got.status, got.read()))
            except (OSError, http.client.HTTPException) as error:
                results.append((repr(error), b''))
                connection = None
    loaders = [threading.Thread(target=load) for _ in range(8)]
    for loader in loaders:
        loader.start()
    for name in GATES:
        time.sleep(2)
        check('SIGTERM ends gate %s without an error' % name, stop(name) == 0)
        gate(name)
    time.sleep(2)
    stopping.set()
    for loader in loaders:
        loader.join()
    bad = [result for result in results if result != (200, b'ada')]
    check('rolling restart under load: %d requests, none failed' % len(results), not bad and len(results) > 100, bad[:5])
    found = b''.join(path.read_bytes() for path in (folder / 'appendonlydir').iterdir())
    check('what Redis keeps on disk shows no claim', b'ada@' not in found and b'lovelace' not in found and b'wiki:' in found)
finally:
    running.stop_all()
running.end(tally)

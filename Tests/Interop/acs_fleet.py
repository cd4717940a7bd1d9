#!/usr/bin/env python3
"""Two acs behind nginx with one Redis between them: each assertion grant and each code gives tokens once, whichever node is asked,
while one of them is killed and comes back; then Redis goes away, a node is stopped in order, and the file is read anew.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_fleet.py --acs .build/release/acs [--install] [--redemptions 10000]

--install fetches Debian's nginx-light redis-server openssl and PyPI's pyjwt[crypto] first. A fifth of the redemptions are codes of
people who signed in, the others assertion grants (RFC 7523) that PyJWT signs. Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import base64
import concurrent.futures
import hashlib
import http.client
import json
import pathlib
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

REDIS, PROXY, OPENID = 18496, 18490, 18483
NODES = {'one': 18484, 'two': 18485}
parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
parser.add_argument('--redemptions', type=int, default=1000)
arguments = parser.parse_args()
if arguments.install:
    programs.install('nginx-light', 'redis-server', 'openssl')
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'pyjwt[crypto]'], check=True)
import jwt  # noqa: E402
from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: E402
from jwt.algorithms import RSAAlgorithm  # noqa: E402

tally, running = programs.Tally(), programs.Programs('acs-fleet')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder
ISSUER = 'https://127.0.0.1:%d/' % PROXY
TOKEN = ISSUER + 'v2/openid/token'
OP = 'http://127.0.0.1:%d' % OPENID
CALLBACK = 'https://chat.example/callback'
BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
SECRETS = {'agent': 'secret-of-the-agent', 'chat': 'secret-of-the-chat'}
VERIFIER = 'v' * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b'=').decode()


def redis():
    start('redis', ['redis-server', '--port', str(REDIS), '--bind', '127.0.0.1', '--dir', str(folder), '--save', '', '--appendonly',
                    'yes', '--maxmemory-policy', 'noeviction'], REDIS, cwd=folder)


def node_file(name, title='Tokens'):
    people = [{'name': 'Ada', 'claims': {'nameidentifier': 'ada', 'emailaddress': 'ada@example.org'}}]
    party = {'format': 'JWT', 'rules': ['all']}
    (folder / (name + '.json')).write_text(json.dumps({
        'issuer': ISSUER, 'name': title, 'listen': '127.0.0.1:%d' % NODES[name], 'operations': '127.0.0.1:%d' % (NODES[name] + 2),
        'keys': 'acs.keys', 'state': {'redis': 'redis://127.0.0.1:%d' % REDIS},
        'providers': [{'kind': 'google', 'people': people},
                      {'id': OP, 'name': 'Work', 'openID': {'issuer': OP, 'clientID': 'acs'}, 'grants': 'once'}],
        'ruleGroups': [{'name': 'all', 'rules': [{'if': {'from': 'Google'}}, {'if': {'from': OP}}]}],
        'relyingParties': [
            {'realm': 'chat', 'clientSecret': SECRETS['chat'], 'return': [CALLBACK], 'providers': ['Google'], **party},
            {'realm': 'https://api.example/', 'exchangeFor': ['agent'], 'providers': [OP], 'scopes': ['read'], **party}],
        'serviceIdentities': [{'name': 'agent', 'password': SECRETS['agent']}]}, indent=1))


def node(name):
    start(name, [arguments.acs, 'run', str(folder / (name + '.json'))], NODES[name])


def nginx():
    (folder / 'nginx.conf').write_text('''
daemon off; pid nginx.pid; error_log stderr crit; events { worker_connections 512; }
http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  upstream nodes { server 127.0.0.1:%d max_fails=0; server 127.0.0.1:%d max_fails=0; keepalive 16; }
  server { listen 127.0.0.1:%d ssl; ssl_certificate proxy.crt; ssl_certificate_key proxy.key;
    location / { proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_next_upstream error timeout non_idempotent; } } }
''' % (*NODES.values(), PROXY))
    start('nginx', ['nginx', '-p', str(folder), '-c', 'nginx.conf'], PROXY)


def provider():
    """The OpenID provider whose JSON Web Tokens are grants: its configuration and its key."""
    public = load_pem_private_key((folder / 'op.key').read_bytes(), None).public_key()
    key = json.loads(RSAAlgorithm.to_jwk(public))
    said = {
        '/.well-known/openid-configuration': {
            'issuer': OP, 'authorization_endpoint': OP + '/a', 'token_endpoint': OP + '/t', 'jwks_uri': OP + '/k',
            'response_types_supported': ['code'], 'subject_types_supported': ['public'],
            'id_token_signing_alg_values_supported': ['RS256']},
        '/k': {'keys': [{**key, 'kid': 'k1', 'use': 'sig', 'alg': 'RS256'}]}}

    class Handler(programs.JSONHandler):
        def do_GET(self):
            self.answer(said.get(self.path, {}))
    programs.serve(OPENID, Handler)


UNVERIFIED = ssl._create_unverified_context()
connections = threading.local()


def ask(port, method, path, body=None, headers=None):
    """Status, fields and text; None where there is no answer. Connections stay, as those of programs do."""
    kept = connections.__dict__.setdefault('kept', {})
    for attempt in (0, 1):
        if port not in kept:
            kept[port] = (http.client.HTTPSConnection('127.0.0.1', port, timeout=30, context=UNVERIFIED) if port == PROXY
                          else http.client.HTTPConnection('127.0.0.1', port, timeout=30))
        try:
            kept[port].request(method, path, body, {'Host': '127.0.0.1:%d' % PROXY, **(headers or {})})
            got = kept[port].getresponse()
            return got.status, got.headers, got.read().decode('utf-8', 'replace')
        except (OSError, http.client.HTTPException):
            kept.pop(port).close()
            # What was sent may have been done, so it is not sent again: the caller decides.
            if method != 'GET' or attempt:
                return None, None, ''
    return None, None, ''


def anew():
    """Forgets the connections of this thread: those to a node that was killed are dead, and no POST is sent twice."""
    for connection in connections.__dict__.pop('kept', {}).values():
        connection.close()


def post(port, form, client):
    pair = base64.b64encode(('%s:%s' % (client, SECRETS[client])).encode()).decode()
    status, _, text = ask(port, 'POST', '/v2/openid/token', urllib.parse.urlencode(form), {
        'Content-Type': 'application/x-www-form-urlencoded', 'Authorization': 'Basic ' + pair})
    return status, json.loads(text) if text.startswith('{') else {}


def grant(key, number):
    now = int(time.time())
    assertion = jwt.encode(
        {'iss': OP, 'aud': TOKEN, 'sub': 'person-%d' % (number % 50), 'iat': now - 1, 'exp': now + 1800, 'jti': uuid.uuid4().hex},
        key, 'RS256', headers={'kid': 'k1'})
    return 'agent', {'grant_type': BEARER, 'assertion': assertion, 'resource': 'https://api.example/', 'scope': 'read'}


def sign_in(port):
    """A code of a person who signed in at the test provider."""
    query = urllib.parse.urlencode({
        'response_type': 'code', 'client_id': 'chat', 'scope': 'openid', 'redirect_uri': CALLBACK, 'state': 's', 'nonce': 'n',
        'code_challenge': CHALLENGE, 'code_challenge_method': 'S256'})
    path, cookies, body = '/v2/openid/authorize?' + query, {}, None
    for _ in range(5):
        headers = {'Cookie': '; '.join('%s=%s' % pair for pair in cookies.items())}
        if body is not None:
            headers['Content-Type'] = 'application/x-www-form-urlencoded'
        status, fields, text = ask(port, 'GET' if body is None else 'POST', path, body, headers)
        if status is None:
            raise LookupError('no answer')
        for cookie in fields.get_all('Set-Cookie', []):
            name, _, value = cookie.split(';')[0].partition('=')
            cookies[name] = value
        place = fields.get('Location', '')
        if place.startswith(CALLBACK):
            return dict(urllib.parse.parse_qsl(urllib.parse.urlparse(place).query))['code']
        if place:
            path, body = place[len(ISSUER) - 1:], None
            continue
        values = dict(re.findall(r'name="(cx|token)" value="([^"]*)"', text))
        path, body = '/v2/sign-in', urllib.parse.urlencode({**values, 'person': '0'})
    raise LookupError(text[:500])


def code(port):
    return 'chat', {'grant_type': 'authorization_code', 'code': sign_in(port), 'redirect_uri': CALLBACK, 'code_verifier': VERIFIER}


def redeem(port, redemption):
    client, form = redemption
    return post(port, form, client)


def amid_kills(redemptions, what):
    """Each is redeemed at both nodes at once, half of them at one and through nginx, while a node is killed twice and comes back;
    then all of them again at both. Returns how many tokens each gave."""
    given, answers, lock = [0] * len(redemptions), {}, threading.Lock()
    finished = [0]

    def both(number):
        ports = [NODES['one'], NODES['two']] if number % 2 else [PROXY, NODES['two']]
        racing = [pool.submit(redeem, port, redemptions[number]) for port in ports]
        for future in racing:
            status, found = future.result()
            with lock:
                given[number] += 'access_token' in found
                kind = 'token' if 'access_token' in found else found.get('error') or str(status)
                answers[kind] = answers.get(kind, 0) + 1
        with lock:
            finished[0] += 1
    with concurrent.futures.ThreadPoolExecutor(8) as pool, concurrent.futures.ThreadPoolExecutor(4) as outer:
        futures = [outer.submit(both, number) for number in range(len(redemptions))]
        for part in (0.3, 0.6):
            while finished[0] < len(redemptions) * part:
                time.sleep(0.005)
            stop('two', signal.SIGKILL)
            node('two')
        for future in futures:
            future.result()
    first = sum(given)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for port in NODES.values():
            for number, (status, found) in enumerate(pool.map(lambda r: redeem(port, r), redemptions)):
                given[number] += 'access_token' in found
    twice = sum(count > 1 for count in given)
    check('%d %s at two nodes at once, one of them killed twice: %d gave tokens, %d more when asked again, none twice (answers: %s)' % (
        len(redemptions), what, first, sum(given) - first, answers),
        twice == 0 and sum(count == 1 for count in given) >= len(redemptions) * 0.97 and 'token' in answers, (twice, answers))


try:
    running.keypair('op')
    running.keypair('proxy', '-addext', 'subjectAltName=IP:127.0.0.1')
    provider()
    redis()
    for name in NODES:
        node_file(name)
        checked = subprocess.run([arguments.acs, 'check', str(folder / (name + '.json'))], capture_output=True, text=True)
        check('check of node ' + name, checked.returncode == 0, checked.stderr)
        node(name)
    nginx()
    for name, port in NODES.items():
        status, _, text = ask(port + 2, 'GET', '/health')
        check('health of node ' + name, status == 200 and text.startswith('ok\n'), text)
    # Read once: to read it takes longer than to sign by it.
    key = load_pem_private_key((folder / 'op.key').read_bytes(), None)
    # The provider's keys are fetched with the first question about them.
    for port in NODES.values():
        # A grant that is older than the store is refused: it could have been used before.
        end = time.monotonic() + 10
        status, found = redeem(port, grant(key, 0))
        while status != 200 and 'older-than-store' in json.dumps(found) and time.monotonic() < end:
            time.sleep(0.2)
            status, found = redeem(port, grant(key, 0))
        check('a grant gives a token at port %d' % port, status == 200, found)

    codes = arguments.redemptions // 5
    begun = time.monotonic()
    grants = [grant(key, number) for number in range(arguments.redemptions - codes)]
    amid_kills(grants, 'assertion grants')
    ports = list(NODES.values())
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        # A code lives for a minute: they are made and redeemed in portions.
        for part in range(0, codes, 500):
            count = min(500, codes - part)
            amid_kills(list(pool.map(lambda number: code(ports[number % 2]), range(count))), 'codes')
    print('      %.0f s' % (time.monotonic() - begun))

    # A code that was used twice ends what it gave, on every node.
    anew()
    used = code(ports[0])
    status, tokens = redeem(ports[0], used)
    again, _ = redeem(ports[1], used)
    refresh = {'grant_type': 'refresh_token', 'refresh_token': tokens.get('refresh_token', '')}
    ended, found = post(ports[0], refresh, 'chat')
    check('a code that is used at the other node, too, ends its refresh token', (status, again, ended) == (200, 400, 400), (status, again, ended))
    status, tokens = redeem(ports[0], code(ports[1]))
    refresh['refresh_token'] = tokens['refresh_token']
    turned, found = post(ports[1], refresh, 'chat')
    check('a refresh token of one node is taken by the other, once',
          (turned, post(ports[0], refresh, 'chat')[0]) == (200, 400), found)

    # Redis is away.
    late = grant(key, 1)
    stop('redis')
    status, found = redeem(ports[0], late)
    check('Redis stopped: no token, and it is said to be no fault of the client', status == 503 and found.get('error') ==
          'temporarily_unavailable', (status, found))
    status, _, text = ask(ports[0] + 2, 'GET', '/health')
    check('Redis stopped: health says so', status == 503 and 'store.' in text, text)
    redis()
    anew()
    end = time.monotonic() + 20
    while time.monotonic() < end and ask(ports[0] + 2, 'GET', '/health')[0] != 200:
        time.sleep(0.05)
    check('Redis back: well again by itself', ask(ports[0] + 2, 'GET', '/health')[0] == 200)
    check('the grant that was refused then is taken now', redeem(ports[0], late)[0] == 200)

    # A reload under load, and a rolling restart.
    stopping, results = threading.Event(), []

    def load():
        while not stopping.is_set():
            status, found = redeem(PROXY, grant(key, 2))
            results.append((status, found.get('error')))
    loaders = [threading.Thread(target=load) for _ in range(4)]
    for loader in loaders:
        loader.start()
    for name in NODES:
        node_file(name, 'Anew')
        running.children[name].send_signal(signal.SIGHUP)
        time.sleep(1)
    for name in NODES:
        check('SIGTERM ends node %s without an error' % name, stop(name) == 0)
        node(name)
        time.sleep(1)
    stopping.set()
    for loader in loaders:
        loader.join()
    bad = [result for result in results if result[0] != 200]
    # One that a node took and could not answer any more nginx sends to the other, where it is used.
    check('reload and rolling restart under load: %d grants, %d without a token' % (len(results), len(bad)),
          len(results) > 20 and len(bad) <= 4, bad[:5])
    check('the file was read anew', all('reloaded' in running.log(name) for name in NODES))
    check('the log names client, relying party, provider, outcome and reference',
          re.search(r'issuing\.finished client="agent" party="https://api\.example/" provider="http://127\.0\.0\.1:%d" outcome=.* '
                    r'reference=[0-9a-f-]{36}' % OPENID, running.log('one')), running.log('one')[-600:])
    kept = b''.join(path.read_bytes() for path in (folder / 'appendonlydir').iterdir())
    check('what Redis keeps on disk names no person', b'person-1' not in kept and b'ada@' not in kept and len(kept) > 1000)
finally:
    running.stop_all()
running.end(tally)

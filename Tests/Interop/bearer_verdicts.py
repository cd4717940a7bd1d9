#!/usr/bin/env python3
"""Bearer tokens before the gate and before mod_oauth2 (Debian's libapache2-mod-oauth2): the verdicts side by side, and why they differ.

    swift build --enable-all-traits --product claims-gate
    apt-get install apache2-bin libapache2-mod-oauth2; pip install joserfc
    Tests/Interop/bearer_verdicts.py --gate .build/debug/claims-gate

The issuer publishes ES256 and RS256 keys and answers introspection. Exits with 1 where a verdict is not the one of the table.
"""
import argparse
import base64
import hmac
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from joserfc import jwk, jws, jwt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mod_oauth2  # noqa: E402
import programs  # noqa: E402

ISSUER_PORT, GATE, APACHE, UPSTREAM = 18291, 18292, 18293, 18294
ISSUER, API = 'http://127.0.0.1:%d' % ISSUER_PORT, 'https://api.example'
parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
parser.add_argument('--claims', default='.build/debug/claims')
arguments = parser.parse_args()
tally, running = programs.Tally(), programs.Programs('bearer')
folder = running.folder
EC = jwk.ECKey.generate_key('P-256', parameters={'kid': 'ec', 'use': 'sig', 'alg': 'ES256'})
RSA = jwk.RSAKey.generate_key(2048, parameters={'kid': 'rsa', 'use': 'sig'})
OTHER = jwk.ECKey.generate_key('P-256', parameters={'kid': 'ec'})
SECRET = jwk.OctKey.import_key(base64.urlsafe_b64encode(b's' * 32).decode().rstrip('='), parameters={'kid': 'oct'})
active, asked = {}, []


class Issuer(http.server.BaseHTTPRequestHandler):
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        for name, text in (('Content-Type', 'application/json'), ('Content-Length', str(len(body)))):
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == '/jwks':
            return self.answer({'keys': [key.as_dict(private=False) for key in (EC, RSA)] + [SECRET.as_dict(private=True)]})
        self.answer({'issuer': ISSUER, 'jwks_uri': ISSUER + '/jwks', 'authorization_endpoint': ISSUER + '/a', 'token_endpoint': ISSUER + '/t',
                     'introspection_endpoint': ISSUER + '/introspect', 'id_token_signing_alg_values_supported': ['ES256', 'RS256']})

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode()))
        asked.append(form.get('token'))
        self.answer(active.get(form.get('token'), {'active': False}))

    def log_message(self, *a):
        pass


class Application(Issuer):
    def do_GET(self):
        self.answer({'user': self.headers.get('X-Remote-User')})


for port, handler in ((ISSUER_PORT, Issuer), (UPSTREAM, Application)):
    threading.Thread(target=http.server.ThreadingHTTPServer(('127.0.0.1', port), handler).serve_forever, daemon=True).start()

NOW = int(time.time())


def token(key=EC, alg='ES256', header=None, claims=None, drop=()):
    head = {'alg': alg, 'kid': key.kid, 'typ': 'at+jwt', **(header or {})}
    body = {'iss': ISSUER, 'aud': API, 'sub': 'ada', 'iat': NOW, 'exp': NOW + 600, 'client_id': 'c', 'jti': '1', **(claims or {})}
    for name in drop:
        head.pop(name, None)
        body.pop(name, None)
    return jwt.encode(head, body, key, algorithms=[alg])


def raw(head, body, signature='x'):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip('=')
    return '%s.%s.%s' % (part(head), part(body), signature)


def by_secret(head, body, secret):
    """What joserfc refuses to make: a MAC by a public key."""
    signed = raw(head, body, '')[:-1]
    mac = hmac.new(secret, signed.encode(), 'sha256').digest()
    return signed + '.' + base64.urlsafe_b64encode(mac).decode().rstrip('=')


def twice(name, first, second):
    """Signed, with two members of one name."""
    text = json.dumps({**BODY, name: 0}).replace('"%s": 0' % name, '"%s": %d, "%s": %d' % (name, first, name, second))
    return jws.serialize_compact({'alg': 'ES256', 'kid': 'ec', 'typ': 'at+jwt'}, text.encode(), EC, algorithms=['ES256'])


def der():
    """The signature as X.509 has it, in place of the two numbers."""
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    head, body, signature = token().split('.')
    raw_signature = base64.urlsafe_b64decode(signature + '==')
    value = encode_dss_signature(int.from_bytes(raw_signature[:32], 'big'), int.from_bytes(raw_signature[32:], 'big'))
    return '%s.%s.%s' % (head, body, base64.urlsafe_b64encode(value).decode().rstrip('='))


GOOD = token()
BODY = {'iss': ISSUER, 'aud': API, 'sub': 'ada', 'iat': NOW, 'exp': NOW + 600}
PUBLIC = RSA.as_pem(private=False)
# What, the token, the gate's verdict, mod_oauth2's, and why they differ.
CASES = [('an access token, ES256', GOOD, True, True, ''),
         ('an access token, RS256', token(RSA, 'RS256'), True, True, ''),
         ('PS256 by the same RSA key', token(RSA, 'PS256'), True, True, ''),
         ('typ JWT', token(header={'typ': 'JWT'}), True, True, ''),
         ('no typ', token(drop=['typ']), True, True, ''),
         ('several audiences, ours among them', token(claims={'aud': ['x', API]}), True, True, ''),
         ('no kid', token(drop=['kid']), True, True, ''),
         ('another audience', token(claims={'aud': 'https://other.example'}), False, True, 'mod_oauth2 compares no audience'),
         ('no audience', token(drop=['aud']), False, True, 'the same'),
         ('an ID token of the same key', token(header={'typ': 'JWT'}, claims={'nonce': 'n', 'at_hash': 'x'}), False, True, 'RFC 9068, 4'),
         ('a logout token', token(header={'typ': 'logout+jwt'}, claims={'events': {}}), False, True, 'RFC 8725, 3.11'),
         ('typ JOSE', token(header={'typ': 'JOSE'}), False, True, 'the same'),
         ('expired', token(claims={'exp': NOW - 120}), False, False, ''),
         ('no end', token(drop=['exp']), False, False, ''),
         ('not yet valid', token(claims={'nbf': NOW + 600}), False, True, 'mod_oauth2 reads no nbf'),
         ('issued in the future', token(claims={'iat': NOW + 600}), False, False, ''),
         ('another issuer', token(claims={'iss': 'https://evil.example'}), False, True, 'to mod_oauth2 a key set names no issuer'),
         ('no issuer', token(drop=['iss']), False, True, 'the same'),
         ('issuer with a slash', token(claims={'iss': ISSUER + '/'}), False, True, 'the same'),
         ('another key of the same kid', token(OTHER), False, False, ''),
         ('an unknown kid', token(header={'kid': 'new'}), False, False, ''),
         ('changed', GOOD[:-6] + ('AAAAAA' if GOOD[-6:] != 'AAAAAA' else 'BBBBBB'), False, False, ''),
         ('alg none', raw({'alg': 'none'}, BODY, ''), False, False, ''),
         ('a secret of the key set', token(SECRET, 'HS256'), False, True, 'mod_oauth2 takes a secret that everybody can read'),
         ('the public key as a secret', by_secret({'alg': 'HS256', 'kid': 'rsa', 'typ': 'at+jwt'}, BODY, PUBLIC), False, False, ''),
         ('crit', raw({'alg': 'ES256', 'kid': 'ec', 'crit': ['x'], 'x': 1}, BODY), False, False, ''),
         ('typ application/at+jwt', token(header={'typ': 'application/at+jwt'}), True, True, ''),
         ('typ AT+JWT', token(header={'typ': 'AT+JWT'}), True, True, ''),
         ('typ id+jwt', token(header={'typ': 'id+jwt'}), False, True, 'RFC 8725, 3.11'),
         ('typ dpop+jwt', token(header={'typ': 'dpop+jwt'}), False, True, 'the same'),
         ('typ kb+jwt', token(header={'typ': 'kb+jwt'}), False, True, 'the same'),
         ('only at_hash of an ID token', token(claims={'at_hash': 'x'}), False, True, 'RFC 9068, 4'),
         ('only c_hash of an ID token', token(claims={'c_hash': 'x'}), False, True, 'the same'),
         ('only events', token(claims={'events': {}}), False, True, 'RFC 8725, 3.11'),
         ('PS256, typ JWT', token(RSA, 'PS256', header={'typ': 'JWT'}), True, True, ''),
         ('RS512', token(RSA, 'RS512'), True, True, ''),
         ('ES256 by the key of RSA', token(header={'kid': 'rsa'}), False, False, ''),
         ('no subject', token(drop=['sub']), False, False, ''),
         ('a subject that is a number', token(claims={'sub': 7}), False, False, ''),
         ('an issuer that is a list', token(claims={'iss': [ISSUER]}), False, True, 'RFC 7519, 4.1.1'),
         ('an audience with a slash', token(claims={'aud': API + '/'}), False, True, 'mod_oauth2 compares no audience'),
         ('an audience in upper case', token(claims={'aud': API.upper()}), False, True, 'the same'),
         ('an empty list of audiences', token(claims={'aud': []}), False, True, 'the same'),
         ('an end that is a text', token(claims={'exp': str(NOW + 600)}), False, False, ''),
         ('an end of the year 300000', token(claims={'exp': 9405792000000}), False, True, 'a time ends with the year 9999'),
         ('an end with a fraction', token(claims={'exp': NOW + 600.5}), True, False, 'RFC 7519, 2: a NumericDate may have a fraction'),
         ('two members exp', twice('exp', NOW - 600, NOW + 600), False, True, 'RFC 7519, 4: a name counts once'),
         ('a header with jwk', token(OTHER, header={'jwk': OTHER.as_dict(private=False)}), False, False, ''),
         ('a header with jku', token(OTHER, header={'jku': 'http://127.0.0.1:9/keys'}), False, False, ''),
         ('alg ES256, a signature of DER', der(), False, False, ''),
         ('five parts', 'a.b.c.d.e', False, False, ''), ('nothing', '', False, False, ''), ('two parts', 'a.b', False, False, '')]
OPAQUE = [('opaque, active', {'active': True, 'sub': 'ada', 'aud': API, 'scope': 'read', 'exp': NOW + 600}, True, True, ''),
          ('opaque, not active', {'active': False}, False, False, ''),
          ('opaque, for another audience', {'active': True, 'sub': 'ada', 'aud': 'x'}, False, True, 'mod_oauth2 compares no audience'),
          ('opaque, without an audience', {'active': True, 'sub': 'ada'}, False, True, 'the same'),
          ('opaque, active a text', {'active': 'true', 'sub': 'ada', 'aud': API}, False, False, ''),
          ('opaque, no word on active', {'sub': 'ada', 'aud': API}, False, False, ''),
          ('opaque, past its end', {'active': True, 'sub': 'ada', 'aud': API, 'exp': NOW - 5}, False, True, 'mod_oauth2 believes active'),
          ('opaque, of another issuer', {'active': True, 'sub': 'ada', 'aud': API, 'iss': 'https://x'}, False, True, 'mod_oauth2 reads no iss')]


def start_gate():
    (folder / 'secret').write_text('s3cret')
    (folder / 'trust.json').write_text(json.dumps({'audiences': [API], 'issuers': [
        {'name': ISSUER, 'id': 'as', 'openID': True},
        {'name': 'urn:opaque', 'id': 'opaque', 'introspection': {
            'at': ISSUER + '/introspect', 'clientID': 'api', 'clientSecret': 'file:secret'}}]}))
    (folder / 'gate.json').write_text(json.dumps({
        'public': 'http://127.0.0.1:%d' % GATE, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']},
        'people': 'shared', 'providers': [{'id': 'op', 'openID': {'issuer': ISSUER, 'clientID': 'gate'}}],
        'headers': {'X-Remote-User': 'subject'}, 'tokens': 'trust.json'}))
    running.start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)


def start_apache():
    mod_oauth2.start(running, APACHE, {
        'jwt': 'jwks_uri %s/jwks verify.iss=optional&verify.exp=required&verify.iat=optional&verify.iat.slack_before=3600' % ISSUER,
        'opaque': 'introspect %s/introspect introspect.auth=client_secret_basic&client_id=api&client_secret=s3cret' % ISSUER,
        'meta': 'metadata %s/.well-known/openid-configuration introspect.auth=client_secret_basic&client_id=api&client_secret=s3cret' % ISSUER})


def status(url, value, **fields):
    request = urllib.request.Request(url, headers={'Authorization': 'Bearer ' + value, **fields})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


def judge(cases, where):
    for name, value, ours, theirs, why in cases:
        code, fields = status('http://127.0.0.1:%d/.gate/check' % GATE, value, **{'X-Original-URI': '/', 'X-Original-Method': 'GET'})
        tally.check('the gate, %s: %s' % (name, 'accepted' if ours else 'refused'), (code == 200) == ours and (ours or code in (401, 403, 503)),
                    (code, dict(fields)))
        other, _ = status('http://127.0.0.1:%d/%s/x' % (APACHE, where), value)
        verdict = 'accepted' if other == 200 else 'refused'
        print('      mod_oauth2, %s: %s%s' % (name, verdict, '' if (other == 200) == ours else ' (%s)' % (why or 'unexplained')))
        if (other == 200) != ours:
            tally.check('the difference is explained', why and (other == 200) == theirs, (name, other))


def judge_metadata():
    """What mod_oauth2 makes of the same tokens when it discovers the issuer itself."""
    others = [(name, status('http://127.0.0.1:%d/%s/x' % (APACHE, where), value)[0] == 200) for where in ('jwt', 'meta')
              for name, value, *_ in CASES]
    half = len(others) // 2
    differing = [first[0] for first, second in zip(others[:half], others[half:]) if first[1] != second[1]]
    print('      mod_oauth2 by discovery differs from mod_oauth2 by jwks_uri at: %s' % (differing or 'nothing'))


try:
    start_gate()
    start_apache()
    judge(CASES, 'jwt')
    for number, (name, value, *rest) in enumerate(OPAQUE):
        active['opaque-%d' % number] = value
    judge([(name, 'opaque-%d' % number, *rest) for number, (name, value, *rest) in enumerate(OPAQUE)], 'opaque')
    shown = [value for value in asked if value and value.count('.') == 2 and value.startswith('eyJ')]
    tally.check('no JWT of another issuer was shown to the issuer that is asked', not shown, shown[:2])

    judge_metadata()

    # The same trust for who fetches nothing.
    def claims(*words, text=None):
        return subprocess.run([arguments.claims, *map(str, words)], input=text, capture_output=True, text=True)
    before = claims('verify', '--trust', folder / 'trust.json', text=GOOD)
    tally.check('claims verify refuses the file with an address, and names the verb', before.returncode == 2 and 'claims trust fetch' in before.stderr,
                before.stderr)
    fetched = claims('trust', 'fetch', folder / 'trust.json')
    (folder / 'fetched.json').write_text(fetched.stdout)
    tally.check('claims trust fetch: %s' % ' / '.join(fetched.stderr.strip().splitlines()), fetched.returncode == 0
                and 'urn:opaque' in fetched.stderr, fetched.stderr)
    tally.check('no secret is written', '"oct"' not in fetched.stdout and '"k"' not in fetched.stdout and '"d"' not in fetched.stdout
                and 's3cret' not in fetched.stdout, fetched.stdout)
    verdicts = [(name, ours, claims('verify', '--trust', folder / 'fetched.json', text=value).returncode) for name, value, ours, *_ in CASES]
    wrong = [case for case in verdicts if case[1] and case[2] != 0]
    tally.check('claims verify with the fetched file: what the gate accepts, of %d tokens' % len(verdicts), not wrong, wrong)
    (folder / 'away.json').write_text(json.dumps({'audiences': [API], 'issuers': [{'name': 'http://127.0.0.1:9', 'openID': True}]}))
    away = claims('trust', 'fetch', folder / 'away.json')
    tally.check('an issuer that is away: exit %d, %s' % (away.returncode, away.stderr.strip().splitlines()[:1]), away.returncode == 2
                and not away.stdout and 'transport.' in away.stderr, (away.stdout, away.stderr))
finally:
    running.stop_all()
print('%d tokens' % (len(CASES) + len(OPAQUE)))
running.end(tally)
sys.exit(tally.failed > 0)

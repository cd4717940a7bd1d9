#!/usr/bin/env python3
"""An OpenID provider that is stricter than the standards, for people called ada: one use of each code and refresh token, the
client authenticated as registered and in no other way, PKCE, exact redirect address. PyPI's joserfc signs and verifies. With the rule
`remembers` a browser proves once that it is ada's, and again for prompt=login, max_age, and after the sign-out; /asked counts it.

    strict_provider.py PORT '{"algorithm": "ES256", "authentication": "private_key_jwt", "keys": "http://…/keys", …}'
"""
import base64
import hashlib
import http.server
import json
import secrets
import sys
import time
import urllib.parse
import urllib.request

from joserfc import jwe, jwk, jwt

PORT, RULES = int(sys.argv[1]), json.loads(sys.argv[2])
ISSUER = 'http://127.0.0.1:%d' % PORT
ALGORITHM = RULES.get('algorithm', 'RS256')
KIND = {'RS': ('RSA', 2048), 'PS': ('RSA', 2048), 'ES': ('EC', 'P-256'), 'Ed': ('OKP', 'Ed25519')}[ALGORITHM[:2]]
KEY = jwk.JWKRegistry.generate_key(*KIND, parameters={'kid': 'op-1', 'use': 'sig', 'alg': ALGORITHM})
SECRET = RULES.get('secret', 's3cret')
codes, tokens, refreshes, assertions, complaints = {}, {}, {}, set(), []
# By the cookie of a browser when ada proved that it is hers; sessions that the client knows of.
proved, asked, told = {}, [0], []
LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'


def configuration():
    return {'issuer': ISSUER, 'authorization_endpoint': ISSUER + '/authorize', 'token_endpoint': ISSUER + '/token',
            'jwks_uri': ISSUER + '/jwks', 'userinfo_endpoint': ISSUER + '/userinfo', 'response_types_supported': ['code'],
            'subject_types_supported': ['public'], 'id_token_signing_alg_values_supported': [ALGORITHM],
            'response_modes_supported': [RULES.get('mode', 'query')], 'code_challenge_methods_supported': ['S256'],
            'scopes_supported': ['openid', 'email', 'offline_access'], 'authorization_response_iss_parameter_supported': True,
            'userinfo_signing_alg_values_supported': [ALGORITHM],
            'token_endpoint_auth_methods_supported': [RULES.get('authentication', 'client_secret_basic')],
            **({'end_session_endpoint': ISSUER + '/end', 'backchannel_logout_supported': True, 'backchannel_logout_session_supported': True}
               if 'logout' in RULES else {}), **RULES.get('says', {})}


def sign(claims, kind='JWT'):
    return jwt.encode({'alg': ALGORITHM, 'kid': 'op-1', 'typ': kind}, claims, KEY, algorithms=[ALGORITHM])


def encrypt(text, kind):
    """`text` for the key of the fitting type that the client publishes for encryption; as it is without the rule."""
    if kind not in RULES.get('encrypts', []):
        return text
    algorithm, encryption = RULES['encryption']
    wanted = 'RSA' if algorithm.startswith('RSA') else 'EC'
    keys = [key for key in json.load(urllib.request.urlopen(RULES['keys']))['keys'] if key['use'] == 'enc' and key['kty'] == wanted]
    header = {'alg': algorithm, 'enc': encryption, 'kid': keys[0]['kid'], **({'cty': 'JWT'} if text.startswith('ey') else {})}
    return jwe.encrypt_compact(header, text.encode(), jwk.import_key(keys[0]), algorithms=[algorithm, encryption])


def id_token(**more):
    now = int(time.time())
    return encrypt(sign({'iss': ISSUER, 'sub': RULES.get('subject', 'ada'), 'aud': 'gate', 'iat': now, 'exp': now + 300, **more}), 'id_token')


def is_client(form, header):
    """The registered way, and no other beside it."""
    way, basic = RULES.get('authentication', 'client_secret_basic'), None
    if header.startswith('Basic '):
        basic = [urllib.parse.unquote_plus(part) for part in base64.b64decode(header[6:]).decode().split(':')]
    if way == 'client_secret_basic':
        return basic == ['gate', SECRET] and 'client_secret' not in form and 'client_assertion' not in form
    if way == 'client_secret_post':
        return not header and form.get('client_id') == 'gate' and form.get('client_secret') == SECRET
    if way == 'none':
        return not header and 'client_secret' not in form and form.get('client_id') == 'gate'
    keys = jwk.KeySet.import_key_set(json.load(urllib.request.urlopen(RULES['keys'])))
    found = jwt.decode(form.get('client_assertion', ''), keys, algorithms=['RS256', 'ES256', 'EdDSA', 'PS256'])
    claims = found.claims
    is_new = claims['jti'] not in assertions
    assertions.add(claims['jti'])
    return (is_new and not header and claims['iss'] == claims['sub'] == 'gate' and 'kid' in found.header
            and claims['aud'] in (ISSUER + '/token', [ISSUER + '/token']) and time.time() < claims['exp'] < time.time() + 61)


class Provider(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value=None, kind='application/json', **fields):
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in {'Content-Type': kind, **fields}.items():
            self.send_header(name, text)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, error, status=400):
        complaints.append(error)
        self.answer(status, {'error': error})

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        pairs = urllib.parse.parse_qsl(address.query)
        query = dict(pairs)
        if address.path == '/.well-known/openid-configuration':
            self.answer(200, configuration())
        elif address.path == '/jwks':
            self.answer(200, {'keys': [KEY.as_dict(private=False)]})
        elif address.path == '/asked':
            self.answer(200, asked[0])
        elif address.path == '/end':
            self.end(query)
        elif address.path == '/sign-out':
            proved.clear()
            self.tell()
            self.answer(200, {})
        elif address.path == '/complaints':
            self.answer(200, complaints)
        elif address.path == '/rules':
            RULES.update(json.loads(query['set']))
            self.answer(200, {})
        elif address.path == '/userinfo':
            scope = tokens.get(self.headers.get('Authorization', '')[7:])
            if scope is None:
                return self.answer(401, {})
            claims = {'sub': RULES.get('userinfo_subject', RULES.get('subject', 'ada')), **RULES.get('userinfo', {})}
            if 'email' not in scope.split():
                claims = {name: value for name, value in claims.items() if not name.startswith('email')}
            signed = sign({'iss': ISSUER, 'aud': 'gate', **claims}) if RULES.get('signed_userinfo') else json.dumps(claims)
            if RULES.get('signed_userinfo') or 'userinfo' in RULES.get('encrypts', []):
                return self.answer(200, encrypt(signed, 'userinfo'), kind='application/jwt')
            self.answer(200, claims)
        elif address.path == '/authorize':
            wanted = {'response_type': 'code', 'client_id': 'gate', 'redirect_uri': RULES['redirect'],
                      'code_challenge_method': 'S256', **RULES.get('wants', {})}
            wrong = [name for name, value in wanted.items() if query.get(name) != value]
            resources = [value for name, value in pairs if name == 'resource']
            if wrong or resources != RULES.get('resources', []) or 'openid' not in query.get('scope', '').split():
                return self.refuse('invalid_request: %s' % (wrong or resources))
            code, query['sid'] = secrets.token_urlsafe(16), secrets.token_urlsafe(8)
            query['auth_time'], fields = self.proof(query)
            codes[code] = query
            back = {'code': code, 'state': query['state'], 'iss': ISSUER}
            if query.get('response_mode') == 'form_post':
                fields = ''.join('<input name="%s" value="%s">' % pair for pair in back.items())
                return self.answer(200, '<form method="post" action="%s">%s</form>' % (RULES['redirect'], fields),
                                   kind='text/html')
            self.answer(302, '', Location=RULES['redirect'] + '?' + urllib.parse.urlencode(back), **fields)
        else:
            self.answer(404, {})

    def proof(self, query):
        """When ada proved that the browser is hers, and the cookie that remembers it."""
        now = int(time.time())
        if not RULES.get('remembers'):
            return now, {}
        cookie = self.headers.get('Cookie', '').partition('strict=')[2].partition(';')[0]
        if cookie in proved and query.get('prompt') != 'login' and proved[cookie] + int(query.get('max_age', 86400)) >= now:
            return proved[cookie], {}
        asked[0] += 1
        cookie = secrets.token_urlsafe(8)
        proved[cookie] = now
        return now, {'Set-Cookie': 'strict=' + cookie + '; Path=/'}

    def end(self, query):
        """RP-Initiated Logout: for a token of this provider, to the registered address."""
        hint = jwt.decode(query.get('id_token_hint', ''), KEY, algorithms=[ALGORITHM]).claims
        if hint['aud'] != 'gate' or query.get('post_logout_redirect_uri') != RULES['signed_out']:
            return self.refuse('invalid_request: %s' % query.get('post_logout_redirect_uri'))
        proved.clear()
        self.answer(302, '', Location=RULES['signed_out'] + '?' + urllib.parse.urlencode({'state': query['state']} if 'state' in query else {}))

    def tell(self):
        """Back-Channel Logout of every session."""
        while told:
            now = int(time.time())
            token = encrypt(sign({'iss': ISSUER, 'aud': 'gate', 'iat': now, 'exp': now + 60, 'jti': secrets.token_urlsafe(8), 'sub': 'ada',
                                  'sid': told.pop(), 'events': {LOGOUT: {}}}, 'logout+jwt'), 'id_token')
            urllib.request.urlopen(RULES['logout'], urllib.parse.urlencode({'logout_token': token}).encode())

    def do_POST(self):
        pairs = urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode(), strict_parsing=True)
        form = dict(pairs)
        try:
            if not is_client(form, self.headers.get('Authorization', '')):
                return self.refuse('invalid_client', 401)
        except Exception as error:
            return self.refuse('invalid_client: %r' % error, 401)
        if [value for name, value in pairs if name == 'resource'] != RULES.get('resources', []):
            return self.refuse('invalid_target')
        more = {'auth_time': int(time.time()), 'acr': RULES.get('acr', '0'), **RULES.get('claims', {})}
        if form.get('grant_type') == 'authorization_code':
            query = codes.pop(form.get('code'), None)
            digest = base64.urlsafe_b64encode(hashlib.sha256(form.get('code_verifier', '').encode()).digest()).decode()[:43]
            if not query or query['code_challenge'] != digest or form.get('redirect_uri') != RULES['redirect']:
                return self.refuse('invalid_grant')
            more.update(nonce=query['nonce'], auth_time=query['auth_time'])
            if 'logout' in RULES:
                more['sid'] = query['sid']
                told.append(query['sid'])
            scope = query['scope']
            offline = 'offline_access' in scope.split()
        else:
            more['auth_time'], scope = refreshes.pop(form.get('refresh_token'), (None, ''))
            if form.get('grant_type') != 'refresh_token' or not more['auth_time']:
                return self.refuse('invalid_grant')
            offline = True
        token, next_token = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        tokens[token] = scope
        value = {'access_token': token, 'token_type': 'Bearer', 'expires_in': 300, 'id_token': id_token(**more)}
        if offline:
            refreshes[next_token] = more['auth_time'], scope
            value['refresh_token'] = next_token
        self.answer(200, value)

    def log_message(self, *a):
        pass


http.server.ThreadingHTTPServer(('127.0.0.1', PORT), Provider).serve_forever()

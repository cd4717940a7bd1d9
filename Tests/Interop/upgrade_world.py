"""The world of upgrade.py: a gate and an acs of which each question goes to the node that is asked for, an OpenID provider above
both, and browsers. Nothing stands in front of the nodes: a browser sends the headers that a proxy would send."""
import base64
import hashlib
import http.client
import json
import re
import secrets
import subprocess
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

import programs

PROVIDER = 18611
REDIS = 18612
NODES = {'old': {'gate': 18620, 'acs': 18622}, 'new': {'gate': 18630, 'acs': 18632}}
APP, WIKI, ACS = 'https://app.example', 'https://wiki.example', 'https://acs.example'
OP = 'http://127.0.0.1:%d' % PROVIDER
CALLBACK, API = 'https://chat.example/callback', 'https://api.example/'
SECRETS = {'chat': 'secret-of-the-chat', 'uploader': 'secret-of-the-uploader'}
REGISTRATION = 'registration-token-for-testing'
VERIFIER = 'v' * 43
BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:'
EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'


def base64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b'=').decode()


CHALLENGE = base64url(hashlib.sha256(VERIFIER.encode()).digest())


class Provider:
    """An OpenID provider without pages: `answer` is what it sends a browser back with. It takes a code as often as it comes, so that
    the gate and acs alone have to refuse the second time."""

    def __init__(self):
        self.key = rsa.generate_private_key(65537, 2048)
        self.codes, self.told = {}, []
        numbers = self.key.public_key().public_numbers()
        number = lambda value: base64url(value.to_bytes((value.bit_length() + 7) // 8, 'big'))  # noqa: E731
        keys = {'keys': [{'kty': 'RSA', 'kid': 'k1', 'use': 'sig', 'alg': 'RS256', 'n': number(numbers.n), 'e': number(numbers.e)}]}
        configuration = {
            'issuer': OP, 'authorization_endpoint': OP + '/authorize', 'token_endpoint': OP + '/token', 'jwks_uri': OP + '/keys',
            'response_types_supported': ['code'], 'subject_types_supported': ['public'], 'scopes_supported': ['openid', 'email'],
            'id_token_signing_alg_values_supported': ['RS256'], 'backchannel_logout_supported': True}
        provider = self

        class Handler(programs.JSONHandler):
            def do_GET(self):
                self.answer(keys if self.path == '/keys' else configuration)

            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers['Content-Length'])).decode()))
                if self.path == '/told':
                    provider.told.append(form['logout_token'])
                    return self.answer({})
                self.answer({'access_token': 'a', 'token_type': 'Bearer', 'expires_in': 600, 'id_token': provider.codes[form['code']]})
        programs.serve(PROVIDER, Handler)

    def sign(self, claims, kind='JWT'):
        head = base64url(json.dumps({'alg': 'RS256', 'kid': 'k1', 'typ': kind}).encode())
        text = head + '.' + base64url(json.dumps(claims).encode())
        return text + '.' + base64url(self.key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))

    def answer(self, address, subject, session):
        """Where the provider sends a browser that came with this address, with a person who signed in."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        now, code = int(time.time()), secrets.token_hex(16)
        self.codes[code] = self.sign({
            'iss': OP, 'aud': asked['client_id'], 'sub': subject, 'sid': session, 'iat': now, 'exp': now + 600, 'auth_time': now,
            'nonce': asked['nonce'], 'email': subject + '@example.org', 'email_verified': True})
        return asked['redirect_uri'] + '?' + urllib.parse.urlencode({'code': code, 'state': asked['state']})

    def logout_token(self, client, session):
        now = int(time.time())
        return self.sign({'iss': OP, 'aud': client, 'iat': now, 'exp': now + 120, 'jti': secrets.token_hex(8), 'sid': session,
                          'events': {'http://schemas.openid.net/event/backchannel-logout': {}}}, 'logout+jwt')

    def grant(self):
        now = int(time.time())
        return self.sign({'iss': OP, 'aud': ACS + '/v2/openid/token', 'sub': 'person', 'iat': now - 1, 'exp': now + 1200,
                          'jti': secrets.token_hex(8)})


class Answer:
    def __init__(self, url, got, body):
        self.url, self.status, self.fields = url, got.status, got.headers
        self.text = body.decode('utf-8', 'replace')
        place = got.headers.get('Location')
        self.place = urllib.parse.urljoin(url, place) if place else ''
        self.query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.place).query))

    def form(self, number=0):
        """The action and the fields of a form of the page."""
        found = re.findall(r'<form[^>]*?action="([^"]*)"[^>]*>(.*?)</form>', self.text, re.DOTALL)
        action, inside = found[number]
        tags = re.findall(r'<(?:input|button)[^>]*>', inside)
        fields = {}
        for tag in tags:
            name, value = re.search(r'\bname="([^"]*)"', tag), re.search(r'\bvalue="([^"]*)"', tag)
            if name:
                fields[name[1]] = unescape(value[1] if value else '')
        return urllib.parse.urljoin(self.url, unescape(action)), fields

    def json(self):
        return json.loads(self.text) if self.text.startswith('{') else {}

    def __str__(self):
        return '%s %s %s %s' % (self.url[:100], self.status, self.place[:200], re.sub('<style>.*?</style>', '', self.text, flags=re.DOTALL)[:600])


def unescape(text):
    for name, value in (('&#x3D;', '='), ('&#61;', '='), ('&quot;', '"'), ('&#39;', "'"), ('&lt;', '<'), ('&gt;', '>'), ('&amp;', '&')):
        text = text.replace(name, value)
    return text


class Browser:
    """The browser of one person: cookies by host. Each question names the node that answers."""

    def __init__(self):
        self.cookies = {}

    def ask(self, node, url, form=None, headers=None, body=None):
        parts = urllib.parse.urlsplit(url)
        origin, path = parts.scheme + '://' + parts.netloc, (parts.path or '/') + ('?' + parts.query if parts.query else '')
        kind = 'acs' if origin == ACS else 'gate'
        jar = self.cookies.setdefault(parts.hostname, {})
        sent = {'Host': parts.netloc, 'Accept': 'text/html', **({'Cookie': '; '.join('%s=%s' % pair for pair in jar.items())} if jar else {})}
        if kind == 'gate':
            sent.update({'X-Original-Proto': 'https', 'X-Original-Host': parts.netloc, 'X-Original-Method': 'GET'})
            if not path.startswith('/.gate/'):
                sent['X-Original-URI'], path = path, '/.gate/check'
        if form is not None:
            body = urllib.parse.urlencode(form)
            sent['Content-Type'] = 'application/x-www-form-urlencoded'
        sent.update(headers or {})
        connection = http.client.HTTPConnection('127.0.0.1', NODES[node][kind], timeout=30)
        connection.request('GET' if body is None else 'POST', path, body, sent)
        got = connection.getresponse()
        answer = Answer(url, got, got.read())
        connection.close()
        for field in got.headers.get_all('Set-Cookie', []):
            name, _, value = field.split(';')[0].partition('=')
            if 'max-age=0' in field.lower():
                jar.pop(name, None)
            else:
                jar[name] = value
        return answer

    def follow(self, node, answer, until):
        """Follows redirects between gate and acs until one leads to an address that begins so."""
        for _ in range(12):
            if not answer.place or answer.place.startswith(until):
                return answer
            answer = self.ask(node, answer.place)
        return answer

    def copy(self):
        other = Browser()
        other.cookies = {host: dict(jar) for host, jar in self.cookies.items()}
        return other


def client(node, path, form, name='chat', body=None, headers=None):
    """A question of a program at acs, with its secret."""
    pair = base64.b64encode(('%s:%s' % (name, SECRETS[name])).encode()).decode()
    return Browser().ask(node, ACS + path, form, {'Authorization': 'Basic ' + pair, **(headers or {})}, body)


def token(node, form, name='chat'):
    return client(node, '/v2/openid/token', form, name)


def write_files(folder, store):
    """The files of gate and acs for one store, in a folder of their own. The new version needs the line draft13For beside it, and at the
    gate the provider whose word a header takes: gate-old-amended.json and
    acs-old-amended.json are the old files with the lines that `check` names."""
    folder.mkdir()
    for name, command in (('cookies.keys', ['rand', '-base64', '32']), ('gate.key', ['genrsa', '2048'])):
        (folder / name).write_bytes(subprocess.run(['openssl', *command], capture_output=True, check=True).stdout)
        (folder / name).chmod(0o600)
    subprocess.run(['openssl', 'req', '-x509', '-key', 'gate.key', '-days', '30', '-subj', '/CN=gate', '-out', 'gate.crt'], check=True,
                   capture_output=True, cwd=folder)
    certificate = ''.join((folder / 'gate.crt').read_text().split('\n')[1:-2])
    (folder / 'gate.xml').write_text(
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s/saml"><md:SPSSODescriptor '
        'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo '
        'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo>'
        '</md:KeyDescriptor><md:AssertionConsumerService index="0" isDefault="true" '
        'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s/.gate/saml/acs"/></md:SPSSODescriptor></md:EntityDescriptor>'
        % (APP, certificate, APP))
    for name in ('old', 'new'):
        (folder / ('acs-%s.json' % name)).write_text(json.dumps(acs_file(name, store, amended=name == 'new'), indent=1))
        (folder / ('gate-%s.json' % name)).write_text(json.dumps(gate_file(name, store, amended=name == 'new'), indent=1))
    (folder / 'acs-old-amended.json').write_text(json.dumps(acs_file('old', store, amended=True), indent=1))
    (folder / 'gate-old-amended.json').write_text(json.dumps(gate_file('old', store, amended=True), indent=1))


def acs_file(node, store, amended):
    people = [{'name': 'Ada', 'claims': {'nameidentifier': 'ada', 'emailaddress': 'ada@example.org', 'role': 'staff'}}]
    party = {'format': 'JWT', 'rules': ['all']}
    port = NODES[node]['acs']
    return {
        'issuer': ACS + '/', 'listen': '127.0.0.1:%d' % port, 'operations': '127.0.0.1:%d' % (port + 1), 'admin': 'public',
        'testPeople': 'public', 'keys': 'acs.keys', 'state': store['acs'],
        'providers': [{'kind': 'google', 'people': people},
                      # The old version counts the providers, and the provider knows the address of that count.
                      {'id': OP, 'name': 'Work', 'openID': {'issuer': OP, 'clientID': 'acs'}, 'grants': 'once',
                       **({'address': 'provider-1'} if amended else {})}],
        'ruleGroups': [{'name': 'all', 'rules': [{'if': {'from': 'Google'}}, {'if': {'from': OP}}, {'if': {'from': 'acs'}}]}],
        'relyingParties': [
            {'realm': 'chat', 'clientSecret': SECRETS['chat'], 'return': [CALLBACK], 'backChannelLogout': OP + '/told',
             # The old version gives people's tokens by draft 13 to every service identity, and knows no such member.
             **({'draft13For': ['uploader']} if amended else {}), **party},
            {'realm': API, 'exchangeFor': ['chat', 'uploader'], 'resourceFor': ['chat'], 'scopes': ['read'], **party},
            {'realm': 'urn:gate', 'format': 'SAML 2.0', 'return': [APP + '/.gate/wsfed'], 'rules': ['all']},
            {'realm': APP + '/saml', 'format': 'SAML 2.0', 'metadata': 'gate.xml', 'rules': ['all']}],
        'serviceIdentities': [{'name': 'uploader', 'password': SECRETS['uploader'], 'redirect': [CALLBACK]}],
        'registration': {'relyingParty': API, 'token': REGISTRATION}}


def gate_file(node, store, amended):
    port = NODES[node]['gate']
    return {
        'public': APP, 'listen': '127.0.0.1:%d' % port, 'operations': '127.0.0.1:%d' % (port + 1),
        'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'entityID': APP + '/saml', 'signingKey': 'gate.key', 'certificate': 'gate.crt',
        'cookieKeys': 'cookies.keys', 'people': 'by provider',
        'providers': [{'id': 'saml', 'saml': {'metadata': 'idp.xml'}},
                      {'id': 'wsfed', 'wsFederation': {'metadata': 'federation.xml', 'realm': 'urn:gate'}},
                      {'id': 'op', 'openID': {'issuer': OP, 'clientID': 'gate'}}],
        'session': {'store': store['gate']}, 
        # The old version takes the role of any provider, and knows no other form.
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Role': {'claim': 'role', 'provider': 'any'} if amended else 'role'},
        'rules': [{'path': '/closed/', 'provider': 'any', 'claim': 'role', 'oneOf': ['staff']}],
        'applications': [{'origin': WIKI}]}

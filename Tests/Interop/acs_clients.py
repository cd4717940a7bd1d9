#!/usr/bin/env python3
"""Foreign clients of acs: authlib and idpyoidc sign a test person in, read UserInfo, refresh, introspect, revoke and push requests;
PyJWT verifies ID tokens by each algorithm, jwcrypto and joserfc decrypt encrypted ones, and a client registers itself.
mod_auth_openidc, LemonLDAP::NG and SATOSA sign a person in at acs (SATOSA by SAML 2.0 too), and so does SimpleSAMLphp by SAML 2.0;
mod_oauth2 lets its access tokens in. curl redeems a code and asks for a token with a secret of hostile characters, and the script of a
page in Chromium redeems one from another origin.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_clients.py --acs .build/release/acs [--install] [--satosa PYTHON] [--agents PYTHON]

--install fetches PyPI's authlib, requests, idpyoidc, pyjwt[crypto], jwcrypto, joserfc, satosa and pyop, and Debian's packages of the
others first; --satosa names the Python of an environment that has satosa, pyop and gunicorn, --agents one that has what
acs_agents.py needs, whose clients are in the table then, too. Prints a line for each thing that was seen, a table client by flow at
the end, and exits with 1 on a surprise.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import ssl
import subprocess
import sys
import time
import traceback
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import apache  # noqa: E402
import lemonldap  # noqa: E402
import programs  # noqa: E402
import satosa_proxy  # noqa: E402
import simplesamlphp  # noqa: E402
from browser import Browser, NoRedirect  # noqa: E402

ACS, OPENIDC, OAUTH2, LLNG, SATOSA, SSP, PAGE, FOREIGN = 18396, 18397, 18398, 18399, 18400, 18401, 18402, 18403
# Processes that are this acs, each of which says that it read its file anew.
NODES = int(os.environ.get('ACS_NODES', '1'))
parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', help='a part of the name of a client')
parser.add_argument('--satosa', default=sys.executable, metavar='PYTHON')
parser.add_argument('--agents', metavar='PYTHON')
arguments = parser.parse_args()
if arguments.install:
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'authlib', 'requests', 'idpyoidc', 'joserfc', 'jwcrypto', 'pyjwt[crypto]',
                    *satosa_proxy.PACKAGES], check=True)
    programs.install(*apache.PACKAGES, 'libapache2-mod-oauth2', 'xmlsec1', 'curl', 'chromium', *lemonldap.PACKAGES, *simplesamlphp.PACKAGES)
import requests  # noqa: E402
import urllib3  # noqa: E402
from authlib.common.security import generate_token  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.jose import JsonWebKey, jwt  # noqa: E402

urllib3.disable_warnings()
tally, running = programs.Tally(), programs.Programs('acs-clients')
start, stop, folder = running.start, running.stop, running.folder
ORIGIN = 'http://127.0.0.1:%d' % ACS
PORTAL, PROXY = 'http://127.0.0.1:%d/' % LLNG, 'https://127.0.0.1:%d' % SATOSA
CALLBACK, API = 'http://127.0.0.1:9000/cb', 'https://api.example/mcp'
HOSTILE = 'a+b %20:c&d=é/%'
ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
# The key of each relying party, the alg that it is for, and how its tokens are encrypted.
RECIPIENTS = {
    'rsa-gcm': ({'kty': 'RSA', 'size': 2048}, 'RSA-OAEP-256', 'A256GCM'),
    'rsa-cbc': ({'kty': 'RSA', 'size': 2048}, 'RSA-OAEP-256', 'A128CBC-HS256'),
    'ec-gcm': ({'kty': 'EC', 'crv': 'P-256'}, 'ECDH-ES', 'A256GCM'),
    'ec-cbc': ({'kty': 'EC', 'crv': 'P-256'}, 'ECDH-ES', 'A128CBC-HS256'),
    'x25519': ({'kty': 'OKP', 'crv': 'X25519'}, 'ECDH-ES+A256KW', 'A256GCM')}
recipients = {}
table = programs.Table(tally)
check = table.check


def write_service(*services):
    """`services` are the realm and the file of metadata of each service provider, once it is known."""
    party = {'format': 'JWT', 'rules': ['all']}
    people = [{'name': 'Ada', 'claims': {'nameidentifier': 'ada', 'name': 'Ada', 'emailaddress': 'ada@example.org'}}]
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ORIGIN + '/', 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [{'kind': 'google', 'people': people, 'authoritativeFor': ['example.org']}],
        'ruleGroups': [{'name': 'all', 'rules': [{'if': {'from': 'Google'}}]}],
        'relyingParties': [
            {'realm': 'authlib', 'clientSecret': 'authlib-secret-1234', 'return': [CALLBACK], **party},
            {'realm': 'public', 'return': [CALLBACK], **party},
            {'realm': 'curl', 'clientSecret': HOSTILE, 'return': [CALLBACK], **party},
            {'realm': 'page', 'return': [CALLBACK], 'origins': ['http://127.0.0.1:%d' % PAGE], **party},
            {'realm': 'idpyoidc', 'clientSecret': 'idpyoidc-secret-1234', 'return': [CALLBACK], **party},
            *({'realm': name, 'clientSecret': 'secret-of-' + name, 'return': [CALLBACK], 'signing': name, **party}
              for name in ALGORITHMS),
            *({'realm': name, 'clientSecret': 'secret-of-' + name, 'return': [CALLBACK], 'encryptTo': name + '.jwk',
               'encryption': encryption, 'signing': 'ES256', **party} for name, (_, _, encryption) in RECIPIENTS.items()),
            {'realm': 'openidc', 'clientSecret': 'for-testing-only', 'return': ['http://127.0.0.1:%d/protected/callback' % OPENIDC], **party},
            {'realm': 'llng', 'clientSecret': 'llng-secret-1234', 'return': [PORTAL + '?openidconnectcallback=1'], **party},
            {'realm': 'satosa', 'clientSecret': 'satosa-secret-1234', 'return': [PROXY + '/Upstream'], **party},
            *({'realm': realm, 'format': 'SAML 2.0', 'rules': ['all'], 'metadata': name} for realm, name in services),
            {'realm': API, 'clientSecret': 'api-secret-1234', 'resourceFor': ['authlib', 'public'], 'scopes': ['read'], **party}],
        'registration': {'relyingParty': API, 'token': 'registration-token'}},
        indent=1))


def write_recipients():
    from jwcrypto import jwk
    for name, (kind, algorithm, _) in RECIPIENTS.items():
        recipients[name] = jwk.JWK.generate(kid=name, use='enc', alg=algorithm, **kind)
        (folder / (name + '.jwk')).write_text(recipients[name].export_public())


def id_token(client, secret, **more):
    """The answer of the token endpoint to a code of that client."""
    verifier = generate_token(48)
    session = OAuth2Session(client, secret, scope='openid email', redirect_uri=CALLBACK, code_challenge_method='S256',
                            token_endpoint_auth_method='client_secret_basic' if secret else 'none')
    address, state = session.create_authorization_url(ORIGIN + '/v2/openid/authorize', code_verifier=verifier, nonce='n-2', **more)
    return session.fetch_token(ORIGIN + '/v2/openid/token', authorization_response=sign_in(address), code_verifier=verifier, state=state)


def play_algorithms():
    import jwt as pyjwt
    published = pyjwt.PyJWKClient(ORIGIN + '/v2/openid/keys')

    def verified(text, name, algorithm):
        return pyjwt.decode(text, published.get_signing_key_from_jwt(text).key, algorithms=[algorithm], audience=name,
                            issuer=ORIGIN + '/')
    for name in ALGORITHMS:
        text = id_token(name, 'secret-of-' + name)['id_token']
        check('PyJWT', 'ID token by ' + name, verified(text, name, name)['nonce'] == 'n-2', text)
    from joserfc import jwe
    from joserfc.jwk import ECKey, OKPKey, RSAKey
    from jwcrypto import jwe as other
    for name, (kind, algorithm, encryption) in RECIPIENTS.items():
        text = id_token(name, 'secret-of-' + name)['id_token']
        opened = other.JWE()
        opened.deserialize(text, recipients[name])
        header = json.loads(opened.objects['protected'])
        check('jwcrypto', '%s, %s' % (algorithm, encryption), (header['alg'], header['enc']) == (algorithm, encryption)
              and verified(opened.payload.decode(), name, 'ES256')['nonce'] == 'n-2', header)
        key = {'RSA': RSAKey, 'EC': ECKey, 'OKP': OKPKey}[kind['kty']].import_key(recipients[name].export(as_dict=True))
        inside = jwe.decrypt_compact(text, key, algorithms=[algorithm, encryption]).plaintext.decode()
        check('joserfc', '%s, %s' % (algorithm, encryption), verified(inside, name, 'ES256')['nonce'] == 'n-2', inside)
    found = requests.get(ORIGIN + '/.well-known/openid-configuration', timeout=20).json()
    check('requests', 'metadata of algorithms', set(ALGORITHMS) == set(found['id_token_signing_alg_values_supported'])
          and 'ECDH-ES' in found['id_token_encryption_alg_values_supported'], found)


def play_registration():
    found = requests.get(ORIGIN + '/.well-known/oauth-authorization-server', timeout=20).json()
    body = {'client_name': 'Agent', 'redirect_uris': [CALLBACK], 'token_endpoint_auth_method': 'client_secret_basic'}
    refused = requests.post(found['registration_endpoint'], json=body, timeout=20)
    check('authlib, registered', 'no token, no client', refused.status_code == 401, refused.text)
    made = requests.post(found['registration_endpoint'], json=body, timeout=20, headers={'Authorization': 'Bearer registration-token'})
    client = made.json()
    check('authlib, registered', 'registration', made.status_code == 201 and 'client_secret' not in client, made.text)
    token = id_token(client['client_id'], None, resource=API)
    keys = JsonWebKey.import_key_set(requests.get(found['jwks_uri'], timeout=20).json())
    access = jwt.decode(token['access_token'], keys)
    check('authlib, registered', 'resource and at+jwt', access['aud'] == API and access['client_id'] == client['client_id'], access)


def sign_in(address):
    """The address to which the browser is sent in the end."""
    browser = Browser()
    page = browser.ask(address)
    for _ in range(6):
        place = page.headers.get('Location', '')
        if place.startswith(CALLBACK):
            return place
        if place:
            page = browser.ask(urllib.parse.urljoin(page.url, place))
            continue
        if not page.forms:
            # A client that described itself: the person chooses the provider on the page that says who asks.
            page = browser.ask(urllib.parse.urljoin(page.url, next(link for link in page.links if '/v2/sign-in' in link)))
            continue
        form = page.forms[0]
        data = urllib.parse.urlencode(form['fields']).encode()
        page = browser.ask(urllib.parse.urljoin(page.url, form['action']), data)
    raise AssertionError('no way back: %s' % browser.trail)


def play_authlib(name, secret):
    found = requests.get(ORIGIN + '/.well-known/oauth-authorization-server', timeout=20).json()
    keys = JsonWebKey.import_key_set(requests.get(found['jwks_uri'], timeout=20).json())
    client = 'authlib, %s' % ('confidential' if secret else 'public')
    session = OAuth2Session(
        name, secret, scope='openid profile email', redirect_uri=CALLBACK, code_challenge_method='S256',
        token_endpoint_auth_method='client_secret_basic' if secret else 'none')
    verifier = generate_token(48)
    address, state = session.create_authorization_url(found['authorization_endpoint'], code_verifier=verifier, nonce='n-1')
    back = sign_in(address)
    token = session.fetch_token(found['token_endpoint'], authorization_response=back, code_verifier=verifier, state=state)
    claims = jwt.decode(token['id_token'], keys, claims_options={
        'iss': {'essential': True, 'value': found['issuer']}, 'aud': {'essential': True, 'value': name},
        'nonce': {'essential': True, 'value': 'n-1'}})
    claims.validate()
    check(client, 'code flow with PKCE', claims['email'] == 'ada@example.org', claims)
    said = session.get(found['userinfo_endpoint']).json()
    check(client, 'UserInfo', said['sub'] == claims['sub'] and said['name'] == 'Ada', said)
    old = token['refresh_token']
    token = session.refresh_token(found['token_endpoint'], refresh_token=old)
    check(client, 'refresh', token['refresh_token'] != old and session.get(found['userinfo_endpoint']).status_code == 200, token)
    if secret:
        seen = session.introspect_token(found['introspection_endpoint'], token=token['access_token']).json()
        check(client, 'introspection', seen['active'] is True and seen['client_id'] == name, seen)
        session.revoke_token(found['revocation_endpoint'], token=token['refresh_token'])
        seen = session.introspect_token(found['introspection_endpoint'], token=token['access_token']).json()
        check(client, 'revocation', seen == {'active': False}, seen)
    # RFC 9126 by hand: authlib has no method for it.
    address, state = session.create_authorization_url(
        found['authorization_endpoint'], code_verifier=verifier, resource=API, scope='openid read')
    form = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(address).query))
    pushed = requests.post(found['pushed_authorization_request_endpoint'], data=form, auth=(name, secret) if secret else None,
                           timeout=20)
    request = pushed.json().get('request_uri', '')
    back = sign_in('%s?client_id=%s&request_uri=%s' % (found['authorization_endpoint'], name, urllib.parse.quote(request)))
    token = session.fetch_token(found['token_endpoint'], authorization_response=back, code_verifier=verifier, state=state)
    access = jwt.decode(token['access_token'], keys)
    check(client, 'pushed request', pushed.status_code == 201, pushed.text)
    check(client, 'resource and at+jwt', access['aud'] == API and access['scope'] == 'read'
          and access.header['typ'] == 'at+jwt', access)
    seen = requests.post(found['introspection_endpoint'], data={'token': token['access_token']},
                         auth=(urllib.parse.quote(API, safe=''), 'api-secret-1234'), timeout=20).json()
    check(client, 'introspection by the resource', seen.get('active') is True and seen.get('scope') == 'read', seen)


def code(client):
    """A code for that client, and the proof key that belongs to it."""
    verifier = generate_token(48)
    session = OAuth2Session(client, scope='openid email', redirect_uri=CALLBACK, code_challenge_method='S256')
    address, _ = session.create_authorization_url(ORIGIN + '/v2/openid/authorize', code_verifier=verifier, nonce='n-3')
    back = sign_in(address)
    return urllib.parse.parse_qs(urllib.parse.urlparse(back).query)['code'][0], verifier


def play_curl():
    """`curl -u` sends the secret as it is typed, and RFC 6749, 2.3.1 asks for its form encoding: both are the secret."""
    for way, secret in (('as it is typed', HOSTILE), ('form-encoded', urllib.parse.quote_plus(HOSTILE))):
        received, verifier = code('curl')
        fields = {'grant_type': 'authorization_code', 'code': received, 'redirect_uri': CALLBACK, 'code_verifier': verifier}
        words = [word for name, value in fields.items() for word in ('--data-urlencode', '%s=%s' % (name, value))]
        token = subprocess.run(['curl', '-s', '-u', 'curl:' + secret, *words, ORIGIN + '/v2/openid/token'], capture_output=True, text=True)
        check('curl', 'code with -u, ' + way, 'id_token' in json.loads(token.stdout), token.stdout)
        said = subprocess.run(['curl', '-s', '-H', 'Authorization: Bearer ' + json.loads(token.stdout).get('access_token', ''),
                               ORIGIN + '/v2/openid/userinfo'], capture_output=True, text=True)
        check('curl', 'UserInfo, ' + way, 'ada@example.org' in said.stdout, said.stdout)
    wrong = subprocess.run(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', '-u', 'curl:' + HOSTILE + 'x', '-d',
                            'grant_type=client_credentials', ORIGIN + '/v2/openid/token'], capture_output=True, text=True)
    check('curl', 'another secret is refused', wrong.stdout == '401', wrong.stdout)


SCRIPT = """<!doctype html><pre id=said>nothing</pre><script>
const given = new URLSearchParams(location.hash.slice(1)), show = it => document.getElementById('said').textContent = JSON.stringify(it)
const body = new URLSearchParams({grant_type: 'authorization_code', client_id: 'page', code: given.get('code'),
  redirect_uri: given.get('back'), code_verifier: given.get('verifier')})
;(async () => {
  const token = await (await fetch(given.get('acs') + '/v2/openid/token', {method: 'POST', body})).json()
  const person = await (await fetch(given.get('acs') + '/v2/openid/userinfo', {headers: {Authorization: 'Bearer ' + token.access_token}})).json()
  show({token: Object.keys(token), person})
})().catch(error => show({error: String(error)}))
</script>"""


def play_fetch():
    """A page of a listed origin reads the token endpoint and UserInfo; one of another origin cannot."""
    for port, flow in ((PAGE, 'code with PKCE and UserInfo by fetch'), (FOREIGN, 'an origin that is not listed is kept out')):
        programs.application(port, lambda path, headers: SCRIPT)
        received, verifier = code('page')
        given = urllib.parse.urlencode({'acs': ORIGIN, 'code': received, 'verifier': verifier, 'back': CALLBACK})
        shown = subprocess.run(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=10000', '--user-data-dir=%s' % (folder / 'chromium'),
             '--dump-dom', 'http://127.0.0.1:%d/#%s' % (port, given)], capture_output=True, text=True, timeout=120).stdout
        said = json.loads(re.search('<pre id="said">(.*?)</pre>', shown, re.DOTALL)[1].replace('&quot;', '"'))
        is_read = said.get('person', {}).get('email') == 'ada@example.org' and 'id_token' in said.get('token', [])
        check('a page in Chromium', flow, is_read if port == PAGE else 'error' in said, said)


def play_idpyoidc():
    from idpyoidc.client.rp_handler import RPHandler
    issuer = ORIGIN + '/'
    keys = [{'type': 'RSA', 'use': ['sig']}, {'type': 'EC', 'crv': 'P-256', 'use': ['sig']}]
    service = 'idpyoidc.client.oidc.'
    configuration = {
        'client_type': 'oidc', 'issuer': issuer, 'base_url': 'http://127.0.0.1:9000', 'redirect_uris': [CALLBACK],
        'client_id': 'idpyoidc', 'client_secret': 'idpyoidc-secret-1234', 'key_conf': {'key_defs': keys},
        'scopes_supported': ['openid', 'profile', 'email'],
        'preference': {'scope': ['openid', 'profile', 'email'], 'token_endpoint_auth_methods_supported': ['client_secret_basic'],
                       'response_types_supported': ['code'], 'id_token_signed_response_alg': 'RS256'},
        'services': {
            'discovery': {'class': service + 'provider_info_discovery.ProviderInfoDiscovery'},
            'authorization': {'class': service + 'authorization.Authorization'},
            'accesstoken': {'class': service + 'access_token.AccessToken'},
            'userinfo': {'class': service + 'userinfo.UserInfo'}},
        'add_ons': {'pkce': {'function': 'idpyoidc.client.oauth2.add_on.pkce.add_support',
                             'kwargs': {'code_challenge_length': 64, 'code_challenge_method': 'S256'}}},
        'allow': {'missing_kid': True, 'http_links': True}}
    handler = RPHandler(base_url='http://127.0.0.1:9000', client_configs={issuer: configuration},
                        key_conf={'key_defs': keys}, httpc_params={'verify': False})
    begun = handler.begin(issuer_id=issuer)
    back = sign_in(begun if isinstance(begun, str) else begun['url'])
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(back).query))
    done = handler.finalize(issuer, answer)
    check('idpyoidc', 'code flow with PKCE', 'error' not in done and done.get('id_token') is not None, done)
    said = done['userinfo'].to_dict() if done.get('userinfo') else {}
    check('idpyoidc', 'UserInfo', said.get('sub') == done['id_token']['sub'] and said.get('email') == 'ada@example.org', said)


class Person:
    """A browser with a person, who signs in as the first test person and sends every form that waits."""

    def __init__(self):
        self.browser = Browser()
        # SATOSA has to be on https, and its certificate is made here.
        self.browser.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.browser.jar), NoRedirect,
            urllib.request.HTTPSHandler(context=ssl._create_unverified_context()))

    def go(self, address, end):
        """The page at an address that begins so, or the address itself where nothing answers."""
        page = self.browser.ask(address)
        for _ in range(30):
            place = page.headers.get('Location', '')
            if place:
                address = urllib.parse.urljoin(page.url, place)
                if address.startswith(CALLBACK):
                    return address
                page = self.browser.ask(address)
                continue
            if page.url.startswith(end) and not any('person' in dict(form['fields']) or 'SAMLResponse' in dict(form['fields'])
                                                    for form in page.forms):
                return page
            if not page.forms:
                raise AssertionError('%s: %s' % (page.url, page.text[:1500]))
            form = page.forms[0]
            data = urllib.parse.urlencode(form['fields']).encode()
            action = urllib.parse.urljoin(page.url, form['action'] or page.url)
            page = self.browser.ask(action, data) if form['method'] == 'post' else self.browser.ask(action + '?' + data.decode())
        raise AssertionError('no end: %s' % self.browser.trail[-8:])


OAUTH2_HOST = '''
<VirtualHost 127.0.0.1:{port}>
  ServerName http://127.0.0.1:{port}
  <Location />
    AuthType oauth2
    Require valid-user
  </Location>
  <Location /protected/keys/>
    OAuth2TokenVerify jwks_uri {issuer}/v2/openid/keys verify.iss=optional&verify.exp=required&verify.iat=optional
  </Location>
  <Location /protected/introspect/>
    OAuth2TokenVerify introspect {issuer}/v2/openid/introspect introspect.auth=client_secret_basic&client_id={client}&client_secret=api-secret-1234
  </Location>
</VirtualHost>'''


def play_apache():
    services = apache.Apache(running)
    services.openidc(OPENIDC, ORIGIN)
    services.modules += ['socache_shmcb', 'oauth2']
    services.host(OAUTH2_HOST, OAUTH2, issuer=ORIGIN, client=urllib.parse.quote(API, safe=''))
    for name in ('keys', 'introspect'):
        (folder / 'site/protected' / name).mkdir()
        (folder / 'site/protected' / name / 'index.shtml').write_text('let in')
    services.start()
    page = Person().go('http://127.0.0.1:%d/protected/' % OPENIDC, 'http://127.0.0.1:%d/protected/' % OPENIDC)
    check('mod_auth_openidc', 'code flow with PKCE, UserInfo', 'ada@example.org' in page.text, page.text)
    page = Person().browser.open('http://127.0.0.1:%d/protected/callback?logout=%s' % (
        OPENIDC, urllib.parse.quote('http://127.0.0.1:%d/out' % OPENIDC, safe='')))
    check('mod_auth_openidc', 'sign-out', page.url.startswith((ORIGIN, 'http://127.0.0.1:%d' % OPENIDC)), page.url)
    tokens = id_token('authlib', 'authlib-secret-1234', resource=API)

    def status(name, token):
        headers = {'Authorization': 'Bearer ' + token} if token else {}
        return requests.get('http://127.0.0.1:%d/protected/%s/' % (OAUTH2, name), headers=headers, timeout=20).status_code
    for name, flow in (('keys', 'at+jwt by jwks_uri'), ('introspect', 'at+jwt by introspection')):
        good, none, changed = status(name, tokens['access_token']), status(name, None), status(name, tokens['access_token'][:-4] + 'AAAA')
        check('mod_oauth2', flow, (good, none, changed) == (200, 401, 401), (good, none, changed))
    services.stop()


def play_lemonldap():
    running.keypair('llng')
    found = requests.get(ORIGIN + '/.well-known/openid-configuration', timeout=20).text
    keys = requests.get(ORIGIN + '/v2/openid/keys', timeout=20).text
    told = lemonldap.openid(found, keys, 'llng', 'llng-secret-1234', 'client_secret_basic', {'uid': 'sub', 'cn': 'name', 'mail': 'email'})
    command, environment = lemonldap.write(folder, LLNG, told)
    start('llng', command, LLNG, env=environment)
    page = Person().go(PORTAL, PORTAL)
    check('LemonLDAP::NG', 'code flow', 'logout' in page.text.lower() and 'error' not in page.url, page.url + page.text[:3000])
    stop('llng')


providers_below = []


def add_service(realm, name, metadata):
    """Adds a service provider to the file, which acs reads anew."""
    (folder / name).write_bytes(metadata)
    providers_below.append((realm, name))
    write_service(*providers_below)
    running.children['acs'].send_signal(signal.SIGHUP)
    end = time.monotonic() + 60
    while running.log('acs').count('json: reloaded') < NODES * len(providers_below):
        assert time.monotonic() < end, running.log('acs')[-800:]
        time.sleep(0.1)


def play_simplesamlphp():
    home = folder / 'ssp'
    home.mkdir()
    for name in ('idp', 'sp'):
        running.keypair('ssp/' + name, subject=name)
    metadata = requests.get(ORIGIN + '/v2/saml/metadata', timeout=20).content
    base = 'http://127.0.0.1:%d/simplesaml/module.php/' % SSP
    command, environment = simplesamlphp.write_service(home, SSP, ORIGIN + '/', metadata)
    start('ssp', command, SSP, env=environment)
    add_service('urn:simplesamlphp', 'ssp.xml', requests.get(base + 'saml/sp/metadata.php/sp', timeout=60).content)
    page = Person().go(base + 'core/authenticate.php?as=sp', base + 'core/authenticate.php')
    check('SimpleSAMLphp', 'SAML 2.0', 'ada@example.org' in page.text, page.url + page.text[:3000])
    stop('ssp')


def play_satosa():
    running.keypair('sp')
    running.keypair('tls', '-addext', 'subjectAltName=IP:127.0.0.1', subject='127.0.0.1')
    (folder / 'cert.pem').write_text((folder / 'tls.crt').read_text())
    (folder / 'key.pem').write_text((folder / 'tls.key').read_text())
    (folder / 'idp.xml').write_bytes(requests.get(ORIGIN + '/v2/saml/metadata', timeout=20).content)
    for kind, backend in (('SAML 2.0', satosa_proxy.saml()),
                          ('code flow', satosa_proxy.openid(ORIGIN + '/', 'satosa', 'satosa-secret-1234', PROXY + '/Upstream'))):
        command, environment = satosa_proxy.write(folder, SATOSA, arguments.satosa, backend, 'rp', 'secret-of-rp', CALLBACK)
        start('satosa', command, SATOSA, env=environment)
        # Its first answer waits for the schemas of SAML.
        found = requests.get(PROXY + '/.well-known/openid-configuration', verify=False, timeout=180).json()
        if backend['name'] == 'Saml2':
            add_service(PROXY + '/Saml2/metadata', 'satosa.xml',
                        requests.get(PROXY + '/Saml2/metadata', verify=False, timeout=180).content)
        back = Person().go('%s?%s' % (found['authorization_endpoint'], urllib.parse.urlencode({
            'response_type': 'code', 'client_id': 'rp', 'redirect_uri': CALLBACK, 'scope': 'openid email', 'state': 's',
            'nonce': 'n-3'})), CALLBACK)
        code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query)).get('code')
        answer = requests.post(found['token_endpoint'], auth=('rp', 'secret-of-rp'), verify=False, timeout=180, data={
            'grant_type': 'authorization_code', 'code': code, 'redirect_uri': CALLBACK}).json()
        said = requests.get(found['userinfo_endpoint'], verify=False, timeout=180, headers={
            'Authorization': 'Bearer ' + answer.get('access_token', '')}).json()
        check('SATOSA', kind, said.get('email') in ('ada@example.org', ['ada@example.org']), (back, answer, said))
        stop('satosa')


def play_agents():
    """acs_agents.py in an environment of its own."""
    script = pathlib.Path(__file__).with_name('acs_agents.py')
    done = subprocess.run([arguments.agents, script, '--acs', arguments.acs], capture_output=True, text=True)
    for word, client, flow in re.findall('^(ok|FAIL) +(.*?): (.*)$', done.stdout, re.MULTILINE):
        check(client, flow, word == 'ok')
    tally.check('acs_agents.py ends without a surprise', done.returncode == 0, done.stdout + done.stderr)


def play(name, part, *more):
    """One client that fails does not keep the others from the table."""
    if arguments.only and arguments.only not in name:
        return
    try:
        part(*more)
    except Exception:  # noqa: BLE001
        check(name, 'to the end', False, traceback.format_exc()[-900:])


try:
    write_recipients()
    write_service()
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
    play('authlib', play_authlib, 'authlib', 'authlib-secret-1234')
    play('authlib', play_authlib, 'public', None)
    play('idpyoidc', play_idpyoidc)
    play('curl', play_curl)
    play('a page in Chromium', play_fetch)
    play('PyJWT', play_algorithms)
    play('authlib, registered', play_registration)
    play('Apache', play_apache)
    play('LemonLDAP::NG', play_lemonldap)
    play('SimpleSAMLphp', play_simplesamlphp)
    play('SATOSA', play_satosa)
    if arguments.agents:
        play('mcp', play_agents)
    tally.check('acs ends without an error', stop('acs') == 0)
finally:
    running.stop_all()
    table.show()
running.end(tally)

#!/usr/bin/env python3
"""Agents at acs, with programs of others: what began as a SAML assertion of SimpleSAMLphp becomes a call of a tool.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_agents.py --acs .build/release/acs [--install]

- A person signs in at SimpleSAMLphp (SAML 2.0); the application exchanges its ID token for an identity assertion grant, which
  PyPI's mcp redeems at an authorization server of Authlib, and calls a tool of a fastmcp server with what it gets.
- A client of mcp registers itself at acs (RFC 7591), signs the person in there, and calls a tool of a fastmcp server that trusts acs.
- A grant of another organisation's provider, signed by joserfc, is redeemed by mcp at acs, once; bad ones are refused.

--install fetches Debian's simplesamlphp php-cli php-xml php-mbstring php-curl php-sqlite3 openssl and PyPI's mcp, fastmcp, authlib,
flask, joserfc and requests first. Prints a line for each thing that was seen, a table client by flow at the end, and exits with 1
on a surprise.
"""
import argparse
import asyncio
import json
import pathlib
import secrets
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import simplesamlphp  # noqa: E402
from browser import Browser  # noqa: E402

ACS, IDP, OPENID, AUTHLIB, THEIRS, OURS = 18591, 18592, 18593, 18594, 18595, 18596
PACKAGES = ['simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl', 'php-sqlite3', 'openssl']
ISSUER, OP, AS = ('http://127.0.0.1:%d/' % ACS, 'http://127.0.0.1:%d' % OPENID, 'http://127.0.0.1:%d' % AUTHLIB)
SAML = 'http://127.0.0.1:%d/idp' % IDP
THEIR_TOOLS, OUR_TOOLS = ('http://127.0.0.1:%d/mcp' % port for port in (THEIRS, OURS))
CALLBACK = 'http://127.0.0.1:9000/cb'
EXCHANGE, TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange', 'urn:ietf:params:oauth:token-type:'


def serve_tools(issuer, keys, port, audience):
    """A fastmcp server whose tokens come from that issuer."""
    from fastmcp import FastMCP
    from fastmcp.server.auth import RemoteAuthProvider
    from fastmcp.server.auth.providers.jwt import JWTVerifier
    from fastmcp.server.dependencies import get_access_token
    verifier = JWTVerifier(jwks_uri=keys, issuer=issuer, audience=audience, required_scopes=['orders'])
    server = FastMCP('orders', auth=RemoteAuthProvider(
        token_verifier=verifier, authorization_servers=[issuer], base_url='http://127.0.0.1:%s' % port))

    @server.tool
    def whoami() -> str:
        return str(get_access_token().claims.get('sub'))
    server.run(transport='http', host='127.0.0.1', port=int(port), show_banner=False)


def serve_authorization(port, issuer, key_set):
    """An authorization server of Authlib that takes identity assertion grants of `issuer`."""
    from authlib.integrations.flask_oauth2 import AuthorizationServer
    from authlib.oauth2.drafts.id_jag import IDJAGGrant
    from authlib.oauth2.rfc6749 import ClientMixin
    from flask import Flask, jsonify, request
    from joserfc import jwt
    from joserfc.jwk import KeySet, RSAKey
    own, key, seen = 'http://127.0.0.1:%s' % port, RSAKey.generate_key(2048, {'kid': 'a1'}), set()

    class Agent(ClientMixin):
        client_id = 'agent-there'

        def get_client_id(self):
            return self.client_id

        def check_client_secret(self, secret):
            return secret == 'secret-there'

        def check_endpoint_auth_method(self, method, endpoint):
            return method in ('client_secret_basic', 'client_secret_post')

        def check_grant_type(self, kind):
            return kind == IDJAGGrant.GRANT_TYPE

        def get_allowed_scope(self, scope):
            return scope or ''

    class Grant(IDJAGGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post']

        def get_audiences(self):
            return [own]

        def resolve_issuer_key(self, headers, payload=None, *more):
            return KeySet.import_key_set(json.loads(pathlib.Path(key_set).read_text()))

        def authenticate_user(self, subject, *more):
            return subject if isinstance(subject, str) else subject.get('sub')

        def check_jti(self, *more):
            number = more[-1] if isinstance(more[-1], str) else str(more)
            isNew = number not in seen
            seen.add(number)
            return isNew

        def check_id_jag_permission(self, *more, **named):
            return True

    def token(grant_type, client, user=None, scope=None, expires_in=None, include_refresh_token=False, **more):
        now = int(time.time())
        claims = {'iss': own, 'sub': user or 'u', 'aud': request.form.get('resource') or THEIR_TOOLS, 'client_id': client.client_id,
                  'scope': scope or 'orders', 'iat': now, 'exp': now + 300, 'jti': secrets.token_hex(8)}
        text = jwt.encode({'alg': 'RS256', 'kid': 'a1', 'typ': 'at+jwt'}, claims, key)
        return {'token_type': 'Bearer', 'access_token': text, 'expires_in': 300, 'scope': scope or 'orders'}
    app = Flask(__name__)
    app.config['OAUTH2_SCOPES_SUPPORTED'] = ['orders']
    server = AuthorizationServer(app, query_client=lambda name: Agent() if name == 'agent-there' else None, save_token=lambda *_: None)
    server.register_token_generator('default', token)
    server.register_grant(Grant)
    app.post('/token', endpoint='token')(lambda: server.create_token_response())
    app.get('/jwks', endpoint='jwks')(lambda: jsonify(keys=[{**key.as_dict(private=False), 'use': 'sig', 'alg': 'RS256'}]))
    app.get('/.well-known/oauth-authorization-server', endpoint='metadata')(lambda: jsonify(
        issuer=own, token_endpoint=own + '/token', authorization_endpoint=own + '/authorize', jwks_uri=own + '/jwks',
        response_types_supported=['code'], grant_types_supported=[IDJAGGrant.GRANT_TYPE],
        authorization_grant_profiles_supported=['urn:ietf:params:oauth:grant-profile:id-jag'],
        token_endpoint_auth_methods_supported=['client_secret_basic', 'client_secret_post']))
    app.run('127.0.0.1', int(port))


def serve_provider(port, key_set):
    """What another organisation's OpenID provider publishes."""
    from flask import Flask, jsonify
    own, app = 'http://127.0.0.1:%s' % port, Flask(__name__)
    app.get('/jwks', endpoint='jwks')(lambda: jsonify(json.loads(pathlib.Path(key_set).read_text())))
    app.get('/.well-known/openid-configuration', endpoint='configuration')(lambda: jsonify(
        issuer=own, authorization_endpoint=own + '/a', token_endpoint=own + '/t', jwks_uri=own + '/jwks',
        response_types_supported=['code'], subject_types_supported=['public'], id_token_signing_alg_values_supported=['ES256']))
    app.run('127.0.0.1', int(port))


SERVERS = {'tools': serve_tools, 'authorization': serve_authorization, 'provider': serve_provider}
if len(sys.argv) > 2 and sys.argv[1] == 'serve':
    SERVERS[sys.argv[2]](*sys.argv[3:])
    sys.exit()

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    programs.install(*PACKAGES)
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'mcp>=2', 'fastmcp>=4', 'authlib', 'flask', 'joserfc', 'requests'],
                   check=True)
import httpx2  # noqa: E402
import requests  # noqa: E402
from joserfc import jwt  # noqa: E402
from joserfc.jwk import ECKey  # noqa: E402
from mcp import ClientSession  # noqa: E402
from mcp.client.auth import OAuthClientProvider  # noqa: E402
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider  # noqa: E402
from mcp.client.auth.oauth2 import AuthorizationCodeResult  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402
from mcp.shared.auth import OAuthClientMetadata  # noqa: E402

tally, running = programs.Tally(), programs.Programs('acs-agents')
start, stop, folder = running.start, running.stop, running.folder
table = programs.Table(tally)
check = table.check


def write_service():
    party = {'format': 'JWT', 'rules': ['all']}
    rules = [{'if': {'from': SAML, 'type': 'nameidentifier'}}, {'if': {'from': SAML, 'type': 'mail'}, 'type': 'emailaddress'},
             {'if': {'from': OP}}]
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ISSUER, 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [{'id': SAML, 'name': 'Campus', 'saml': {'metadata': 'saml.xml'}, 'subjectFrom': 'uid'},
                      {'id': OP, 'name': 'Partner', 'openID': {'issuer': OP, 'clientID': 'acs'}, 'grants': 'once'}],
        'ruleGroups': [{'name': 'all', 'rules': rules}],
        'relyingParties': [
            {'realm': 'chat', 'clientSecret': 'secret-of-the-chat', 'return': [CALLBACK], 'providers': [SAML], **party},
            {'realm': 'agent', 'clientSecret': 'secret-of-the-agent', **party},
            {'realm': OUR_TOOLS, 'exchangeFor': ['agent'], 'scopes': ['orders'], **party}],
        'authorizationServers': [{'issuer': AS, 'clients': {'chat': 'agent-there'}, 'scopes': ['orders'], 'resources': [THEIR_TOOLS],
                                  'relyingParty': 'chat'}],
        'registration': {'relyingParty': OUR_TOOLS, 'open': True}}, indent=1))


def identity_provider():
    running.keypair('idp')
    command, environment = simplesamlphp.write(folder, IDP)
    start('idp', command, IDP, env=environment)
    (folder / 'saml.xml').write_bytes(requests.get('http://127.0.0.1:%d/simplesaml/saml2/idp/metadata.php' % IDP, timeout=20).content)
    (folder / 'metadata/saml20-sp-remote.php').write_text(
        "<?php\n$metadata['%sv2/upstream'] = ['AssertionConsumerService' => '%sv2/upstream/saml/acs'];\n" % (ISSUER, ISSUER))


def serve(name, role, port, *more):
    start(name, [sys.executable, str(pathlib.Path(__file__).resolve()), 'serve', role, *map(str, more)], port)


def sign_in(address):
    """The parameters at the client, once ada signed in at SimpleSAMLphp."""
    browser = Browser()
    page = browser.ask(address)
    for _ in range(15):
        place = page.headers.get('Location', '')
        if place.startswith(CALLBACK):
            return dict(urllib.parse.parse_qsl(urllib.parse.urlparse(place).query))
        if place:
            page = browser.ask(urllib.parse.urljoin(page.url, place))
        elif page.forms:
            fields = dict(page.forms[0]['fields'])
            fields.update({name: value for name, value in (('username', 'ada'), ('password', 'lovelace')) if name in fields})
            page = browser.ask(urllib.parse.urljoin(page.url, page.forms[0]['action']), urllib.parse.urlencode(fields).encode())
        else:
            # The page of a client that described itself: the person chooses where to sign in.
            page = browser.ask(urllib.parse.urljoin(page.url, next(link for link in page.links if '/v2/sign-in' in link)))
    raise AssertionError('no way back: %s %s' % (page.url, page.text[:500]))


def call(address, auth):
    """What the tool of a server says; the first error of it otherwise."""
    async def run():
        async with httpx2.AsyncClient(auth=auth, timeout=30) as http, streamable_http_client(address, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return (await session.call_tool('whoami', {})).content[0].text
    try:
        return asyncio.run(asyncio.wait_for(run(), 90)), None
    except BaseException as error:
        while getattr(error, 'exceptions', None):
            error = error.exceptions[0]
        return None, '%s %s' % (type(error).__name__, error)


def id_token():
    """The ID token of the application, of a person who signed in by SAML."""
    query = {'response_type': 'code', 'client_id': 'chat', 'scope': 'openid', 'redirect_uri': CALLBACK, 'state': 's', 'nonce': 'n'}
    back = sign_in(ISSUER + 'v2/openid/authorize?' + urllib.parse.urlencode(query))
    found = requests.post(ISSUER + 'v2/openid/token', auth=('chat', 'secret-of-the-chat'), timeout=20, data={
        'grant_type': 'authorization_code', 'code': back['code'], 'redirect_uri': CALLBACK})
    return found.json()['id_token']


def play_grant_of_ours():
    """SAML at SimpleSAMLphp, ID token, identity assertion grant, Authlib, fastmcp."""
    subject, given = id_token(), []

    async def grant(audience, resource):
        found = requests.post(ISSUER + 'v2/openid/token', auth=('chat', 'secret-of-the-chat'), timeout=20, data={
            'grant_type': EXCHANGE, 'subject_token': subject, 'subject_token_type': TYPE + 'id_token', 'audience': audience,
            'resource': resource, 'scope': 'orders', 'requested_token_type': TYPE + 'id-jag'}).json()
        given.append(found)
        return found['access_token']
    provider = IdentityAssertionOAuthProvider(THEIR_TOOLS, programs.TokenStore(), 'agent-there', 'secret-there', AS, grant, scope='orders',
                                              token_endpoint_auth_method='client_secret_basic')
    said, error = call(THEIR_TOOLS, provider)
    check('mcp, Authlib, fastmcp', 'SAML, ID token, ID-JAG, tool', said and not error, error or given)
    again = requests.post(AS + '/token', auth=('agent-there', 'secret-there'), timeout=20, data={
        'grant_type': 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion': given[0].get('access_token', '')})
    check('Authlib', 'the grant a second time', again.status_code == 400, again.text)
    elsewhere = requests.post(ISSUER + 'v2/openid/token', auth=('agent', 'secret-of-the-agent'), timeout=20, data={
        'grant_type': 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion': given[0].get('access_token', ''),
        'resource': OUR_TOOLS})
    check('requests', 'the grant at acs, which it is not for', elsewhere.status_code == 400 and 'access_token' not in elsewhere.json(), elsewhere.text)


def play_registration():
    """A client of mcp registers itself at acs, and a person signs in by SAML."""
    store, back = programs.TokenStore(), {}

    async def redirect(address):
        back.update(await asyncio.to_thread(sign_in, address))

    async def answer():
        return AuthorizationCodeResult(code=back['code'], state=back.get('state'), iss=back.get('iss'))
    metadata = OAuthClientMetadata(client_name='An agent', redirect_uris=[CALLBACK], grant_types=['authorization_code', 'refresh_token'],
                                   response_types=['code'])
    said, error = call(OUR_TOOLS, OAuthClientProvider(OUR_TOOLS, metadata, store, redirect, answer))
    check('mcp, fastmcp', 'registration, SAML, code, tool', said and not error, error)
    check('mcp, fastmcp', 'a client without a secret', store.client and store.client.token_endpoint_auth_method == 'none'
          and not store.client.client_secret, store.client)


def play_grant_of_theirs(key):
    """A grant of the partner's provider is redeemed at acs by mcp."""
    def maker(kind='oauth-id-jag+jwt', **changes):
        async def grant(audience, resource):
            now = int(time.time())
            claims = {'iss': OP, 'sub': 'alice', 'aud': audience, 'resource': resource, 'client_id': 'agent', 'scope': 'orders',
                      'jti': secrets.token_hex(8), 'iat': now, 'exp': now + 120, **changes}
            claims = {name: value for name, value in claims.items() if value is not None}
            return jwt.encode({'alg': 'ES256', 'typ': kind, 'kid': key.kid}, claims, key)
        return grant

    def redeem(grant):
        return call(OUR_TOOLS, IdentityAssertionOAuthProvider(
            OUR_TOOLS, programs.TokenStore(), 'agent', 'secret-of-the-agent', ISSUER, grant, scope='orders',
            token_endpoint_auth_method='client_secret_basic'))
    said, error = redeem(maker())
    check('mcp, acs, fastmcp', 'ID-JAG of a partner, tool', said and not error, error)
    # A JSON Web Token of another type is an assertion of RFC 7523, which says nothing of the client.
    said, error = redeem(maker('JWT', client_id=None))
    check('mcp, acs, fastmcp', 'RFC 7523 of a partner, tool', said and not error, error)
    once = maker(jti='used-twice')
    first, second = redeem(once), redeem(once)
    check('mcp, acs, fastmcp', 'the grant a second time', first[0] and not second[0], (first, second))
    for name, grant in (
            ('an access token', maker('at+jwt')), ('a logout token', maker('logout+jwt')), ('another client', maker(client_id='x')), ('another audience', maker(aud='http://x.test')),
            ('expired', maker(exp=int(time.time()) - 600)), ('bound to a key', maker(cnf={'jkt': 'x'})),
            ('another issuer', maker(iss='http://x.test')), ('no subject', maker(sub=None)), ('a scope too many', maker(scope='all'))):
        said, error = redeem(grant)
        if name == 'a scope too many':
            # What the request asks for counts, and no more is given than the grant allows.
            check('mcp, acs, fastmcp', 'refused: ' + name, not said, said)
            continue
        check('mcp, acs, fastmcp', 'refused: ' + name, not said and 'invalid' in str(error).lower(), (said, error))


try:
    identity_provider()
    key = ECKey.generate_key('P-256', {'kid': 'partner', 'use': 'sig', 'alg': 'ES256'})
    (folder / 'partner.jwks').write_text(json.dumps({'keys': [key.as_dict(private=False)]}))
    serve('partner', 'provider', OPENID, OPENID, folder / 'partner.jwks')
    write_service()
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
    (folder / 'acs.jwks').write_text(requests.get(ISSUER + 'v2/openid/keys', timeout=20).text)
    serve('authlib', 'authorization', AUTHLIB, AUTHLIB, ISSUER, folder / 'acs.jwks')
    serve('their tools', 'tools', THEIRS, AS, AS + '/jwks', THEIRS, THEIR_TOOLS)
    serve('our tools', 'tools', OURS, ISSUER, ISSUER + 'v2/openid/keys', OURS, OUR_TOOLS)
    play_grant_of_ours()
    play_registration()
    play_grant_of_theirs(key)
    tally.check('acs ends without an error', stop('acs') == 0)
finally:
    running.stop_all()
    table.show()
running.end(tally)

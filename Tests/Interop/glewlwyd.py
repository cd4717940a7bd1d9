"""Glewlwyd as an OpenID provider in a folder, with SQLite: everything is set by its REST interface.

Its person is alice (alicepass1).
"""
import http.cookiejar
import json
import re
import sqlite3
import subprocess
import urllib.error
import urllib.parse
import urllib.request

PACKAGES = ['glewlwyd', 'openssl']
SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
CONFIG = '/etc/glewlwyd/glewlwyd.conf'


class Person:
    """A browser of Glewlwyd's own pages, which are scripts that call its interface."""

    def __init__(self, base):
        self.base = base
        self.jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(strict_ns_domain=0))
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def call(self, path, value=None, method=None):
        data = json.dumps(value).encode() if value is not None else None
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise OSError('%s: %d %s' % (path, error.code, error.read()[:2000])) from None

    def sign_in(self, name, password):
        self.call('/api/auth/', {'username': name, 'password': password})


def write(folder, port):
    """Writes the configuration; the command that serves it."""
    with open(SCHEMA) as schema, sqlite3.connect(folder / 'glewlwyd.db') as database:
        database.executescript(schema.read())
    kept = [line for line in open(CONFIG) if not re.match('port|external_url|log_file|@include|database', line)]
    (folder / 'glewlwyd.conf').write_text(''.join(kept) + (
        'port=%d\nbind_address="127.0.0.1"\nexternal_url="http://127.0.0.1:%d"\nlog_file="%s/glewlwyd.log"\n'
        'database = { type = "sqlite3"; path = "%s/glewlwyd.db"; };\n' % (port, port, folder, folder)))
    subprocess.run(['openssl', 'genrsa', '-out', folder / 'op.pem', '2048'], check=True, capture_output=True)
    subprocess.run(['openssl', 'rsa', '-in', folder / 'op.pem', '-pubout', '-out', folder / 'op.pub'], check=True, capture_output=True)
    return ['glewlwyd', '--config-file=%s' % (folder / 'glewlwyd.conf')]


def configure(folder, port, client, secret, redirects, signed_out, logout):
    """A plugin, a person and a client; its issuer. `logout` is where it is told of sign-outs."""
    base = 'http://127.0.0.1:%d' % port
    admin = Person(base)
    admin.sign_in('admin', 'password')
    admin.call('/api/mod/plugin/', {
        'name': 'oidc', 'module': 'oidc', 'display_name': 'OIDC', 'enabled': True, 'parameters': {
            'iss': base + '/api/oidc', 'jwks-show': True, 'jwt-type': 'rsa', 'jwt-key-size': '256',
            'key': (folder / 'op.pem').read_text(), 'cert': (folder / 'op.pub').read_text(), 'access-token-duration': 3600,
            'refresh-token-duration': 86400, 'code-duration': 600, 'refresh-token-rolling': True, 'allow-non-oidc': True,
            'auth-type-code-enabled': True, 'auth-type-token-enabled': False, 'auth-type-implicit-enabled': False,
            'auth-type-password-enabled': False, 'auth-type-client-enabled': False, 'auth-type-refresh-enabled': True,
            'auth-type-none-enabled': False, 'auth-type-device-enabled': False, 'subject-type': 'public', 'allowed-scope': ['openid'],
            'name-claim': 'on-demand', 'name-claim-scope': ['openid'], 'email-claim': 'on-demand', 'email-claim-scope': ['openid'],
            'claims': [], 'pkce-allowed': True, 'pkce-method-plain-allowed': False, 'oauth-as-iss-id': True,
            'session-management-allowed': True, 'session-cookie-name': 'GLEWLWYD2_OIDC_SID', 'session-cookie-expiration': 2592000, 'front-channel-logout-allowed': True, 'back-channel-logout-allowed': True}})
    admin.call('/api/user/', {'username': 'alice', 'name': 'Alice', 'email': 'alice@example.test', 'password': 'alicepass1',
                              'scope': ['openid', 'g_profile'], 'enabled': True})
    # Lists among what a client has are said to be such beforehand.
    clients = json.loads(admin.call('/api/mod/client/database'))
    formats = clients['parameters'].setdefault('data-format', {})
    formats['post_logout_redirect_uris'] = {'multiple': True, 'read': True, 'write': True}
    admin.call('/api/mod/client/database', clients, 'PUT')
    admin.call('/api/mod/client/database/disable', {}, 'PUT')
    admin.call('/api/mod/client/database/enable', {}, 'PUT')
    admin.call('/api/client/', {
        'client_id': client, 'name': client, 'password': secret, 'redirect_uri': redirects, 'post_logout_redirect_uris': signed_out,
        'backchannel_logout_uri': logout,
        'authorization_type': ['code', 'refresh_token'], 'token_endpoint_auth_method': ['client_secret_basic'],
        'scope': ['openid'], 'enabled': True, 'confidential': True})
    return base + '/api/oidc'


def authorized(person, address, client):
    """Where the provider sends a signed-in person who agrees; its page would ask the same of its interface."""
    person.call('/api/auth/grant/' + urllib.parse.quote(client), {'scope': 'openid'}, 'PUT')
    return address + '&g_continue'

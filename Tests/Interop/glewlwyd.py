"""Glewlwyd as an OpenID provider in a folder, with SQLite: everything is set by its REST interface.

Its pages are scripts, so a person of a script posts what they post: `json_request` with the cookies of the person's browser.
"""
import http.cookiejar
import json
import sqlite3
import subprocess
import urllib.error
import urllib.request

PACKAGES = ['glewlwyd', 'openssl']
SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
CONFIG = '/etc/glewlwyd/glewlwyd.conf'
SESSION = 'GLEWLWYD2_OIDC_SESSION_ID'
SCOPES = ['openid', 'email', 'profile', 'offline_access']
PLUGIN = {
    'jwks-show': True, 'access-token-duration': 3600, 'refresh-token-duration': 86400, 'code-duration': 600, 'refresh-token-rolling': True,
    'allow-non-oidc': True, 'auth-type-code-enabled': True, 'auth-type-token-enabled': False, 'auth-type-implicit-enabled': False,
    'auth-type-password-enabled': False, 'auth-type-client-enabled': True, 'auth-type-refresh-enabled': True,
    'auth-type-none-enabled': False, 'auth-type-device-enabled': False, 'subject-type': 'public', 'allowed-scope': SCOPES,
    'name-claim': 'on-demand', 'name-claim-scope': ['profile'], 'email-claim': 'on-demand', 'email-claim-scope': ['email'],
    'claims': [{'name': 'email_verified', 'user-property': 'email_verified', 'type': 'boolean', 'boolean-value-true': '1',
                'boolean-value-false': '0', 'mandatory': False, 'on-demand': True, 'scope': ['email']}],
    'pkce-allowed': True, 'pkce-method-plain-allowed': False, 'encrypt-out-token-allow': True, 'client-jwks-parameter': 'jwks',
    'client-jwks_uri-parameter': 'jwks_uri', 'client-alg-parameter': 'alg', 'client-enc-parameter': 'enc',
    'client-alg_kid-parameter': 'alg_kid', 'client-encrypt_id_token-parameter': 'encrypt_id_token',
    'client-sign_kid-parameter': 'sign_kid', 'request-parameter-allow': True, 'oauth-as-iss-id': True, 'session-management-allowed': True,
    'session-cookie-name': SESSION, 'session-cookie-expiration': 86400,
    'back-channel-logout-allowed': True, 'front-channel-logout-allowed': False}


def json_request(url, value=None, method=None, cookies=None):
    """The JSON of an answer, or nothing; `cookies` is what a browser keeps."""
    body = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(url, body, {'Content-Type': 'application/json'}, method=method)
    opener = urllib.request.build_opener(*([urllib.request.HTTPCookieProcessor(cookies)] if cookies is not None else []))
    try:
        with opener.open(request, timeout=20) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise ValueError('%s: %d %s' % (url, error.code, error.read().decode()[:400])) from None
    try:
        return json.loads(text)
    except ValueError:
        return None


def base(port):
    return 'http://127.0.0.1:%d' % port


def issuer(port):
    return base(port) + '/api/oidc'


def write(folder, port):
    """Writes an empty database and the configuration; the command that serves it."""
    database = folder / 'glewlwyd.db'
    database.unlink(missing_ok=True)
    with open(SCHEMA) as schema, sqlite3.connect(database) as opened:
        # A list of addresses is one, by the format of properties.
        opened.executescript(schema.read().replace(
            '"post_logout_redirect_uri":{"multiple":false', '"post_logout_redirect_uris":{"multiple":true'))
    kept = [line for line in open(CONFIG)
            if not line.startswith(('port', 'external_url', 'log_file', '@include', 'session_expiration', 'database'))]
    (folder / 'glewlwyd.conf').write_text(''.join(kept) + (
        'port=%d\nbind_address="127.0.0.1"\nexternal_url="%s"\nlog_file="%s/glewlwyd-own.log"\n'
        'database = { type = "sqlite3"; path = "%s"; };\n' % (port, base(port), folder, database)))
    return ['glewlwyd', '--config-file=%s' % (folder / 'glewlwyd.conf')]


def rsa_key(folder):
    """A key for RS256, as the plugin is told of it."""
    subprocess.run(['openssl', 'genrsa', '-out', folder / 'op.pem', '2048'], check=True, capture_output=True)
    subprocess.run(['openssl', 'rsa', '-in', folder / 'op.pem', '-pubout', '-out', folder / 'op.pub'], check=True, capture_output=True)
    return {'jwt-type': 'rsa', 'jwt-key-size': '256', 'key': (folder / 'op.pem').read_text(), 'cert': (folder / 'op.pub').read_text()}


def configure(port, plugin, person, client):
    """A plugin with these parameters beside the common ones, a person and a client; the cookies of the administrator."""
    admin = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(strict_ns_domain=0))

    def post(path, value):
        json_request(base(port) + path, value, cookies=admin)
    post('/api/auth/', {'username': 'admin', 'password': 'password'})
    post('/api/mod/plugin/', {'name': 'oidc', 'module': 'oidc', 'display_name': 'OIDC', 'enabled': True,
                              'parameters': {**PLUGIN, 'iss': issuer(port), **plugin}})
    for scope in SCOPES[1:]:
        post('/api/scope/', {'name': scope, 'display_name': scope, 'password_required': True, 'scheme': {}})
    post('/api/user/', {'email_verified': '1', 'scope': [*SCOPES, 'g_profile'], 'enabled': True, **person})
    post('/api/client/', {'authorization_type': ['code', 'refresh_token'], 'token_endpoint_auth_method': ['client_secret_basic'],
                          'scope': SCOPES, 'enabled': True, 'confidential': True, **client})
    return admin

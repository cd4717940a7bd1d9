"""OpenID providers of others on loopback, for a person ada with one client `gate`: Debian's glewlwyd and LemonLDAP::NG, PyPI's idpyoidc,
and strict_provider.py. Each is configured for one set of wishes, started, and knows how a script signs a person in and out.

A provider has `words`: what it cannot, with the word of its own document or source; and `refusals`: what the gate refuses of it, with code
and reason. Wishes are `algorithm`, `authentication`,
`encryption` (a pair, or nothing) and `offline`.
"""
import json
import pathlib
import sys
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import glewlwyd  # noqa: E402
import lemonldap  # noqa: E402
from glewlwyd import json_request  # noqa: E402

CLIENT, SECRET, PASSWORD = 'gate', 's3cret-s3cret-s3cret', 'adapass12'
MAIL = 'ada@corp.example'


class Foreign:
    """What the providers have in common. `gate` is the gate's origin and prefix."""
    name, acr, words, offline_prompt, refusals = '', None, {}, None, {}

    def __init__(self, running, port, gate, folder=''):
        self.running, self.port, self.gate = running, port, gate
        self.folder = running.folder / (folder + self.name)
        self.folder.mkdir()
        self.issuer = 'http://127.0.0.1:%d' % port
        self.passwords = 0

    id = 'op'

    def address(self, rest):
        return '%sopenid/%s/%s' % (self.gate, self.id, rest)

    def start(self, environment=None, **wishes):
        raise NotImplementedError

    def stop(self):
        self.running.stop(self.name)

    def sign_in(self, person, page):
        """Goes on from the provider's page; counts each password that it wants."""
        for _ in range(8):
            form = next((form for form in page.forms if any(name == 'password' for name, _ in form['fields'])), None)
            if form:
                self.passwords += 1
                names = dict(form['fields'])
                user = 'username' if 'username' in names else 'user'
                page = person.submit(page, {user: self.user, 'password': self.password}, page.forms.index(form))
            elif page.forms and not page.url.startswith(self.gate):
                page = person.submit(page)
            elif page.forms and 'sign-out' not in page.text and 'callback' in page.forms[0]['action']:
                page = person.submit(page)
            else:
                return page
        return page

    user, password = 'ada', PASSWORD

    def sign_out(self, person):
        """The person signs out at the provider, which tells the gate by the back channel."""
        raise NotImplementedError


class Strict(Foreign):
    """No page of its own: ada is signed in."""
    name, acr = 'strict', 'urn:mfa'
    words = {}

    def start(self, environment=None, algorithm='ES256', authentication='basic', encryption=None, **_):
        ways = {'basic': 'client_secret_basic', 'post': 'client_secret_post', 'privateKey': 'private_key_jwt'}
        rules = {'redirect': self.address('callback'), 'keys': self.address('keys'), 'algorithm': algorithm, 'secret': SECRET,
                 'authentication': ways[authentication], 'userinfo': {'email': MAIL, 'email_verified': True, 'name': 'Ada'},
                 'logout': self.address('logout'), 'signed_out': self.address('signed-out'), 'acr': 'urn:mfa', 'remembers': True,
                 **({'encryption': encryption, 'encrypts': ['id_token']} if encryption else {})}
        self.running.start(self.name, [sys.executable, str(HERE / 'strict_provider.py'), str(self.port), json.dumps(rules)], self.port,
                           env=environment)

    def sign_in(self, person, page):
        page = super().sign_in(person, page)
        with urllib.request.urlopen(self.issuer + '/asked') as response:
            self.passwords = json.load(response)
        return page

    def sign_out(self, person):
        person.open(self.issuer + '/sign-out')


class IdPyOIDC(Foreign):
    name, acr, password, offline_prompt = 'idpyoidc', 'urn:mfa', 'adapass', 'consent'
    words = {'encrypted': 'its token endpoint never encrypts: IDToken.__call__(encrypt=False), and no helper sets it'}

    def start(self, environment=None, algorithm='ES256', authentication='basic', **_):
        ways = {'basic': 'client_secret_basic', 'post': 'client_secret_post', 'privateKey': 'private_key_jwt'}
        client = {'client_id': CLIENT, 'redirect_uris': [[self.address('callback'), {}]], 'response_types_supported': ['code'],
                  'response_types': ['code'], 'token_endpoint_auth_method': ways[authentication], 'id_token_signed_response_alg': algorithm,
                  'client_salt': 'salt', 'post_logout_redirect_uri': [self.address('signed-out'), {}],
                  'post_logout_redirect_uris': [[self.address('signed-out'), {}]],
                  'backchannel_logout_uri': self.address('logout'), 'backchannel_logout_session_required': True}
        client.update({'jwks_uri': self.address('keys')} if authentication == 'privateKey' else {'client_secret': SECRET})
        self.running.start(self.name, [sys.executable, str(HERE / 'idpyoidc_provider.py'), str(self.port), json.dumps(client), algorithm],
                           self.port, env=environment)

    def sign_out(self, person):
        person.open(self.issuer + '/sign-out')


class Glewlwyd(Foreign):
    """Debian's glewlwyd. Its pages are scripts, so that a person of a script posts what they post."""
    name = 'glewlwyd'
    words = {'contexts': 'OIDC.md names no acr_values; its ID tokens have no acr',
             'userinfo': 'OIDC.md, "Additional claims in the ID Token or the /userinfo endpoint": a claim of a scope is in both'}
    refusals = {
        'max_age': ('signin.context', 'its ID tokens say `auth_time` 0'),
        'form_post': ('signin.other-issuer', 'its form has the percent-encoded text of `iss` as value; "oauth-as-iss-id": false below')}

    def start(self, environment=None, algorithm='ES256', authentication='basic', encryption=None, issuer_named=True):
        self.running.start(self.name, glewlwyd.write(self.folder, self.port), self.port, env=environment)
        self.base, self.issuer = glewlwyd.base(self.port), glewlwyd.issuer(self.port)
        self.configure(algorithm, authentication, encryption, issuer_named)

    def configure(self, algorithm, authentication, encryption, issuer_named):
        from joserfc import jwk
        kind = ('EC', 'P-256') if algorithm.startswith('ES') else ('RSA', 2048)
        key = jwk.JWKRegistry.generate_key(*kind, parameters={'kid': 'op-1', 'alg': algorithm})
        ways = {'basic': 'client_secret_basic', 'post': 'client_secret_post', 'privateKey': 'private_key_jwt'}
        self.client = {
            'client_id': CLIENT, 'name': CLIENT, 'password': SECRET, 'redirect_uri': [self.address('callback')],
            'authorization_type': ['code', 'refresh_token'], 'token_endpoint_auth_method': [ways[authentication]],
            'scope': glewlwyd.SCOPES, 'enabled': True, 'confidential': True,
            'post_logout_redirect_uris': [self.address('signed-out')], 'backchannel_logout_uri': self.address('logout'),
            'backchannel_logout_session_required': '1'}
        self.encryption, self.authentication = encryption, authentication
        self.admin = glewlwyd.configure(
            self.port, {'jwks-private': json.dumps({'keys': [key.as_dict(private=True)]}), 'default-kid': 'op-1',
                        'oauth-as-iss-id': issuer_named},
            {'username': self.user, 'name': 'Ada', 'email': MAIL, 'password': self.password}, self.client)

    def learn(self, keys):
        """The keys that the gate publishes, as an administrator enters them."""
        client = {**self.client, 'jwks': keys}
        if self.encryption:
            wanted = 'RSA' if self.encryption[0].startswith('RSA') else 'EC'
            kid = next(key['kid'] for key in keys['keys'] if key['use'] == 'enc' and key['kty'] == wanted)
            client.update(alg=self.encryption[0], enc=self.encryption[1], alg_kid=kid, encrypt_id_token='1')
        json_request(self.base + '/api/client/' + CLIENT, client, 'PUT', self.admin)

    def sign_in(self, person, page):
        if 'login.html' not in page.url:
            return super().sign_in(person, page)
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
        wants = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked['callback_url']).query))
        if not self.knows(person) or asked.get('refresh_login') or asked.get('prompt') == 'login' or wants.get('prompt') == 'login':
            self.passwords += 1
            json_request(self.base + '/api/auth/', {'username': self.user, 'password': self.password}, cookies=person.jar)
        json_request(self.base + '/api/auth/grant/' + CLIENT, {'scope': wants['scope']}, 'PUT', person.jar)
        page = person.open(asked['callback_url'] + '&g_continue')
        return super().sign_in(person, page)

    def knows(self, person):
        try:
            return bool(json_request(self.base + '/api/profile_list', cookies=person.jar))
        except ValueError:
            return False

    def ended(self, person, page):
        """The person confirms on the page that `end_session` led to."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
        json_request(self.base + '/api/oidc/session/%s' % asked['sid'], method='DELETE', cookies=person.jar)
        json_request(self.base + '/api/auth/', method='DELETE', cookies=person.jar)
        return person.open(asked['callback_url'])

    def sign_out(self, person):
        sid = next(cookie.value for cookie in person.jar if cookie.name == 'GLEWLWYD2_OIDC_SESSION_ID')
        json_request(self.base + '/api/oidc/session/%s' % sid, method='DELETE', cookies=person.jar)


class LemonLDAP(Foreign):
    """Debian's LemonLDAP::NG 2.16. Its person is called dwho."""
    name, acr, user, password, offline_prompt = 'lemonldap', 'loa-1', 'dwho', 'dwho', 'consent'
    words = {'ES256': 'oidcRPMetaDataOptionsIDTokenSignAlg is none, HS256 to HS512 or RS256 to RS512',
             'PS256': 'the same', 'privateKey': 'token_endpoint_auth_methods_supported: client_secret_post, client_secret_basic',
             'back-channel': 'backchannel_logout_supported: false', 'encrypted': 'Issuer/OpenIDConnect.pm: id_token_encryption_* not written'}

    def start(self, environment=None, algorithm='RS256', authentication='basic', **_):
        if not (self.folder / 'conf').exists():
            self.running.keypair('lemonldap-op')
        self.issuer = 'http://127.0.0.1:%d/' % self.port
        command, own = lemonldap.write(self.folder, self.port, self.configuration(algorithm))
        self.running.start(self.name, command, self.port, env={**own, **(environment or {})})

    def configuration(self, algorithm):
        return {
            **lemonldap.PEOPLE, 'macros': {'verified': "'1'"}, 'portalMainLogo': '', 'portalForceAuthnInterval': 1,
            'issuerDBOpenIDConnectActivation': 1,
            'oidcServiceIssuer': self.issuer, 'oidcServiceMetaDataIssuer': self.issuer,
            'oidcServicePrivateKeySig': (self.running.folder / 'lemonldap-op.key').read_text(), 'oidcServicePublicKeySig': (self.running.folder / 'lemonldap-op.crt').read_text(),
            'oidcServiceKeyIdSig': 'op-1', 'oidcServiceAllowAuthorizationCodeFlow': 1, 'oidcServiceAllowImplicitFlow': 0,
            'oidcServiceMetaDataAuthnContext': {'loa-1': 1, 'loa-2': 2, 'loa-3': 3},
            'oidcRPMetaDataOptions': {'gate': {
                'oidcRPMetaDataOptionsClientID': CLIENT, 'oidcRPMetaDataOptionsClientSecret': SECRET,
                'oidcRPMetaDataOptionsIDTokenSignAlg': algorithm, 'oidcRPMetaDataOptionsBypassConsent': 1,
                'oidcRPMetaDataOptionsAllowOffline': 1, 'oidcRPMetaDataOptionsRequirePKCE': 1, 'oidcRPMetaDataOptionsLogoutBypassConfirm': 1,
                'oidcRPMetaDataOptionsRedirectUris': self.address('callback'),
                'oidcRPMetaDataOptionsPostLogoutRedirectUris': self.address('signed-out')}},
            'oidcRPMetaDataExportedVars': {'gate': {'email': 'mail', 'email_verified': 'verified;bool', 'name': 'cn'}}}

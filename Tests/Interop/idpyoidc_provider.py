#!/usr/bin/env python3
"""PyPI's idpyoidc as an OpenID provider on loopback, for a person ada with the password adapass and one client.

    idpyoidc_provider.py PORT '{"client_id": "gate", "redirect_uris": [["http://…/callback", {}]], …}' ALGORITHM [ACR]

The second argument is the client as idpyoidc registers it. GET /sign-out ends ada's sessions from the provider's side.
"""
import http.server
import json
import sys
import tempfile
import urllib.parse

from idpyoidc.message.oidc import AuthorizationRequest
from idpyoidc.message.oauth2 import ResponseMessage
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.user_authn.user import UserAuthnMethod, create_signed_jwt

PORT, CLIENT, ALGORITHM = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
ACR = sys.argv[4] if len(sys.argv) > 4 else 'urn:mfa'
ISSUER = 'http://127.0.0.1:%d' % PORT
METHODS = ['client_secret_post', 'client_secret_basic', 'private_key_jwt']
KEYS = [{'type': 'RSA', 'use': ['sig']}, {'type': 'EC', 'crv': 'P-256', 'use': ['sig']}]


class FormAuthn(UserAuthnMethod):
    """A form with a name and a password, without a template."""

    def __call__(self, **kwargs):
        context = self.upstream_get('context')
        token = create_signed_jwt(context.issuer, self.upstream_get('attribute', 'keyjar'), **kwargs)
        return ('<form method="post" action="/verify"><input type="hidden" name="token" value="%s"><input name="username">'
                '<input name="password" type="password"></form>' % token)

    def verify(self, username, password, **_):
        return username if password == username + 'pass' else None


def endpoint(name, kind, **more):
    return {'path': name, 'class': 'idpyoidc.server.oidc.' + kind, 'kwargs': more}


folder = tempfile.mkdtemp(prefix='idpyoidc-')
server = Server(OPConfiguration({
    'issuer': ISSUER, 'httpc_params': {'verify': False, 'timeout': 4},
    'preference': {'subject_types_supported': ['public'], 'id_token_signing_alg_values_supported': [ALGORITHM],
                   'userinfo_signing_alg_values_supported': [ALGORITHM]},
    'key_conf': {'key_defs': KEYS, 'uri_path': 'jwks.json'},
    'cookie_handler': {'class': 'idpyoidc.server.cookie_handler.CookieHandler', 'kwargs': {
        'keys': {'key_defs': [{'type': 'OCT', 'use': ['enc'], 'kid': 'enc'}, {'type': 'OCT', 'use': ['sig'], 'kid': 'sig'}]},
        'flags': {'samesite': 'Lax', 'httponly': True, 'secure': False},
        'name': {'session': 'oidc_op', 'register': 'oidc_op_rp', 'session_management': 'sman'}}},
    'authentication': {'user': {'acr': ACR, 'class': FormAuthn, 'kwargs': {}}},
    'userinfo': {'class': 'idpyoidc.server.user_info.UserInfo', 'kwargs': {'db': {
        'ada': {'name': 'Ada', 'email': 'ada@corp.example', 'email_verified': True}}}},
    'add_on': {'pkce': {'function': 'idpyoidc.server.oauth2.add_on.pkce.add_support',
                        'kwargs': {'essential': True, 'code_challenge_methods': {'S256': None}}}},
    'scopes_handler': {'class': 'idpyoidc.server.scopes.Scopes'},
    'session_params': {'encrypter': {'kwargs': {'keys': {'key_defs': [
        {'type': 'OCT', 'use': ['enc'], 'kid': 'password'}, {'type': 'OCT', 'use': ['enc'], 'kid': 'salt'}]}, 'iterations': 1}},
        'sub_func': {'public': {'function': lambda user_id, *_, **__: user_id}}},
    'endpoint': {
        'provider_info': endpoint('.well-known/openid-configuration', 'provider_config.ProviderConfiguration', client_authn_method=None),
        'authorization': endpoint('authorization', 'authorization.Authorization', client_authn_method=None, claims_parameter_supported=True,
                                  response_types_supported=['code'], response_modes_supported=['query', 'form_post']),
        'token': endpoint('token', 'token.Token', client_authn_method=METHODS),
        'userinfo': endpoint('userinfo', 'userinfo.UserInfo', client_authn_method=['bearer_header']),
        'session': endpoint('session', 'session.Session', post_logout_uri_path='post_logout', signing_alg='ES256',
                            logout_verify_url=ISSUER + '/verify_logout', client_authn_method=None)},
    'token_handler_args': {
        'jwks_def': {'private_path': folder + '/tokens.json', 'read_only': False, 'key_defs': [
            {'type': 'oct', 'bytes': 24, 'use': ['enc'], 'kid': 'code'}]},
        'code': {'lifetime': 600, 'kwargs': {'crypt_conf': {'kwargs': {'keys': {'key_defs': [
            {'type': 'OCT', 'use': ['enc'], 'kid': 'password'}, {'type': 'OCT', 'use': ['enc'], 'kid': 'salt'}]}, 'iterations': 1}}}},
        'token': {'class': 'idpyoidc.server.token.jwt_token.JWTToken', 'kwargs': {'lifetime': 3600, 'aud': [ISSUER]}},
        'refresh': {'class': 'idpyoidc.server.token.jwt_token.JWTToken', 'kwargs': {'lifetime': 86400, 'aud': [ISSUER]}},
        'id_token': {'class': 'idpyoidc.server.token.id_token.IDToken', 'kwargs': {
            'id_token_signing_alg_values_supported': [ALGORITHM]}}},
}, base_path=folder), cwd=folder)
context = server.get_context()
context.cdb['gate'] = {'allowed_scopes': ['openid', 'profile', 'email', 'offline_access'], **CLIENT}
if CLIENT.get('client_secret'):
    server.keyjar.add_symmetric('gate', CLIENT['client_secret'])
if CLIENT.get('jwks_uri'):
    server.keyjar.add_url('gate', CLIENT['jwks_uri'])
# idpyoidc 5.0.0 looks for a client's token in a request to sign out, which has none (Session.parse_request: KeyError).
server.get_endpoint('session').client_authentication = lambda *_, **__: {}
sessions = []


class Provider(http.server.BaseHTTPRequestHandler):
    def answer(self, status, text='', kind='text/html', fields=()):
        body = text.encode()
        self.send_response(status)
        for name, value in [*fields, ('Content-Type', kind), ('Content-Length', str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def give(self, found, asked, **args):
        """What idpyoidc answers, as its own example servers write it."""
        info = found.do_response(request=asked, **args)
        fields = [(name, value) for name, value in info.get('http_headers', []) if name.lower() not in ('content-type', 'content-length')]
        fields += [('Set-Cookie', '%s=%s; Path=/; HttpOnly; SameSite=Lax' % (one['name'], urllib.parse.quote(one['value'])))
                   for one in info.get('cookie', [])]
        text, is_error = info['response'], bool(args.get('error'))
        kind = dict(info.get('http_headers', [])).get('Content-type', 'application/json')
        if info.get('response_placement', found.response_placement) == 'body':
            return self.answer(info.get('response_code', 400 if is_error else 200), text, kind, fields)
        self.answer(303, fields=[*fields, ('Location', text)])

    def http_info(self):
        pairs = [pair.split('=', 1) for pair in self.headers.get('Cookie', '').split('; ') if '=' in pair]
        return {'headers': {name.lower(): value for name, value in self.headers.items()}, 'method': self.command,
                'url': ISSUER + self.path, 'cookie': [{'name': name, 'value': urllib.parse.unquote(value)} for name, value in pairs]}

    def serve(self, form):
        path = urllib.parse.urlsplit(self.path).path
        names = {'/.well-known/openid-configuration': 'provider_config', '/authorization': 'authorization', '/token': 'token',
                 '/userinfo': 'userinfo', '/session': 'session'}
        if path == '/jwks.json':
            return self.answer(200, server.keyjar.export_jwks_as_json(), 'application/json')
        if path == '/verify':
            return self.verify(form)
        if path == '/verify_logout':
            return self.sign_out(server.get_endpoint('session').unpack_signed_jwt(form['sjwt']))
        if path == '/sign-out':
            for session in sessions:
                server.get_endpoint('session').do_verified_logout(session, alla=True)
            return self.answer(200, 'out')
        found = server.get_endpoint(names[path]) if path in names else None
        if not found:
            return self.answer(404)
        asked = found.parse_request(form, http_info=self.http_info())
        if isinstance(asked, ResponseMessage) and 'error' in asked:
            return self.answer(401 if asked['error'] == 'invalid_client' else 400, asked.to_json(), 'application/json')
        args = found.process_request(asked, http_info=self.http_info())
        if isinstance(args, ResponseMessage) and 'error' in args:
            return self.answer(400, args.to_json(), 'application/json')
        if 'http_response' in args:
            return self.answer(200, args['http_response'])
        if 'redirect_location' in args:
            return self.answer(303, fields=[('Location', args['redirect_location'])])
        self.give(found, asked, **args)

    def verify(self, form):
        method = context.authn_broker.get_method_by_id('user')
        user = method.verify(**form)
        if not user:
            return self.answer(403, 'wrong')
        asked = method.unpack_token(form['token'])
        request = AuthorizationRequest().from_urlencoded(asked['query'])
        found = server.get_endpoint('authorization')
        session = found.create_session(request, user, asked['authn_class_ref'], asked['iat'], method)
        sessions[:] = [session]
        args = found.authz_part2(request=request, session_id=session)
        if isinstance(args, ResponseMessage) and 'error' in args:
            return self.answer(400, args.to_json(), 'application/json')
        self.give(found, form, **args)

    def sign_out(self, asked):
        server.get_endpoint('session').do_verified_logout(asked['sid'])
        dead = [('Set-Cookie', name + '=; Path=/; Max-Age=0') for name in ('oidc_op', 'sman')]
        self.answer(303, fields=[*dead, ('Location', asked['redirect_uri'])])

    def do_GET(self):
        self.serve(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get('Content-Length') or 0)).decode()
        self.serve(dict(urllib.parse.parse_qsl(text)))

    def log_message(self, *a):
        pass


http.server.ThreadingHTTPServer(('127.0.0.1', PORT), Provider).serve_forever()

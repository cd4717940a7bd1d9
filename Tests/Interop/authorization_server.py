"""A small OAuth 2 authorization server in a thread, as clients of the Model Context Protocol need one: RFC 8414, dynamic registration, PKCE,
resources (RFC 8707), access tokens by RFC 9068 that are signed with ES256. Each person who asks is ada, and consents. PyPI's joserfc signs."""
import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse

from joserfc import jwk, jwt


class AuthorizationServer:
    def __init__(self, port):
        self.issuer = 'http://127.0.0.1:%d' % port
        self.key = jwk.ECKey.generate_key('P-256', parameters={'kid': 'as-1', 'use': 'sig', 'alg': 'ES256'})
        self.clients, self.codes, self.asked = {}, {}, []
        server = http.server.ThreadingHTTPServer(('127.0.0.1', port), self.handler())
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def token(self, audience, scope, **more):
        now = int(time.time())
        return jwt.encode({'alg': 'ES256', 'kid': 'as-1', 'typ': 'at+jwt'}, {
            'iss': self.issuer, 'sub': 'ada', 'aud': audience, 'client_id': 'c', 'scope': scope, 'iat': now, 'exp': now + 300,
            'jti': secrets.token_hex(8), **more}, self.key)

    def handler(self):
        own = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, value=None, **fields):
                body = json.dumps(value).encode() if value is not None else b''
                self.send_response(status)
                for name, text in {'Content-Type': 'application/json', 'Content-Length': str(len(body)), **fields}.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(address.query))
                if address.path == '/.well-known/oauth-authorization-server':
                    return self.answer(200, {
                        'issuer': own.issuer, 'authorization_endpoint': own.issuer + '/authorize', 'token_endpoint': own.issuer + '/token',
                        'registration_endpoint': own.issuer + '/register', 'jwks_uri': own.issuer + '/jwks',
                        'response_types_supported': ['code'], 'grant_types_supported': ['authorization_code'],
                        'code_challenge_methods_supported': ['S256'], 'token_endpoint_auth_methods_supported': ['none'],
                        'authorization_response_iss_parameter_supported': True})
                if address.path == '/jwks':
                    return self.answer(200, {'keys': [own.key.as_dict(private=False)]})
                if address.path != '/authorize':
                    return self.answer(404, {})
                client = own.clients.get(query.get('client_id'))
                if not client or query.get('redirect_uri') not in client['redirect_uris'] or query.get('code_challenge_method') != 'S256':
                    return self.answer(400, {'error': 'invalid_request'})
                own.asked.append({'resource': query.get('resource'), 'scope': query.get('scope')})
                code = secrets.token_urlsafe(16)
                own.codes[code] = query
                back = urllib.parse.urlencode({'code': code, 'state': query.get('state', ''), 'iss': own.issuer})
                self.answer(302, Location=query['redirect_uri'] + '?' + back)

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                if self.path == '/register':
                    client = {**json.loads(body), 'client_id': secrets.token_hex(8), 'token_endpoint_auth_method': 'none'}
                    own.clients[client['client_id']] = client
                    return self.answer(201, client)
                form = dict(urllib.parse.parse_qsl(body.decode()))
                query = own.codes.pop(form.get('code'), None)
                digest = base64.urlsafe_b64encode(hashlib.sha256(form.get('code_verifier', '').encode()).digest()).decode().rstrip('=')
                if not query or query['code_challenge'] != digest or form.get('resource') != query.get('resource'):
                    return self.answer(400, {'error': 'invalid_grant'})
                scope = query.get('scope', '')
                self.answer(200, {'access_token': own.token(query.get('resource'), scope), 'token_type': 'Bearer', 'expires_in': 300,
                                  'scope': scope})

            def log_message(self, *_):
                pass
        return Handler

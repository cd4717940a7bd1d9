#!/usr/bin/env python3
"""A SAML 2.0 service over pysaml2, which does with it what djangosaml2 does: the request of a browser is kept in its session, and
an answer without one is refused.

    pysaml2_service.py PORT FOLDER

FOLDER has sp.key, sp.crt and idp.xml, the metadata of its provider. /login begins a sign-in, /me says who is signed in.
"""
import http.cookies
import http.server
import logging
import pathlib
import secrets
import sys
import urllib.parse

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
base = 'http://127.0.0.1:%d' % port
logging.disable(logging.CRITICAL)
client = Saml2Client(config=SPConfig().load({
    'entityid': 'urn:pysaml2', 'xmlsec_binary': '/usr/bin/xmlsec1', 'key_file': str(folder / 'sp.key'),
    'cert_file': str(folder / 'sp.crt'), 'metadata': {'local': [str(folder / 'idp.xml')]}, 'allow_unknown_attributes': True,
    'service': {'sp': {'endpoints': {'assertion_consumer_service': [(base + '/acs', BINDING_HTTP_POST)],
                                     'single_logout_service': [(base + '/slo', BINDING_HTTP_REDIRECT)]},
                       # Its default wants the Response signed, which is not what this provider signs.
                       'want_response_signed': False, 'want_assertions_signed': True, 'allow_unsolicited': False}}}))
outstanding, people = {}, {}


class Service(http.server.BaseHTTPRequestHandler):
    def session(self):
        found = http.cookies.SimpleCookie(self.headers.get('Cookie') or '').get('session')
        return found.value if found else None

    def answer(self, status, text='', **fields):
        self.send_response(status)
        for name, value in {'Content-Type': 'text/plain', 'Content-Length': str(len(text.encode())), **fields}.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == '/login':
            request, sent = client.prepare_for_authenticate(relay_state='/me')
            session = secrets.token_hex(16)
            outstanding[session] = {request: '/me'}
            return self.answer(302, Location=dict(sent['headers'])['Location'],
                               Set_Cookie='session=%s; Path=/; HttpOnly' % session)
        if self.path.startswith('/slo?'):
            return self.log_out()
        person = people.get(self.session())
        self.answer(200 if person else 401, '[%s]' % person if person else 'signed out')

    def log_out(self):
        query = {name: values[0] for name, values in urllib.parse.parse_qs(self.path.partition('?')[2]).items()}
        try:
            client.handle_logout_request(
                query['SAMLRequest'], client.users.subjects()[0] if client.users.subjects() else None, BINDING_HTTP_REDIRECT,
                relay_state=query.get('RelayState'), sigalg=query.get('SigAlg'), signature=query.get('Signature'))
        except Exception as error:
            return self.answer(400, 'refused: %r' % error)
        people.pop(self.session(), None)
        self.answer(200, 'signed out')

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['Content-Length'])).decode())
        session = self.session()
        try:
            answer = client.parse_authn_request_response(
                form['SAMLResponse'][0], BINDING_HTTP_POST, outstanding.get(session) or {})
            person = answer.get_subject().text
        except Exception as error:
            return self.answer(403, 'refused: %r' % error)
        outstanding.pop(session, None)
        session = secrets.token_hex(16)
        people[session] = person
        self.answer(303, Location='/me', Set_Cookie='session=%s; Path=/; HttpOnly' % session)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(('127.0.0.1', port), Service).serve_forever()

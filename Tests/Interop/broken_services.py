"""SAML 2.0 services of a few lines each, for Tests/Interop/attack.py: three that leave one check out, and one that makes all of them.

The checks are those of the claims command where that can leave one out; two services parse by themselves, as home-made ones do.
"""
import base64
import datetime
import http.server
import secrets
import subprocess
import threading
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zlib

SAML, SAMLP = '{urn:oasis:names:tc:SAML:2.0:assertion}', '{urn:oasis:names:tc:SAML:2.0:protocol}'


class Service:
    """Begins sign-ins, keeps sessions, and shows who is signed in at /me. A subclass says whom a response names."""

    def __init__(self, port, provider, certificate, claims):
        self.address, self.provider, self.certificate, self.claims = 'http://127.0.0.1:%d' % port, provider, certificate, claims
        self.sessions, self.used = {}, set()
        handler = type('Handler', (Handler,), {'service': self})
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', port), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def request(self, identifier):
        now = datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
        message = ('<p:AuthnRequest xmlns:p="%s" xmlns:a="%s" ID="%s" Version="2.0" IssueInstant="%s" '
                   'AssertionConsumerServiceURL="%s/acs"><a:Issuer>%s</a:Issuer></p:AuthnRequest>'
                   % (SAMLP[1:-1], SAML[1:-1], identifier, now, self.address, self.address))
        packed = zlib.compress(message.encode())[2:-4]
        return self.provider + '/sso?' + urllib.parse.urlencode({'SAMLRequest': base64.b64encode(packed).decode()})

    def run(self, octets, *arguments):
        return subprocess.run([self.claims, *arguments, '-'], input=octets, capture_output=True).returncode == 0

    def verifies(self, octets, request, *more):
        return self.run(octets, 'verify', '--key', self.certificate, '--issuer', self.provider, '--recipient',
                        self.address + '/acs', '--in-response-to', request, *more)

    def subject(self, octets, request):
        raise NotImplementedError


class Strict(Service):
    """Makes all checks."""

    def subject(self, octets, request):
        if self.verifies(octets, request, '--audience', self.address):
            return ElementTree.fromstring(octets).find('.//' + SAML + 'NameID').text


class WithoutAudience(Service):
    """Takes assertions for anyone."""

    def subject(self, octets, request):
        if self.verifies(octets, request, '--allow-any-audience'):
            return ElementTree.fromstring(octets).find('.//' + SAML + 'NameID').text


class Parsed(Service):
    """Checks one assertion by itself, but for its signature; times and names are read loosely."""

    def checked(self, assertion, request):
        now = datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S')
        conditions = assertion.find(SAML + 'Conditions')
        data = assertion.find('%sSubject/%sSubjectConfirmation/%sSubjectConfirmationData' % (SAML, SAML, SAML))
        method = assertion.find('%sSubject/%sSubjectConfirmation' % (SAML, SAML)).get('Method')
        return (conditions.get('NotBefore') <= now < conditions.get('NotOnOrAfter') and now < data.get('NotOnOrAfter')
                and assertion.find(SAML + 'Issuer').text == self.provider and method.endswith(':bearer')
                and [one.text for one in conditions.iter(SAML + 'Audience')] == [self.address]
                and data.get('Recipient') == self.address + '/acs' and data.get('InResponseTo') == request)


class WithoutSignature(Parsed):
    """Reads what it gets, and verifies no signature."""

    def subject(self, octets, request):
        found = list(ElementTree.fromstring(octets).iter(SAML + 'Assertion'))
        if len(found) == 1 and self.checked(found[0], request):
            return found[0].find('%sSubject/%sNameID' % (SAML, SAML)).text


class FirstAssertion(Parsed):
    """Verifies the signature of an assertion, and reads the first one that there is."""

    def subject(self, octets, request):
        if self.run(octets, 'xml', 'verify', '--allow-partial', '--key', self.certificate):
            first = next(ElementTree.fromstring(octets).iter(SAML + 'Assertion'))
            if self.checked(first, request):
                return first.find('%sSubject/%sNameID' % (SAML, SAML)).text


class Handler(http.server.BaseHTTPRequestHandler):
    service = None

    def cookie(self, name):
        found = [pair.partition('=')[2] for pair in (self.headers.get('Cookie') or '').split('; ') if pair.partition('=')[0] == name]
        return found[0] if found else None

    def answer(self, status, text='', *fields):
        self.send_response(status)
        for name, value in (('Content-Type', 'text/plain'), ('Content-Length', str(len(text.encode()))), *fields):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == '/login':
            identifier = '_' + secrets.token_hex(16)
            self.answer(302, '', ('Location', self.service.request(identifier)), ('Set-Cookie', 'request=%s; HttpOnly' % identifier))
        else:
            subject = self.service.sessions.get(self.cookie('session'))
            self.answer(200 if subject else 401, 'signed in: [%s]' % subject if subject else 'signed out')

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['Content-Length'])).decode())
        request, subject = self.cookie('request'), None
        try:
            text = form['SAMLResponse'][0]
            octets = base64.b64decode(text, validate=True)
            assert base64.b64encode(octets).decode() == text
            if request and request not in self.service.used:
                subject = self.service.subject(octets, request)
        except Exception:
            pass
        if not subject:
            return self.answer(403, 'refused')
        self.service.used.add(request)
        session = secrets.token_hex(16)
        self.service.sessions[session] = subject
        self.answer(303, '', ('Location', '/me'), ('Set-Cookie', 'session=%s; HttpOnly' % session))

    def log_message(self, *_):
        pass

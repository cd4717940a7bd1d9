#!/usr/bin/env python3
"""A SAML 2.0 identity provider over pysaml2, for gate.py: everybody is ada.

    pysaml2_provider.py PORT FOLDER SERVICE_METADATA WAY

FOLDER has idp.key and idp.crt. WAY is assertion, response, both, encrypted or sha1. It demands signed requests, answers by
POST, and ends sessions by Redirect.
"""
import http.server
import pathlib
import sys
import urllib.parse

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORD
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

port, folder, service, way = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
base = 'http://127.0.0.1:%d' % port
idp = Server(config=IdPConfig().load({
    'entityid': base + '/idp', 'key_file': str(folder / 'idp.key'), 'cert_file': str(folder / 'idp.crt'),
    'xmlsec_binary': '/usr/bin/xmlsec1', 'metadata': {'local': [service]},
    'service': {'idp': {
        'endpoints': {'single_sign_on_service': [(base + '/sso', BINDING_HTTP_REDIRECT)],
                      'single_logout_service': [(base + '/slo', BINDING_HTTP_REDIRECT)]},
        'want_authn_requests_signed': True,
        'policy': {'default': {'lifetime': {'minutes': 5}, 'attribute_restrictions': None}}}},
}))


class Provider(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(address.query).items()}
        try:
            self.answer(address.path, query)
        except Exception as error:
            self.page(400, 'refused: %r' % error)

    def answer(self, path, query):
        signed = dict(relay_state=query.get('RelayState'), sigalg=query.get('SigAlg'), signature=query.get('Signature'))
        if path == '/slo':
            request = idp.parse_logout_request(query['SAMLRequest'], BINDING_HTTP_REDIRECT, **signed)
            answer = idp.create_logout_response(request.message, [BINDING_HTTP_REDIRECT])
            sent = idp.apply_binding(BINDING_HTTP_REDIRECT, str(answer), answer.destination, query.get('RelayState', ''),
                                     response=True, sign=True, sigalg=SIG_RSA_SHA256)
            self.send_response(302)
            self.send_header('Location', dict(sent['headers'])['Location'])
            self.end_headers()
            return
        request = idp.parse_authn_request(query['SAMLRequest'], BINDING_HTTP_REDIRECT, **signed).message
        arguments = idp.response_args(request, [BINDING_HTTP_POST])
        arguments.pop('name_id_policy', None)
        answer = idp.create_authn_response(
            {'uid': ['ada'], 'mail': ['ada@idp.example'], 'role': ['user']}, userid='ada',
            name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text='subject-of-ada', sp_name_qualifier=request.issuer.text),
            authn={'class_ref': PASSWORD}, sign_assertion=way in ('assertion', 'both', 'encrypted', 'sha1'),
            sign_response=way in ('response', 'both'),
            # Its default is SHA-1.
            sign_alg=None if way == 'sha1' else SIG_RSA_SHA256, digest_alg=None if way == 'sha1' else DIGEST_SHA256,
            encrypt_assertion=way == 'encrypted', **arguments)
        form = idp.apply_binding(BINDING_HTTP_POST, str(answer), arguments['destination'], query.get('RelayState', ''),
                                 response=True)
        self.page(200, form['data'])

    def page(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *a):
        pass


if __name__ == '__main__':
    from saml2.metadata import entity_descriptor
    (folder / 'pysaml2.xml').write_text(str(entity_descriptor(idp.config)))
    http.server.ThreadingHTTPServer(('127.0.0.1', port), Provider).serve_forever()

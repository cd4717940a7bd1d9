"""SATOSA in a folder, by gunicorn over TLS: a proxy that signs people in for clients of its OpenID Connect, at a SAML 2.0 provider
(`Saml2`) or at an OpenID provider (`Upstream`). `cert.pem` and `key.pem` of TLS, `sp.key` and `sp.crt` are in the folder beforehand.
"""
import json
import os
import pathlib

PACKAGES = ['satosa', 'pyop', 'gunicorn']

PROXY = {
    'LOGGING': {'version': 1, 'root': {'level': 'WARNING'}},
    'COOKIE_STATE_NAME': 'SATOSA_STATE', 'STATE_ENCRYPTION_KEY': '0123456789abcdef0123456789abcdef',
    'INTERNAL_ATTRIBUTES': 'internal_attributes.yaml', 'BACKEND_MODULES': ['backend.yaml'], 'FRONTEND_MODULES': ['frontend.yaml']}
EMAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'
ATTRIBUTES = {'attributes': {'mail': {'saml': [EMAIL, 'mail'], 'openid': ['email']}}, 'user_id_from_attrs': ['mail'],
              'user_id_to_attr': 'mail'}


def saml():
    """The side towards a SAML provider, whose metadata is idp.xml."""
    post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
    return {'module': 'satosa.backends.saml2.SAMLBackend', 'name': 'Saml2', 'config': {
        'entityid_endpoint': True, 'sp_config': {
            'key_file': 'sp.key', 'cert_file': 'sp.crt', 'xmlsec_binary': '/usr/bin/xmlsec1',
            'entityid': '<base_url>/<name>/metadata', 'metadata': {'local': ['idp.xml']}, 'allow_unknown_attributes': True,
            'service': {'sp': {
                # It would sign with SHA-1.
                'signing_algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
                'digest_algorithm': 'http://www.w3.org/2001/04/xmlenc#sha256',
                'authn_requests_signed': True, 'want_response_signed': False, 'want_assertions_signed': True,
                'allow_unsolicited': False, 'endpoints': {
                    'assertion_consumer_service': [['<base_url>/<name>/acs/post', post]],
                    'discovery_response': [['<base_url>/<name>/disco',
                                            'urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol']]}}}}}}


def openid(issuer, client, secret, callback):
    """The side towards an OpenID provider."""
    return {'module': 'satosa.backends.openid_connect.OpenIDConnectBackend', 'name': 'Upstream', 'config': {
        'provider_metadata': {'issuer': issuer}, 'client': {
            'verify_ssl': False, 'auth_req_params': {'response_type': 'code', 'scope': 'openid email'},
            'client_metadata': {'client_id': client, 'client_secret': secret, 'application_name': 'SATOSA',
                                'application_type': 'web', 'redirect_uris': [callback]}}}}


def write(folder, port, python, backend, client, secret, callback):
    """Writes the configuration; the command that serves it. YAML takes JSON as it is."""
    base = 'https://127.0.0.1:%d' % port
    frontend = {'module': 'satosa.frontends.openid_connect.OpenIDConnectFrontend', 'name': 'OIDC', 'config': {
        'signing_key_path': 'sp.key', 'client_db_path': 'cdb.json', 'provider': {
            'client_registration_supported': False, 'response_types_supported': ['code', 'id_token'],
            'subject_types_supported': ['pairwise', 'public'], 'scopes_supported': ['openid', 'email'],
            'id_token_lifetime': 3600}}}
    clients = {client: {'client_secret': secret, 'redirect_uris': [callback], 'response_types': ['code'], 'subject_type': 'public',
                        'token_endpoint_auth_method': 'client_secret_basic'}}
    for name, value in (('proxy_conf.yaml', {**PROXY, 'BASE': base}), ('internal_attributes.yaml', ATTRIBUTES),
                        ('backend.yaml', backend), ('frontend.yaml', frontend), ('cdb.json', clients)):
        (folder / name).write_text(json.dumps(value, indent=1))
    return ([str(pathlib.Path(python).with_name('gunicorn')), '--chdir', str(folder), '-b', '127.0.0.1:%d' % port, '--certfile',
             'cert.pem', '--keyfile', 'key.pem', '--timeout', '180',
             'satosa.wsgi:app'], dict(os.environ, SATOSA_CONFIG=str(folder / 'proxy_conf.yaml')))

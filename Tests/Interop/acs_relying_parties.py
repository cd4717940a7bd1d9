#!/usr/bin/env python3
"""Foreign relying parties of acs, in one Apache on loopback: mod_auth_mellon and Shibboleth SP (SAML 2.0), and
mod_auth_openidc (OpenID Connect). A person signs in at each, its application sees the claims of the rules, and signs out.
The tokens of the other endpoints are checked by xmlsec1 and PyJWT.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_relying_parties.py --acs .build/release/acs [--install]

--install fetches Debian's apache2 libapache2-mod-auth-mellon libapache2-mod-shib libapache2-mod-auth-openidc xmlsec1
openssl and PyPI's PyJWT first. Prints a line for each thing that was seen, and exits with 1 on a surprise.
"""
import argparse
import base64
import hashlib
import hmac
import html
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
from browser import Browser  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import apache  # noqa: E402
import programs  # noqa: E402

PACKAGES = apache.PACKAGES + ['xmlsec1']
ACS, MELLON, SHIBBOLETH, OPENIDC = 18290, 18291, 18292, 18293
BASE = 'http://127.0.0.1:%d'

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    programs.install(*PACKAGES)
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'PyJWT[crypto]'], check=True)
import jwt  # noqa: E402

tally, running = programs.Tally(), programs.Programs('acs-parties')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def fetch(address, **fields):
    data = urllib.parse.urlencode(fields).encode() if fields else None
    with urllib.request.urlopen(address, data, timeout=10) as answer:
        return answer.read()


def await_answer(address):
    for _ in range(200):
        try:
            return fetch(address)
        except OSError:
            time.sleep(0.1)
    raise SystemExit('nothing answers at ' + address)


# Files

def write_service(parties):
    rules = [{'if': {'from': 'http://fs.example.org/adfs/services/trust', 'type': 'role', 'value': 'staff'},
              'type': 'http://talks.example.org/claims/can', 'value': 'post'},
             {'if': {'from': 'acs', 'type': 'nameidentifier'}}]
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': BASE % ACS + '/', 'listen': '127.0.0.1:%d' % ACS,
        'providers': [{'id': 'http://fs.example.org/adfs/services/trust', 'name': 'Example Corp'}],
        'ruleGroups': [{'name': 'default', 'generate': ['http://fs.example.org/adfs/services/trust'], 'rules': rules}],
        'relyingParties': parties, 'serviceIdentities': [{'name': 'uploader', 'password': 'for-testing'}]}, indent=1))


def party(realm, token_format, **more):
    return {'realm': realm, 'format': token_format, 'rules': ['default'], **more}


PLAIN = [party('urn:swt', 'SWT'), party('urn:jwt', 'JWT'), party('urn:saml1', 'SAML 1.1'), party('urn:saml2', 'SAML 2.0')]
OPENID = party('openidc', 'JWT', clientSecret='for-testing-only', **{'return': [BASE % OPENIDC + '/protected/callback',
                                                                              BASE % OPENIDC + '/out']})
services = apache.Apache(running)

write_service(PLAIN + [OPENID])
start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
(folder / 'idp.xml').write_bytes(fetch(BASE % ACS + '/v2/saml/metadata'))
certificates = subprocess.run([arguments.acs, 'keys', folder / 'acs.json'], check=True, capture_output=True, text=True).stdout
(folder / 'acs.crt').write_text(certificates[:certificates.index('-----END') + 26])

# xmlsec1, PyJWT and Python's own HMAC over what the token endpoint issues

tokens = {}
for realm in ('urn:swt', 'urn:jwt', 'urn:saml1', 'urn:saml2'):
    answer = json.loads(fetch(BASE % ACS + '/v2/OAuth2-13', grant_type='client_credentials', client_id='uploader',
                              client_secret='for-testing', scope=realm))
    tokens[realm] = answer['access_token']
secret = subprocess.run([arguments.acs, 'keys', '--symmetric', folder / 'acs.json'], check=True, capture_output=True, text=True).stdout
signed, _, mac = tokens['urn:swt'].partition('&HMACSHA256=')
ours = base64.b64encode(hmac.digest(base64.b64decode(secret), signed.encode(), hashlib.sha256)).decode()
check("Python's HMAC agrees with a Simple Web Token", urllib.parse.unquote(mac) == ours, signed)
public = subprocess.run(['openssl', 'x509', '-in', folder / 'acs.crt', '-noout', '-pubkey'], check=True, capture_output=True).stdout
decoded = jwt.decode(tokens['urn:jwt'], public, algorithms=['RS256'], audience='urn:jwt', issuer=BASE % ACS + '/')
check('PyJWT verifies a JSON Web Token', decoded['nameid'] == 'uploader', decoded)
for realm, name in (('urn:saml1', 'urn:oasis:names:tc:SAML:1.0:assertion'), ('urn:saml2', 'urn:oasis:names:tc:SAML:2.0:assertion')):
    (folder / 'token.xml').write_text(tokens[realm])
    done = subprocess.run(['xmlsec1', '--verify', '--trusted-pem', folder / 'acs.crt', '--enabled-key-data', 'x509', '--id-attr:ID',
                           name + ':Assertion', '--id-attr:AssertionID', name + ':Assertion', folder / 'token.xml'],
                          capture_output=True, text=True)
    check('xmlsec1 verifies %s' % realm, done.returncode == 0 and 'OK' in done.stdout + done.stderr, done.stderr)

# Apache

services.mellon(MELLON)
names = {'emailaddress': 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
         'can': 'http://talks.example.org/claims/can'}
services.shibboleth(
    SHIBBOLETH, BASE % ACS + '/',
    ''.join('<Attribute name="%s" id="%s"%s/>' % (name, short, form) for short, name in names.items()
            for form in ('', ' nameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified"')),
    '<MetadataFilter type="RequireValidUntil" maxValidityInterval="2419200"/>'
    '<MetadataFilter type="Signature" certificate="%s/acs.crt"/>' % folder)
services.openidc(OPENIDC, BASE % ACS)


def person_signs_in(browser, page):
    """From the page of the provider to the application."""
    for _ in range(6):
        if not page.forms:
            return page
        form = next((i for i, form in enumerate(page.forms) if dict(form['fields']).get('person') == '0'), 0)
        page = browser.submit(page, form=form)
    return page


def shown(page):
    return html.unescape(re.sub(r'<[^>]*>', '', page.text))


try:
    services.start()
    (folder / 'mellon.xml').write_bytes(await_answer(BASE % MELLON + '/mellon/metadata'))
    (folder / 'shibboleth.xml').write_bytes(await_answer(BASE % SHIBBOLETH + '/Shibboleth.sso/Metadata'))
    write_service(PLAIN + [OPENID, party('urn:mellon', 'SAML 2.0', metadata='mellon.xml'),
                           party('urn:shibboleth', 'SAML 2.0', metadata='shibboleth.xml')])
    code = stop('acs')
    check('SIGTERM ends acs without an error', code == 0, code)
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
    check('the keys are those of the first run', fetch(BASE % ACS + '/v2/openid/keys').count(b'"kid"') == 2)
    for name, port, out in (
            ('mod_auth_mellon', MELLON, '/mellon/logout?ReturnTo=' + urllib.parse.quote(BASE % MELLON + '/out', safe='')),
            ('Shibboleth SP', SHIBBOLETH, '/Shibboleth.sso/Logout?return=' + urllib.parse.quote(BASE % SHIBBOLETH + '/out', safe='')),
            ('mod_auth_openidc', OPENIDC, '/protected/callback?logout=' + urllib.parse.quote(BASE % OPENIDC + '/out', safe=''))):
        browser = Browser()
        page = browser.open(BASE % port + '/protected/')
        check('%s sends the browser to acs' % name, page.url.startswith(BASE % ACS + '/v2/sign-in'), page.url + page.text[:300])
        page = person_signs_in(browser, page)
        text = shown(page)
        check('%s: signed in, and the application sees the claims' % name,
              page.url.startswith(BASE % port) and 'mia@example.org' in text and re.search('(?i)can=post', text), page.url + text)
        if '--verbose' in sys.argv:
            print(text)
        page = browser.open(BASE % port + out)
        page = person_signs_in(browser, page) if page.forms else page
        check('%s: signed out, and back' % name, 'signed out' in page.text, page.url + page.text)
        page = browser.open(BASE % port + '/protected/')
        check('%s: the session is over' % name, page.url.startswith(BASE % ACS + '/v2/sign-in'), page.url)
        cancelled = next(i for i, form in enumerate(page.forms) if dict(form['fields']).get('person') == 'cancel')
        page = person_signs_in(browser, browser.submit(page, form=cancelled))
        check('%s: cancelled, and the application is told' % name,
              page.url.startswith(BASE % port) and 'mia@example.org' not in page.text, page.url + page.text)
finally:
    running.stop_all()
running.end(tally)

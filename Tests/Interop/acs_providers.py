#!/usr/bin/env python3
"""Foreign providers above acs: SimpleSAMLphp (SAML 2.0 and WS-Federation), LemonLDAP::NG (SAML 2.0) and Glewlwyd (OpenID Connect).
A person signs in, signs in again, has to sign in anew (ForceAuthn), by a context that the provider meets and by one that it does
not; then signs out at a relying party, and at the provider, and each side says what it got.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_providers.py --acs .build/release/acs [--install]

--install fetches the Debian packages of the four first. Prints a line for each thing that was seen, a table provider by what was
done at the end, and exits with 1 on a surprise.
"""
import argparse
import base64
import datetime
import html
import http.server
import json
import pathlib
import re
import sys
import threading
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser  # noqa: E402
import glewlwyd  # noqa: E402
import lemonldap  # noqa: E402
import programs  # noqa: E402
import simplesamlphp  # noqa: E402

ACS, SSP, LLNG, OP, APP = 18590, 18591, 18592, 18593, 18594
parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', help='a part of the name of a provider')
arguments = parser.parse_args()
if arguments.install:
    programs.install(*simplesamlphp.PACKAGES, *lemonldap.PACKAGES, *glewlwyd.PACKAGES)

tally, running = programs.Tally(), programs.Programs('acs-providers')
table = programs.Table(tally)
start, stop, folder = running.start, running.stop, running.folder
ORIGIN, APPS = 'http://127.0.0.1:%d' % ACS, 'http://127.0.0.1:%d' % APP
PHP = 'http://127.0.0.1:%d/simplesaml/' % SSP
PORTAL = 'http://127.0.0.1:%d/' % LLNG
GLEWLWYD = 'http://127.0.0.1:%d' % OP
NAMES = {'ssp': 'SimpleSAMLphp, SAML', 'adfs': 'SimpleSAMLphp, WS-Fed.', 'llng': 'LemonLDAP::NG, SAML', 'op': 'Glewlwyd, OpenID'}
PEOPLE = {'ssp': ('ada', 'lovelace'), 'adfs': ('ada', 'lovelace'), 'llng': ('dwho', 'dwho'), 'op': ('alice', 'alicepass1')}
SAML, SAMLP = 'urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:2.0:protocol'
SERVICE = """<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:plain"><md:SPSSODescriptor
 protocolSupportEnumeration="%s"><md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="%s/slo"/>
<md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s/acs"/>
</md:SPSSODescriptor></md:EntityDescriptor>""" % (SAMLP, APPS, APPS)
LOGOUT_RESPONSE = """<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><p:LogoutResponse xmlns:p="%s"
 ID="_%s" Version="2.0" IssueInstant="%s" InResponseTo="%s"><a:Issuer xmlns:a="%s">urn:plain</a:Issuer><p:Status><p:StatusCode
 Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status></p:LogoutResponse></soap:Body></soap:Envelope>"""
got = []


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


class Applications(http.server.BaseHTTPRequestHandler):
    """The relying parties: what reaches them of a sign-out."""

    def answer(self, body=b'', kind='text/plain'):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if 'wsignoutcleanup1.0' in self.path:
            got.append('picture')
        self.answer()

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length'])).decode()
        if self.path == '/slo' and 'LogoutRequest' in body:
            got.append('LogoutRequest')
            request = re.search(r'<samlp:LogoutRequest[^>]* ID="([^"]*)"', body) or re.search(r'\bID="([^"]*)"', body)
            self.answer((LOGOUT_RESPONSE % (SAMLP, uuid.uuid4().hex, now(), request[1], SAML)).encode(), 'text/xml')
        else:
            got.append('logout token' if 'logout_token=' in body else body[:40])
            self.answer()

    def log_message(self, *_):
        pass


def write_service():
    rules = [{'if': {'from': name, 'type': 'nameidentifier'}, 'type': 'emailaddress'} for name in NAMES]
    party = {'rules': ['all']}
    providers = [{'id': 'ssp', 'name': 'SSP', 'saml': {'metadata': 'ssp.xml'}},
                 {'id': 'adfs', 'name': 'ADFS', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:acs'}},
                 {'id': 'llng', 'name': 'LLNG', 'saml': {'metadata': 'llng.xml'}},
                 {'id': 'op', 'name': 'OP', 'openID': {'issuer': GLEWLWYD + '/api/oidc', 'clientID': 'acs', 'clientSecret': 'file:secret',
                                                       'scopes': ['openid']}}]
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ORIGIN + '/', 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [one for one in providers if one['id'] in wanted], 'ruleGroups': [{'name': 'all', 'rules': [
            rule for rule in rules if rule['if']['from'] in wanted]}],
        'relyingParties': [
            {'realm': 'urn:plain', 'name': 'plain', 'format': 'SAML 2.0', 'metadata': 'plain.xml', **party},
            {'realm': 'chat', 'format': 'JWT', 'clientSecret': 'secret-of-chat', 'return': [APPS + '/cb', APPS + '/out'],
             'backChannelLogout': APPS + '/logout', **party},
            {'realm': 'urn:talks', 'name': 'talks', 'format': 'SAML 1.1', 'return': [APPS + '/in'], **party}]}, indent=1))


def fetch(address, data=None, headers=None):
    with urllib.request.urlopen(urllib.request.Request(address, data, headers or {}), timeout=30) as answer:
        return answer.read()


class Walk:
    """What a browser does with pages and redirects, until it is at an application or nothing goes on by itself."""

    def __init__(self, browser, provider):
        self.browser, self.provider, self.asked = browser, provider, False

    def go(self, address, data=None, most=40):
        # A script is quicker than a person: acs takes three sign-ins for one application within ten seconds for a loop.
        for cookie in [cookie for cookie in self.browser.jar if cookie.name.endswith('signin-times')]:
            self.browser.jar.clear(cookie.domain, cookie.path, cookie.name)
        for _ in range(most):
            if address.startswith(APPS) and 'wsignoutcleanup' not in address:
                return address, dict(urllib.parse.parse_qsl(data.decode() if data else urllib.parse.urlsplit(address).query))
            page = self.browser.ask(address, data)
            data = None
            self.page = page
            if page.status in (301, 302, 303, 307) and 'Location' in page.headers:
                address = urllib.parse.urljoin(address, page.headers['Location'])
                continue
            self.look(page)
            following = self.following(page)
            if not following:
                return address, {}
            address, data = following
        raise AssertionError('no end: %s' % self.browser.trail[-8:])

    def look(self, page):
        """Fetches pictures, and what stands in frames."""
        for tag, name in (('img', 'src'), ('iframe', 'src')):
            for found in re.findall(r'<%s\b[^>]*\b%s="([^"]+)"' % (tag, name), page.text):
                address = urllib.parse.urljoin(page.url, html.unescape(found))
                if not re.search(r'\.(png|gif|jpg|svg|css)$|/static/|/resources/', address) and 'javascript' not in address:
                    Walk(self.browser, self.provider).go(address)

    def following(self, page):
        """The address and the form that come next; None for a page that waits for a person."""
        refresh = page.headers.get('Refresh') or next(iter(re.findall(
            r'<meta[^>]*http-equiv="?refresh"?[^>]*content="([^"]+)"', page.text, re.I)), '')
        if 'url=' in refresh.lower():
            return urllib.parse.urljoin(page.url, html.unescape(re.split('(?i)url=', refresh)[1])), None
        if page.url.startswith(GLEWLWYD) and 'callback_url=' in page.url:
            return self.glewlwyd(page)
        for form in page.forms:
            names = [name for name, _ in form['fields']]
            fields = list(form['fields'])
            action = urllib.parse.urljoin(page.url, form['action'] or page.url)
            if 'password' in names:
                self.asked = True
                user, password = PEOPLE[self.provider]
                known = {'username': user, 'user': user, 'password': password}
                fields = [(name, known.get(name, value)) for name, value in fields]
            elif not {'SAMLRequest', 'SAMLResponse', 'wresult', 'AuthState', 'confirm', 'skip'} & set(names):
                continue
            data = urllib.parse.urlencode(fields)
            return (action, data.encode()) if form['method'] == 'post' else (action.split('?')[0] + '?' + data, None)
        return None

    def glewlwyd(self, page):
        """Its page is a script: it signs the person in by the interface, and goes on."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
        if query.get('prompt', '').startswith(('end_session', 'single_logout')):
            glewlwyd_ends(self.browser)
            return query['callback_url'], None
        try:
            self.browser.opener.open(GLEWLWYD + '/api/profile_list').read()
            self.asked = self.asked or bool(re.search('prompt=login|max_age=0', query['callback_url']))
        except urllib.error.HTTPError:
            self.asked = True
        if self.asked:
            self.browser.opener.open(urllib.request.Request(GLEWLWYD + '/api/auth/', json.dumps(dict(zip(
                ('username', 'password'), PEOPLE['op']))).encode(), {'Content-Type': 'application/json'})).read()
        self.browser.opener.open(urllib.request.Request(
            GLEWLWYD + '/api/auth/grant/acs', json.dumps({'scope': 'openid'}).encode(), {'Content-Type': 'application/json'},
            method='PUT')).read()
        back = query['callback_url']
        return back + ('&' if '?' in back else '?') + 'g_continue', None


def authn_request(force=False, context=None):
    wanted_context = ('<samlp:RequestedAuthnContext><saml:AuthnContextClassRef>%s</saml:AuthnContextClassRef>'
                      '</samlp:RequestedAuthnContext>' % context) if context else ''
    text = ('<samlp:AuthnRequest xmlns:samlp="%s" xmlns:saml="%s" ID="_%s" Version="2.0" IssueInstant="%s"%s>'
            '<saml:Issuer>urn:plain</saml:Issuer>%s</samlp:AuthnRequest>'
            % (SAMLP, SAML, uuid.uuid4().hex, now(), ' ForceAuthn="true"' if force else '', wanted_context))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(text.encode()) + deflate.flush()).decode()


def sign_in_plain(browser, provider, **demands):
    """At the service provider: whether the person was asked, the innermost status, and the response."""
    walk = Walk(browser, provider)
    _, fields = walk.go(ORIGIN + '/v2/saml/sso?' + urllib.parse.urlencode({'SAMLRequest': authn_request(**demands), 'whr': provider}))
    if 'SAMLResponse' not in fields:
        return walk.asked, 'no response', walk.page.url + ' ' + walk.page.text[:3000]
    response = base64.b64decode(fields['SAMLResponse']).decode()
    return walk.asked, re.findall(r'StatusCode Value="[^"]*:(\w+)"', response)[-1], response


def sign_in_chat(browser, provider):
    """At the client of OpenID Connect: its tokens."""
    _, fields = Walk(browser, provider).go(ORIGIN + '/v2/openid/authorize?' + urllib.parse.urlencode({
        'response_type': 'code', 'client_id': 'chat', 'redirect_uri': APPS + '/cb', 'scope': 'openid', 'whr': provider}))
    basic = {'Authorization': 'Basic ' + base64.b64encode(b'chat:secret-of-chat').decode()}
    return json.loads(fetch(ORIGIN + '/v2/openid/token', urllib.parse.urlencode({
        'grant_type': 'authorization_code', 'code': fields['code'], 'redirect_uri': APPS + '/cb'}).encode(), basic))


def sign_in_talks(browser, provider):
    _, fields = Walk(browser, provider).go(ORIGIN + '/v2/wsfederation?' + urllib.parse.urlencode({
        'wa': 'wsignin1.0', 'wtrealm': 'urn:talks', 'whr': provider}))
    return 'wresult' in fields


def is_refused(tokens):
    basic = {'Authorization': 'Basic ' + base64.b64encode(b'chat:secret-of-chat').decode()}
    try:
        fetch(ORIGIN + '/v2/openid/token', urllib.parse.urlencode({'grant_type': 'refresh_token', 'refresh_token': tokens['refresh_token']}).encode(), basic)
        return False
    except urllib.error.HTTPError as error:
        return 'invalid_grant' in error.read().decode()


def everywhere(provider):
    """A browser that is signed in at all three, and the tokens of the client."""
    browser = Browser()
    found = sign_in_plain(browser, provider)
    assert found[1] == 'Success', found
    tokens = sign_in_chat(browser, provider)
    assert sign_in_talks(browser, provider)
    got.clear()
    return browser, tokens


def glewlwyd_ends(browser):
    """What the script on its page does: the session of OpenID Connect ends, of which clients are told, and then its own."""
    sessions = [cookie.value for cookie in browser.jar if cookie.name == glewlwyd.SESSION]
    for path in ['/api/oidc/session/' + session for session in sessions] + ['/api/auth/']:
        try:
            browser.opener.open(urllib.request.Request(GLEWLWYD + path, method='DELETE'), timeout=30).read()
        except urllib.error.HTTPError as error:
            print('      DELETE %s: %d' % (path, error.code))


def sign_out_above(browser, provider):
    """The person signs out at the provider, on its own page."""
    if provider == 'op':
        glewlwyd_ends(browser)
        return
    Walk(browser, provider).go({
        'ssp': PHP + 'saml2/idp/SingleLogoutService.php?ReturnTo=' + urllib.parse.quote(APPS + '/out', safe=''),
        'adfs': PHP + 'module.php/adfs/idp/prp.php?wa=wsignout1.0&wreply=' + urllib.parse.quote(APPS + '/out', safe=''),
        'llng': PORTAL + '?logout=1'}[provider])


def play(provider):
    name = NAMES[provider]

    def check(what, is_so, found=''):
        table.check(name, what, is_so, found)

    browser = Browser()
    asked, status, text = sign_in_plain(browser, provider)
    check('signs in', asked and status == 'Success', text)
    if status != 'Success':
        return
    context = re.findall('AuthnContextClassRef[^>]*>([^<]*)<', text)[0]
    asked, status, text = sign_in_plain(browser, provider)
    check('again, without being asked', not asked and status == 'Success', text)
    asked, status, text = sign_in_plain(browser, provider, force=True)
    # A provider that asks nobody is found out by the instant that it states, once that is older than clocks may differ.
    check('ForceAuthn: ' + ('asked anew' if asked else 'not asked, and the sign-in before is not a minute old'),
          status == 'Success' or not asked and status == 'AuthnFailed'
          # Glewlwyd does not go on where prompt=login was asked, but by its own page.
          or provider == 'op' and status == 'AuthnFailed' and 'found "invalid_request"' in running.log('acs'), status + text)
    if 'unspecified' not in context:
        asked, status, text = sign_in_plain(browser, provider, context=context)
        check('the context that it has', status == 'Success', status + text)
    asked, status, text = sign_in_plain(Browser(), provider, context='urn:example:none-has-it')
    check('another context: NoAuthnContext', status == 'NoAuthnContext', status + text)

    browser, tokens = everywhere(provider)
    out = {'client_id': 'chat', 'post_logout_redirect_uri': APPS + '/out'}
    page = browser.ask(ORIGIN + '/v2/openid/logout?' + urllib.parse.urlencode(out))
    check('out without an ID token: the person is asked', page.status == 200 and 'Sign out?' in page.text and not got, page.text)
    walk = Walk(browser, provider)
    end, _ = walk.go(ORIGIN + '/v2/openid/logout?' + urllib.parse.urlencode({**out, 'id_token_hint': tokens['id_token']}))
    told = sorted(got)
    # Glewlwyd's logout token names the person, whose earlier browsers sign out too.
    once = sorted(set(told)) if provider == 'op' else told
    check('out at a relying party: each got ' + ', '.join(told), once == ['LogoutRequest', 'logout token', 'picture'], told)
    check('out at a relying party: no token after it', is_refused(tokens))
    check('out at a relying party: and back', end.startswith(APPS + '/out'), end + walk.page.text[:2000])
    asked, status, text = sign_in_plain(browser, provider)
    check('out at a relying party: the provider asks again', asked and status == 'Success', text)

    browser, tokens = everywhere(provider)
    sign_out_above(browser, provider)
    wanted_there = {'LogoutRequest', 'logout token'}
    # A provider may tell by the back channel after the browser has its answer.
    end = time.monotonic() + 10
    while not wanted_there <= set(got) and time.monotonic() < end:
        time.sleep(0.05)
    told = sorted(got)
    check('out at the provider: told were ' + (', '.join(told) or 'none'), wanted_there <= set(told), '%s %s' % (told, browser.trail[-8:]))
    check('out at the provider: no token after it', is_refused(tokens))


wanted = [name for name in NAMES if not arguments.only or arguments.only in NAMES[name]]
try:
    threading.Thread(target=http.server.ThreadingHTTPServer(('127.0.0.1', APP), Applications).serve_forever, daemon=True).start()
    (folder / 'secret').write_text('secret-of-acs-123')
    (folder / 'plain.xml').write_text(SERVICE)
    running.keypair('idp')
    running.keypair('llng')
    if {'ssp', 'adfs'} & set(wanted):
        command, environment = simplesamlphp.write(folder, SSP)
        start('ssp', command, SSP, env=environment)
        (folder / 'ssp.xml').write_bytes(fetch(PHP + 'saml2/idp/metadata.php'))
        (folder / 'adfs.xml').write_bytes(fetch(PHP + 'module.php/adfs/idp/metadata.php'))
    if 'op' in wanted:
        start('glewlwyd', glewlwyd.write(folder, OP), OP)
        place = ORIGIN + '/v2/upstream/openid/op/'
        glewlwyd.configure(
            OP, glewlwyd.rsa_key(folder),
            {'username': 'alice', 'name': 'Alice', 'email': 'alice@example.test', 'password': 'alicepass1'},
            {'client_id': 'acs', 'name': 'acs', 'password': 'secret-of-acs-123', 'redirect_uri': [place + 'callback'],
             'post_logout_redirect_uris': [place + 'signed-out'], 'backchannel_logout_uri': place + 'logout'})
    if 'llng' in wanted:
        # acs needs the metadata of the portal, and the portal that of acs, whose keys are made first.
        command, environment = lemonldap.write(folder, LLNG, lemonldap.identity_provider(folder))
        start('llng', command, LLNG, env=environment)
        (folder / 'llng.xml').write_bytes(fetch(PORTAL + 'saml/metadata'))
        stop('llng')
    write_service()
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS)
    if {'ssp', 'adfs', 'llng'} & set(wanted):
        ours = fetch(ORIGIN + '/v2/upstream/saml/metadata').decode() if {'ssp', 'llng'} & set(wanted) else ''
        certificate = (re.findall('<ds:X509Certificate>([^<]*)', ours) or [''])[0]
        (folder / 'metadata/saml20-sp-remote.php').parent.mkdir(exist_ok=True)
        (folder / 'metadata/saml20-sp-remote.php').write_text(
            "<?php\n$metadata['%s/v2/upstream'] = ['AssertionConsumerService' => '%s/v2/upstream/saml/acs', 'SingleLogoutService' => "
            "'%s/v2/upstream/saml/slo', 'certData' => '%s', 'sign.logout' => true, 'validate.logout' => true, 'NameIDFormat' => "
            "'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', 'simplesaml.nameidattribute' => 'uid'];\n"
            % (ORIGIN, ORIGIN, ORIGIN, re.sub(r'\s', '', certificate)))
        (folder / 'metadata/adfs-sp-remote.php').write_text(
            "<?php\n$metadata['urn:acs'] = ['prp' => '%s/v2/upstream/wsfed', 'simplesaml.nameidattribute' => 'uid', "
            "'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'];\n" % ORIGIN)
        if 'llng' in wanted:
            command, environment = lemonldap.write(folder, LLNG, lemonldap.identity_provider(folder, ours))
            start('llng', command, LLNG, env=environment)
    for provider in wanted:
        try:
            play(provider)
        except Exception:  # noqa: BLE001
            table.check(NAMES[provider], 'to the end', False, traceback.format_exc()[-700:])
    tally.check('acs ends without an error', stop('acs') == 0)
finally:
    running.stop_all()
    table.show()
running.end(tally)

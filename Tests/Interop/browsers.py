#!/usr/bin/env python3
"""A person with headless Chromium, which keeps SameSite rules, at the gate behind nginx, Caddy and HAProxy as docs/gate.md sets them up.

    swift build -c release --enable-all-traits --product claims-gate
    Tests/Interop/browsers.py --gate .build/release/claims-gate [--install]

The service is https://app.localhost, the identity provider SimpleSAMLphp at another site, by SAML 2.0: signs in, clicks
twice, goes back, restores three tabs, opens three tabs before the first sign-in, and signs out. By WS-Federation a picture on
a page of the provider ends the session, where the browser sends cookies to other sites (this Chromium by itself does not).
--install fetches
Debian's packages first. Prints a line for each thing tried and exits with 1 on a surprise.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import proxies  # noqa: E402
import simplesamlphp  # noqa: E402

IDP, GATE, UPSTREAM = 18381, 18382, 18383
PORTS = {'nginx': 18390, 'caddy': 18391, 'haproxy': 18392}
HOST = 'app.localhost'
PACKAGES = ['nginx-light', 'caddy', 'haproxy', 'simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl', 'php-sqlite3',
            'openssl', 'python3-venv', 'chromium', 'chromium-driver']

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--proxy', choices=list(PORTS))
arguments = parser.parse_args()
if arguments.install:
    programs.install(*PACKAGES)
home = pathlib.Path(os.environ.get('GATE_VENV', '.build-venv')).resolve()
if sys.prefix != str(home):
    if not (home / 'bin/pip').exists():
        subprocess.run([sys.executable, '-m', 'venv', str(home)], check=True)
    if subprocess.run([str(home / 'bin/pip'), 'show', '-q', 'selenium'], capture_output=True).returncode:
        subprocess.run([str(home / 'bin/pip'), '-q', 'install', 'selenium'], check=True)
    os.execv(str(home / 'bin/python'), [str(home / 'bin/python'), *sys.argv])

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

tally, running = programs.Tally(), programs.Programs('browsers')
check, start, stop, keypair, folder = tally.check, running.start, running.stop, running.keypair, running.folder


SAML = {'id': 'campus', 'name': 'Campus', 'saml': {'metadata': 'idp.xml'}}
PASSIVE = {'id': 'work', 'name': 'Work', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:app'}}


def configure(kind, origin, provider=SAML):
    (folder / 'metadata/saml20-sp-remote.php').write_text(
        "<?php\n$metadata['%s/saml'] = ['AssertionConsumerService' => '%s/.gate/saml/acs', 'SingleLogoutService' => '%s/.gate/saml/slo', "
        "'certData' => '%s', 'validate.authnrequest' => true, 'sign.logout' => true, 'validate.logout' => true];\n" % (
            origin, origin, origin, running.certificate('gate')))
    (folder / 'metadata/adfs-sp-remote.php').write_text(
        "<?php\n$metadata['urn:app'] = ['prp' => '%s/.gate/wsfed', 'simplesaml.nameidattribute' => 'uid', "
        "'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'];\n" % origin)
    for name, path in (('idp.xml', 'saml2/idp/metadata.php'), ('adfs.xml', 'module.php/adfs/idp/metadata.php')):
        with urllib.request.urlopen('http://127.0.0.1:%d/simplesaml/%s' % (IDP, path)) as answer:
            (folder / name).write_bytes(answer.read())
    (folder / 'gate.json').write_text(json.dumps({
        'public': origin, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': kind, 'peers': ['127.0.0.1']}, 'entityID': origin + '/saml',
        'signingKey': 'gate.key', 'certificate': 'gate.crt', 'cookieKeys': 'cookies.keys',
        'providers': [provider],
        'session': {'store': 'memory'}, 'headers': {'X-Remote-User': 'uid', 'X-Remote-Email': 'mail', 'X-Remote-Role': 'role'}}))


class Person:
    """One browser, with nobody signed in."""

    def __init__(self, sends_everywhere=False):
        options = Options()
        if sends_everywhere:
            options.add_experimental_option('prefs', {'profile.block_third_party_cookies': False, 'profile.cookie_controls_mode': 0})
        options.binary_location = '/usr/bin/chromium'
        for word in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--ignore-certificate-errors', '--window-size=900,700'):
            options.add_argument(word)
        self.driver = webdriver.Chrome(options, Service('/usr/bin/chromedriver'))

    def text(self):
        try:
            return self.driver.find_element(By.TAG_NAME, 'body').text
        except WebDriverException:
            return ''

    def wait(self, is_there):
        """Whether that comes to be within 20 seconds."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if is_there():
                    return True
            except WebDriverException:
                pass
            time.sleep(0.05)
        return False

    def wait_text(self, text):
        return self.wait(lambda: text in self.text())

    def enter(self, click=lambda button: button.click()):
        """At the provider's form: name, password, and the button."""
        if not self.wait(lambda: self.driver.find_elements(By.NAME, 'password')):
            return False
        self.driver.find_element(By.NAME, 'username').send_keys('ada')
        self.driver.find_element(By.NAME, 'password').send_keys('lovelace')
        click(self.driver.find_element(By.CSS_SELECTOR, 'button[type=submit], button, input[type=submit]'))
        return True

    def tab(self, address):
        self.driver.switch_to.new_window('tab')
        self.driver.get(address)
        return self.driver.current_window_handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()


def play(kind):
    origin = 'https://%s:%d' % (HOST, PORTS[kind])
    configure(kind, origin)
    checked = subprocess.run([arguments.gate, 'check', str(folder / 'gate.json')], capture_output=True, text=True)
    check('%s: check' % kind, checked.returncode == 0, checked.stderr)
    start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)
    command, environment = proxies.command(kind, folder, PORTS[kind], GATE, UPSTREAM,
                                           tls=(HOST, str(folder / 'site.crt'), str(folder / 'site.key')))
    start(kind, command, PORTS[kind], env=environment)

    with Person() as person:
        person.driver.get(origin + '/page?q=1')
        person.enter()
        check('%s: signs in, and is back at the very page' % kind, person.wait_text('HERE /page?q=1 USER ada'), person.text())
        cookies = {cookie['name']: cookie for cookie in person.driver.get_cookies()}
        session = cookies.get('__Host-session', {})
        check('%s: the session is Secure, HttpOnly, SameSite=Lax, and of this host alone' % kind,
              session.get('secure') and session.get('httpOnly') and session.get('sameSite') == 'Lax', cookies)
        person.driver.back()
        person.wait(lambda: person.driver.execute_script('return document.readyState') == 'complete')
        time.sleep(1)
        check('%s: back: no page of an error' % kind, 'signin.' not in person.text() and 'client.' not in person.text(), person.text())
        person.driver.get(origin + '/page?q=2')
        check('%s: after back: still signed in' % kind, person.wait_text('HERE /page?q=2 USER ada'), person.text())
        before = [person.tab(origin + '/tab?%d' % number) for number in range(3)]
        check('%s: three tabs restored, signed in' % kind, all(
            [person.driver.switch_to.window(tab) or person.wait_text('HERE /tab?%d USER ada' % n) for n, tab in enumerate(before)]))
        person.driver.get(origin + '/.gate/sign-out')
        person.driver.find_element(By.CSS_SELECTOR, 'button, input[type=submit]').click()
        check('%s: signs out, over the provider' % kind, person.wait(lambda: 'signed out' in person.text().lower()), person.text())
        person.driver.get(origin + '/page?q=3')
        check('%s: the provider asks for the password again' % kind,
              person.wait(lambda: person.driver.find_elements(By.NAME, 'password')), person.text())

    with Person() as person:
        person.driver.get(origin + '/double')
        person.enter(lambda button: ActionChains(person.driver).double_click(button).perform())
        # Where the second click came before the provider's answer to the first, its cookie is lost, and the provider asks
        # once more, as it would for any service.
        if not person.wait_text('HERE /double USER ada'):
            person.enter()
        check('%s: a double click at the provider signs in' % kind, person.wait_text('HERE /double USER ada'), person.text())

    with Person() as person:
        # The answer arrives twice: a page that is posted, and posted again from the provider's own page.
        person.driver.get(origin + '/again')
        person.wait(lambda: person.driver.find_elements(By.NAME, 'password'))
        person.driver.execute_cdp_cmd('Emulation.setScriptExecutionDisabled', {'value': True})
        person.enter()
        person.wait(lambda: person.driver.find_elements(By.NAME, 'SAMLResponse'))
        person.driver.execute_cdp_cmd('Emulation.setScriptExecutionDisabled', {'value': False})
        fields = person.driver.execute_script(
            'return Object.fromEntries([...document.querySelectorAll("input[type=hidden]")].map(i => [i.name, i.value]))')
        person.driver.execute_script('HTMLFormElement.prototype.submit.call(document.forms[0])')
        check('%s: the answer, posted by hand, signs in' % kind, person.wait_text('HERE /again USER ada'), person.text())
        person.driver.get('http://127.0.0.1:%d/simplesaml/' % IDP)
        person.driver.execute_script(
            'const f=document.createElement("form");f.method="post";f.action=arguments[0];for(const n in arguments[1]){'
            'const i=document.createElement("input");i.name=n;i.value=arguments[1][n];f.append(i)}document.body.append(f);f.submit()',
            origin + '/.gate/saml/acs', fields)
        check('%s: the same answer posted again from the other site leads to the page, signed in once' % kind,
              person.wait_text('HERE /again USER ada'), person.text())

    with Person() as person:
        tabs = [person.tab(origin + '/three?%d' % number) for number in range(3)]
        arrived = []
        for number, tab in enumerate(tabs):
            person.driver.switch_to.window(tab)
            if number:
                # The provider may know the person by now: its page, loaded anew, goes on by itself or asks once more.
                person.driver.refresh()
            here = 'HERE /three?%d USER ada' % number
            if not person.wait(lambda: here in person.text() or person.driver.find_elements(By.NAME, 'password')) or here not in person.text():
                person.enter()
            arrived.append(person.wait_text(here) or person.text())
        check('%s: three tabs that were open before the sign-in, each back at its own page' % kind, arrived == [True] * 3, arrived)
    stop('gate')
    configure(kind, origin, PASSIVE)
    start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)
    with Person(sends_everywhere=True) as person:
        person.driver.get(origin + '/passive')
        person.enter()
        check('%s: WS-Federation: signs in' % kind, person.wait_text('HERE /passive'), person.text())
        person.driver.get('http://127.0.0.1:%d/simplesaml/' % IDP)
        person.driver.execute_async_script(
            'const i=new Image();i.onload=i.onerror=()=>arguments[1]();i.src=arguments[0];document.body.append(i)',
            origin + '/.gate/wsfed?wa=wsignoutcleanup1.0')
        # The provider knows the person no more either.
        person.driver.delete_all_cookies()
        person.driver.get(origin + '/passive')
        check('%s: WS-Federation: the picture on a page of the provider ended the session' % kind,
              person.wait(lambda: person.driver.find_elements(By.NAME, 'password')), person.text())
    stop('gate')
    stop(kind)


try:
    keypair('idp')
    keypair('gate')
    keypair('site', '-addext', 'subjectAltName=DNS:' + HOST, subject=HOST)
    (folder / 'site.crt.pem').write_text((folder / 'site.crt').read_text() + (folder / 'site.key').read_text())
    (folder / 'cookies.keys').write_text(subprocess.run(['openssl', 'rand', '-base64', '32'], capture_output=True, text=True).stdout)
    programs.application(UPSTREAM, lambda path, headers: 'HERE %s USER %s' % (path, headers.get('X-Remote-User')))
    command, environment = simplesamlphp.write(folder, IDP)
    start('idp', command, IDP, env=environment)
    for kind in [arguments.proxy] if arguments.proxy else PORTS:
        play(kind)
finally:
    running.stop_all()
running.end(tally)

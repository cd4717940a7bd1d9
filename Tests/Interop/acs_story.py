#!/usr/bin/env python3
"""A person with headless Chromium at `acs demo`: five identity providers, four token formats, and every other end.

    swift build -c release --enable-all-traits --product acs --product claims
    Tests/Interop/acs_story.py --acs .build/release/acs [--install] [--screens FOLDER]

--install fetches Debian's chromium and chromium-driver and PyPI's selenium first. Prints a line for each thing that was
seen, photographs every page into FOLDER, and exits with 1 on a surprise.
"""
import argparse
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--claims', help='the claims command, to run the line that the demonstration prints')
parser.add_argument('--install', action='store_true')
parser.add_argument('--screens', type=pathlib.Path, metavar='FOLDER')
arguments = parser.parse_args()
if arguments.install:
    programs.install('chromium', 'chromium-driver')
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'selenium'], check=True)
from screens import Person  # noqa: E402

APPLICATION, ISSUER, FEED = 'http://127.0.0.1:8091/', 'http://127.0.0.1:8090/', 'http://127.0.0.1:8092/'
PROVIDERS = {'Facebook': 'Facebook-1234567890', 'Windows Live': 'uri:WindowsLiveID', 'Google': 'Google',
             'Yahoo!': 'Yahoo!', 'Example Corp': 'http://fs.example.org/adfs/services/trust'}
FORMATS = ['SWT', 'JWT', 'SAML 1.1', 'SAML 2.0']
tally = programs.Tally()
check = tally.check
folder = arguments.screens or pathlib.Path(tempfile.mkdtemp(prefix='acs-story-'))
folder.mkdir(parents=True, exist_ok=True)
before = set(pathlib.Path(tempfile.gettempdir()).glob('acs-demo-*'))
demo = subprocess.Popen([arguments.acs, 'demo'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
lines = []
for line in demo.stdout:
    lines.append(line)
    if 'claims verify' in line:
        break
person = Person(folder)


def button(text):
    for element in person.driver.find_elements('css selector', 'button'):
        if text in element.text:
            element.click()
            return
    raise SystemExit('no button %r on %s: %s' % (text, person.driver.current_url, person.text()[:300]))


def choose(provider, token_format, press, photograph=False):
    person.open(APPLICATION, 'talks' if photograph else None)
    person.driver.find_element('link text', token_format).click()
    person.wait(lambda: 'Choose where' in person.text())
    if photograph:
        person.photograph('providers')
    person.follow(provider)
    person.wait(lambda: 'These people are invented' in person.text())
    if photograph:
        person.photograph('people')
    button(press)
    person.wait(lambda: person.driver.current_url.startswith(APPLICATION) or 'You are not signed in' in person.text()
                or 'You cancelled' in person.text())


def sign_out(photograph=False):
    button('Sign out')
    person.wait(lambda: 'You are signed out' in person.text())
    if photograph:
        person.photograph('signed-out')
    person.follow('Back to the application')
    person.wait(lambda: 'Choose the format' in person.text())


try:
    for _ in range(100):
        try:
            urllib.request.urlopen(ISSUER).read()
            urllib.request.urlopen(APPLICATION).read()
            break
        except OSError:
            person.driver.implicitly_wait(0.1)
            person.driver.execute_async_script('setTimeout(arguments[0], 100)')
    for number, (provider, name) in enumerate(PROVIDERS.items()):
        for token_format in FORMATS:
            first = number == 0 and token_format == 'SWT'
            choose(provider, token_format, 'Mia Example', photograph=first)
            text = person.text()
            shown = 'Claims' in text and name in text and 'mia@example.org' in text or name == 'uri:WindowsLiveID' and name in text
            check('%s, %s: signed in, with claims and where they are from' % (provider, token_format), shown, text)
            if number == 0:
                person.photograph('signed-in-' + token_format.replace(' ', '-'))
                check('Facebook, %s: the token is not among the claims' % token_format,
                      'test-access-token' not in person.driver.page_source and 'taken out' in text, text)
                button('Tokens without tears')
                person.wait(lambda: 'Shared' in person.text())
                if first:
                    person.photograph('shared')
                person.open(FEED, 'feed' if first else None)
                check('Facebook, %s: the feed has the post' % token_format,
                      person.text().count('Tokens without tears') == FORMATS.index(token_format) + 1, person.text())
                person.open(APPLICATION)
            elif token_format == 'SAML 2.0':
                check('%s: nothing to post with' % provider, 'sent no token to post with' in text, text)
            if provider == 'Example Corp':
                check('%s, %s: a rule upon a rule gave a claim' % (provider, token_format),
                      'moderate' in text and 'post' in text, text)
            sign_out(photograph=first)
    choose('Google', 'SWT', 'Cancel')
    person.photograph('cancelled')
    check('cancelled: the application says so', 'You cancelled' in person.text(), person.text())
    choose('Google', 'JWT', 'Answer with an error')
    person.photograph('provider-error')
    check('an error of the provider reaches the application', 'ACS30000' in person.text(), person.text())
    choose('Yahoo!', 'SAML 2.0', 'Tom Sample')
    check('the other person', 'tom@example.org' in person.text(), person.text())
    button('Let the session expire')
    person.wait(lambda: 'expired' in person.text())
    person.photograph('expired')
    check('an expired session asks to sign in again', 'Your session has expired' in person.text(), person.text())
    person.open(ISSUER, 'issuer')
    person.open(ISSUER + 'v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Astranger', 'refused')
    check('a strange realm has its number, code and trace', 'ACS50001' in person.text()
          and 'issuing.unknown-realm' in person.text() and re.search('number .{36}', person.text()), person.text())
    password = re.search('password ([0-9a-f]+)', ''.join(lines)).group(1)
    person.open(ISSUER + 'admin', 'admin-question')
    person.type(password='guess')
    button('Sign in')
    person.wait(lambda: 'Code ' in person.text())
    check('admin: a wrong password is refused', 'ACS50012' in person.text(), person.text())
    person.driver.execute_async_script('setTimeout(arguments[0], 1100)')
    person.open(ISSUER + 'admin')
    person.type(password=password)
    button('Sign in')
    person.wait(lambda: 'Relying parties' in person.text())
    person.photograph('admin')
    check('admin: keys, and the last sign-ins with their outcome', 'signs' in person.text() and 'issuing.cancelled' in person.text(), person.text())
    person.type(realm='urn:speakeasy:jwt', provider='http://fs.example.org/adfs/services/trust', claims='role=staff')
    button('Try the rules')
    person.wait(lambda: 'Rules tried' in person.text())
    person.photograph('admin-tried')
    check('admin: which rule gives which claim', 'whoever moderates may post' in person.text(), person.text())
    person.open(ISSUER + 'admin')
    person.follow('Change the rules of default')
    person.wait(lambda: 'Add the rule' in person.text())
    person.photograph('admin-rules')
    person.type(**{'from': 'Google', 'type': 'emailaddress', 'value': 'mia@example.org', 'outputType': 'role',
                   'outputValue': 'editor-in-chief', 'note': 'Mia edits'})
    button('Add the rule')
    person.wait(lambda: 'changed here' in person.text())
    person.photograph('admin-rules-changed')
    choose('Google', 'JWT', 'Mia Example')
    check('admin: the new rule holds from the next token on', 'editor-in-chief' in person.text(), person.text())
    sign_out()
    person.dark()
    person.open(APPLICATION, 'talks-dark')
    choose('Facebook', 'SAML 2.0', 'Mia Example')
    person.photograph('signed-in-dark')
    complaints = [entry['message'] for entry in person.driver.get_log('browser') if 'Content Security Policy' in entry['message']]
    check('no page is at odds with its policy', not complaints, complaints)
    if arguments.claims:
        line = next(line for line in lines if 'claims verify' in line)
        words = shlex.split(line.replace('swift run claims', arguments.claims))
        verified = subprocess.run(words, capture_output=True, text=True)
        check('the line for claims verifies the token', verified.returncode == 0 and '"mia@example.org"' in verified.stdout,
              verified.stdout + verified.stderr)
finally:
    person.leave()
    demo.send_signal(signal.SIGINT)
    code = demo.wait(20)
check('Ctrl-C ends the demonstration without an error', code == 0, code)
left = set(pathlib.Path(tempfile.gettempdir()).glob('acs-demo-*')) - before
check('it leaves nothing behind', not left, left)
print('%d passed, %d failed; pages in %s' % (tally.passed, tally.failed, folder))
sys.exit(tally.failed > 0)

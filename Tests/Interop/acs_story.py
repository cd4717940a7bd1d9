#!/usr/bin/env python3
"""A person with headless Chromium at `acs demo`: shares talks by five identity providers and four token formats, and meets every
other end.

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
    if 'claims-client post' in line:
        break
APPLICATION = re.search(r'open (\S+) in a browser', ''.join(lines)).group(1)
ISSUER, FEED = re.search(r'(\S+) is the issuer, (\S+) the feed', ''.join(lines)).groups()
person = Person(folder)


def button(text):
    for element in person.driver.find_elements('css selector', 'button'):
        if text in element.text:
            element.click()
            return
    raise SystemExit('no button %r on %s: %s' % (text, person.driver.current_url, person.text()[:300]))


def heading():
    return person.driver.find_element('css selector', 'h1').text


def set_format(token_format, photograph=False):
    """In the corner of the page of talks."""
    person.open(APPLICATION, 'talks' if photograph else None)
    person.driver.find_element('css selector', 'summary').click()
    if photograph:
        person.photograph('setting')
    person.type(format={'SWT': 'swt', 'JWT': 'jwt', 'SAML 1.1': 'saml-1.1', 'SAML 2.0': 'saml-2.0'}[token_format])
    button('Set')
    person.wait(lambda: 'The next token will be' in person.text())


def choose(provider, press, photograph=False):
    """At the issuer's pages, where sharing led."""
    person.wait(lambda: 'Choose where' in person.text())
    if photograph:
        person.photograph('providers')
    person.follow(provider)
    person.wait(lambda: 'These people are invented' in person.text())
    if photograph:
        person.photograph('people')
    button(press)
    person.wait(lambda: person.driver.current_url.startswith(APPLICATION))


def share(talk=1):
    person.open(APPLICATION + 'talks/%d/share' % talk)


def sign_out(photograph=False):
    person.open(APPLICATION + 'you')
    button('Sign out')
    # The pages of the application tell no Referer, so the issuer asks.
    person.wait(lambda: 'asks to sign you out' in person.text())
    if photograph:
        person.photograph('sign-out')
    button('Sign out')
    person.wait(lambda: 'You are signed out' in person.text())
    if photograph:
        person.photograph('signed-out')
    person.follow('Back to SpeakEasy')
    person.wait(lambda: person.driver.current_url.startswith(APPLICATION))


try:
    for number, (provider, name) in enumerate(PROVIDERS.items()):
        for token_format in FORMATS:
            first = number == 0 and token_format == 'SWT'
            set_format(token_format, photograph=first)
            person.driver.find_element('css selector', '.entries .button').click()
            choose(provider, 'Mia Example', photograph=first)
            person.wait(lambda: heading() in ('Tokens without tears', provider + ' cannot post for you') or 'cannot post' in heading())
            check('%s, %s: back at the talk' % (provider, token_format),
                  person.driver.current_url.startswith(APPLICATION + 'talks/1/share'), person.driver.current_url)
            if number == 0:
                if first:
                    person.photograph('message')
                field = person.driver.find_element('css selector', 'textarea')
                field.clear()
                field.send_keys('See you there, says ' + token_format)
                button('Post as Mia Example')
                person.wait(lambda: person.driver.current_url.startswith(FEED))
                if first:
                    person.photograph('feed')
                check('Facebook, %s: the feed shows the message' % token_format, 'Your post is in the feed' in person.text()
                      and 'See you there, says ' + token_format in person.text(), person.text())
            else:
                if token_format == 'SAML 2.0':
                    person.photograph('nothing-to-post-with')
                check('%s, %s: cannot post, and Facebook is offered' % (provider, token_format),
                      'sent no access token' in person.text() and 'Sign in with Facebook' in person.text(), person.text())
            person.open(APPLICATION + 'you')
            text = person.text()
            shown = name in text and ('mia@example.org' in text or name == 'uri:WindowsLiveID')
            check('%s, %s: claims with where they are from' % (provider, token_format), shown, text)
            if number == 0:
                person.photograph('you-' + token_format.replace(' ', '-'))
                check('Facebook, %s: the token is not among the claims' % token_format,
                      'test-access-token' not in person.driver.page_source and 'kept apart' in text, text)
            if provider == 'Example Corp':
                check('%s, %s: a rule upon a rule gave a claim' % (provider, token_format),
                      'staff may moderate' in text and 'whoever moderates may post' in text, text)
            sign_out(photograph=first)
    share(2)
    choose('Google', 'Cancel')
    person.photograph('cancelled')
    check('cancelled: back at the talk, which says so', 'You cancelled. Nothing was shared.' in person.text()
          and heading() == 'What a signature covers', person.text())
    share(2)
    choose('Google', 'Answer with an error')
    person.photograph('provider-error')
    check('an error of the provider reaches the application', 'ACS30000' in person.text(), person.text())
    share(3)
    choose('Facebook', 'Tom Sample')
    check('the other person', 'Post as Tom Sample' in person.text(), person.text())
    person.open(APPLICATION + 'you')
    button('Let the feed refuse the next post')
    person.wait(lambda: 'will refuse' in person.text())
    share(3)
    button('Post as Tom Sample')
    person.wait(lambda: 'Your post was not taken' in person.text())
    person.photograph('refused-post')
    person.follow('Sign in again')
    person.wait(lambda: 'These people are invented' in person.text())
    button('Tom Sample')
    person.wait(lambda: heading() == 'The clock on the wall is wrong')
    check('a refused post: the message is still there', 'Mei Tanaka' in person.driver.find_element('css selector', 'textarea').get_property('value'))
    person.open(APPLICATION + 'you')
    button('Let the session expire')
    person.wait(lambda: 'expired' in person.text())
    person.photograph('expired')
    check('an expired session asks to sign in again', 'Your session has expired' in person.text(), person.text())
    person.open(ISSUER, 'issuer')
    person.open(ISSUER + 'v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Astranger', 'refused')
    check('a strange realm has its number, code and trace', 'ACS50001' in person.text()
          and 'issuing.unknown-realm' in person.text() and re.search('Number .{36}', person.text()), person.text())
    password = re.search('sign in there with ([0-9a-f]+)', ''.join(lines)).group(1)
    person.open(ISSUER + 'admin', 'admin-question')
    person.type(password='guess')
    button('Sign in')
    person.wait(lambda: 'Code ' in person.text())
    check('admin: a wrong password is refused', 'The password is wrong' in person.text(), person.text())
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
    person.forget()
    set_format('JWT')
    share()
    choose('Google', 'Mia Example')
    person.open(APPLICATION + 'you')
    check('admin: the new rule holds from the next token on', 'editor-in-chief' in person.text(), person.text())
    sign_out()
    person.dark()
    person.open(APPLICATION, 'talks-dark')
    share()
    choose('Facebook', 'Mia Example')
    person.photograph('message-dark')
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

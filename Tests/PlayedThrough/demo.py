#!/usr/bin/env python3
"""Plays a person through `acs demo` without a browser's script: the talks without a sign-in; a talk shared with a message of
one's own, for each token format; where each claim comes from; cancellation, an error, an expired session and a refused post, after
which the message is still there; sign-out; and the lines for claims and claims-client. Exits with 1 on a surprise.

    swift build --enable-all-traits --product acs --product claims --product claims-client
    Tests/PlayedThrough/demo.py --acs .build/debug/acs --claims .build/release/claims --client .build/debug/claims-client
"""
import argparse
import html
import json
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import urllib.parse

from browser import Browser

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/debug/acs')
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--client', default='.build/debug/claims-client')
arguments = parser.parse_args()
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (found,)))


def form(page, name, value):
    return next(i for i, form in enumerate(page.forms) if dict(form['fields']).get(name) == value)


def to(page, action):
    return next(i for i, form in enumerate(page.forms) if form['action'] == action)


def link(page, text):
    found = re.search('<a [^>]*href="([^"]*)"[^>]*>%s</a>' % re.escape(text), page.text)
    return urllib.parse.urljoin(page.url, html.unescape(found.group(1)))


def heading(page):
    return html.unescape(re.search('<h1>(.*?)</h1>', page.text).group(1))


def message(page):
    found = re.search('<textarea[^>]*>(.*?)</textarea>', page.text, re.S)
    return html.unescape(found.group(1)) if found else None


class Demo:
    """The demonstration, which says where it is."""

    def __init__(self, *options):
        self.process = subprocess.Popen([arguments.acs, 'demo', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if 'claims-client post' in line:
                break
        said = '\n'.join(self.lines)
        self.application = re.search('open (\\S+) in a browser', said).group(1) if self.lines else None
        self.issuer, self.feed = re.search('(\\S+) is the issuer, (\\S+) the feed', said).groups() if self.lines else (None, None)

    def line(self, what):
        return next(line for line in self.lines if what in line)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


def sign_in(person, demo, page, provider, pressed):
    """Chooses the provider, presses, and returns the page of the application."""
    page = person.open(link(page, provider))
    page = person.submit(page, form=form(page, 'person', pressed))
    return person.submit(page)


def share(demo, token_format):
    person = Browser()
    talks = person.open(demo.application)
    for word in ('Tokens without tears', 'Rosa Iversen', 'Thursday 12 June, 10:00', 'Great Hall'):
        check('%s: without a sign-in a talk has %s' % (token_format, word), word in talks.text)
    check(token_format + ': nothing asks for a sign-in', 'ign in' not in talks.text)
    talks = person.submit(talks, {'format': token_format}, form=to(talks, '/settings'))
    page = person.open(link(talks, 'Share'))
    check(token_format + ': sharing asks for one', page.url.startswith(demo.issuer) and heading(page) == 'Sign in to SpeakEasy', page.url)
    page = sign_in(person, demo, page, 'Facebook', '0')
    check(token_format + ': and leads back to the talk, with the message to edit', heading(page) == 'Tokens without tears'
          and 'You are signed in as Mia Example.' in page.text and 'Rosa Iversen' in (message(page) or ''), page.text[-900:])
    text = 'With %s & “quotes”,\r\nsee you there' % token_format
    page = person.submit(page, {'message': text}, form=to(page, '/talks/1/share'))
    said = html.unescape(page.text).replace('\r', '')
    check(token_format + ': the feed shows it', page.url.startswith(demo.feed) and 'Your post is in the feed.' in said
          and text.replace('\r', '') in said and 'Mia Example' in said, page.text[-900:])
    you = person.open(demo.application + 'you')
    rows = [re.sub('<[^>]*>', '|', row) for row in re.findall('<tr role="row">(.*?)</tr>', you.text)]
    check(token_format + ': claims with where each came from', any('emailaddress' in r and 'mia@example.org' in r and 'Facebook' in r for r in rows)
          and any('identityprovider' in r and 'Access Control Service' in r for r in rows), rows)
    check(token_format + ': the token of the provider is not shown', 'test-access-token' not in you.text
          and any('AccessToken' in r and 'kept apart' in r for r in rows), rows)
    out = person.submit(you, form=to(you, '/sign-out'))
    # The application's page says nothing of itself to others (Referrer-Policy), so Access Control Service asks.
    check(token_format + ': sign-out asks', any(form['action'] == '/v2/sign-out' for form in out.forms), out.text[-300:])
    out = person.submit(out, form=to(out, '/v2/sign-out'))
    check(token_format + ': signed out', heading(out) == 'You are signed out', out.text[-300:])
    page = person.open(link(out, 'Back to SpeakEasy'))
    check(token_format + ': the session is over, the talks are there', heading(page) == 'Talks' and 'Mia' not in page.text
          and heading(person.open(demo.application + 'talks/1/share')) == 'Sign in to SpeakEasy', page.text[-300:])


def bad_days(demo):
    def begun(talk='2'):
        person = Browser()
        return person, person.open(demo.application + 'talks/%s/share' % talk)

    person, page = begun()
    page = sign_in(person, demo, page, 'Google', 'cancel')
    check('who cancels is back at the talk', heading(page) == 'What a signature covers' and 'You cancelled. Nothing was shared.' in page.text, page.text[-500:])
    page = person.open(link(page, 'Share this talk'))
    page = person.open(link(page, 'Cancel'))
    check('who cancels at the choice is told', heading(page) == 'You cancelled', page.text[-500:])
    person, page = begun()
    page = sign_in(person, demo, page, 'Google', 'fail')
    check('an error of the provider, with its number', heading(page) == 'You are not signed in' and 'Google answered with an error' in page.text
          and 'ACS30000' in page.text, page.text[-700:])
    page = person.open(link(page, 'Try again'))
    check('and another try', heading(page) == 'Sign in to SpeakEasy', page.text[-300:])
    page = sign_in(person, demo, page, 'Google', '0')
    check('a provider without a token to post with says so', heading(page) == 'Google cannot post for you', page.text[-500:])
    page = person.open(link(page, 'Sign in with Facebook'))
    check('and another one is one click away', heading(page) == 'Sign in with Facebook', page.text[-500:])
    page = person.submit(page, form=form(page, 'person', '1'))
    page = person.submit(page)
    check('signed in anew, at the same talk', heading(page) == 'What a signature covers' and 'Tom Sample' in page.text, page.text[-500:])
    person.ask(demo.application + 'expire', b'')
    late = person.submit(page, {'message': 'written before the end'}, form=to(page, '/talks/2/share'))
    check('an expired session is told, and the message kept', heading(late) == 'Your session has expired' and 'Your message is kept' in late.text, late.text[-500:])
    page = sign_in(person, demo, person.open(link(late, 'Sign in again')), 'Facebook', '1')
    check('and is there after the next sign-in', message(page) == 'written before the end', page.text[-700:])
    person.ask(demo.application + 'refuse', b'')
    late = person.submit(page, form=to(page, '/talks/2/share'))
    check('a refused post is told in words, and kept', heading(late) == 'Your post was not taken' and 'feed.token-expired' in late.text
          and 'withdrawn' in late.text, late.text[-700:])
    page = person.open(link(late, 'Sign in again'))
    page = person.submit(page, form=form(page, 'person', '1'))
    page = person.submit(page)
    page = person.submit(page, form=to(page, '/talks/2/share'))
    check('and is posted at last', 'written before the end' in page.text and 'Tom Sample' in page.text, page.text[-500:])
    page = person.open(demo.application + 'talks/3/share')
    page = person.submit(page, {'message': '  '}, form=to(page, '/talks/3/share'))
    check('an empty message is not posted', 'The message is empty' in page.text, page.text[-500:])


def commands(demo):
    words = shlex.split(demo.line('claims verify').replace('swift run claims', arguments.claims))
    verified = subprocess.run(words, capture_output=True, text=True)
    check('the line for claims', verified.returncode == 0, verified.stdout + verified.stderr)
    with tempfile.TemporaryDirectory() as folder:
        metadata = pathlib.Path(folder) / 'acs.xml'
        metadata.write_text(Browser().open(demo.issuer + 'FederationMetadata/2007-06/FederationMetadata.xml').text)
        words = [arguments.claims, 'verify', '--metadata', metadata, '--audience', 'urn:speakeasy:saml-2.0', words[-1]]
        verified = subprocess.run(words, capture_output=True, text=True)
    check('the same by the metadata of the issuer', verified.returncode == 0, verified.stdout + verified.stderr)
    words = shlex.split(demo.line('claims-client post').replace('swift run --enable-all-traits claims-client', arguments.client))
    posted = subprocess.run(words, capture_output=True, text=True)
    check('the line for claims-client', posted.returncode == 0 and '"4711_' in posted.stdout, posted.stdout + posted.stderr)
    feed = Browser().open(demo.feed)
    check('its post is in the feed', 'I heard a talk' in feed.text, feed.text[-300:])


demo = Demo()
try:
    for token_format in ('swt', 'jwt', 'saml-1.1', 'saml-2.0'):
        share(demo, token_format)
    bad_days(demo)
    commands(demo)
    other = Demo()
    check('a second one beside it has ports of its own', other.issuer and other.issuer != demo.issuer, other.lines)
    share(other, 'jwt')
    check('Ctrl-C ends the second', other.end() == 0)
    port = urllib.parse.urlsplit(demo.issuer).port
    taken = subprocess.run([arguments.acs, 'demo', '--port', str(port)], capture_output=True, text=True, timeout=60)
    check('a port that was asked for and is taken is one error', taken.returncode == 2 and 'listen.in-use' in taken.stderr
          and not taken.stdout, taken.stdout + taken.stderr)
finally:
    check('Ctrl-C ends it without an error', demo.end() == 0)
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    file = {'issuer': 'http://127.0.0.1:8090/', 'listen': '127.0.0.1:8090', 'providers': [{'kind': 'google'}],
            'ruleGroups': [{'name': 'default', 'generate': ['Google']}],
            'relyingParties': [{'realm': 'urn:wiki', 'format': 'SAML 2.0', 'rules': ['default'], 'metadata': 'wiki.xml'}]}
    (folder / 'acs.json').write_text(json.dumps(file))
    (folder / 'wiki.xml').write_text('<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:wiki"/>')
    checked = subprocess.run([arguments.acs, 'check', folder / 'acs.json'], capture_output=True, text=True)
    check('metadata that is no service provider: ACS20003', checked.returncode == 2 and 'ACS20003: ' in checked.stderr, checked.stderr)
    del file['relyingParties'][0]['metadata']
    (folder / 'acs.json').write_text(json.dumps(file))
    rules = [{'if': {'from': 'Google', 'type': 'name'}, 'type': 'role', 'value': 'x'}]
    (folder / 'acs.rules.json').write_text(json.dumps({'ruleGroups': [{'name': 'default', 'rules': rules}]}))
    checked = subprocess.run([arguments.acs, 'check', folder / 'acs.json'], capture_output=True, text=True)
    check('changed rules are read', checked.returncode == 0, checked.stderr)
    (folder / 'acs.rules.json').write_text(json.dumps({'ruleGroups': [{'name': 'gone', 'rules': rules}]}))
    checked = subprocess.run([arguments.acs, 'check', folder / 'acs.json'], capture_output=True, text=True)
    check('changed rules of a group that is gone: the line of their file', checked.returncode == 2
          and 'acs.rules.json:1:26: ruleGroups[0].name must be ' in checked.stderr
          and '(issuing.file-value)' in checked.stderr, checked.stderr)
sys.exit(failures > 0)

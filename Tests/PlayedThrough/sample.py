#!/usr/bin/env python3
"""Plays a person through the sample of README: sign-in, the page, sign-out. Exits with 1 on a surprise.

    swift build --traits Server --product SignInSample
    Tests/PlayedThrough/sample.py --sample .build/debug/SignInSample
"""
import argparse
import socket
import subprocess
import sys
import time

from browser import Browser

parser = argparse.ArgumentParser()
parser.add_argument('--sample', default='.build/debug/SignInSample')
arguments = parser.parse_args()
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (found,)))


server = subprocess.Popen([arguments.sample], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
try:
    for port in (8080, 8081):
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(('127.0.0.1', port)) == 0:
                    break
            time.sleep(0.05)
    person = Browser()
    page = person.open('http://127.0.0.1:8080/')
    check('signed out: the identity provider has a button', page.url.startswith('http://127.0.0.1:8081/sso'), page.url)
    answer = dict(page.forms[0]['fields'])
    home = person.submit(page)
    check('signed in: the very page', home.text == 'Hello, ada.\n' and home.url == 'http://127.0.0.1:8080/', home.text)
    again = person.submit(page)
    check('the back button: still signed in', again.text == 'Hello, ada.\n', again.text)
    other = Browser()
    stranger = other.submit(page)
    # Over plain http a form of another site is posted once more, by a page of ours.
    if 'posted-again' in stranger.text:
        stranger = other.submit(stranger)
    check('the answer in another browser', 'signin.unknown-request' in stranger.text, stranger.text[-300:])
    script = Browser().open('http://127.0.0.1:8080/', headers={'Accept': 'application/json'})
    check('a script gets 401 with a code', script.status == 401 and 'signin.required' in script.text, script.status)
    claims = person.open('http://127.0.0.1:8080/sso/claims')
    check('its own claims', '"subject":"ada"' in claims.text, claims.text)
    question = person.open('http://127.0.0.1:8080/sso/sign-out')
    over = person.submit(question)
    check('signed out', 'You are signed out' in over.text, over.text[-300:])
    page = person.open('http://127.0.0.1:8080/')
    check('the session is over', page.url.startswith('http://127.0.0.1:8081/sso'), page.url)
finally:
    server.terminate()
    server.wait(10)
sys.exit(failures > 0)

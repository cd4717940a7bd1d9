#!/usr/bin/env python3
"""Plays a person through `acs demo` without a browser's script: four formats, sharing, cancellation, sign-out, and the line
for claims. Exits with 1 on a surprise.

    swift build --traits Server --product acs --product claims
    Tests/PlayedThrough/demo.py --acs .build/debug/acs --claims .build/release/claims
"""
import argparse
import json
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

from browser import Browser

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/debug/acs')
parser.add_argument('--claims', default='.build/release/claims')
arguments = parser.parse_args()
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (found,)))


def form(page, name, value):
    return next(i for i, form in enumerate(page.forms) if dict(form['fields']).get(name) == value)


def choose(person, token_format, pressed):
    """Chooses Facebook, presses, and returns the page of the application."""
    page = person.open('http://127.0.0.1:8091/sign-in?format=' + token_format)
    page = person.open(page.links[0])
    page = person.submit(page, form=form(page, 'person', pressed))
    return person.submit(page)


server = subprocess.Popen([arguments.acs, 'demo'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    line = next(line for line in server.stdout if 'claims verify' in line)
    for port in (8090, 8091, 8092):
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(('127.0.0.1', port)) == 0:
                    break
            time.sleep(0.05)
    for token_format in ('swt', 'jwt', 'saml-1.1', 'saml-2.0'):
        person = Browser()
        page = choose(person, token_format, '0')
        check(token_format + ': signed in, and the token of the provider is not shown',
              'mia@example.org' in page.text and 'test-access-token' not in page.text, page.text[-600:])
        shared = person.submit(page, form=form(page, 'talk', '0'))
        check(token_format + ': shared', 'The feed has it as 4711_' in shared.text, shared.text[-300:])
        out = person.submit(page, form=len(page.forms) - 1)
        check(token_format + ': signed out', 'You are signed out' in out.text, out.text[-300:])
        page = person.open('http://127.0.0.1:8091/')
        check(token_format + ': the session is over', 'Choose the format' in page.text, page.text[-300:])
    feed = Browser().open('http://127.0.0.1:8092/')
    check('the feed has four posts', feed.text.count('Tokens without tears') == 4, feed.text[-300:])
    cancelled = choose(Browser(), 'jwt', 'cancel')
    check('cancelled', 'session.cancelled' in cancelled.text, cancelled.text[-300:])
    words = shlex.split(line.replace('swift run claims', arguments.claims))
    verified = subprocess.run(words, capture_output=True, text=True)
    check('the line for claims', verified.returncode == 0, verified.stdout + verified.stderr)
finally:
    server.send_signal(signal.SIGINT)
    check('Ctrl-C ends it without an error', server.wait(20) == 0)
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
          and 'acs.rules.json: issuing.file-value' in checked.stderr, checked.stderr)
sys.exit(failures > 0)

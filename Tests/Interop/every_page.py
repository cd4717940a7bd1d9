#!/usr/bin/env python3
"""Every page of `acs demo`, `acs run`, `claims-gate` and `claims-attack --html` in headless Chromium: each photographed wide and
narrow, light and dark and as it is printed, and judged by axe-core.

    Tests/Interop/every_page.py --bin .build/debug --folder FOLDER [demo] [acs] [gate] [attack]

BIN is the folder of the built commands. Needs what pages.py needs (whose pages are those of `claims explain`), Caddy, and
PyPI's pillow for the contact sheets. Fails where axe-core finds something, where a page is wider than its window, and where
the console of the browser has a complaint.
"""
import argparse
import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.request

import broken_services
import programs
import proxies
from photographs import Camera, axe_core, sheets

parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
parser.add_argument('--bin', required=True, type=pathlib.Path)
parser.add_argument('--folder', required=True, type=pathlib.Path)
parser.add_argument('--axe')
parser.add_argument('sets', nargs='*', help='demo, acs, gate or attack; default all')
arguments = parser.parse_args()
BIN = arguments.bin.resolve()
running = programs.Programs('every-page')
HERE = running.folder
ISSUER, GATE, CHECK, OPERATIONS, APPLICATION, PROVIDER = 9590, 9591, 9592, 9593, 9594, 9595


# MARK: The demonstration

def demo(camera):
    child = subprocess.Popen([BIN / 'acs', 'demo'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        said = ''
        for line in child.stdout:
            said += line
            if 'claims-client post' in line:
                break
        told(camera, said)
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(20)


def to_people(camera, application):
    """From a talk to the people of Google, one of whom is to be pressed."""
    camera.open(application + 'talks/2/share')
    if 'Sign in again' in camera.text():
        camera.press('Sign in again', 'Choose where')
    camera.press('Google', 'invented')


def told(camera, said):
    application = re.search(r'open (\S+) in a browser', said).group(1)
    issuer, _ = re.search(r'(\S+) is the issuer, (\S+) the feed', said).groups()
    camera.open(application, 'demo-talks')
    camera.press('Format of the next token' if 'Format of the next token' in camera.text() else 'SAML 2.0', None)
    camera.look('demo-setting')
    camera.open(application + 'talks/1', 'demo-talk')
    camera.press('Share this talk', 'Choose where')
    camera.look('demo-picker')
    camera.press('Facebook', 'invented')
    camera.look('demo-people')
    camera.press('Mia Example', 'You are signed in as')
    camera.look('demo-message')
    camera.press('Post', 'Your post is in the feed')
    camera.look('demo-feed')
    camera.open(application, 'demo-talks-signed-in')
    camera.open(application + 'you', 'demo-you')
    camera.press('Let the feed refuse')
    camera.open(application + 'talks/1/share')
    camera.press('Post')
    camera.look('demo-refused-post')
    camera.open(application + 'you')
    camera.press('Let the session expire')
    camera.open(application + 'talks/1/share', 'demo-expired')
    camera.press('Sign in again', 'Choose where')
    camera.look('demo-picker-last')
    camera.press('Cancel')
    camera.look('demo-cancelled')
    to_people(camera, application)
    camera.press('Answer with an error', 'You are not signed in')
    camera.look('demo-error')
    to_people(camera, application)
    camera.press('Tom', 'Google')
    camera.look('demo-nothing-to-post-with')
    camera.open(application + 'you')
    camera.press('Sign out', 'You are signed out')
    camera.look('demo-signed-out')
    camera.open(issuer, 'demo-issuer')
    password = re.search('sign in there with ([0-9a-f]+)', said).group(1)
    camera.open(issuer + 'admin', 'demo-admin-question')
    camera.type(password=password)
    camera.press('Sign in', 'Relying parties')
    camera.look('demo-admin')


# MARK: The service

PEOPLE = [{'name': 'Ada', 'claims': {'nameidentifier': 'ada', 'name': 'Ada Example', 'emailaddress': 'ada@example.org', 'role': ['staff', 'admin']}},
          {'name': 'Tom', 'claims': {'nameidentifier': 'tom', 'name': 'Tom Example', 'role': ['guest']}}]
TOWNS = ('Aarhus Bergen Cork Delft Exeter Florence Ghent Hamburg Innsbruck Jena Kiel Leiden Malmo Namur Oslo Porto Quimper '
         'Rennes Siena Turin').split()


def service_file():
    issuer = 'http://127.0.0.1:%d/' % ISSUER
    back = 'http://127.0.0.1:%d/.gate/' % GATE
    federation = {'id': 'http://fs.example.org/adfs/services/trust', 'name': 'Example Corp', 'people': PEOPLE,
                  'offers': ['nameidentifier', 'name', 'emailaddress', 'role']}
    many = [{'id': 'https://%s-%d.example/' % (town.lower(), number), 'name': '%s of %s' % (kind, town), 'people': PEOPLE,
             'offers': ['nameidentifier']}
            for number, kind in enumerate(('University', 'City library', 'Hospital')) for town in TOWNS]
    few = ['Google', 'uri:WindowsLiveID', federation['id']]
    everybody = [provider['id'] for provider in many]
    return {
        'issuer': issuer, 'listen': '127.0.0.1:%d' % ISSUER, 'name': 'Example Conferences', 'admin': 'public',
        'admins': [{'name': 'ada', 'password': 'correct horse', 'role': 'editor'}, {'name': 'tom', 'password': 'battery', 'role': 'viewer'}],
        'providers': [{'kind': 'google'}, {'kind': 'windowsLive'}, federation, *many],
        'ruleGroups': [
            {'name': 'default', 'generate': few, 'rules': [
                {'if': {'from': federation['id'], 'type': 'role', 'value': 'staff'}, 'type': 'http://talks.example.org/claims/can',
                 'value': 'post', 'note': 'staff may post'},
                {'if': {'from': 'Google', 'type': 'emailaddress'}, 'type': 'role', 'value': 'reader', 'note': 'people of Google read'}]},
            {'name': 'everybody', 'generate': everybody}],
        'relyingParties': [
            {'realm': 'urn:talks', 'name': 'Talks', 'format': 'SAML 2.0', 'return': ['http://127.0.0.1:%d/signin' % APPLICATION],
             'rules': ['default'], 'providers': few},
            {'realm': 'urn:library', 'name': 'Library', 'format': 'SAML 1.1', 'return': ['http://127.0.0.1:%d/signin' % APPLICATION],
             'rules': ['everybody'], 'providers': everybody},
            {'realm': 'gate', 'name': 'Notes', 'format': 'JWT', 'clientSecret': 'choose one', 'rules': ['default'], 'providers': few,
             'return': [back + 'openid/work/callback', back + 'openid/work/signed-out']},
            {'realm': 'urn:gate', 'name': 'Notes', 'format': 'SAML 2.0', 'rules': ['default'], 'providers': few, 'return': [back + 'wsfed']}]}


def start_service():
    (HERE / 'acs.json').write_text(json.dumps(service_file()))
    running.start('acs', [BIN / 'acs', 'run', HERE / 'acs.json'], ISSUER)
    return 'http://127.0.0.1:%d/' % ISSUER


def acs(camera):
    issuer = start_service()
    passive = issuer + 'v2/wsfederation?wa=wsignin1.0&wtrealm='
    programs.application(APPLICATION, lambda path, headers: 'application')
    camera.open(issuer, 'acs-front')
    camera.open(passive + 'urn:talks', 'acs-picker-3')
    camera.press('Example Corp', 'invented')
    camera.look('acs-people')
    camera.without_scripts(lambda: camera.press('Ada'), 'acs-form')
    camera.open(passive + 'urn:talks', 'acs-picker-3-last')
    camera.open(passive + 'urn:library', 'acs-picker-60')
    camera.type(name='hospital')
    camera.press('Find', 'Hospital of')
    camera.look('acs-picker-60-found')
    camera.type(name='nowhere')
    camera.press('Find', 'No provider')
    camera.look('acs-picker-60-in-vain')
    camera.press('Cancel')
    camera.look('acs-cancelled')
    camera.open(passive + 'urn:stranger', 'acs-unknown-realm')
    camera.open(passive + 'urn:talks&wreply=http://evil.example/', 'acs-other-return')
    camera.open(issuer + 'v2/openid/authorize?client_id=gate&response_type=code&redirect_uri=http://evil.example/', 'acs-openid-refused')
    camera.open(issuer + 'v2/nothing', 'acs-not-found')
    out = issuer + 'v2/openid/logout?client_id=gate'
    camera.open(out, 'acs-sign-out-question')
    camera.press('Stay signed in', 'still signed in')
    camera.look('acs-still-signed-in')
    camera.open(out)
    camera.press('Sign out', 'You are signed out')
    camera.look('acs-signed-out-after-question')
    camera.open(issuer + 'v2/wsfederation?wa=wsignout1.0', 'acs-signed-out')
    administer(camera, issuer)
    running.stop('acs')


def administer(camera, issuer):
    camera.open(issuer + 'admin', 'acs-admin-question')
    camera.type(name='ada', password='guess')
    camera.press('Sign in', 'wrong')
    camera.look('acs-admin-wrong')
    time.sleep(1.1)
    camera.open(issuer + 'admin')
    camera.type(name='ada', password='correct horse')
    camera.press('Sign in', 'Relying parties')
    camera.look('acs-admin')
    camera.type(claims='role=staff')
    camera.press('Try the rules', 'Rules tried')
    camera.look('acs-admin-tried')
    camera.open(issuer + 'admin')
    camera.press('Change the rules of default', 'Add the rule')
    camera.look('acs-admin-rules')
    camera.press('Add the rule')
    camera.look('acs-admin-rule-incomplete')
    camera.open(issuer + 'admin/rules?group=default')
    camera.press('Remove', 'Keep it')
    camera.look('acs-admin-remove')
    camera.press('Remove the rule', 'Undo')
    camera.look('acs-admin-removed')
    camera.press('Undo')
    camera.look('acs-admin-undone')
    camera.forget()
    camera.open(issuer + 'admin')
    camera.type(name='tom', password='battery')
    camera.press('Sign in', 'Relying parties')
    camera.look('acs-admin-viewer')


# MARK: The gate

LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b7a5b"/>
<path d="M9 9h14M9 16h14M9 23h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>"""


def gate(camera):
    issuer = start_service()
    (HERE / 'secret').write_text('choose one')
    (HERE / 'logo.svg').write_text(LOGO)
    metadata = subprocess.run(['curl', '-s', issuer + 'FederationMetadata/2007-06/FederationMetadata.xml'], capture_output=True, check=True)
    (HERE / 'acs.xml').write_bytes(metadata.stdout)
    (HERE / 'gate.json').write_text(json.dumps({
        'public': 'http://127.0.0.1:%d' % GATE, 'name': 'Notes', 'logo': 'logo.svg', 'listen': '127.0.0.1:%d' % CHECK, 'operations': '127.0.0.1:%d' % OPERATIONS,
        'proxy': {'kind': 'caddy', 'peers': ['127.0.0.1']}, 'people': 'by provider', 'session': {'store': 'memory'},
        'providers': [
            {'id': 'work', 'name': 'Example Conferences', 'openID': {'issuer': issuer, 'clientID': 'gate', 'clientSecret': 'file:secret'}},
            {'id': 'adfs', 'name': 'Federation (WS-Federation)', 'wsFederation': {'metadata': 'acs.xml', 'realm': 'urn:gate'}}],
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email', 'X-Remote-Role': 'role'},
        'rules': [{'path': '/admin/', 'provider': 'any', 'claim': 'role', 'oneOf': ['owner']},
                  {'path': '/safe/', 'provider': 'any', 'contexts': ['urn:second-factor']}]}))
    running.start('gate', [BIN / 'claims-gate', 'run', HERE / 'gate.json'], CHECK)
    programs.application(APPLICATION, lambda path, headers: '<!DOCTYPE html><html lang=en><title>Notes</title><h1>Notes</h1>')
    path = HERE / 'Caddyfile'
    path.write_text(proxies.configuration('caddy', HERE, GATE, CHECK, APPLICATION))
    running.start('caddy', ['caddy', 'run', '--config', path, '--adapter', 'caddyfile'], GATE)
    visit(camera, 'http://127.0.0.1:%d/' % GATE)
    running.stop('caddy')
    running.stop('gate')
    running.stop('acs')


def sign_in(camera, page, provider):
    camera.open(page)
    camera.press(provider, 'Choose where')
    camera.press('Example Corp', 'invented')
    camera.press('Ada')


def visit(camera, site):
    camera.open(site + 'page', 'gate-picker')
    camera.press('Example Conferences', 'Choose where')
    camera.press('Example Corp', 'invented')
    camera.press('Cancel')
    camera.look('gate-refused')
    camera.open(site + '.gate/openid/work/callback?code=a&state=b', 'gate-unknown-request')
    sign_in(camera, site + 'page', 'Example Conferences')
    camera.until('Notes')
    camera.open(site + '.gate/account', 'gate-account')
    camera.open(site + 'admin/', 'gate-forbidden')
    camera.open(site + '.gate/sign-out', 'gate-sign-out')
    camera.open(site + 'safe/')
    if 'Choose where' in camera.text():
        if 'Cancel' not in camera.text():
            camera.press('Example Conferences', 'Cancel')
        camera.press('Example Corp', 'invented')
        camera.press('Ada')
    time.sleep(1)
    camera.look('gate-step-up')
    camera.open(site + '.gate/sign-out')
    if 'Sign out' in camera.text():
        camera.press('Sign out')
    time.sleep(1)
    camera.look('gate-signed-out')
    camera.forget()
    camera.open(site + '.gate/account', 'gate-account-signed-out')
    camera.open(site + 'a/../%2e%2e/x')
    camera.open(site + 'a//b', 'gate-path-refused')
    sign_in(camera, site + 'page', 'Federation')
    camera.until('Notes')
    camera.open(site + '.gate/account', 'gate-account-wsfed')
    camera.open(site + '.gate/nothing', 'gate-not-found')


# MARK: The report of an attack

def attack(camera):
    """A service that takes tokens for anyone, and one that makes all checks."""
    for name, kind in (('accepted', broken_services.WithoutAudience), ('refused', broken_services.Strict)):
        report = camera.folder / ('attack-%s.html' % name)
        attacked(name, kind, report)
        camera.open(report.as_uri(), 'attack-' + name)


def attacked(name, kind, report):
    provider, service = 'http://127.0.0.1:%d' % PROVIDER, 'http://127.0.0.1:%d' % APPLICATION
    path = HERE / (name + '.json')
    path.write_text(json.dumps({
        'protocol': 'saml20', 'listen': '127.0.0.1:%d' % PROVIDER, 'public': provider, 'start': service + '/login',
        'probe': {'url': service + '/me', 'contains': '[PERSON]'}, 'person': {'subject': 'alice'}, 'attacker': {'subject': 'mallory'}}))
    running.start('provider', [BIN / 'claims-attack', 'provider', path], PROVIDER)
    certificate = HERE / 'provider.crt'
    certificate.write_bytes(urllib.request.urlopen(provider + '/certificate.pem').read())
    running.stop('provider')
    listening = kind(APPLICATION, provider, certificate, BIN / 'claims')
    subprocess.run([BIN / 'claims-attack', 'run', path, '--only', 'audience/', '--only', 'time/', '--html', report],
                   stdout=subprocess.DEVNULL, check=False)
    listening.server.shutdown()
    listening.server.server_close()


chosen = arguments.sets or ['demo', 'acs', 'gate', 'attack']
camera = Camera(arguments.folder, axe_core(arguments.axe))
try:
    for name in chosen:
        camera.forget()
        {'demo': demo, 'acs': acs, 'gate': gate, 'attack': attack}[name](camera)
finally:
    camera.leave()
    running.stop_all()
for path in sheets(camera.folder, camera.pages):
    print(path)
sys.exit(camera.report())

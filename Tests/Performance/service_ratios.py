#!/usr/bin/env python3
"""service_ratios.py --gate GATE [GATE] --acs ACS [ACS] --claims CLI: processor time of a request to claims-gate and acs, as ratios.

    Tests/Performance/service_ratios.py --claims .build/release/claims --gate OLD/claims-gate .build/release/claims-gate \\
        --acs OLD/acs .build/release/acs      # needs wrk and joserfc; release builds

Builds and settings take turns in each round, so that a busy machine slows all of them; what counts is the processor time
of the server alone, by the kernel's count of it. Of the gate: a check with a session, with a bearer token (RS256), with an
identity token (ES256) beside the session, and with an opaque token whose issuer is asked (its answers are kept, and the
number of questions is printed). Of acs: a JWT for a client's credentials. Prints median and range; the last build counts
against the first, and the check with an identity token against that without: exit 1 below 0.6.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'PlayedThrough'), str(HERE.parent / 'Interop'), str(HERE)]
from browser import Browser  # noqa: E402
import programs  # noqa: E402
import tokens  # noqa: E402

PROVIDER, GATE, ACS, ASKED = 18284, 18285, 18286, 18287
ORIGIN, PREFIX = 'http://127.0.0.1:%d' % GATE, 'http://127.0.0.1:%d/.gate/' % GATE
SESSION, BEARER, IDENTITY, OPAQUE, ISSUED = (
    'check with a session', 'check with a bearer token', 'check with an identity token', 'check with an opaque token', 'a token of acs')

parser = argparse.ArgumentParser()
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--gate', nargs='+', default=['.build/release/claims-gate'])
parser.add_argument('--acs', nargs='+', default=['.build/release/acs'])
parser.add_argument('--rounds', type=int, default=7)
parser.add_argument('--seconds', type=int, default=2)
arguments = parser.parse_args()
running = programs.Programs('service-ratios')
folder = running.folder
questions = 0


class Asked(programs.JSONHandler):
    """An issuer that answers for its opaque tokens."""

    def do_POST(self):
        global questions
        questions += 1
        self.answer({'active': True, 'iss': 'urn:opaque', 'sub': 'ada', 'aud': 'urn:api', 'exp': int(time.time()) + 3600})


def prepare():
    for name in ('secret', 'opaque'):
        (folder / name).write_text('s3cret\n')
    (folder / 'cookies.keys').write_bytes(subprocess.run(['openssl', 'rand', '-base64', '32'], capture_output=True, check=True).stdout)
    (folder / 'cookies.keys').chmod(0o600)
    subprocess.run(['openssl', 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', folder / 'identity.key'],
                   check=True, capture_output=True)
    (folder / 'identity.key').chmod(0o600)
    (folder / 'tokens.json').write_text(json.dumps({'audiences': ['urn:api'], 'issuers': [
        {'name': tokens.ISSUER, 'id': 'issuer', 'keys': [tokens.RSA[3]], 'formats': ['jwt']},
        {'name': 'urn:opaque', 'id': 'opaque', 'introspection': {
            'at': 'http://127.0.0.1:%d/' % ASKED, 'clientID': 'api', 'clientSecret': 'file:secret'}}]}))
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': 'http://127.0.0.1:%d/' % ACS, 'listen': '127.0.0.1:%d' % ACS, 'providers': [{'kind': 'google'}],
        'ruleGroups': [{'name': 'default', 'generate': ['Google'], 'rules': [{'if': {'from': 'acs', 'type': 'nameidentifier'}}]}],
        'relyingParties': [{'realm': 'urn:jwt', 'format': 'JWT', 'rules': ['default'], 'return': ['http://127.0.0.1:1/']}],
        'serviceIdentities': [{'name': 'uploader', 'password': 'for-testing', 'redirect': ['http://127.0.0.1:1/code']}]}))
    (folder / 'post.lua').write_text(
        'wrk.method = "POST"\nwrk.body = "%s"\nwrk.headers["Content-Type"] = "application/x-www-form-urlencoded"\n' % urllib.parse.urlencode({
            'grant_type': 'client_credentials', 'client_id': 'uploader', 'client_secret': 'for-testing', 'scope': 'urn:jwt'}))
    programs.serve(ASKED, Asked)
    rules = {'redirect': PREFIX + 'openid/op/callback', 'keys': PREFIX + 'openid/op/keys', 'algorithm': 'RS256'}
    running.start('provider', [sys.executable, str(HERE.parent / 'Interop' / 'strict_provider.py'), str(PROVIDER), json.dumps(rules)], PROVIDER)
    made = subprocess.run([arguments.claims, 'mint', 'jwt', '--issuer', tokens.ISSUER, '--audience', 'urn:api', '--subject', 'ada',
                           *tokens.RSA[:2], *tokens.claims(10)], capture_output=True, check=True)
    return made.stdout.decode().strip()


def gate_file(name, **more):
    (folder / name).write_text(json.dumps({
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']},
        'cookieKeys': 'cookies.keys', 'tokens': 'tokens.json', 'people': 'by provider',
        'providers': [{'id': 'op', 'openID': {
            'issuer': 'http://127.0.0.1:%d' % PROVIDER, 'clientID': 'gate', 'clientSecret': 'file:secret'}}],
        'session': {'store': 'memory'}, 'headers': {'X-Remote-User': 'subject'}, **more}))
    return folder / name


def cookie():
    """The session of one who signed in."""
    person = Browser()
    page = person.open(PREFIX + 'sign-in?return=%2Fpage')
    for _ in range(4):
        if not page.forms or 'sign-out' in page.text:
            break
        page = person.submit(page)
    return '; '.join('%s=%s' % (each.name, each.value) for each in person.jar)


def microseconds(child, address, *words):
    """Of processor time of the server, a request."""
    def used():
        fields = pathlib.Path('/proc/%d/stat' % child.pid).read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK') * 1e6

    begun = used()
    said = subprocess.run(['wrk', '-t1', '-c16', '-d%ds' % arguments.seconds, *words, address], capture_output=True, text=True).stdout
    if 'Non-2xx' in said:
        sys.exit('%s: %s\n%s' % (address, said, running.log('served')[-600:]))
    return (used() - begun) / int(re.search(r'(\d+) requests in', said)[1])


def gate_round(gate, token, found):
    for path, name, fields in (
            (gate_file('plain.json'), SESSION, None), (None, BEARER, 'Authorization: Bearer ' + token),
            (None, OPAQUE, 'Authorization: Bearer opaque-token'),
            (gate_file('signs.json', identityToken={'header': 'X-Identity-Token', 'keys': ['identity.key']}), IDENTITY, None)):
        if path:
            child = running.start('served', [gate, 'run', str(path)], GATE)
        words = ['-H', fields or 'Cookie: ' + cookie(), '-H', 'X-Original-URI: /page', '-H', 'X-Original-Method: GET']
        found.setdefault(name, []).append(microseconds(child, PREFIX + 'check', *words))
        if name in (OPAQUE, IDENTITY):
            running.stop('served')


def cell(values):
    return '%.1f (%.1f to %.1f)' % (statistics.median(values), min(values), max(values))


def main():
    token = prepare()
    builds = range(max(len(arguments.gate), len(arguments.acs)))
    found = [{} for _ in builds]
    for _ in range(arguments.rounds):
        for gate, row in zip(arguments.gate, found):
            gate_round(os.path.abspath(gate), token, row)
        for acs, row in zip(arguments.acs, found):
            for rest in folder.glob('acs.db*'):
                rest.unlink()
            child = running.start('served', [os.path.abspath(acs), 'run', str(folder / 'acs.json')], ACS)
            row.setdefault(ISSUED, []).append(
                microseconds(child, 'http://127.0.0.1:%d/v2/OAuth2-13' % ACS, '-s', str(folder / 'post.lua')))
            running.stop('served')
    print('| processor microseconds a request | ' + ' | '.join('build %d' % (each + 1) for each in builds) + ' | last / first, by rounds |')
    print('| --- |' + ' --- |' * (len(found) + 1))
    for name in found[-1]:
        ratios = [last / first for first, last in zip(found[0][name], found[-1][name])]
        print('| %s | %s | %.2f (%.2f to %.2f) |' % (
            name, ' | '.join(cell(row[name]) for row in found), statistics.median(ratios), min(ratios), max(ratios)))
    shares = [plain / signs for plain, signs in zip(found[-1][SESSION], found[-1][IDENTITY])]
    print('a check with an identity token is served %.2f (%.2f to %.2f) times as often as one without; the issuer of opaque tokens '
          'was asked %d times in %d runs' % (
              statistics.median(shares), min(shares), max(shares), questions, arguments.rounds * len(arguments.gate)))
    return statistics.median(shares) < 0.6


try:
    code = main()
finally:
    running.stop_all()
shutil.rmtree(folder)
sys.exit(code)

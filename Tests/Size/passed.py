#!/usr/bin/env python3
"""Counts the files and modules that an operation passes, by running it once in commands of a debug build.

    swift build --enable-all-traits
    python3 Tests/Size/passed.py [--build .build/debug] [--list] [verify|finish|check|code|exchange|wrap ...]

verify: a SAML 2.0 response verified (files below Sources/Core). finish: a SAML sign-in finished at the gate. check: a
request that the gate judges. code: a code of OpenID Connect redeemed at acs. exchange: an access
token exchanged at acs (RFC 8693). wrap: a token for a password at acs.

Every function of Sources gets a breakpoint (trap.c) before the operation, and each file of which one is hit counts.
The operation is run once before, so that what is made at the first use does not count. Linux on x86-64, with cc,
nm and llvm-symbolizer.
"""
import argparse
import base64
import collections
import html
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPERATIONS = {
    'verify': 'a SAML 2.0 response verified', 'finish': 'a SAML sign-in finished at the gate',
    'check': 'a request that the gate judges', 'code': 'a code of OpenID Connect redeemed at acs',
    'exchange': 'a token exchanged at acs', 'wrap': 'a token for a password at acs',
}
parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('operations', nargs='*', metavar='|'.join(OPERATIONS))
parser.add_argument('--build', type=lambda path: pathlib.Path(path).resolve(), default=ROOT / '.build/debug')
parser.add_argument('--list', action='store_true', help='name the files too')
arguments = parser.parse_args()
arguments.operations = arguments.operations or list(OPERATIONS)
if not set(arguments.operations) <= set(OPERATIONS):
    parser.error('operations are ' + ', '.join(OPERATIONS))
folder = pathlib.Path(tempfile.mkdtemp(prefix='passed-'))
SYMBOLIZER = shutil.which('llvm-symbolizer') or sys.exit('needs llvm-symbolizer')


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def places(program):
    """The file below Sources of each function of a program, by its offset."""
    offsets = set()
    for line in subprocess.run(['nm', program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split(' ')
        if len(words) == 3 and words[1] in 'tTwW' and words[2].startswith('$s'):
            offsets.add(int(words[0], 16))
    ordered = sorted(offsets)
    text = subprocess.run(
        [SYMBOLIZER, '--obj=%s' % program, '--functions=none', '--no-inlines', '--output-style=LLVM'],
        input=''.join('%#x\n' % offset for offset in ordered), capture_output=True, text=True, check=True).stdout
    lines = [re.sub(r':\d+(:\d+)?$', '', line) for line in text.splitlines() if line]
    assert len(lines) == len(ordered), (len(lines), len(ordered))
    found = {}
    for offset, line in zip(ordered, lines):
        match = re.search(r'/Sources/((?:C|Core|Tools|Services|Adapters|Commands)/.+\.swift)$', line)
        if match and '/.build/' not in line:
            found[offset] = match[1]
    return found


class Program:
    """A command with a breakpoint at each function."""
    maps = {}

    def __init__(self, name, *words, pipe=False):
        program = arguments.build / name
        if name not in self.maps:
            self.maps[name] = places(program)
            (folder / (name + '.offsets')).write_text(''.join('%x\n' % offset for offset in sorted(self.maps[name])))
        self.places, self.hits = self.maps[name], folder / (name + '.hits')
        self.log = open(folder / (name + '.log'), 'a')
        self.process = subprocess.Popen(
            [program, *map(str, words)], cwd=folder, stderr=self.log, text=True,
            stdin=subprocess.PIPE if pipe else subprocess.DEVNULL, stdout=subprocess.PIPE if pipe else self.log,
            env={**os.environ, 'LD_PRELOAD': str(folder / 'trap.so'), 'OFFSETS': str(folder / (name + '.offsets')),
                 'HITS': str(self.hits)})

    def passed(self, act):
        """The files that `act` passes."""
        self.hits.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        time.sleep(1)
        act()
        self.process.send_signal(signal.SIGUSR2)
        while not (self.hits.exists() and self.hits.read_text().endswith('end\n')):
            time.sleep(0.1)
        return {self.places[int(line, 16)] for line in self.hits.read_text().split()[:-1]}

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Browser:
    def __init__(self):
        class NoRedirect(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_, **__):
                return None
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), NoRedirect)

    def request(self, address, form=None, headers={}):
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            answer = self.opener.open(urllib.request.Request(address, data, headers), timeout=300)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.headers.get('Location'), answer.read().decode()


def wait(address):
    for _ in range(600):
        try:
            return Browser().request(address)
        except OSError:
            time.sleep(0.2)
    sys.exit(address + ' does not answer')


def form(page):
    """The address and the hidden fields of the first form of a page."""
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
    return (html.unescape(re.search(r'action="([^"]*)"', page)[1]),
            {name: html.unescape(value) for name, value in fields.items()})


def expect(status, answer):
    if answer[0] != status:
        sys.exit('expected %d: %s' % (status, answer))
    return answer


results = {}


def verify():
    vectors = ROOT / 'TestVectors'
    vector = next(entry for entry in map(json.loads, (vectors / 'manifest.jsonl').read_text().splitlines())
                  if entry['id'] == 'saml20/response-assertion-signed')
    token = base64.b64encode((vectors / vector['file']).read_bytes()).decode() + '\n'
    claims = Program(
        'claims', 'verify', '--lines', '--key', vectors / vector['keys'][0], '--issuer', vector['issuers'][0],
        '--audience', vector['audiences'][0], '--recipient', vector['recipient'], '--in-response-to',
        vector['inResponseTo'], '--at', vector['at'], pipe=True)

    def line():
        claims.process.stdin.write(token)
        claims.process.stdin.flush()
        record = json.loads(claims.process.stdout.readline())
        if not record['valid']:
            sys.exit('refused: %s' % record)

    line()
    results['verify'] = {path for path in claims.passed(line) if path.startswith('Core/')}
    claims.stop()


def acs_configuration(port, *parties):
    return {
        'issuer': 'http://127.0.0.1:%d/' % port, 'listen': '127.0.0.1:%d' % port, 'state': 'memory',
        'providers': [{'kind': 'google'}],
        'ruleGroups': [{'name': 'default', 'generate': ['Google'],
                        'rules': [{'if': {'from': 'acs', 'type': 'nameidentifier', 'value': 'uploader'}}]}],
        'relyingParties': [
            {'realm': 'chat', 'format': 'JWT', 'clientSecret': 'choose one',
             'return': ['https://chat.example/callback'], 'rules': ['default']},
            {'realm': 'urn:api', 'format': 'JWT', 'exchangeFor': ['chat'], 'rules': ['default']},
            {'realm': 'urn:talks', 'format': 'SWT', 'return': ['https://talks.example/in'], 'rules': ['default']},
            *parties],
        'serviceIdentities': [{'name': 'uploader', 'password': 'for-testing'}],
    }


def press(browser, address, location):
    """The answer of acs to a click on the first test person, where a provider's page is at `location`."""
    page = expect(200, browser.request(urllib.parse.urljoin(address, location)))[2]
    target, fields = form(page)
    return browser.request(urllib.parse.urljoin(address, target), {**fields, 'person': '0'})


def issuing():
    port = free_port()
    base, browser = 'http://127.0.0.1:%d' % port, Browser()
    (folder / 'acs.json').write_text(json.dumps(acs_configuration(port)))
    acs = Program('acs', 'run', 'acs.json')

    def wrap():
        expect(200, browser.request(base + '/WRAPv0.9', {
            'wrap_name': 'uploader', 'wrap_password': 'for-testing', 'wrap_scope': 'urn:talks'}))

    def code():
        query = urllib.parse.urlencode({
            'client_id': 'chat', 'redirect_uri': 'https://chat.example/callback', 'response_type': 'code',
            'scope': 'openid', 'state': 'x', 'nonce': 'n'})
        location = browser.request(base + '/v2/openid/authorize?' + query)[1]
        location = press(browser, base, location)[1]
        return urllib.parse.parse_qs(urllib.parse.urlparse(location).query)['code'][0]

    def token(**form):
        secret = base64.b64encode(b'chat:choose+one').decode()
        return json.loads(expect(200, browser.request(
            base + '/v2/openid/token', form, {'Authorization': 'Basic ' + secret}))[2])

    def redeem(code):
        return token(grant_type='authorization_code', code=code, redirect_uri='https://chat.example/callback')

    def exchange(subject):
        token(grant_type='urn:ietf:params:oauth:grant-type:token-exchange', subject_token=subject,
              subject_token_type='urn:ietf:params:oauth:token-type:id_token', audience='urn:api')

    try:
        wait(base + '/')
        if 'wrap' in arguments.operations:
            wrap()
            results['wrap'] = acs.passed(wrap)
        if 'code' in arguments.operations:
            redeem(code())
            fresh = code()
            results['code'] = acs.passed(lambda: redeem(fresh))
        if 'exchange' in arguments.operations:
            subject = redeem(code())['id_token']
            exchange(subject)
            results['exchange'] = acs.passed(lambda: exchange(subject))
    finally:
        acs.stop()


def gate():
    gate_port, acs_port = free_port(), free_port()
    gate, acs = 'http://127.0.0.1:%d' % gate_port, 'http://127.0.0.1:%d' % acs_port
    (folder / 'acs.json').write_text(json.dumps(acs_configuration(acs_port)))
    provider = Program('acs', 'run', 'acs.json')
    (folder / 'acs.xml').write_text(wait(acs + '/v2/saml/metadata')[2])
    provider.stop()
    (folder / 'gate.json').write_text(json.dumps({
        'public': gate, 'listen': '127.0.0.1:%d' % gate_port,
        'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']},
        'providers': [{'id': 'acs', 'saml': {'metadata': 'acs.xml'}}], 'session': {'store': 'memory'},
        'headers': {'X-Remote-User': 'subject'},
    }))
    (folder / 'gate.xml').write_text(subprocess.run(
        [arguments.build / 'claims-gate', 'metadata', 'gate.json'], cwd=folder, capture_output=True, text=True,
        check=True).stdout)
    (folder / 'acs.json').write_text(json.dumps(acs_configuration(acs_port, {
        'realm': gate + '/saml', 'format': 'SAML 2.0', 'metadata': 'gate.xml', 'rules': ['default']})))
    provider, program, browser = Program('acs', 'run', 'acs.json'), None, Browser()
    try:
        program = Program('claims-gate', 'run', 'gate.json')
        wait(acs + '/')
        wait(gate + '/.gate/')

        def answer():
            location = expect(303, browser.request(gate + '/.gate/sign-in?return=/page'))[1]
            location = expect(303, browser.request(location))[1]
            return form(expect(200, press(browser, acs, location))[2])

        def finish(answer):
            expect(303, browser.request(*answer))

        def check():
            expect(200, browser.request(
                gate + '/.gate/check', headers={'X-Original-URI': '/page', 'X-Original-Method': 'GET'}))

        finish(answer())
        check()
        if 'finish' in arguments.operations:
            fresh = answer()
            results['finish'] = program.passed(lambda: finish(fresh))
        if 'check' in arguments.operations:
            results['check'] = program.passed(check)
    finally:
        provider.stop()
        if program:
            program.stop()


try:
    subprocess.run(
        ['cc', '-shared', '-fPIC', '-O1', '-o', folder / 'trap.so', pathlib.Path(__file__).with_name('trap.c'), '-ldl'],
        check=True)
    if 'verify' in arguments.operations:
        verify()
    if {'code', 'exchange', 'wrap'} & set(arguments.operations):
        issuing()
    if {'finish', 'check'} & set(arguments.operations):
        gate()
    print('| | files | modules |\n| --- | --- | --- |')
    for operation in OPERATIONS:
        if operation in results:
            modules = collections.Counter('/'.join(path.split('/')[:2]) for path in results[operation])
            print('| %s | %d | %d |' % (OPERATIONS[operation], len(results[operation]), len(modules)))
            if arguments.list:
                print('\n'.join('    ' + path for path in sorted(results[operation])), file=sys.stderr)
finally:
    shutil.rmtree(folder, ignore_errors=True)

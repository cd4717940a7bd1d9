#!/usr/bin/env python3
"""claims-attack against services on loopback: our own gate by three protocols, services of a few lines of
which each leaves one check out, and services that attack the driver. attack_services.py has foreign services, and acs.

    swift build -c release --enable-all-traits --product claims-attack --product claims-gate --product claims
    Tests/Interop/attack.py --bin .build/release [--only NAME]

Prints a table: service, variants, accepted, seconds; exits with 1 on a surprise.
"""
import argparse
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import broken_services  # noqa: E402
import hostile_services  # noqa: E402
import programs  # noqa: E402
from attack_runs import AttackRuns  # noqa: E402

PROVIDER, SERVICE, REREAD = 19400, 19401, 19402
parser = argparse.ArgumentParser()
parser.add_argument('--bin', type=pathlib.Path, default=pathlib.Path('.build/release'))
parser.add_argument('--only', help='plays this service alone')
parser.add_argument('--twice', action='store_true', help='plays each service twice and compares')
arguments = parser.parse_args()
tools = arguments.bin.resolve()
tally, running = programs.Tally(), programs.Programs('attack')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder
ORIGIN = 'http://127.0.0.1:%d' % SERVICE
runs = AttackRuns(tools, tally, running, PROVIDER, arguments.twice)
ISSUER = runs.issuer
attack_file, run, play, clean, provider = runs.file, runs.run, runs.play, runs.clean, runs.provider


# ---- Services.

def gate(protocol, entry):
    """The gate trusts both providers, ends sessions for them, and reads their documents anew as it starts."""
    name = 'gate, ' + protocol
    page = ORIGIN + '/.gate/sign-in?return=/.gate/account&provider='
    logout = {'saml20': {'logout': ORIGIN + '/.gate/saml/slo'}, 'openid': {'logout': ORIGIN + '/.gate/openid/test/logout'}}
    path = attack_file('gate-' + protocol, protocol, page + 'test', ORIGIN + '/.gate/account', 'PERSON', second=page + 'second',
                       reread={'url': 'http://127.0.0.1:%d/' % REREAD, 'seconds': 20}, **logout.get(protocol, {}))
    (folder / 'first.xml').write_bytes(provider(path))
    (folder / 'second.xml').write_bytes(provider(path, '--second'))
    (folder / 'gate.json').write_text(json.dumps({
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % SERVICE, 'proxy': {'kind': 'caddy', 'peers': ['127.0.0.1']},
        'providers': [{'id': 'test', 'name': 'Test', **entry('first.xml', ISSUER)},
                      {'id': 'second', 'name': 'Second', **entry('second.xml', ISSUER + '/second')}], 'people': 'by provider',
        'headers': {'X-Remote-User': 'subject'}}))

    def restart():
        stop('gate')
        try:
            start('gate', [tools / 'claims-gate', 'run', folder / 'gate.json'], SERVICE)
        except SystemExit:
            print('      the gate does not start with that document')

    def reread():
        if protocol != 'openid':
            address = ISSUER + {'saml20': '/metadata', 'wsfederation': '/FederationMetadata/2007-06/FederationMetadata.xml'}[protocol]
            (folder / 'first.xml').write_bytes(urllib.request.urlopen(address, timeout=10).read())
        restart()

    class Rereader(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            reread()
            self.send_response(200)
            self.send_header('Content-Length', '0')
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(('127.0.0.1', REREAD), Rereader)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if protocol == 'openid':
        # The gate reads the discovery documents when it starts.
        start('provider', [tools / 'claims-attack', 'provider', path], PROVIDER)
    restart()
    if protocol == 'openid':
        time.sleep(5)
        stop('provider')
    clean(name, path)
    stop('gate')
    server.shutdown()
    server.server_close()


def broken(name, kind, expected, possible):
    path = attack_file(name, 'saml20', ORIGIN + '/login', ORIGIN + '/me', '[PERSON]')
    certificate = folder / 'provider.crt'
    start('provider', [tools / 'claims-attack', 'provider', path], PROVIDER)
    certificate.write_bytes(urllib.request.urlopen(ISSUER + '/certificate.pem').read())
    stop('provider')
    service = kind(SERVICE, ISSUER, certificate, tools / 'claims')
    results, accepted, done = play(name, path)
    service.server.shutdown()
    service.server.server_close()
    if not expected:
        check('%s: refuses every variant' % name, done.returncode == 0 and not accepted, accepted)
        return
    missed = [one for one in expected if one not in accepted]
    check('%s: what is wrong is found' % name, done.returncode == 1 and not missed, missed)
    beside = [one for one in accepted if one not in possible and one.split('/')[0] not in possible]
    check('%s: and nothing else is said' % name, not beside, beside)


def hostile():
    """The driver ends with a clear code, within seconds and bounded memory."""
    for behave, (status, codes) in hostile_services.SERVICES.items():
        name = 'hostile, ' + behave.__name__
        path = attack_file(name, 'saml20', ORIGIN + '/login', ORIGIN + '/me', '[PERSON]', timeout=3)
        server = hostile_services.serve(SERVICE, behave)
        began = time.monotonic()
        with open(folder / (name + '.log'), 'wb') as log:
            child = subprocess.Popen([tools / 'claims-attack', 'run', path], stdout=log, stderr=log)
            _, ended, usage = os.wait4(child.pid, 0)
        server.shutdown()
        server.server_close()
        text, ended = (folder / (name + '.log')).read_text(), os.waitstatus_to_exitcode(ended)
        seconds, megabytes = time.monotonic() - began, usage.ru_maxrss // 1024
        print('%-28s exit %s  %.0f s  %d MB  %s' % (name, ended, seconds, megabytes, text.split(': ')[2] if ': ' in text else text))
        check('%s: ends with a clear code' % name,
              ended in ((3, 4) if status is None else (status,)) and any('error: ' + code in text for code in codes), text)
        check('%s: within 30 seconds and 200 MB' % name, seconds < 30 and megabytes < 200)


PLAYS = {
    'hostile': hostile,
    'gate-saml': lambda: gate('saml20', lambda metadata, issuer: {'saml': {'metadata': metadata, 'entityID': issuer}}),
    'gate-wsfederation': lambda: gate(
        'wsfederation', lambda metadata, issuer: {'wsFederation': {'metadata': metadata, 'entityID': issuer, 'realm': 'urn:gate'}}),
    'gate-openid': lambda: gate('openid', lambda _, issuer: {'openID': {'issuer': issuer, 'clientID': 'gate'}}),
    'strict': lambda: broken('strict service', broken_services.Strict, [], []),
    'without-signature': lambda: broken(
        'service without signature', broken_services.WithoutSignature,
        ['signature/removed', 'signer/other-key', 'key/attacker-certificate', 'content/subject', 'confusion/hmac-sha256-der',
         'algorithm/signature-none', 'value/SignatureValue-flip-first'],
        ['signature', 'signer', 'key', 'content', 'confusion', 'algorithm', 'value', 'reference', 'transform', 'weak', 'wrapping',
         'identifier', 'xml', 'structure', 'limit', 'root', 'response', 'issuer', 'subject', 'time', 'audience/instruction']),
    'first-assertion': lambda: broken(
        'service that reads the first', broken_services.FirstAssertion, ['wrapping/first-unsigned'],
        # It reads times, names and places of signatures loosely too.
        ['wrapping', 'response', 'structure', 'root', 'xml', 'content', 'identifier', 'time', 'subject', 'signature', 'weak',
         'audience/instruction']),
    'without-audience': lambda: broken(
        'service without audience', broken_services.WithoutAudience, ['audience/other', 'audience/none', 'audience/wildcard'],
        ['audience', 'subject/other-service']),
}

try:
    for name, action in PLAYS.items():
        if arguments.only in (None, name):
            action()
finally:
    running.stop_all()
runs.print_table()
running.end(tally)

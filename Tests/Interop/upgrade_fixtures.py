#!/usr/bin/env python3
"""Writes the fixtures that the suite reads on every change (Tests/StoreTests/EarlierStoreTests.swift): stores and files that the gate and
acs of an earlier commit wrote, and what was in them when they stopped.

    Tests/Interop/upgrade_fixtures.py --bin FOLDER TestVectors/kept/COMMIT

FOLDER has claims-gate and acs of that commit. Keys, names and tokens are made for the fixture and are good for nothing else. Needs
redis-server, openssl and PyPI's cryptography.
"""
import argparse
import base64
import json
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import upgrade_acts as acts  # noqa: E402
import upgrade_world as world  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--bin', type=pathlib.Path, required=True)
parser.add_argument('target', type=pathlib.Path)
arguments = parser.parse_args()
running = programs.Programs('fixtures')
NODE = 'old'


def run(folder):
    acs = folder / 'acs-old.json'
    running.start('acs', [arguments.bin / 'acs', 'run', acs], world.NODES[NODE]['acs'])
    for name, path in (('idp.xml', '/v2/saml/metadata'), ('federation.xml', '/FederationMetadata/2007-06/FederationMetadata.xml')):
        (folder / name).write_text(world.Browser().ask(NODE, world.ACS + path).text)
    acts.admin_password = subprocess.run([arguments.bin / 'acs', 'keys', acs, '--password'], capture_output=True, text=True,
                                         check=True).stdout.strip()
    running.start('gate', [arguments.bin / 'claims-gate', 'run', folder / 'gate-old.json'], world.NODES[NODE]['gate'])


def cookie(browser, host, part):
    """The name and the value of the cookie whose name has this part."""
    return next([name, value] for name, value in browser.cookies[host].items() if part in name)


def made_at_acs():
    """What clients and browsers hold of acs, by what the suite has to see of it."""
    made = {}
    used = acts.code(NODE)
    made['usedCode'] = {'code': used, 'refresh': acts.redeem(NODE, used).json()['refresh_token']}
    made['refresh'] = {**{name: value for name, value in acts.tokens(NODE).items() if name in ('access_token', 'refresh_token')}}
    turned = acts.tokens(NODE)
    made['usedRefresh'] = {'used': turned['refresh_token'], 'current': acts.refresh(NODE, turned['refresh_token']).json()['refresh_token']}
    revoked = acts.tokens(NODE)
    world.client(NODE, '/v2/openid/revoke', {'token': revoked['refresh_token']})
    made['revoked'] = revoked['refresh_token']
    browser = world.Browser()
    out = acts.tokens(NODE, browser)
    made['signedOutVisit'] = cookie(browser, 'acs.example', 'sessions')[1]
    acts.sign_out(NODE, browser, out)
    made['signedOut'] = out['refresh_token']
    browser = world.Browser()
    asked = acts.tokens(NODE, browser)
    browser.ask(NODE, world.ACS + '/v2/openid/logout')
    made['visit'] = {'cookie': cookie(browser, 'acs.example', 'sessions')[1], 'refresh': asked['refresh_token'],
                     'leaving': cookie(browser, 'acs.example', 'leaving')[1]}
    session = secrets.token_hex(4)
    made['upstream'] = {'session': session, 'refresh': acts.upstream(NODE, session)['refresh_token']}
    answer = world.client(NODE, '/v2/openid/register', None, body='{"client_name": "Agent", "redirect_uris": ["%s"]}' % world.CALLBACK,
                          headers={'Authorization': 'Bearer ' + world.REGISTRATION, 'Content-Type': 'application/json'})
    made['client'] = answer.json()['client_id']
    browser = world.Browser()
    browser.ask(NODE, world.ACS + '/admin/sign-in', {'password': acts.admin_password})
    made['admin'] = cookie(browser, 'acs.example', 'admin')[1]
    browser = world.Browser()
    page = acts.people_page(NODE, browser, acts.authorize(NODE, browser))
    made['context'] = {'cx': page.form()[1]['cx'], 'browser': cookie(browser, 'acs.example', 'browser')[1]}
    made['idToken'] = acts.tokens(NODE)['id_token']
    uri = acts.push(NODE)
    acts.pushed(NODE, uri)
    made['usedPush'] = uri
    made['push'] = acts.push(NODE)
    made['draftCode'] = acts.draft_code(NODE)
    made['code'] = acts.code(NODE)
    return made


def made_at_gate():
    """What browsers hold of the gate."""
    made = {'sessions': {way: cookie(acts.gate_sign_in(NODE, way), 'app.example', 'session')[1] for way in ('op', 'saml', 'wsfed')}}
    browser = acts.gate_sign_in(NODE)
    made['ended'] = cookie(browser, 'app.example', 'session')[1]
    acts.gate_sign_out(NODE, browser)
    session = secrets.token_hex(4)
    made['atProvider'] = {'session': session, 'cookie': cookie(acts.gate_sign_in(NODE, session=session), 'app.example', 'session')[1]}
    pending = {}
    for way in ('op', 'saml', 'wsfed'):
        browser = world.Browser()
        acts.gate_answer(NODE, browser, way)
        pending[way] = cookie(browser, 'app.example', 'signin-')
    made['pending'] = pending
    browser = acts.gate_sign_in(NODE)
    made['finished'] = cookie(browser, 'app.example', 'signin-')
    browser.ask(NODE, acts.ticket(NODE, browser))
    made['child'] = {'parent': cookie(browser, 'app.example', 'session')[1], 'cookie': cookie(browser, 'wiki.example', 'session')[1]}
    answer = browser.ask(NODE, world.WIKI + '/.gate/sign-in?return=%2Fpage')
    made['asked'] = answer.query['application']
    browser.cookies['wiki.example'] = {}
    made['ticket'] = acts.ticket(NODE, browser).split('ticket=')[1]
    return made


def redis_entries():
    """Every key of the server with its value or members, in base64, and its end in milliseconds."""
    connection = socket.create_connection(('127.0.0.1', world.REDIS))
    stream = connection.makefile('rwb')

    def command(*words):
        stream.write(b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(word), word) for word in words))
        stream.flush()
        return reply()

    def reply():
        line = stream.readline().strip()
        kind, rest = line[:1], line[1:]
        if kind == b'$':
            return None if rest == b'-1' else stream.read(int(rest) + 2)[:-2]
        if kind == b'*':
            return [reply() for _ in range(int(rest))]
        return int(rest) if kind == b':' else rest
    text = lambda octets: base64.b64encode(octets).decode()  # noqa: E731
    entries = []
    for key in sorted(command(b'KEYS', b'*')):
        entry = {'key': text(key), 'end': command(b'PEXPIRETIME', key)}
        if command(b'TYPE', key) == b'set':
            entry['members'] = sorted(text(member) for member in command(b'SMEMBERS', key))
        else:
            entry['value'] = text(command(b'GET', key))
        entries.append(entry)
    return entries


def write(store, folder):
    run(folder)
    made = {'acs': made_at_acs(), 'gate': made_at_gate(), 'now': int(time.time())}
    if store == 'redis':
        (arguments.target / 'redis.json').write_text(json.dumps(redis_entries(), indent=0))
    running.stop('gate')
    running.stop('acs')
    keys = json.loads((folder / 'acs.keys').read_text())
    made['keys'] = {'acs': keys['sealing'], 'gate': (folder / 'cookies.keys').read_text().strip()}
    (arguments.target / (store + '-made.json')).write_text(json.dumps(made, indent=1))
    if store == 'sqlite':
        for name in ('acs.db', 'gate.db'):
            # What is in the log of SQLite comes into the file.
            subprocess.run([sys.executable, '-c', 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); '
                            'c.execute("PRAGMA wal_checkpoint(TRUNCATE)"); c.execute("PRAGMA journal_mode=DELETE"); c.execute("VACUUM")',
                            str(folder / name)], check=True)
            shutil.copy(folder / name, arguments.target / name)
        for name in ('acs.keys', 'gate.key', 'gate.crt', 'gate.xml', 'idp.xml', 'federation.xml', 'cookies.keys'):
            shutil.copy(folder / name, arguments.target / name)
        for name in ('acs', 'gate'):
            shutil.copy(folder / (name + '-old.json'), arguments.target / (name + '.json'))


try:
    acts.provider = world.Provider()
    arguments.target.mkdir(parents=True, exist_ok=True)
    folder = running.folder / 'sqlite'
    world.write_files(folder, {'acs': 'acs.db', 'gate': 'sqlite:gate.db'})
    write('sqlite', folder)
    running.start('redis', ['redis-server', '--port', str(world.REDIS), '--bind', '127.0.0.1', '--dir', str(running.folder), '--save', '',
                            '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'], world.REDIS)
    time.sleep(2)
    redis = {'redis': 'redis://127.0.0.1:%d' % world.REDIS}
    folder = running.folder / 'redis'
    world.write_files(folder, {'acs': redis, 'gate': {**redis, 'namespace': 'gate'}})
    write('redis', folder)
finally:
    running.stop_all()
    shutil.rmtree(running.folder, ignore_errors=True)

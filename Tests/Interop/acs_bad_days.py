#!/usr/bin/env python3
"""Bad days of acs: two first runs at once, kill -9, a clock that is set back, secrets in files,
and a file with a rule that gives what tokens keep for themselves.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_bad_days.py --acs .build/release/acs

Needs Debian's gcc and libc6-dev for the clock. Prints a line for each thing that was seen, and exits with 1 on a surprise.
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--port', type=int, default=18490)
arguments = parser.parse_args()
PORT = arguments.port
tally, running = programs.Tally(), programs.Programs('acs-bad-days')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def write(name, port, rules=(), **more):
    file = {'issuer': 'http://127.0.0.1:%d/' % port, 'listen': '127.0.0.1:%d' % port,
            'providers': [{'id': 'http://people.example/', 'name': 'People', 'offers': ['nameidentifier'],
                           'people': [{'name': 'Ada', 'claims': {'nameidentifier': 'ada'}}]}],
            'ruleGroups': [{'name': 'default', 'generate': ['http://people.example/'],
                            'rules': [{'if': {'from': 'acs', 'type': 'nameidentifier'}}, *rules]}],
            'relyingParties': [{'realm': 'urn:swt', 'format': 'SWT', 'rules': ['default'], 'return': ['http://127.0.0.1:1/in']}],
            'serviceIdentities': [{'name': 'uploader', 'password': 'file:password', 'redirect': ['http://127.0.0.1:1/code']}], **more}
    (folder / name).write_text(json.dumps(file))
    return str(folder / name)


def post(port, path, **fields):
    request = urllib.request.Request('http://127.0.0.1:%d%s' % (port, path), urllib.parse.urlencode(fields).encode())
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wrap(password='for testing'):
    return post(PORT, '/WRAPv0.9', wrap_name='uploader', wrap_password=password, wrap_scope='urn:swt')[0]


def key(port):
    with urllib.request.urlopen('http://127.0.0.1:%d/v2/openid/keys' % port, timeout=20) as answer:
        return [entry['kid'] for entry in json.load(answer)['keys']]


try:
    (folder / 'password').write_text('for testing\n')
    one, two = write('acs.json', PORT), write('other.json', PORT + 1)
    start('first', [arguments.acs, 'run', one])
    start('second', [arguments.acs, 'run', two])
    for _ in range(300):
        try:
            keys = key(PORT), key(PORT + 1)
            break
        except OSError:
            time.sleep(0.1)
    check('two first runs at once have one set of keys', keys[0] == keys[1], keys)
    check('the folder keeps no draft of them', not list(folder.glob('*.new*')), list(folder.iterdir()))
    check('a password in a file is its text', wrap() == 200 and wrap('file:password') == 401)
    stop('second')
    for _ in range(3):
        stop('first', signal.SIGKILL)
        start('first', [arguments.acs, 'run', one], PORT)
    check('after kill -9 the keys are the same', key(PORT) == keys[0])
    check('after kill -9 tokens are issued', wrap() == 200)
    check('SIGTERM ends it without an error', stop('first') == 0)

    faulty = write('faulty.json', PORT, [{'if': {'from': 'http://people.example/'}, 'type': 'Audience', 'value': 'urn:other'}])
    checked = subprocess.run([arguments.acs, 'check', faulty], capture_output=True, text=True)
    check('check refuses a rule that gives what tokens keep for themselves, with file and line',
          checked.returncode == 2 and faulty + ':1:' in checked.stderr, checked.stderr)
    limited = write('limited.json', PORT, requestsPerSecond=2)
    check('check is content with the other', subprocess.run([arguments.acs, 'check', limited]).returncode == 0)
    start('last', [arguments.acs, 'run', limited], PORT, env=running.clock('last'))
    wrap()
    running.clock('last', -3600)
    statuses = []
    for _ in range(4):
        statuses.append(wrap())
        time.sleep(1)
    check('a clock that is set back an hour holds nobody back', statuses[-2:] == [200, 200], statuses)
finally:
    running.stop_all()
running.end(tally)

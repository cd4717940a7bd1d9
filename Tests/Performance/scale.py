#!/usr/bin/env python3
"""The arithmetic of docs/performance.md against a run at 1/1000: 35 sign-ins a second for a minute, and an archive of 200,000 tokens.

    swift build -c release --enable-all-traits
    Tests/Performance/scale.py      # needs Debian's redis-server and wrk, and nothing else on the machine

The constants are the document's, or, where they are of a machine, measured first: processor time of a sign-in with the gate
under full load, what a request costs more when the gate sleeps before it, size of an entry by store_size.py, processor time of
a token with one worker. Prints each figure as computed and as measured, and exits with 1 when one is off by more than 20 %.
"""
import base64
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tokens  # noqa: E402

RELEASE = '.build/release/'
RATE, SECONDS, REDIS = 35, 60, 18396
# Of a sign-in: where it begins, the answer, the page.
REQUESTS = 3
folder = pathlib.Path(tempfile.mkdtemp(prefix='scale-'))
failures = 0


def compare(what, computed, measured, unit):
    global failures
    ratio = measured / computed
    failures += not 0.8 <= ratio <= 1.25
    print(f"{'ok   ' if 0.8 <= ratio <= 1.25 else 'FAIL '} {what}: computed {computed:.4g}, measured {measured:.4g} {unit}, {ratio:.2f}", flush=True)


def started(command, port):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    children.append(process)
    for _ in range(400):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', port)) == 0:
                return process
        time.sleep(0.025)
    sys.exit('%s does not start' % command[0])


def bench(*words):
    subprocess.run([RELEASE + 'ServiceBench', *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def processor():
    fields = pathlib.Path('/proc/%d/stat' % gate.pid).read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def waking():
    """Seconds of processor time that a request costs more when the gate sleeps before it: requests without a session, at the
    pace of the run and all at once."""
    check = origin + '/.gate/check'
    headers = {'X-Original-URI': '/page', 'X-Original-Method': 'GET'}
    connection = http.client.HTTPConnection('127.0.0.1', 18380)
    count, used, begun = RATE * REQUESTS * 10, processor(), time.perf_counter()
    for number in range(count):
        time.sleep(max(0, begun + number / (RATE * REQUESTS) - time.perf_counter()))
        connection.request('GET', check, headers=headers)
        connection.getresponse().read()
    paced = (processor() - used) / count
    used = processor()
    words = [word for header in headers.items() for word in ('-H', '%s: %s' % header)]
    done = subprocess.run(['wrk', '-t1', '-c16', '-d5s', *words, check], capture_output=True, text=True, check=True).stdout
    return paced - (processor() - used) / int(re.search(r'(\d+) requests in', done)[1])


def ask(*words):
    """One reply of redis, whatever its kind, as text."""
    with socket.create_connection(('127.0.0.1', REDIS)) as connection:
        connection.sendall(b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(word), word.encode()) for word in words))
        replies = connection.makefile('rb')
        head = replies.readline().decode().strip()
        return replies.read(int(head[1:])).decode('latin-1') if head[0] == '$' else head[1:]


def info(name):
    return int(re.search(name + r':(\d+)', ask('INFO'))[1])


def entry_sizes(octets):
    """Octets of a used token, a session of this size, and an index."""
    text = subprocess.run([sys.executable, pathlib.Path(__file__).with_name('store_size.py'), '--session-octets', str(octets)],
                          capture_output=True, text=True, check=True).stdout
    return [float(re.search(name + r'\s+(\d+) bytes', text)[1]) for name in ('used token', 'session', 'index')]


def sample_session():
    """The JSON octets of a session: what is stored, less nonce and tag."""
    for _ in range(200):
        key = ask('RANDOMKEY')
        if ask('TYPE', key) == 'string' and int(ask('STRLEN', key)) > 1:
            return int(ask('STRLEN', key)) - 28
    sys.exit('no session in the store')


bench('metadata', folder / 'idp.xml')
subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', '30', '-subj', '/CN=gate.example',
                '-keyout', folder / 'gate.key', '-out', folder / 'gate.crt'], check=True, capture_output=True)
origin = 'http://127.0.0.1:18380'
(folder / 'gate.json').write_text(json.dumps({
    'public': origin, 'listen': '127.0.0.1:18380', 'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']},
    'entityID': origin + '/saml', 'signingKey': 'gate.key', 'certificate': 'gate.crt',
    'providers': [{'id': 'idp', 'saml': {'metadata': 'idp.xml'}}],
    'session': {'store': {'redis': 'redis://127.0.0.1:%d' % REDIS, 'namespace': 'federation'}},
    'headers': {'X-Remote-User': 'subject'}, 'cookieKeys': 'cookies.keys'}))
(folder / 'cookies.keys').write_text(base64.b64encode(os.urandom(32)).decode() + '\n')
(folder / 'cookies.keys').chmod(0o600)
children = []
try:
    redis = started(['redis-server', '--port', str(REDIS), '--save', '', '--appendonly', 'yes', '--dir', str(folder), '--bind', '127.0.0.1'], REDIS)
    gate = started([RELEASE + 'claims-gate', 'run', folder / 'gate.json'], 18380)
    bench('sign-ins', 500)
    used = processor()
    bench('sign-ins', 1000)
    cost = (processor() - used) / 1000
    wake = waking()
    octets = sample_session()
    before = {name: info(name) for name in ('used_memory', 'total_commands_processed')}
    keys, used, begun = int(ask('DBSIZE')), processor(), time.perf_counter()
    count = RATE * SECONDS
    bench('sign-ins', count, RATE)
    took = time.perf_counter() - begun
    print('      %d sign-ins in %.1f s; a sign-in costs the gate %.1f ms under full load, a request that wakes it %.2f ms more; a session is JSON of %d octets'
          % (count, took, cost * 1000, wake * 1000, octets))
    compare('processor of the gate', RATE * (cost + REQUESTS * wake), (processor() - used) / took, 'cores')
    # SET of the pending sign-in and the assertion; SET of the session, SADD and PEXPIRE for each of its indexes; GET of the check.
    compare('commands of redis', (2 * 6 + 2 + 3 * 3 + 1) * count / took, (info('total_commands_processed') - before['total_commands_processed']) / took, 'a second')
    after = info('used_memory')
    entries = int(ask('DBSIZE')) - keys
    redis.kill()
    redis.wait()
    token, session, index = entry_sizes(octets)
    compare('entries of redis', count * (2 + 1 + 3) + 2, entries, 'keys')
    compare('memory of redis', count * (2 * token + session + 3 * index) / 1e6, (after - before['used_memory']) / 1e6, 'MB')
finally:
    for child in children:
        child.kill()
        child.wait()

swt = tokens.jobs(RELEASE + 'claims')
lines = b''.join(b'%s\n' % swt[number % 3][1] for number in range(99))
(folder / 'key').write_text(tokens.SECRET.split(':', 1)[1])
(folder / 'trust.json').write_text(json.dumps({'audiences': [tokens.AUDIENCE], 'issuers': [
    {'name': tokens.ISSUER, 'keys': ['hmac-file:key'], 'formats': ['swt']},
    {'name': tokens.ISSUER, 'keys': [os.path.join(tokens.KEYS, 'idp-rsa.crt')], 'formats': ['saml20', 'jwt']}]}))


def judge(jobs):
    """Seconds, and seconds of processor time, of the archive."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with (folder / 'archive').open('rb') as archive:
        done = subprocess.run([RELEASE + 'claims', 'verify', '--lines', '--jobs', str(jobs), '--at', tokens.AT, '--trust', folder / 'trust.json'],
                              stdin=archive, stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit('a token was refused')
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - begun
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


(folder / 'archive').write_bytes(lines * 2_020)
compare('an archive of 199,980 tokens, two workers on two cores', judge(1)[1] / 2, judge(2)[0], 'seconds')
sys.exit(failures > 0)

#!/usr/bin/env python3
"""Load and memory of claims-gate: 10,000 whole SAML sign-ins at concurrency 50, 100,000 sessions in SQLite and a million
checks. The gate runs on one core, the load on the other.

    swift build -c release --enable-all-traits --product claims-gate
    MEASURES=1 swift build -c release --enable-all-traits --product ServiceBench
    Tests/Performance/gate_load.py --gate .build/release/claims-gate --bench .build/release/ServiceBench   # needs wrk
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--bench', default='.build/release/ServiceBench')
parser.add_argument('--sign-ins', type=int, default=10000)
parser.add_argument('--sessions', type=int, default=100000)
parser.add_argument('--checks', type=int, default=1000000)
arguments = parser.parse_args()
folder = pathlib.Path(tempfile.mkdtemp(prefix='load-'))
ORIGIN = 'http://127.0.0.1:18380'


def bench(*words):
    done = subprocess.run(['taskset', '-c', '0', arguments.bench, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    if done.stdout:
        print(done.stdout.strip(), flush=True)


def memory():
    """Megabytes of the gate."""
    status = pathlib.Path('/proc/%d/status' % gate.pid).read_text()
    return int(re.search(r'VmRSS:\s+(\d+)', status)[1]) / 1024


def processor():
    """Seconds of processor time that the gate has used."""
    fields = pathlib.Path('/proc/%d/stat' % gate.pid).read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def start():
    process = subprocess.Popen(['taskset', '-c', '1', arguments.gate, 'run', folder / 'gate.json'])
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', 18380)) == 0:
                return process
        time.sleep(0.05)
    sys.exit('the gate does not start')


def stop():
    gate.terminate()
    if gate.wait(20):
        sys.exit('the gate ended with an error')


bench('metadata', folder / 'idp.xml')
subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', '30', '-subj',
                '/CN=gate.example', '-keyout', folder / 'gate.key', '-out', folder / 'gate.crt'], check=True,
               capture_output=True)
(folder / 'gate.json').write_text(json.dumps({
    'public': ORIGIN, 'listen': '127.0.0.1:18380', 'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']},
    'entityID': ORIGIN + '/saml', 'signingKey': 'gate.key', 'certificate': 'gate.crt',
    'providers': [{'id': 'idp', 'saml': {'metadata': 'idp.xml'}}], 'session': {'store': 'sqlite:gate.db'},
    'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email'}}))

gate = start()
try:
    print('idle: %.1f MB' % memory())
    bench('sign-ins', 500)
    first, used = memory(), processor()
    bench('sign-ins', arguments.sign_ins)
    print('processor time of the gate: %.2f ms a sign-in' % ((processor() - used) * 1000 / arguments.sign_ins))
    print('after 500 sign-ins %.1f MB, after %d more %.1f MB' % (first, arguments.sign_ins, memory()))
    stop()
    bench('sessions', arguments.sessions, folder / 'gate.db', folder / 'cookies')
    gate = start()
    print('%d sessions in SQLite, none used yet: %.1f MB' % (arguments.sessions, memory()))
    bench('checks', folder / 'cookies')
    before = memory()
    print('each used once: %.1f MB' % before)
    cookie = (folder / 'cookies').read_text().split('\n')[0]
    count, seconds = 0, 0
    while count < arguments.checks:
        text = subprocess.run(['taskset', '-c', '0', 'wrk', '-t1', '-c16', '-d20s', '-H', 'Cookie: session=' + cookie,
                               '-H', 'X-Original-URI: /page', '-H', 'X-Original-Method: GET', ORIGIN + '/.gate/check'],
                              capture_output=True, text=True).stdout
        if 'Non-2xx' in text:
            sys.exit(text)
        count += int(re.search(r'(\d+) requests in', text)[1])
        seconds += 20
    print('%d checks more (%d a second): %.1f MB' % (count, count / seconds, memory()))
finally:
    if gate.poll() is None:
        stop()
shutil.rmtree(folder)

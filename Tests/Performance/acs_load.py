#!/usr/bin/env python3
"""acs under load: what an exchange of tokens costs beside the bare signature and verification, 200 exchanges a second
for a minute, `kill -9` among 10,000 tokens, a locked file of its state, and (as root, which may mount one) a full disk.
Prints what it saw, and exits with 1 on a surprise.

    swift build -c release --enable-all-traits --product acs
    Tests/Performance/acs_load.py --acs .build/release/acs [--seconds 60] [--codes 2000]      # needs wrk

What an exchange costs is the processor time of acs on one core while wrk asks from another, beside what `openssl speed`
signs and verifies on the same core, in turns; and beside that the processor time of a request that acs answers with a
page of its own, which is the server's share. `IssuingPerformance` measures an exchange without a server.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
from browser import Browser  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--seconds', type=int, default=60)
parser.add_argument('--codes', type=int, default=2000)
arguments = parser.parse_args()
PORT = 18490
folder = pathlib.Path(tempfile.mkdtemp(prefix='acs-load-'))
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (str(found)[:400],)), flush=True)


(folder / 'acs.json').write_text(json.dumps({
    'issuer': 'http://127.0.0.1:%d/' % PORT, 'listen': '127.0.0.1:%d' % PORT, 'providers': [{'kind': 'google'}],
    'ruleGroups': [{'name': 'default', 'generate': ['Google'], 'rules': [{'if': {'from': 'acs', 'type': 'nameidentifier'}}]}],
    'relyingParties': [{'realm': 'urn:jwt', 'format': 'JWT', 'rules': ['default'], 'return': ['http://127.0.0.1:1/']},
                       {'realm': 'chat', 'format': 'JWT', 'rules': ['default'], 'return': ['http://127.0.0.1:1/cb'],
                        'clientSecret': 'secret-of-chat', 'lifetime': 86400},
                       {'realm': 'urn:api', 'format': 'JWT', 'rules': ['default'], 'exchangeFor': ['chat']},
                       {'realm': 'urn:swt', 'format': 'SWT', 'rules': ['default'], 'return': ['http://127.0.0.1:1/'],
                        'draft13For': ['uploader']}],
    'serviceIdentities': [{'name': 'uploader', 'password': 'for-testing', 'redirect': ['http://127.0.0.1:1/code']}]}))


def serve():
    child = subprocess.Popen([arguments.acs, 'run', str(folder / 'acs.json')], stderr=open(folder / 'log', 'ab'))
    for _ in range(400):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', PORT)) == 0:
                return child
        time.sleep(0.025)
    raise SystemExit('acs does not start: ' + (folder / 'log').read_text()[-500:])



local = threading.local()


def post(path, **fields):
    """The status and the body; None where the service went away."""
    body = urllib.parse.urlencode(fields)
    for attempt in range(2):
        try:
            if not getattr(local, 'connection', None):
                local.connection = http.client.HTTPConnection('127.0.0.1', PORT, timeout=20)
            local.connection.request('POST', path, body, {'Content-Type': 'application/x-www-form-urlencoded'})
            answer = local.connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            local.connection = None
    return None, ''


def credentials(_=0):
    start = time.perf_counter()
    status, _ = post('/v2/OAuth2-13', grant_type='client_credentials', client_id='uploader', client_secret='for-testing', scope='urn:jwt')
    return status, time.perf_counter() - start


TYPE = 'urn:ietf:params:oauth:token-type:'


def subject_token():
    """An ID token of a test person for the client."""
    browser = Browser()
    page = browser.open('http://127.0.0.1:%d/v2/openid/authorize?' % PORT + urllib.parse.urlencode({
        'response_type': 'code', 'client_id': 'chat', 'redirect_uri': 'http://127.0.0.1:1/cb', 'scope': 'openid'}))
    form = page.forms[0]
    answer = browser.ask(urllib.parse.urljoin(page.url, form['action']), urllib.parse.urlencode(form['fields']).encode())
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers['Location']).query)['code'][0]
    status, text = post('/v2/openid/token', grant_type='authorization_code', code=code, redirect_uri='http://127.0.0.1:1/cb',
                        client_id='chat', client_secret='secret-of-chat')
    assert status == 200, text
    return json.loads(text)['id_token']


def exchange_of(token):
    return {'grant_type': 'urn:ietf:params:oauth:grant-type:token-exchange', 'audience': 'urn:api',
            'subject_token': token, 'subject_token_type': TYPE + 'id_token', 'requested_token_type': TYPE + 'jwt',
            'client_id': 'chat', 'client_secret': 'secret-of-chat'}


def exchanged(token):
    start = time.perf_counter()
    status, text = post('/v2/openid/token', **exchange_of(token))
    return status, time.perf_counter() - start, text


def on(core, child):
    """Every thread of a process on these cores alone."""
    for thread in pathlib.Path('/proc/%d/task' % child.pid).iterdir():
        os.sched_setaffinity(int(thread.name), core)


def processor_time(process):
    """Seconds of user and kernel."""
    fields = pathlib.Path('/proc/%d/stat' % process.pid).read_text().rpartition(') ')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def cost_of(path, fields=None):
    """Microseconds of acs for a request, and how many a second it served."""
    script = folder / 'requests.lua'
    script.write_text('' if fields is None else
                      'wrk.method = "POST"\nwrk.body = "%s"\nwrk.headers["Content-Type"] = "application/x-www-form-urlencoded"\n' %
                      urllib.parse.urlencode(fields))
    begun = processor_time(acs)
    said = subprocess.run(['taskset', '-c', '1', 'wrk', '-t1', '-c16', '-d3s', '-s', str(script), 'http://127.0.0.1:%d%s' % (PORT, path)],
                          check=True, capture_output=True, text=True).stdout
    took = processor_time(acs) - begun
    assert 'Non-2xx' not in said, said
    served = int(re.search(r'([0-9]+) requests in', said)[1])
    return took * 1e6 / served, float(re.search(r'Requests/sec: +([0-9.]+)', said)[1])


def bare():
    """Microseconds of a signature and of a verification, RSA with 2,048 bits."""
    text = subprocess.run(['taskset', '-c', '0', 'openssl', 'speed', '-seconds', '1', 'rsa2048'], check=True, capture_output=True, text=True).stdout
    sign, verify = [float(word.rstrip('s')) for word in text.strip().split('\n')[-1].split()[3:5]]
    return (sign + verify) * 1e6


def memory(child):
    return int(pathlib.Path('/proc/%d/statm' % child.pid).read_text().split()[1]) * 4096 / 1048576


acs = serve()
pool = concurrent.futures.ThreadPoolExecutor(16)
try:
    token = subject_token()
    status, _, text = exchanged(token)
    check('an exchange gives a token', status == 200, text)
    cost_of('/v2/openid/token', exchange_of(token))
    cores = os.sched_getaffinity(acs.pid)
    on({0}, acs)
    floor, costs, pages, served = [], [], [], []
    for _ in range(7):
        floor.append(bare())
        cost, rate = cost_of('/v2/openid/token', exchange_of(token))
        costs.append(cost)
        served.append(rate)
        pages.append(cost_of('/v2/openid/keys')[0])
    on(cores, acs)
    ratios = sorted(each / least for each, least in zip(costs, floor))
    without = sorted((each - page) / least for each, page, least in zip(costs, pages, floor))
    print('      %.0f exchanges a second on one core, %.0f us each; signature and verification alone %.0f us: %.2f times (%.2f to %.2f)' % (
        max(served), min(costs), min(floor), ratios[3], ratios[0], ratios[-1]), flush=True)
    print('      a request for the keys %.0f us; an exchange without that %.2f times (%.2f to %.2f)' % (
        min(pages), without[3], without[0], without[-1]), flush=True)
    [future.result() for future in [pool.submit(exchanged, token) for _ in range(500)]]
    before = memory(acs)
    begun = time.perf_counter()
    futures = []
    for number in range(200 * arguments.seconds):
        time.sleep(max(0, begun + number / 200 - time.perf_counter()))
        futures.append(pool.submit(exchanged, token))
    results = [future.result() for future in futures]
    took = time.perf_counter() - begun
    times = sorted(time for _, time, _ in results)
    check('%d exchanges in %.1f s: p50 %.1f ms, p99 %.1f ms, memory %.1f to %.1f MB' % (
        len(results), took, times[len(times) // 2] * 1e3, times[len(times) * 99 // 100] * 1e3, before, memory(acs)),
        all(status == 200 for status, _, _ in results), [text for status, _, text in results if status != 200][:10])
    begun = time.perf_counter()
    results = list(pool.map(credentials, range(5000)))
    print('      as fast as it goes: %.0f JWT a second by 16 connections' % (5000 / (time.perf_counter() - begun)))

    def code(_):
        browser = Browser()
        page = browser.open('http://127.0.0.1:%d/v2/OAuth2-13/authorize?' % PORT + urllib.parse.urlencode({
            'response_type': 'code', 'client_id': 'uploader', 'redirect_uri': 'http://127.0.0.1:1/code', 'scope': 'urn:swt', 'state': 's'}))
        form = page.forms[0]
        data = urllib.parse.urlencode(form['fields']).encode()
        answer = browser.ask(urllib.parse.urljoin(page.url, form['action']), data)
        parameters = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers['Location']).query)
        # A code is kept until it is used: while nothing can be kept there is none.
        return (parameters.get('code') or parameters['error'])[0]

    def exchange(code):
        return post('/v2/OAuth2-13', grant_type='authorization_code', client_id='uploader', client_secret='for-testing',
                    scope='urn:swt', redirect_uri='http://127.0.0.1:1/code', code=code)[0]

    codes = list(pool.map(code, range(arguments.codes)))
    taken = {}
    lock = threading.Lock()

    def take(code):
        status = exchange(code)
        with lock:
            taken[code] = status

    futures = [pool.submit(take, code) for code in codes]
    while len(taken) < arguments.codes // 3:
        time.sleep(0.005)
    acs.kill()
    acs.wait()
    concurrent.futures.wait(futures)
    acs = serve()
    given = [code for code, status in taken.items() if status == 200]
    check('kill -9 among %d exchanges: %d tokens were given before' % (len(codes), len(given)), 0 < len(given) < len(codes), len(given))
    again = list(pool.map(exchange, given))
    check('no code that gave a token gives another', set(again) == {400}, {s: again.count(s) for s in set(again)})
    rest = [code for code, status in taken.items() if status is None]
    late = list(pool.map(exchange, rest))
    # One that was remembered as its connection broke gave its token to no client, and gives none again.
    check('%d of the %d others give theirs' % (late.count(200), len(rest)), late.count(200) >= len(rest) - 16, late.count(200))

    fresh = [code(0) for _ in range(2)]
    lock = sqlite3.connect(folder / 'acs.db', isolation_level=None)
    lock.execute('BEGIN EXCLUSIVE')
    begun = time.perf_counter()
    status, text = post('/v2/OAuth2-13', grant_type='authorization_code', client_id='uploader', client_secret='for-testing',
                        scope='urn:swt', redirect_uri='http://127.0.0.1:1/code', code=fresh[0])
    check('the file locked: 503 with ACS60021 after %.1f s' % (time.perf_counter() - begun), status == 503 and 'ACS60021' in text, text)
    check('the file locked: a token for credentials all the same', credentials()[0] == 200)
    lock.execute('ROLLBACK')
    check('free again: the same code gives its token', exchange(fresh[0]) == 200)
    big = post('/WRAPv0.9', wrap_name='a' * (2 << 20))[0]
    check('a request of 2 MB is refused', big in (413, None), big)
    if os.geteuid() == 0:
        acs.terminate()
        acs.wait()
        small = folder / 'small'
        small.mkdir()
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small], check=True)
        try:
            service = json.loads((folder / 'acs.json').read_text())
            (folder / 'acs.json').write_text(json.dumps(dict(service, state='small/acs.db')))
            acs = serve()
            fresh = [code(0) for _ in range(3)]
            check('a disk with room: a code gives its token', exchange(fresh[0]) == 200)
            filler = os.open(small / 'filler', os.O_WRONLY | os.O_CREAT)
            try:
                while True:
                    os.write(filler, b'x' * 4096)
            except OSError:
                os.close(filler)
            given = [code(0)]
            while len(given) < 400 and given[-1] != 'temporarily_unavailable':
                # The log of SQLite has room of its own for a while.
                given.append(code(0))
            check('a full disk: no code, after %d more' % (len(given) - 1), given[-1] == 'temporarily_unavailable', given[-1])
            status = exchange(fresh[1])
            check('a full disk: 503 for a code that cannot be kept as used', status == 503, status)
            check('a full disk: a token for credentials all the same', credentials()[0] == 200)
            (small / 'filler').unlink()
            check('room again: the same code gives its token', exchange(fresh[1]) == 200)
            check('room again: what was used stays used', exchange(fresh[0]) == 400)
            acs.terminate()
            acs.wait()
        finally:
            subprocess.run(['umount', '-l', small])
        (folder / 'acs.json').write_text(json.dumps(service))
        acs = serve()
    else:
        print('      no full disk: only root can mount one', flush=True)
    acs.send_signal(signal.SIGTERM)
    check('SIGTERM ends it without an error', acs.wait(20) == 0, acs.returncode)
finally:
    if acs.poll() is None:
        acs.kill()
shutil.rmtree(folder)
sys.exit(failures > 0)

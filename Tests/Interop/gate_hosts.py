#!/usr/bin/env python3
"""Three applications on three hosts, two gates and one Redis behind nginx with TLS: signed in once, out everywhere, and tickets
attacked, all on loopback.

    swift build --enable-all-traits --product claims-gate
    Tests/Interop/gate_hosts.py --gate .build/debug/claims-gate [--install] [--tickets 200]

nginx runs by the text of docs/gate.md; the provider is strict_provider.py, which needs PyPI's joserfc. --install fetches Debian's nginx-light
redis-server openssl first. Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import base64
import concurrent.futures
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hosts  # noqa: E402
import programs  # noqa: E402

PROVIDER, PROXY, REDIS = 18471, 18490, 18496
GATES = {'one': 18484, 'two': 18485}
APPLICATIONS = {'app': 18473, 'wiki': 18474, 'talks': 18475, 'api': 18476}

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--tickets', type=int, default=200)
arguments = parser.parse_args()
if arguments.install:
    programs.install('nginx-light', 'redis-server', 'openssl')
tally, running = programs.Tally(), programs.Programs('hosts')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def origin(name):
    return 'https://%s.example:%d' % (name, PROXY)


def is_ticket(url):
    return '/.gate/ticket?' in url


def write_files():
    names = ','.join('DNS:%s.example' % name for name in APPLICATIONS)
    running.keypair('site', '-addext', 'subjectAltName=' + names)
    for name in ('cookies.keys', 'identity.key'):
        command = ['rand', '-base64', '32'] if name == 'cookies.keys' else ['ecparam', '-name', 'prime256v1', '-genkey', '-noout']
        (folder / name).write_text(subprocess.run(['openssl', *command], capture_output=True, text=True, check=True).stdout)
        (folder / name).chmod(0o600)
    (folder / 'redis.password').write_text('fleet-password\n')
    (folder / 'redis.password').chmod(0o600)
    (folder / 'secret').write_text('s3cret')
    (folder / 'secret').chmod(0o600)
    commands = hosts.page_text('~wiki:*').strip()
    (folder / 'users.acl').write_text('user default off\nuser gate on >fleet-password %s +scan\n' % commands)
    for name, port in GATES.items():
        (folder / (name + '.json')).write_text(json.dumps({
            'public': origin('app'), 'listen': '127.0.0.1:%d' % port, 'operations': '127.0.0.1:%d' % (port + 2),
            'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'cookieKeys': 'cookies.keys',
            'providers': [{'id': 'op', 'openID': {
                'issuer': 'http://127.0.0.1:%d' % PROVIDER, 'clientID': 'gate', 'clientSecret': 'file:secret', 'scopes': ['openid', 'email'],
                'userInfo': False}}],
            'session': {'store': {'redis': 'redis://gate@127.0.0.1:%d' % REDIS, 'password': 'file:redis.password', 'namespace': 'wiki'}},
            'headers': {'X-Remote-User': 'subject'}, 'rules': [{'path': '/closed/', 'claim': 'role', 'oneOf': ['admin']}],
            'identityToken': {'header': 'X-Remote-Role', 'keys': ['identity.key']},
            'applications': [
                {'origin': origin('wiki')}, {'origin': origin('talks'), 'rules': [], 'headers': {'X-Remote-Email': 'subject'}},
                {'origin': origin('api'), 'rules': [{'path': '/open/', 'public': True}]}]}))


def redis():
    start('redis', ['redis-server', '--bind', '127.0.0.1', '--port', str(REDIS), '--dir', str(folder), '--save', '', '--appendonly', 'yes',
                    '--maxmemory-policy', 'noeviction', '--aclfile', str(folder / 'users.acl')], REDIS)


def gate(name):
    start(name, [arguments.gate, 'run', str(folder / (name + '.json'))], GATES[name])


def seen(name):
    """What an application answers: its name, and what the gate says of the person."""
    def answer(_, headers):
        return '%s|%s|%s|%s' % (name, headers.get('X-Remote-User') or '', headers.get('X-Remote-Email') or '', headers.get('X-Remote-Role') or '')
    return answer


def browser():
    return hosts.HostBrowser(folder / 'site.crt')


def signed_in():
    """A browser that is signed in at public and at no application."""
    person = browser()
    person.open(origin('app') + '/')
    return person


def ticket(person, name='wiki'):
    """The address with a ticket for an application, not opened yet."""
    page = person.open(origin(name) + '/page', until=is_ticket)
    return urllib.parse.urljoin(page.url, page.headers['Location'])


def refused(page):
    """The code on a page of refusal."""
    found = [word for word in page.text.replace('<', ' ').replace('>', ' ').split() if word.startswith('signin.')]
    return page.status, found[0] if found else page.text[:200]


def at_gate(name, host, url, cookies):
    """A question to one gate itself, as nginx asks it."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection('127.0.0.1', GATES[name], timeout=20)
    connection.request('GET', parts.path + '?' + parts.query, None, {
        'X-Original-Proto': 'https', 'X-Original-Host': '%s.example:%d' % (host, PROXY), 'Accept': 'text/html',
        'Cookie': '; '.join('%s=%s' % pair for pair in cookies.items())})
    got = connection.getresponse()
    got.read()
    return got.status


try:
    write_files()
    for name in GATES:
        told = subprocess.run([arguments.gate, 'check', str(folder / (name + '.json'))], capture_output=True, text=True)
        check('check of gate ' + name, told.returncode == 0 and not told.stderr, told.stderr)
    for path, code in (('/closed/x', 1), (origin('wiki') + '/closed/x', 1), (origin('talks') + '/closed/x', 0), (origin('evil') + '/', 2)):
        (folder / 'claims.json').write_text('{"subject": "ada"}')
        told = subprocess.run([arguments.gate, 'try', str(folder / 'one.json'), '--claims', str(folder / 'claims.json'), path],
                              capture_output=True, text=True)
        check('try %s: %s' % (path, (told.stdout or told.stderr).strip()[:100]), told.returncode == code, told)
    redis()
    start('provider', [sys.executable, str(pathlib.Path(__file__).with_name('strict_provider.py')), str(PROVIDER), json.dumps(
        {'redirect': origin('app') + '/.gate/openid/op/callback'})], PROVIDER)
    for name, port in APPLICATIONS.items():
        programs.application(port, seen(name))
    for name in GATES:
        gate(name)
    command = hosts.nginx(folder, PROXY, GATES.values(), {name + '.example': port for name, port in APPLICATIONS.items()})
    start('nginx', command, PROXY)

    # Signed in once.
    person = browser()
    pages = {name: person.open(origin(name) + '/page?q=1') for name in ('wiki', 'talks', 'api', 'app')}
    texts = {name: page.text.split('|')[:3] for name, page in pages.items()}
    check('one sign-in, four hosts: %s' % texts, texts == {
        'wiki': ['wiki', 'ada', ''], 'talks': ['talks', '', 'ada'], 'api': ['api', 'ada', ''], 'app': ['app', 'ada', '']}, pages['wiki'].text)
    asked = [url for url, _ in person.trail if url.startswith('http://127.0.0.1:%d/authorize' % PROVIDER)]
    check('the provider was asked once', len(asked) == 1, asked)
    check('each page is the one that was asked for', all(page.url == origin(name) + '/page?q=1' for name, page in pages.items()))
    values = [person.cookies('%s.example' % name)['__Host-session'] for name in APPLICATIONS]
    check('each host has a cookie of its own, with the rules of __Host-', len(set(values)) == 4 and not person.faults, person.faults)
    audiences = {name: json.loads(base64.urlsafe_b64decode(page.text.split('|')[3].split('.')[1] + '=='))['aud'] for name, page in pages.items()}
    check('the identity token of each is for its origin alone', audiences == {name: origin(name) for name in APPLICATIONS}, audiences)
    for path, found in (('wiki', 403), ('app', 403), ('talks', 200), ('api', 200)):
        check('a rule of the file at %s: %d' % (path, found), person.ask(origin(path) + '/closed/').status == found)
    check("api's own rule opens a path to everybody", browser().ask(origin('api') + '/open/x').text.startswith('api||'))

    # The cookie of one host at another, and a client's own word for the host.
    thief = browser()
    stolen = []
    for source in APPLICATIONS:
        for target in APPLICATIONS:
            if source != target:
                cookie = '__Host-session=' + person.cookies(source + '.example')['__Host-session']
                stolen.append(thief.ask(origin(target) + '/page', headers={'Cookie': cookie}).status)
    check('the cookie of one host at the others: %s' % sorted(set(stolen)), set(stolen) == {302}, stolen)
    forged = [person.ask(origin('wiki') + '/closed/', headers={name: value}).status for name, value in (
        ('X-Original-Host', 'talks.example:%d' % PROXY), ('X-Forwarded-Host', 'talks.example'), ('X-Original-Proto', 'http'),
        ('Forwarded', 'host=talks.example'))]
    check("a client's own word for the host changes nothing: %s" % forged, forged == [403] * 4, forged)
    there = person.cookies('talks.example')['__Host-session']
    request = 'GET %s/closed/ HTTP/1.1\r\nHost: talks.example:%d\r\nCookie: __Host-session=%s\r\nConnection: close\r\n\r\n'
    with socket.create_connection(('127.0.0.1', PROXY), 30) as plain, person.context.wrap_socket(plain, server_hostname='wiki.example') as tls:
        tls.sendall((request % (origin('wiki'), PROXY, there)).encode())
        answer = b''.join(iter(lambda: tls.recv(65536), b'')).decode(errors='replace').split('\r\n')[0]
    check('a target of one host with the Host and the session of another is judged as the former: %s' % answer, ' 401 ' in answer, answer)
    unknown = at_gate('one', 'evil', '/.gate/sign-in?return=%2F', {})
    check('a host that the file does not name: 403', unknown == 403, unknown)

    # Tickets attacked.
    pool = concurrent.futures.ThreadPoolExecutor(4)
    wins = []
    for _ in range(arguments.tickets):
        victim = signed_in()
        address = ticket(victim)
        cookies = victim.cookies('wiki.example')
        wins.append(sorted(pool.map(lambda name: at_gate(name, 'wiki', address, cookies), ['one', 'two'] * 2)))
    check('%d tickets, each opened four times at once at two gates: one session each' % arguments.tickets,
          all(found == [303, 400, 400, 400] for found in wins), [found for found in wins if found != [303, 400, 400, 400]][:4])
    victim = signed_in()
    address = ticket(victim)
    page = browser().ask(address)
    check('stolen, in a browser without the cookie: %s %s' % refused(page), refused(page) == (400, 'signin.ticket-other-browser'))
    check('and it is used up: %s %s' % refused(victim.ask(address)), refused(victim.ask(address)) == (400, 'signin.ticket-unknown'))
    address = ticket(victim)
    other = signed_in()
    ticket(other)
    page = other.ask(address)
    check("stolen, in another person's browser that began too: %s %s" % refused(page), refused(page) == (400, 'signin.ticket-other-browser'))
    address = ticket(victim)
    page = victim.ask(address.replace('wiki.example', 'talks.example'))
    check('at another host: %s %s' % refused(page), refused(page) == (400, 'signin.ticket-other-host'))
    address = ticket(victim)
    check('in its browser: 303', victim.ask(address).status == 303)
    page = browser().ask(address)
    check('replayed: %s %s' % refused(page), refused(page) == (400, 'signin.ticket-unknown'))
    check('replayed by its own browser, which is signed in: to the front page', victim.ask(address).headers.get('Location') == '/')
    late = signed_in()
    address = ticket(late)
    time.sleep(31)
    page = late.ask(address)
    check('after 31 s: %s %s' % refused(page), refused(page) == (400, 'signin.ticket-unknown'))
    begun = late.ask(origin('talks') + '/.gate/sign-in?return=%2Fa').headers['Location']
    page = late.ask(begun[:-3] + 'AAA')
    check('a request that was changed: %s %s' % refused(page), refused(page) == (400, 'signin.ticket-request'))
    page = late.ask(begun.replace('app.example', 'wiki.example'))
    check('a request at the wrong host begins one of its own, to its own front page',
          page.headers['Location'].startswith(origin('app') + '/.gate/sign-in?application='), page.headers['Location'])

    # A person who is signed in at an application is signed out of all.
    loads, ending = [], threading.Event()

    def load():
        while not ending.is_set():
            loads.append(person.ask(origin('talks') + '/page', headers={'Accept': '*/*', 'Sec-Fetch-Mode': 'cors'}).status)
    loaders = [threading.Thread(target=load) for _ in range(4)]
    for loader in loaders:
        loader.start()
    question = person.open(origin('wiki') + '/.gate/sign-out')
    fields = dict(question.forms[0]['fields'])
    ended = person.ask(urllib.parse.urljoin(question.url, question.forms[0]['action']), urllib.parse.urlencode(fields))
    time.sleep(0.5)
    ending.set()
    for loader in loaders:
        loader.join()
    check('signed out at %s, asked from wiki' % question.url.split('/')[2], ended.status in (200, 303), ended.text[:400])
    statuses = {name: person.ask(origin(name) + '/page').status for name in APPLICATIONS}
    check('out everywhere: %s' % statuses, set(statuses.values()) == {302}, statuses)
    check('%d checks while it happened: 200, then 401, and nothing else' % len(loads), set(loads) == {200, 401} and loads[-1] == 401,
          sorted(set(loads)))

    # Bad days.
    person = browser()
    check('signed in again', person.open(origin('wiki') + '/page').text.startswith('wiki|ada'))
    stop('one', signal.SIGKILL)
    check('kill -9 of a gate: the other one has the sessions of all hosts', all(
        person.open(origin(name) + '/page').status == 200 for name in ('wiki', 'talks', 'api')))
    gate('one')
    stop('redis')
    statuses = [person.ask(origin(name) + '/page').status for name in APPLICATIONS]
    check('Redis stopped: no page at any host, and no redirect: %s' % statuses, set(statuses) == {500}, statuses)
    redis()
    end = time.monotonic() + 20
    while time.monotonic() < end and person.ask(origin('wiki') + '/page').status != 200:
        time.sleep(0.05)
    check('Redis back: well again by itself', all(person.open(origin(name) + '/page').status == 200 for name in APPLICATIONS))

    # The wiring of each host, and what is written.
    for name in APPLICATIONS:
        told = subprocess.run([arguments.gate, 'doctor', str(folder / 'one.json'), 'https://127.0.0.1:%d/' % PROXY, '--origin', origin(name),
                               '--authorities', str(folder / 'site.crt'), '--open', '/open/'], capture_output=True, text=True)
        check('the doctor at %s: %d checks in order' % (name, told.stdout.count('ok: ')), told.returncode == 0, told.stdout + told.stderr)
    logs = ''.join(running.log(name) for name in GATES) + (folder / 'access.log').read_text()
    tickets = {url.split('ticket=')[1] for one in (person, victim, other, late) for url, _ in one.trail if is_ticket(url)}
    check('%d tickets, none in a log of gates or nginx' % len(tickets), tickets and not any(one in logs for one in tickets))
    kept = b''.join(path.read_bytes() for path in (folder / 'appendonlydir').iterdir())
    check('what Redis keeps shows no ticket, no cookie and no name', not any(
        text.encode() in kept for text in [*tickets, *values, 'wiki.example', 'ada@']))
finally:
    running.stop_all()
running.end(tally)

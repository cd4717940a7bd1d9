#!/usr/bin/env python3
"""Two acs behind nginx on one store, each request to the other one: the story of the demonstration, and the plays of exchange, of
clients and of relying parties, which do not notice that they talk to two.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_pair.py --acs .build/release/acs [--store sqlite|redis] [--only PLAY] [-- arguments of acs_clients.py]

Needs nginx, redis-server, and what the plays need. Prints a line for each thing that was seen and the last lines of each play, and
exits with 1 on a surprise.

The plays get this script as their acs. `acs_pair.py run FILE` starts two acs by the file, with ports of their own, and nginx where the
file listens; other verbs go to the acs that ACS_PAIR_OF names. SQLite's store is one folder that both processes have open.
"""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
STORES = ('sqlite', 'redis')
PLAYS = ('acs_exchange', 'acs_clients', 'acs_relying_parties')


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def listens(port, host='127.0.0.1'):
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


# As acs

# A service without TLS listens at the port of its issuer, so each node has an address of its own.
NODES = ('127.0.0.2', '127.0.0.3')


def write_nodes(path, redis):
    """The file of each node, and the port of the service."""
    service, files = json.loads(path.read_text()), []
    port = int(service['listen'].rpartition(':')[2])
    for number, host in enumerate(NODES):
        node = dict(service, listen='%s:%d' % (host, port), proxy={'peers': ['127.0.0.1']})
        if redis:
            node['state'] = {'redis': 'redis://127.0.0.1:%d' % redis}
        files.append(path.with_name('%s.node%d.json' % (path.stem, number)))
        files[-1].write_text(json.dumps(node))
    return files, port


def write_nginx(folder, port):
    (folder / 'pair.conf').write_text('''
daemon off; master_process off; pid pair.pid; error_log stderr crit; events { worker_connections 512; }
http { client_body_temp_path pair-body; proxy_temp_path pair-proxy; fastcgi_temp_path pair-f; uwsgi_temp_path pair-u; scgi_temp_path pair-s;
  log_format node '$upstream_addr'; access_log %s node; large_client_header_buffers 8 64k; client_max_body_size 8m;
  proxy_buffer_size 64k; proxy_buffers 8 64k; proxy_busy_buffers_size 128k;
  upstream nodes { server %s:%d max_fails=0; server %s:%d max_fails=0; }
  server { listen 127.0.0.1:%d; location / { proxy_pass http://nodes; proxy_http_version 1.1; proxy_next_upstream off;
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; } } }
''' % (os.environ.get('ACS_PAIR_LOG', 'pair.log'), NODES[0], port, NODES[1], port, port))
    return ['nginx', '-p', str(folder), '-c', 'pair.conf']


def wait_for(child, port, host='127.0.0.1'):
    end = time.monotonic() + 110
    while not listens(port, host):
        if child.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def run(path):
    """Runs until a signal; the exit code is that of the node that ended worst."""
    acs, path = os.environ['ACS_PAIR_OF'], pathlib.Path(path).resolve()
    children, redis = [], None
    if os.environ.get('ACS_PAIR_STORE') == 'redis':
        redis = free_port()
        children.append(subprocess.Popen(
            ['redis-server', '--port', str(redis), '--bind', '127.0.0.1', '--dir', str(path.parent), '--save', '', '--appendonly', 'yes',
             '--appenddirname', 'pair-redis', '--maxmemory-policy', 'noeviction'], stdout=subprocess.DEVNULL))
        wait_for(children[0], redis)
    files, port = write_nodes(path, redis)
    nodes = [subprocess.Popen([acs, 'run', str(file)]) for file in files]
    began = all([wait_for(node, port, host) for node, host in zip(nodes, NODES)])
    front = subprocess.Popen(write_nginx(path.parent, port))

    def end(*_):
        for child in [front] + nodes:
            child.terminate()
        codes = [node.wait(60) for node in nodes]
        front.wait(10)
        for child in children:
            child.terminate()
            child.wait(10)
        os._exit(max([abs(code) for code in codes] + [0 if began else 1]))

    def read_anew(*_):
        write_nodes(path, redis)
        for node in nodes:
            node.send_signal(signal.SIGHUP)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGHUP, read_anew)
    while began and all(node.poll() is None for node in nodes):
        time.sleep(0.05)
    end()


# As a play

ACS = 18596
ORIGIN = 'http://127.0.0.1:%d' % ACS
REPLY = 'http://127.0.0.1:9100/signin'
FORMATS = {'SWT': 'urn:speakeasy:swt', 'JWT': 'urn:speakeasy:jwt', 'SAML 1.1': 'urn:speakeasy:saml-1.1',
           'SAML 2.0': 'urn:speakeasy:saml-2.0'}
PROVIDERS = ['Facebook-1234567890', 'uri:WindowsLiveID', 'Google', 'Yahoo!', 'http://fs.example.org/adfs/services/trust']


def write_story(folder):
    """The file of `acs demo`, with a client of OpenID Connect and an API beside it."""
    party = {'name': 'SpeakEasy', 'return': [REPLY], 'error': REPLY, 'rules': ['default']}
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ORIGIN + '/', 'name': 'Access Control Service', 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [{'kind': 'facebook', 'application': '1234567890'}, {'kind': 'windowsLive'}, {'kind': 'google'}, {'kind': 'yahoo'},
                      {'id': PROVIDERS[4], 'name': 'Example Corp'}],
        'ruleGroups': [{'name': 'default', 'generate': PROVIDERS,
                        'rules': [{'if': {'from': 'acs'}, 'type': 'urn:program', 'value': 'yes', 'to': 'services'}]}],
        'relyingParties': [{'realm': realm, 'format': form, **party} for form, realm in FORMATS.items()] + [
            {'realm': 'chat', 'format': 'JWT', 'clientSecret': 'secret of chat', 'return': [REPLY], 'rules': ['default'],
             'exchangeFor': ['chat']}],
        'serviceIdentities': [{'name': 'uploader', 'password': 'for-the-demo-only'}]}, indent=1))


class Story:
    """People who sign in by each provider for each format, cancel, meet an error, refresh, sign out; and a program."""

    def __init__(self, tally, browser, parse):
        self.check, self.Browser, self.parse = tally.check, browser, parse

    def to_people(self, browser, address, provider):
        page = browser.open(ORIGIN + address + '&whr=' + self.parse.quote(provider, safe=''))
        assert 'These people are invented' in page.text, page.text[:500]
        return page

    def press(self, browser, page, person):
        form = next(form for form in page.forms if ('person', person) in form['fields'])
        data = self.parse.urlencode(form['fields']).encode()
        headers = {'Content-Type': 'application/x-www-form-urlencoded'}
        return browser.ask(self.parse.urljoin(page.url, form['action']), data, headers)

    def federation(self, realm):
        return '/v2/wsfederation?wa=wsignin1.0&wtrealm=%s&wctx=state' % self.parse.quote(realm, safe='')

    def sign_ins(self):
        for provider in PROVIDERS:
            for form, realm in FORMATS.items():
                browser = self.Browser()
                page = self.to_people(browser, self.federation(realm), provider)
                answer = self.press(browser, page, '0')
                fields = dict(answer.forms[0]['fields']) if answer.forms else {}
                self.check('%s, %s: a token goes to the application' % (provider, form), answer.forms and
                           answer.forms[0]['action'] == REPLY and realm in fields.get('wresult', '') and fields.get('wctx') == 'state',
                           answer.text)
                again = self.press(browser, page, '0')
                self.check('%s, %s: the same sign-in gives no second token' % (provider, form), 'wresult' not in again.text, again.text)

    def ends(self):
        for person, code in (('cancel', 'issuing.cancelled'), ('fail', 'ACS30000')):
            browser = self.Browser()
            answer = self.press(browser, self.to_people(browser, self.federation(FORMATS['SWT']), 'Google'), person)
            self.check('the application is told: %s' % person, 'ErrorDetails' in answer.text and code in answer.text, answer.text)

    def ask(self, path, form, headers=None):
        page = self.Browser().ask(ORIGIN + path, self.parse.urlencode(form).encode(),
                                  {'Content-Type': 'application/x-www-form-urlencoded', **(headers or {})})
        return page.status, json.loads(page.text) if page.text.startswith('{') else {}

    def openid(self):
        browser, client = self.Browser(), {'client_id': 'chat', 'client_secret': 'secret of chat'}
        query = self.parse.urlencode({'response_type': 'code', 'client_id': 'chat', 'redirect_uri': REPLY, 'state': 's',
                                      'scope': 'openid email'})
        page = self.to_people(browser, '/v2/openid/authorize?' + query, 'Google')
        place = self.press(browser, page, '0').headers.get('Location', '')
        code = dict(self.parse.parse_qsl(self.parse.urlparse(place).query)).get('code', '')
        redeem = {'grant_type': 'authorization_code', 'code': code, 'redirect_uri': REPLY, **client}
        status, tokens = self.ask('/v2/openid/token', redeem)
        self.check('a code gives tokens', status == 200 and 'id_token' in tokens, tokens)
        bearer = {'Authorization': 'Bearer ' + tokens.get('access_token', '')}
        info = [browser.ask(ORIGIN + '/v2/openid/userinfo', None, bearer).status for _ in range(4)]
        self.check('UserInfo at both nodes', info == [200] * 4, info)
        refresh = {'grant_type': 'refresh_token', 'refresh_token': tokens.get('refresh_token', ''), **client}
        status, renewed = self.ask('/v2/openid/token', refresh)
        self.check('a refresh token gives tokens', status == 200, renewed)
        exchange = {'grant_type': 'urn:ietf:params:oauth:grant-type:token-exchange', 'subject_token': tokens.get('id_token', ''),
                    'subject_token_type': 'urn:ietf:params:oauth:token-type:id_token', 'audience': 'chat', **client}
        found = [self.ask('/v2/openid/token', exchange)[0] for _ in range(4)]
        self.check('its ID token is exchanged at both nodes', found == [200] * 4, found)
        page = browser.open(ORIGIN + '/v2/openid/logout?id_token_hint=' + tokens.get('id_token', ''))
        self.check('the ID token signs out', page.status == 200 and 'signed out' in page.text.lower(), page.text)
        found = [browser.ask(ORIGIN + '/v2/openid/userinfo', None, bearer).status for _ in range(4)]
        self.check('after sign-out UserInfo refuses at both nodes', found == [401] * 4, found)
        found = [self.ask('/v2/openid/token', exchange)[0] for _ in range(4)]
        self.check('after sign-out its ID token is exchanged at neither', found == [400] * 4, found)
        refresh['refresh_token'] = renewed.get('refresh_token', '')
        found = [self.ask('/v2/openid/token', refresh)[0] for _ in range(2)]
        self.check('after sign-out the refresh token is good at neither', found == [400] * 2, found)

    def program(self):
        answers = [self.Browser().ask(ORIGIN + '/WRAPv0.9', self.parse.urlencode({
            'wrap_name': 'uploader', 'wrap_password': 'for-the-demo-only', 'wrap_scope': FORMATS['SWT']}).encode(),
            {'Content-Type': 'application/x-www-form-urlencoded'}).status for _ in range(4)]
        self.check('a program gets tokens at both nodes', answers == [200] * 4, answers)


def evenly(log):
    """Whether both nodes answered about as many requests, and how many each did."""
    lines = log.read_text().split() if log.exists() else []
    counts = [sum(line.startswith(host + ':') for line in lines) for host in NODES]
    return min(counts) > 0 and max(counts) - min(counts) <= 4, counts


def play():
    import argparse
    import urllib.parse
    sys.path[:0] = [str(HERE), str(HERE.parent / 'PlayedThrough')]
    import programs
    from browser import Browser
    parser = argparse.ArgumentParser()
    parser.add_argument('--acs', default='.build/release/acs')
    parser.add_argument('--store', choices=STORES, action='append')
    parser.add_argument('--only', help='story, or the name of a play')
    parser.add_argument('more', nargs='*', help='arguments of acs_clients.py')
    arguments = parser.parse_args()
    tally, running = programs.Tally(), programs.Programs('acs-pair')
    acs = str(pathlib.Path(arguments.acs).resolve())
    for store in arguments.store or STORES:
        log = running.folder / (store + '-story.log')
        environment = dict(os.environ, ACS_PAIR_OF=acs, ACS_PAIR_STORE=store, ACS_PAIR_LOG=str(log), ACS_NODES=str(len(NODES)))
        if arguments.only in (None, 'story'):
            write_story(running.folder)
            for state in running.folder.glob('acs.db*'):
                state.unlink()
            try:
                running.start('acs', [sys.executable, __file__, 'run', str(running.folder / 'acs.json')], ACS, env=environment)
                story = Story(tally, Browser, urllib.parse)
                for part in (story.sign_ins, story.ends, story.openid, story.program):
                    part()
                tally.check('%s: both acs end without an error' % store, running.stop('acs') == 0, running.log('acs')[-800:])
            finally:
                running.stop_all()
            even, counts = evenly(log)
            tally.check('%s, story: both took turns' % store, even, counts)
        for name in PLAYS:
            if arguments.only not in (None, name):
                continue
            log = running.folder / ('%s-%s.log' % (store, name))
            more = arguments.more if name == 'acs_clients' else []
            done = subprocess.run([sys.executable, str(HERE / (name + '.py')), '--acs', __file__, *more], text=True, capture_output=True,
                                  env=dict(environment, ACS_PAIR_LOG=str(log)))
            faults = re.findall('^FAIL .*$', done.stdout, re.M)
            last = done.stdout.strip().split('\n')[-1]
            tally.check('%s, %s: %s' % (store, name, last), done.returncode == 0, faults or done.stderr[-800:] or done.stdout[-800:])
            even, counts = evenly(log)
            tally.check('%s, %s: both took turns' % (store, name), even, counts)
    running.end(tally)


if __name__ == '__main__':
    if sys.argv[1:2] == ['run']:
        run(sys.argv[2])
    elif 'ACS_PAIR_OF' in os.environ and sys.argv[1:2] and not sys.argv[1].startswith('-'):
        os.execv(os.environ['ACS_PAIR_OF'], [os.environ['ACS_PAIR_OF'], *sys.argv[1:]])
    else:
        play()

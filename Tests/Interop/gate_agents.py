#!/usr/bin/env python3
"""A server of the Model Context Protocol behind the gate, found and signed in to by foreign clients (PyPI's mcp and fastmcp) through Caddy and
nginx: discovery, sign-in, call, step-up of scope, and a token for another audience refused.

    swift build --enable-all-traits --product claims-gate
    pip install mcp fastmcp joserfc requests
    Tests/Interop/gate_agents.py --gate .build/debug/claims-gate [--proxy caddy|nginx]

Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import webbrowser

import httpx2
import requests
from fastmcp import Client, FastMCP
from fastmcp.client.auth import OAuth
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.oauth2 import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'PlayedThrough'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import authorization_server  # noqa: E402
import hosts  # noqa: E402
import programs  # noqa: E402
import proxies  # noqa: E402

SERVER, GATE, TOOLS = 18571, 18584, {'/mcp': 18573, '/mcp/admin': 18574}
PORTS = {'caddy': 18590, 'nginx': 18592}

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
parser.add_argument('--proxy', choices=list(PORTS))
arguments = parser.parse_args()
tally, running = programs.Tally(), programs.Programs('agents')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder


def api(kind):
    return 'http://127.0.0.1:%d' % PORTS[kind]


def public(kind):
    return 'http://127.0.0.2:%d' % PORTS[kind]


def tool_server(path, port):
    """A server without any idea of tokens: what it knows of the person is the gate's header."""
    server = FastMCP(path)

    @server.tool
    def whoami() -> str:
        from fastmcp.server.dependencies import get_http_headers
        return path + ' ' + get_http_headers(include_all=True).get('x-remote-user', '')
    asyncio.run(server.run_async(transport='http', host='127.0.0.1', port=port, path=path, show_banner=False, log_level='error'))


def write_gate(kind):
    (folder / 'trust.json').write_text(json.dumps({
        'audiences': ['urn:nothing'], 'issuers': [{'name': server.issuer, 'keysAt': server.issuer + '/jwks', 'type': 'at+jwt'}]}))
    (folder / 'gate.json').write_text(json.dumps({
        'public': public(kind), 'listen': '127.0.0.1:%d' % GATE, 'proxy': {'kind': kind, 'peers': ['127.0.0.1']}, 'people': 'shared',
        'providers': [{'id': 'op', 'openID': {'issuer': 'http://127.0.0.1:18599', 'clientID': 'gate'}}],
        'headers': {'X-Remote-User': 'subject'}, 'tokens': 'trust.json',
        'applications': [{'origin': api(kind), 'rules': [
            {'path': '/mcp', 'scope': ['read'], 'sessions': False}, {'path': '/mcp/admin', 'scope': ['read', 'write'], 'sessions': False}],
            'resource': {'identifier': api(kind) + '/mcp', 'authorizationServers': [server.issuer], 'scopes': ['read', 'write']}}]}))


def proxy(kind):
    resource = hosts.page_text('location /.well-known/oauth-protected-resource')
    if kind == 'nginx':
        outer, rest = resource.split('# In the locations that are judged:\n')
        judged, beside = rest.split('# Beside @sign_in:\n')

        def change(_, text):
            location = re.search(r'location / \{\n(.*?)\n\}\n', text, re.S).group(1).replace('proxy_pass http://127.0.0.1:8080;', '')
            tools = ''.join('location %s {\n%s\n%sproxy_pass http://127.0.0.1:%d;\n}\n' % (path, location, judged, port)
                            for path, port in TOOLS.items())
            return outer + text.replace('location / {', tools + 'location / {\n' + judged) + beside
        command = hosts.nginx(folder, PORTS[kind], [GATE], {'127.0.0.1': TOOLS['/mcp'], '127.0.0.2': TOOLS['/mcp']}, change, tls=False)
        return start('nginx', command, PORTS[kind])
    text = proxies.documented('caddyfile').replace('__Host-session', 'session')
    text = re.search('`(handle /.well-known/.*?)`', proxies.DOCUMENTATION.read_text()).group(1).replace('{ ', '{\n').replace(' }', '\n}') + '\n' + text
    upstream = ''.join('@%s path %s %s/*\n  reverse_proxy @%s 127.0.0.1:%d\n  ' % (name, path, path, name, port) for name, path, port in (
        ('admin', '/mcp/admin', TOOLS['/mcp/admin']), ('mcp', '/mcp', TOOLS['/mcp'])))
    text = text.replace('reverse_proxy 127.0.0.1:8080', upstream).replace('127.0.0.1:4180', '127.0.0.1:%d' % GATE)
    (folder / 'Caddyfile').write_text('{\n  admin off\n  auto_https off\n}\n' + 'http://127.0.0.1:%d, http://127.0.0.2:%d {\n%s\n}\n' % (
        PORTS[kind], PORTS[kind], text))
    start('caddy', ['caddy', 'run', '--config', str(folder / 'Caddyfile'), '--adapter', 'caddyfile'], PORTS[kind],
          env={**os.environ, 'HOME': str(folder)})


async def by_mcp(url, store, seen):
    """A call with PyPI's mcp; the person's browser is a request."""
    got = {}

    async def redirect(address):
        location = requests.get(address, allow_redirects=False).headers['Location']
        got.update({name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(location).query).items()})

    async def callback():
        return AuthorizationCodeResult(code=got['code'], state=got.get('state'), iss=got.get('iss'))

    async def note(response):
        seen.append((response.request.method, str(response.request.url), response.status_code))
    provider = OAuthClientProvider(url, OAuthClientMetadata(
        client_name='agent', redirect_uris=['http://127.0.0.1:9000/cb'], grant_types=['authorization_code'], response_types=['code']),
        store, redirect, callback)
    async with httpx2.AsyncClient(auth=provider, event_hooks={'response': [note]}, timeout=20) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return (await session.call_tool('whoami', {})).content[0].text


def visit(address):
    """A person's browser, which is slower than the client: the callback may not listen yet."""
    address = requests.get(address, allow_redirects=False).headers['Location']
    for _ in range(200):
        try:
            return requests.get(address)
        except requests.ConnectionError:
            time.sleep(0.05)


async def by_fastmcp(url):
    webbrowser.open = lambda address: threading.Thread(target=visit, args=(address,), daemon=True).start()
    async with Client(url, auth=OAuth(callback_host='127.0.0.1')) as client:
        return (await client.call_tool('whoami')).data


def called(coroutine):
    try:
        return asyncio.run(asyncio.wait_for(coroutine, 60))
    except BaseException as error:  # noqa: B902: what a group of tasks raises
        while getattr(error, 'exceptions', None):
            error = error.exceptions[0]
        return '%s: %s' % (type(error).__name__, error)


def play(kind):
    write_gate(kind)
    told = subprocess.run([arguments.gate, 'check', str(folder / 'gate.json')], capture_output=True, text=True)
    check('%s: check' % kind, told.returncode == 0, told.stderr)
    start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)
    proxy(kind)
    url, description = api(kind) + '/mcp', api(kind) + '/.well-known/oauth-protected-resource/mcp'

    # What any program sees.
    found = requests.get(description)
    check('%s: the description, without a sign-in: %s' % (kind, found.text.strip()), found.status_code == 200 and found.json() == {
        'resource': url, 'authorization_servers': [server.issuer], 'scopes_supported': ['read', 'write'],
        'bearer_methods_supported': ['header']}, found.text)
    check('%s: and nowhere else' % kind, [requests.get(address).status_code for address in (
        api(kind) + '/.well-known/oauth-protected-resource', public(kind) + '/.well-known/oauth-protected-resource/mcp')] == [404, 404])
    call = {'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}
    plain = {'Accept': 'application/json, text/event-stream'}

    def post(path, token=None):
        return requests.post(api(kind) + path, json=call, headers={**plain, **({'Authorization': 'Bearer ' + token} if token else {})})
    refused = post('/mcp')
    check('%s: no token: %d %s' % (kind, refused.status_code, refused.headers.get('WWW-Authenticate')), refused.status_code == 401
          and refused.headers.get('WWW-Authenticate') == 'Bearer resource_metadata="%s", scope="read"' % description, refused.headers)
    refused = post('/mcp/admin', server.token(url, 'read'))
    challenge = refused.headers.get('WWW-Authenticate', '')
    check('%s: scope: %d %s' % (kind, refused.status_code, challenge), refused.status_code == 403 and 'insufficient_scope' in challenge
          and 'scope="read write"' in challenge and description in challenge, refused.headers)
    for audience in (api(kind), url + '/', 'http://127.0.0.1:9/mcp', 'urn:nothing', [api(kind) + '/mcp/admin']):
        refused = post('/mcp', server.token(audience, 'read'))
        challenge = refused.headers.get('WWW-Authenticate', '')
        check('%s: a token for %s: %d' % (kind, audience, refused.status_code), refused.status_code == 401
              and 'error="invalid_token"' in challenge and description in challenge, refused.headers)
    refused = post('/mcp', server.token(url, 'read', exp=1))
    check('%s: an old token: %d' % (kind, refused.status_code), refused.status_code == 401 and 'invalid_token' in refused.headers['WWW-Authenticate'])
    # The server says 400 to a call without a session of its own.
    passed = post('/mcp', server.token([url, 'urn:x'], 'read'))
    check('%s: one for it and others reaches the server: %d' % (kind, passed.status_code), passed.status_code not in (401, 403)
          and 'jsonrpc' in passed.text, passed.text)

    # mcp: from nothing to a call, then a step up.
    store, seen = programs.TokenStore(), []
    del server.asked[:]
    result = called(by_mcp(url, store, seen))
    check('%s: mcp found, signed in and called: %s' % (kind, result), result == '/mcp ada', (result, seen))
    check('%s: it asked for %s' % (kind, server.asked), server.asked == [{'resource': url, 'scope': 'read'}], server.asked)
    check('%s: by way of the description' % kind, ('GET', description, 200) in seen, seen)
    seen = []
    result = called(by_mcp(api(kind) + '/mcp/admin', store, seen))
    check('%s: mcp stepped up and called: %s' % (kind, result), result == '/mcp/admin ada', (result, seen))
    statuses = [status for _, address, status in seen if address == api(kind) + '/mcp/admin'][:2]
    check('%s: 403 before, then in: %s, asked for %s' % (kind, statuses, server.asked[1:]), statuses[:1] == [403] and statuses[1] < 400
          and set(server.asked[-1]['scope'].split()) == {'read', 'write'} and server.asked[-1]['resource'] == url, (seen, server.asked))

    # fastmcp's own client.
    del server.asked[:]
    result = called(by_fastmcp(url))
    check('%s: fastmcp found, signed in and called: %s' % (kind, result), result == '/mcp ada', result)
    check('%s: it asked for %s' % (kind, server.asked), [one['resource'] for one in server.asked][-1:] == [url], server.asked)
    result = called(by_fastmcp(api(kind) + '/mcp/admin'))
    check('%s: fastmcp called what needs more: %s' % (kind, result), result == '/mcp/admin ada', result)

    told = subprocess.run([arguments.gate, 'doctor', str(folder / 'gate.json'), api(kind) + '/'], capture_output=True, text=True)
    check('%s: the doctor: %d checks in order' % (kind, told.stdout.count('ok: ')),
          told.returncode == 0 and 'ok: the description of the protected resource' in told.stdout, told.stdout + told.stderr)
    for name in (kind, 'gate'):
        stop(name)


try:
    server = authorization_server.AuthorizationServer(SERVER)
    for path, port in TOOLS.items():
        threading.Thread(target=tool_server, args=(path, port), daemon=True).start()
    for kind in [arguments.proxy] if arguments.proxy else PORTS:
        play(kind)
finally:
    running.stop_all()
running.end(tally)

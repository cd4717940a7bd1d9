#!/usr/bin/env python3
"""WordPress, a Flask and a Rails application behind nginx and the gate, each as docs/applications.md sets it up.

    swift build -c release --enable-all-traits --product claims-gate --product claims
    Tests/Interop/applications.py --gate .build/release/claims-gate --claims .build/release/claims [--install] [--only NAME]

People come with bearer tokens that the gate accepts; what the application then knows of them is compared. --install fetches
Debian's nginx-light, wordpress, mariadb-server, php-cli, php-mysql, ruby-actionpack and puma and PyPI's flask and gunicorn
first. Prints a line for each thing tried and exits with 1 on a surprise.
"""
import argparse
import http.client
import http.cookies
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402
import proxies  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / 'docs/applications.md'
GATE, OPERATIONS, UPSTREAM, PROXY = 18580, 18581, 18582, 18583
PACKAGES = ['nginx-light', 'wordpress', 'mariadb-server', 'php-cli', 'php-mysql', 'ruby-actionpack', 'puma', 'python3-venv']

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/release/claims-gate')
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', choices=['wordpress', 'flask', 'rails'])
arguments = parser.parse_args()
home = pathlib.Path(os.environ.get('GATE_VENV', '.build-venv')).resolve()
if arguments.install:
    programs.install(*PACKAGES)
    if not (home / 'bin/pip').exists():
        subprocess.run([sys.executable, '-m', 'venv', str(home)], check=True)
    subprocess.run([str(home / 'bin/pip'), '-q', 'install', 'flask', 'gunicorn'], check=True)

tally, running = programs.Tally(), programs.Programs('applications')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder
ISSUER, ORIGIN = 'https://issuer.example', 'http://127.0.0.1:%d' % PROXY


# The gate wants a provider; all people of this play come with tokens.
METADATA = '''<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://issuer.example/saml">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>%s</X509Certificate></X509Data>
</KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
Location="https://issuer.example/sso"/></IDPSSODescriptor></EntityDescriptor>'''


def recipe(language, heading):
    """The block of this language below a heading of the page."""
    return re.search('\n## %s\n.*?```%s\n(.*?)```' % (heading, language), PAGE.read_text(), re.DOTALL).group(1)


def token(subject, *claims):
    words = [arguments.claims, 'mint', 'jwt', '--issuer', ISSUER, '--audience', ORIGIN, '--signing-key', folder / 'issuer.key',
             '--subject', subject]
    for claim in claims:
        words += ['--claim', claim]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


ALICE = ('name=Ålice, A. 100%', 'email=alice@example.org', 'group=staff', 'group=a,b')


def ask(path, bearer=None, jar=None, method='GET', body=None, **headers):
    """An answer's status, text and Location; cookies live in `jar`."""
    connection = http.client.HTTPConnection('127.0.0.1', PROXY, timeout=30)
    sent = {name.replace('__', '-'): value for name, value in headers.items()}
    if bearer:
        sent['Authorization'] = 'Bearer ' + bearer
    if jar:
        sent['Cookie'] = '; '.join('%s=%s' % pair for pair in jar.items())
    if body is not None:
        sent['Content-Type'] = 'application/x-www-form-urlencoded'
    connection.request(method, path, body, sent)
    answer = connection.getresponse()
    text = answer.read().decode(errors='replace')
    if jar is not None:
        for line in answer.headers.get_all('Set-Cookie') or []:
            for name, morsel in http.cookies.SimpleCookie(line).items():
                jar.pop(name, None)
                if morsel.value.strip() and morsel['max-age'] != '0' and '1970' not in morsel['expires']:
                    jar[name] = morsel.coded_value
    return answer.status, text, answer.headers.get('Location') or ''


def begin():
    running.keypair('issuer')
    running.keypair('gate')
    page = json.loads(recipe('json', "The gate's side"))
    del page['session']
    page.update(people='shared', public=ORIGIN, listen='127.0.0.1:%d' % GATE, operations='127.0.0.1:%d' % OPERATIONS, tokens='trust.json')
    (folder / 'idp.xml').write_text(METADATA % running.certificate('issuer'))
    (folder / 'gate.json').write_text(json.dumps(page))
    (folder / 'trust.json').write_text(json.dumps({
        'audiences': [ORIGIN], 'issuers': [{'name': ISSUER, 'keys': ['issuer.crt'], 'formats': ['jwt']}]}))
    start('gate', [arguments.gate, 'run', folder / 'gate.json'], GATE)

    def four(text):
        lines = ('  auth_request_set $gate_%s $upstream_http_x_remote_%s;\n', '  proxy_set_header X-Remote-%s $gate_%s;\n')
        text = text.replace('role', 'groups').replace('Role', 'Groups')
        text = text.replace(lines[0] % ('email', 'email'), lines[0] % ('email', 'email') + lines[0] % ('name', 'name'))
        # The line for Host is WordPress's.
        return text.replace(lines[1] % ('Email', 'email'), lines[1] % ('Email', 'email') + lines[1] % ('Name', 'name')
                            + re.search(r'`(proxy_set_header Host [^`]*)`', PAGE.read_text()).group(1) + '\n')
    (folder / 'nginx.conf').write_text(proxies.configuration('nginx', folder, PROXY, GATE, UPSTREAM, four))
    start('nginx', ['nginx', '-c', folder / 'nginx.conf', '-e', folder / 'nginx-error.log'], PROXY)


def knows_people(name, user_of):
    """What every application has to do: `user_of` of an answer is who it takes the person for."""
    status, text, _ = ask('/')
    check('%s: signed out, nothing is to be had' % name, status == 401, (status, text))
    status, text, _ = ask('/', token('alice', *ALICE))
    check('%s: the person is the subject' % name, status == 200 and user_of(text) == 'alice', (status, text))
    for header in ('X-Remote-User', 'X_Remote_User', 'x-remote_user'):
        connection = http.client.HTTPConnection('127.0.0.1', PROXY, timeout=30)
        connection.request('GET', '/', headers={'Authorization': 'Bearer ' + token('alice', *ALICE), header: 'admin'})
        text = connection.getresponse().read().decode(errors='replace')
        check('%s: a client that sends %s stays who it is' % (name, header), user_of(text) == 'alice', text)
    return ask('/', token('alice', *ALICE))[1]


def flask():
    (folder / 'app.py').write_text(recipe('python', 'Flask'))
    start('flask', [home / 'bin/gunicorn', '--bind', '127.0.0.1:%d' % UPSTREAM, 'app:app'], UPSTREAM, cwd=folder)
    seen = json.loads(knows_people('Flask', lambda text: json.loads(text).get('user')))
    check('Flask: names and groups are what the token says', (seen['name'], seen['groups']) == ('Ålice, A. 100%', ['staff', 'a,b']), seen)
    stop('flask')


def rails():
    (folder / 'config.ru').write_text("""
require 'action_controller'
%s
class PagesController < ApplicationController
  def show = render(json: {user: @user, groups: @groups, before: session[:seen].tap { session[:seen] = @user }})
end
routes = ActionDispatch::Routing::RouteSet.new
routes.draw { get '/', to: 'pages#show' }
use Rack::Session::Cookie, secret: 'for testing ' * 8
run routes
""" % recipe('ruby', 'Rails'))
    start('rails', ['puma', '-b', 'tcp://127.0.0.1:%d' % UPSTREAM, folder / 'config.ru'], UPSTREAM, cwd=folder)
    seen = json.loads(knows_people('Rails', lambda text: json.loads(text).get('user')))
    check('Rails: groups are what the token says', seen['groups'] == ['staff', 'a,b'], seen)
    jar = {}
    first, again = (json.loads(ask('/', token('alice'), jar)[1]) for _ in range(2))
    other = json.loads(ask('/', token('bob'), jar)[1])
    check('Rails: a session goes on for the same person', first['before'] is None and again['before'] == 'alice', (first, again))
    check("Rails: another person at the same browser has none of the first one's session",
          other['user'] == 'bob' and other['before'] is None, other)
    stop('rails')


def wordpress():
    socket, site = folder / 'db.sock', folder / 'site'
    subprocess.run(['mariadb-install-db', '--user=root', '--datadir=%s' % (folder / 'db'), '--auth-root-authentication-method=normal'],
                   check=True, capture_output=True)
    database = start('database', ['mariadbd', '--no-defaults', '--user=root', '--datadir=%s' % (folder / 'db'), '--socket=%s' % socket,
                                  '--skip-networking', '--pid-file=%s' % (folder / 'db.pid')])
    end = time.monotonic() + 60
    while not socket.exists() and database.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    subprocess.run(['mariadb', '--no-defaults', '--socket=%s' % socket, '-e', 'create database wordpress'], check=True)
    subprocess.run(['cp', '-rL', '/usr/share/wordpress', site], check=False, capture_output=True)
    (site / 'wp-config.php').write_text("""<?php
foreach (['DB_NAME' => 'wordpress', 'DB_USER' => 'root', 'DB_PASSWORD' => '', 'DB_HOST' => 'localhost:%s', 'DB_CHARSET' => 'utf8mb4',
          'DB_COLLATE' => '', 'WP_HOME' => '%s', 'WP_SITEURL' => '%s', 'DISABLE_WP_CRON' => true, 'WP_HTTP_BLOCK_EXTERNAL' => true] as $name => $value)
    define($name, $value);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name)
    define($name, 'for testing ' . $name);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
""" % (socket, ORIGIN, ORIGIN))
    start('php', ['php', '-S', '127.0.0.1:%d' % UPSTREAM, '-t', site], UPSTREAM)
    connection = http.client.HTTPConnection('127.0.0.1', UPSTREAM, timeout=60)
    connection.request('POST', '/wp-admin/install.php?step=2', urllib.parse.urlencode({
        'weblog_title': 'Site', 'user_name': 'owner', 'admin_password': 'for-Testing-71', 'admin_password2': 'for-Testing-71',
        'pw_weak': '1', 'admin_email': 'owner@example.org', 'blog_public': '0', 'language': ''}),
        {'Content-Type': 'application/x-www-form-urlencoded'})
    answer = connection.getresponse()
    text = answer.read().decode(errors='replace')
    if 'Success' not in text:
        sys.exit('WordPress is not installed: ' + text[-1500:])
    (site / 'wp-content/mu-plugins').mkdir(parents=True, exist_ok=True)
    (site / 'wp-content/mu-plugins/gate.php').write_text(recipe('php', 'WordPress'))
    # Who WordPress takes the person for, on every page.
    (site / 'wp-content/mu-plugins/who.php').write_text("""<?php
add_action('template_redirect', function () { wp_send_json(['user' => wp_get_current_user()->user_login]); });
""")
    knows_people('WordPress', lambda text: json.loads(text).get('user'))
    jar = {}
    alice = token('alice', *ALICE)
    status, _, location = ask('/wp-admin/profile.php', alice, jar)
    check('WordPress: a page of the administration is opened once more with its cookie', status == 302 and 'profile.php' in location, (status, location))
    status, text, _ = ask('/wp-admin/profile.php', alice, jar)
    check('WordPress: the account has the name and address of the token',
          status == 200 and 'Ålice, A. 100%' in text and 'alice@example.org' in text, (status, text[:600]))
    check('WordPress: there is no field for a password', 'name="pass1"' not in text, text[:200])
    status, text, _ = ask('/', token('owner'), jar)
    check("WordPress: another person at the same browser is not the first one", json.loads(text)['user'] == 'owner', text)
    status, text, _ = ask('/', token('alice', *ALICE), jar)
    check('WordPress: … and back', json.loads(text)['user'] == 'alice', text)
    jar = {}
    ask('/wp-login.php', alice, jar)
    jar['wordpress_test_cookie'] = 'WP%20Cookie%20check'
    status, text, _ = ask('/wp-login.php', alice, jar, 'POST', urllib.parse.urlencode({'log': 'owner', 'pwd': 'for-Testing-71', 'testcookie': '1'}))
    check('WordPress: the right password of the owner signs nobody in', status == 200 and json.loads(ask('/', alice, jar)[1])['user'] == 'alice', (status, text))
    status, text, _ = ask('/xmlrpc.php', alice, {}, 'POST', '<methodCall><methodName>wp.getUsersBlogs</methodName><params>'
                          '<param><value>owner</value></param><param><value>for-Testing-71</value></param></params></methodCall>')
    check('WordPress: … nor by XML-RPC', 'owner' not in text and ('405' in text or 'faultCode' in text), (status, text))
    status, text, _ = ask('/', token('Not An Account!'))
    check('WordPress: a name that WordPress would change is refused', status == 403, (status, text))
    stop('php')
    stop('database')


begin()
try:
    for play in (flask, rails, wordpress):
        if arguments.only in (None, play.__name__):
            play()
finally:
    running.stop_all()
running.end(tally)

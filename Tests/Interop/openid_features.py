#!/usr/bin/env python3
"""The gate at OpenID providers of others: what of the standard each pair speaks, as a table.

    swift build --enable-all-traits --product claims-gate
    apt-get install apache2-bin libapache2-mod-oauth2; pip install joserfc pyjwt
    Tests/Interop/openid_features.py --gate .build/debug/claims-gate

The providers are Python on joserfc (strict_provider.py), each with one feature of its own. Identity tokens of the gate are checked by
PyJWT, joserfc and mod_oauth2. Exits with 1 on a surprise.
"""
import argparse
import collections
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'PlayedThrough'), str(HERE)]
from browser import Browser  # noqa: E402
import mod_oauth2  # noqa: E402
import programs  # noqa: E402

PROVIDER, GATE, OPERATIONS, APACHE = 18281, 18282, 18283, 18284
ORIGIN, ISSUER = 'http://127.0.0.1:%d' % GATE, 'http://127.0.0.1:%d' % PROVIDER
PREFIX = ORIGIN + '/.gate/'

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
arguments = parser.parse_args()
tally, running = programs.Tally(), programs.Programs('openid')
folder = running.folder
(folder / 'secret').write_text('s3cret\n')
for name, kind in (('client', 'EC'), ('identity', 'EC'), ('next', 'RSA'), ('third', 'EC'), ('open-ec', 'EC'), ('open-rsa', 'RSA')):
    options = ['-pkeyopt', 'ec_paramgen_curve:P-256'] if kind == 'EC' else ['-pkeyopt', 'rsa_keygen_bits:2048']
    subprocess.run(['openssl', 'genpkey', '-algorithm', kind, *options, '-out', str(folder / (name + '.key'))], check=True,
                   capture_output=True)
(folder / 'cookies.keys').write_bytes(subprocess.run(['openssl', 'rand', '-base64', '32'], capture_output=True).stdout)


def gate_file(openid, **members):
    file = {
        'public': ORIGIN, 'listen': '127.0.0.1:%d' % GATE, 'operations': '127.0.0.1:%d' % OPERATIONS,
        'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'cookieKeys': 'cookies.keys',
        'providers': [{'id': 'op', 'openID': {'issuer': ISSUER, 'clientID': 'gate', **openid}}],
        'session': {'store': 'sqlite:gate.db'},
        'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email'}, **members}
    (folder / 'gate.json').write_text(json.dumps(file))


def run_gate():
    running.start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE)


def ask(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def health():
    try:
        return ask('http://127.0.0.1:%d/health' % OPERATIONS)
    except urllib.error.HTTPError as error:
        return error.read().decode()


class Person(Browser):
    def judged(self, path, **more):
        return self.ask(PREFIX + 'check', None, {'X-Original-URI': path, 'X-Original-Method': 'GET', **more})

    def sign_in(self, path='/page', location=None):
        """The page that the sign-in ends on. Forms are sent as a browser does by itself."""
        page = self.open(location or PREFIX + 'sign-in?return=' + urllib.parse.quote(path, ''))
        for _ in range(4):
            if not page.forms or 'sign-out' in page.text:
                break
            page = self.submit(page)
        return page


def play(name, rules, openid, members=None, then=None):
    """One pair of provider and gate; `then` looks at what is signed in."""
    rules = {'redirect': PREFIX + 'openid/op/callback', 'keys': PREFIX + 'openid/op/keys',
             'userinfo': {'email': 'ada@corp.example', 'email_verified': True}, **rules}
    running.start('provider', [sys.executable, str(HERE / 'strict_provider.py'), str(PROVIDER), json.dumps(rules)], PROVIDER)
    gate_file(openid, **(members or {}))
    run_gate()
    person = Person()
    page = person.sign_in()
    found = person.judged('/page')
    if then:
        then(name, person, page, found)
    else:
        complaints = json.loads(ask(ISSUER + '/complaints'))
        tally.check(name, found.status == 200 and found.headers['X-Remote-User'] == 'ada'
                    and found.headers['X-Remote-Email'] == 'ada@corp.example' and not complaints,
                    (found.status, dict(found.headers), complaints, page.text, running.log('gate')[-600:]))
    running.stop('gate')
    running.stop('provider')


def reload(words):
    """Whether the gate says so of its file within five seconds. Its log has those of the plays before too."""
    before = running.log('gate').count(words)
    running.children['gate'].send_signal(signal.SIGHUP)
    end = time.monotonic() + 5
    while time.monotonic() < end and running.log('gate').count(words) == before:
        time.sleep(0.02)
    return running.log('gate').count(words) > before


def apache(token):
    """What mod_oauth2 says of a token."""
    request = urllib.request.Request('http://127.0.0.1:%d/app/x' % APACHE, headers={'Authorization': 'Bearer ' + token})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def ask_and_check(person, ending, seen, wrong):
    """Asks the gate again and again, and checks each identity token as an application does: with the keys that it has, read anew for a
    key that it does not know."""
    import jwt as pyjwt
    from joserfc import jwk, jwt
    cookie = '; '.join('%s=%s' % (one.name, one.value) for one in person.jar)
    keys = {}
    while not ending.is_set():
        request = urllib.request.Request(PREFIX + 'check', headers={'X-Original-URI': '/page', 'X-Original-Method': 'GET', 'Cookie': cookie})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                token = response.headers['X-Identity-Token']
            header = pyjwt.get_unverified_header(token)
            if header['kid'] not in keys:
                published = json.loads(ask(PREFIX + 'keys'))
                keys = {key['kid']: pyjwt.PyJWK(key) for key in published['keys']}
            pyjwt.decode(token, keys[header['kid']], algorithms=[header['alg']], audience=ORIGIN, issuer=PREFIX)
            jwt.decode(token, jwk.KeySet.import_key_set(published), algorithms=['ES256', 'RS256', 'EdDSA'])
            seen['kid ' + header['kid'][:8]] += 1
            if apache(token) != 200:
                wrong.append('mod_oauth2 refused')
            seen['mod_oauth2'] += 1
        except Exception as error:
            wrong.append(repr(error))


BASIC = {'clientSecret': 'file:secret'}
POST = {'authentication': 'post', **BASIC}
KEY = {'authentication': 'privateKey', 'clientKey': 'client.key'}

try:
    for algorithm in ('RS256', 'ES256', 'PS256', 'EdDSA'):
        play('%s, client_secret_basic, e-mail from UserInfo alone' % algorithm, {'algorithm': algorithm}, BASIC)
    play('client_secret_post', {'authentication': 'client_secret_post'}, POST)
    play('private_key_jwt, by the keys that the gate publishes', {'authentication': 'private_key_jwt'}, KEY)
    play('a public client', {'authentication': 'none'}, {'authentication': 'none'})
    play('form_post', {'mode': 'form_post', 'wants': {'response_mode': 'form_post'}}, {'responseMode': 'form_post', **BASIC})
    play('signed UserInfo, ES256', {'algorithm': 'ES256', 'signed_userinfo': True}, BASIC)
    play('resources', {'resources': ['https://api.example', 'urn:api']}, {'resources': ['https://api.example', 'urn:api'], **BASIC})
    play('prompt, max_age and acr_values',
         {'wants': {'prompt': 'select_account', 'max_age': '3600', 'acr_values': 'urn:mfa'}, 'acr': 'urn:mfa'},
         {'prompt': 'select_account', 'maxAge': 3600, 'contexts': ['urn:mfa'], **BASIC})
    play('all of it: PS256, private_key_jwt, form_post, signed UserInfo',
         {'algorithm': 'PS256', 'authentication': 'private_key_jwt', 'mode': 'form_post', 'signed_userinfo': True,
          'wants': {'response_mode': 'form_post'}}, {'responseMode': 'form_post', **KEY})

    open_keys = {'decryptKeys': ['open-rsa.key', 'open-ec.key'], **BASIC}
    for encryption in (('RSA-OAEP-256', 'A128CBC-HS256'), ('RSA-OAEP', 'A256GCM'), ('ECDH-ES', 'A128GCM'), ('ECDH-ES+A256KW', 'A256CBC-HS512')):
        play('encrypted ID token, demanded: %s, %s' % encryption, {'encryption': encryption, 'encrypts': ['id_token']},
             {'encrypted': 'required', **open_keys})
    play('encrypted UserInfo, JSON', {'encryption': ('ECDH-ES', 'A256GCM'), 'encrypts': ['userinfo']}, open_keys)
    play('signed and encrypted UserInfo and ID token, private_key_jwt', {
        'encryption': ('RSA-OAEP-256', 'A256GCM'), 'encrypts': ['id_token', 'userinfo'], 'signed_userinfo': True,
        'authentication': 'private_key_jwt'}, {'encrypted': 'required', 'decryptKeys': ['open-rsa.key'], **KEY})

    def refused(code, status=(400, 403)):
        def look(name, person, page, found):
            tally.check(name, found.status == 401 and page.status in status and code in page.text, (found.status, page.status, page.text))
        return look

    play('refused: UserInfo of somebody else', {'userinfo_subject': 'mallory'}, BASIC, then=refused('signin.user-info'))
    play('refused: an algorithm that the file does not have', {'algorithm': 'ES256', 'says': {
        'id_token_signing_alg_values_supported': ['RS256', 'ES256']}}, {'algorithms': ['RS256'], **BASIC},
        then=refused('algorithm.not-allowed'))
    play('refused: an ID token that is not encrypted, where that is demanded', {}, {'encrypted': 'required', **open_keys},
         then=refused('signin.not-encrypted'))
    play('refused: another context than was asked for', {'acr': 'pwd'}, {'contexts': ['urn:mfa'], **BASIC},
         then=refused('signin.context'))

    def incompatible(name, person, page, found):
        log = running.log('gate')
        tally.check(name, 'signin.incompatible-provider' in health() and 'signin.incompatible-provider' in log
                    and page.status == 503 and 'signin.incompatible-provider' in page.text, (page.status, health(), log[-500:]))
    play('said at start: no algorithm in common', {'says': {'id_token_signing_alg_values_supported': ['HS256']}}, BASIC,
         then=incompatible)

    # ---- Step-up.
    rules = [{'path': '/admin/', 'contexts': ['urn:mfa'], 'maxAge': 900}, {'path': '/static/', 'public': True}]

    def stepped(name, person, page, found):
        weak = person.judged('/admin/x', Accept='text/html')
        tally.check(name + ': less is sent to sign in again', weak.status == 401 and 'provider=op' in weak.headers['Location'],
                    (weak.status, dict(weak.headers)))
        ask(ISSUER + '/rules?set=' + urllib.parse.quote(json.dumps(
            {'acr': 'urn:mfa', 'wants': {'acr_values': 'urn:mfa', 'max_age': '900'}})))
        person.sign_in(location=weak.headers['Location'])
        strong = person.judged('/admin/x')
        tally.check(name + ': the provider is asked for it, and lets in', strong.status == 200, strong.text)
        other = Person()
        other.sign_in('/admin/x')
        ask(ISSUER + '/rules?set=' + urllib.parse.quote(json.dumps({'acr': 'pwd'})))
        third = Person()
        third.sign_in('/admin/x')
        vain = third.judged('/admin/x', Accept='text/html')
        tally.check(name + ': what the provider ignores is 403, once', vain.status == 403 and 'gate.step-up-in-vain' in vain.text,
                    (vain.status, vain.text))
        tally.check(name + ': a public path is open', Person().judged('/static/a').status == 200)
    play('step-up', {}, BASIC, {'rules': rules}, stepped)

    # ---- Signed identity.
    def identified(name, person, page, found):
        import jwt as pyjwt
        from joserfc import jwk, jwt
        token, keys = found.headers['X-Identity-Token'], json.loads(ask(PREFIX + 'keys'))
        by_kid = {key['kid']: pyjwt.PyJWK(key) for key in keys['keys']}
        claims = pyjwt.decode(token, by_kid[pyjwt.get_unverified_header(token)['kid']], algorithms=['ES256'], audience=ORIGIN,
                              issuer=PREFIX)
        tally.check(name + ': PyJWT', claims['sub'] == 'ada' and claims['mail'] == 'ada@corp.example' and claims['provider'] == 'op', claims)
        claims = jwt.decode(token, jwk.KeySet.import_key_set(keys), algorithms=['ES256']).claims
        tally.check(name + ': joserfc', claims['sub'] == 'ada' and claims['exp'] - claims['iat'] == 60, claims)
        try:
            pyjwt.decode(token, by_kid[pyjwt.get_unverified_header(token)['kid']], algorithms=['ES256'], audience='http://other', issuer=PREFIX)
            tally.check(name + ': for another application it is refused', False)
        except pyjwt.InvalidAudienceError:
            tally.check(name + ': for another application it is refused', True)
        tally.check(name + ': empty where nobody is let in', Person().judged('/page').headers['X-Identity-Token'] == '')
        # The next key signs; what was signed before is verified by the new set, and the other way.
        running.stop('gate')
        gate_file(BASIC, identityToken={**identity, 'keys': ['next.key', 'identity.key']})
        run_gate()
        later, now = person.judged('/page').headers['X-Identity-Token'], json.loads(ask(PREFIX + 'keys'))
        both = [jwt.decode(one, jwk.KeySet.import_key_set(some), algorithms=['ES256', 'RS256']).claims['sub']
                for one in (token, later) for some in (keys, now)]
        tally.check(name + ': a key that was announced takes over', both == ['ada'] * 4
                    and pyjwt.get_unverified_header(later)['alg'] == 'RS256', both)
    # ---- Keys roll over while four programs ask and three libraries check.
    def rolled(name, person, page, found):
        mod_oauth2.start(running, APACHE, {'app': 'jwks_uri %skeys verify.iat=optional' % PREFIX})
        ending, seen, wrong = threading.Event(), collections.Counter(), []
        first = threading.Thread(target=ask_and_check, args=(person, ending, seen, wrong))
        loaders = [first] + [threading.Thread(target=ask_and_check, args=(person, ending, seen, wrong)) for _ in range(3)]
        for loader in loaders:
            loader.start()
        for keys in (['next.key', 'identity.key'], ['next.key', 'third.key'], ['third.key', 'next.key'], ['third.key']):
            time.sleep(1.5)
            gate_file(BASIC, identityToken={**identity, 'keys': keys})
            reload(': reloaded')
        time.sleep(1.5)
        ending.set()
        for loader in loaders:
            loader.join()
        shown = ', '.join('%s %d' % pair for pair in sorted(seen.items()))
        tally.check('%s: four changes of keys under load, %s: refused %d' % (name, shown, len(wrong)),
                    not wrong and len([one for one in seen if one.startswith('kid')]) == 3 and seen['mod_oauth2'] > 20, wrong[:3])
        stale = person.judged('/page').headers['X-Identity-Token']
        other = stale.split('.')
        forged = '.'.join([other[0], other[1], other[2][:-4] + ('AAAA' if other[2][-4:] != 'AAAA' else 'BBBB')])
        tally.check('%s: mod_oauth2 takes the token, and none that was changed' % name,
                    [apache(stale), apache(forged)] == [200, 401], [apache(stale), apache(forged)])
        running.stop('apache')
    identity = {'header': 'X-Identity-Token', 'keys': ['identity.key', 'next.key'], 'claims': {'mail': 'email'}}
    play('signed identity', {}, BASIC, {'identityToken': identity}, identified)

    play('signed identity, rolled over', {}, BASIC, {'identityToken': identity}, rolled)

    # ---- The file is read anew.
    def reloaded(name, person, page, found):
        gate_file(BASIC, rules=[{'path': '/closed/', 'provider': 'op', 'claim': 'email', 'oneOf': ['root@corp.example']}])
        tally.check(name + ': a file in order is in force', reload(': reloaded') and person.judged('/closed/x').status == 403)
        tally.check(name + ': nobody is signed out', person.judged('/page').status == 200)
        (folder / 'gate.json').write_text('{"public": 1}')
        tally.check(name + ': another one is not, and that is said', reload('not reloaded') and person.judged('/closed/x').status == 403
                    and person.judged('/page').status == 200, running.log('gate')[-600:])
        gate_file(BASIC, listen='127.0.0.1:%d' % (GATE + 9))
        tally.check(name + ': what needs a restart is named', reload('a restart alone changes') and person.judged('/closed/x').status == 403)
    play('SIGHUP', {}, BASIC, None, reloaded)
    gate_file(KEY, identityToken={**identity, 'keys': ['client.key']})
    done = subprocess.run([arguments.gate, 'check', str(folder / 'gate.json')], capture_output=True, text=True)
    tally.check('check refuses a key that serves twice', done.returncode == 2 and 'gate.key-twice' in done.stderr, done.stderr)
finally:
    running.stop_all()
running.end(tally)
sys.exit(tally.failed > 0)

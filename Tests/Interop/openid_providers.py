#!/usr/bin/env python3
"""The gate at OpenID providers of others: which feature of the standard works at which provider, as a table.

    swift build --enable-all-traits --product claims-gate
    pip install joserfc idpyoidc selenium
    Tests/Interop/openid_providers.py --gate .build/debug/claims-gate [--install] [--only glewlwyd,lemonldap] [--pictures FOLDER]

The providers are Debian's glewlwyd and LemonLDAP::NG, PyPI's idpyoidc, and strict_provider.py (foreign_providers.py). A cell is `works`,
`cannot` with the word of the provider's own document, or the code that the gate refused with. With --pictures Chromium signs in at
LemonLDAP::NG and takes pictures. Needs gcc, which makes a clock that jumps. Exits with 1 where a cell is not the one expected.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'PlayedThrough'), str(HERE)]
from browser import Browser  # noqa: E402
import foreign_providers  # noqa: E402
import lemonldap  # noqa: E402
import programs  # noqa: E402

GATE, OPERATIONS = 18261, 18262
ORIGIN = 'http://127.0.0.1:%d' % GATE
PREFIX = ORIGIN + '/.gate/'
KINDS = {'strict': (foreign_providers.Strict, 18263), 'idpyoidc': (foreign_providers.IdPyOIDC, 18264),
         'glewlwyd': (foreign_providers.Glewlwyd, 18265), 'lemonldap': (foreign_providers.LemonLDAP, 18266)}
PAIRS = [(algorithm, encryption) for algorithm in ('RSA-OAEP', 'ECDH-ES') for encryption in ('A256GCM', 'A128CBC-HS256')]

parser = argparse.ArgumentParser()
parser.add_argument('--gate', default='.build/debug/claims-gate')
parser.add_argument('--install', action='store_true')
parser.add_argument('--only', default=','.join(KINDS))
parser.add_argument('--features', default='')
parser.add_argument('--pictures')
arguments = parser.parse_args()
if arguments.install:
    programs.install('glewlwyd', 'sqlite3', *lemonldap.PACKAGES, 'gcc', 'libc6-dev', 'openssl')
tally, running = programs.Tally(), programs.Programs('providers')
folder = running.folder
(folder / 'secret').write_text(foreign_providers.SECRET)
(folder / 'secret').chmod(0o600)
for name, kind, option in (('client', 'EC', 'ec_paramgen_curve:P-256'), ('open-ec', 'EC', 'ec_paramgen_curve:P-256'),
                           ('open-rsa', 'RSA', 'rsa_keygen_bits:2048')):
    subprocess.run(['openssl', 'genpkey', '-algorithm', kind, '-pkeyopt', option, '-out', str(folder / (name + '.key'))], check=True,
                   capture_output=True)
    (folder / (name + '.key')).chmod(0o600)
(folder / 'cookies.keys').write_bytes(subprocess.run(['openssl', 'rand', '-base64', '32'], capture_output=True).stdout)
table, found_words = {}, {}
SECRET = {'clientSecret': 'file:secret'}
OPEN = {'decryptKeys': ['open-rsa.key', 'open-ec.key'], **SECRET}


class Refused(Exception):
    """The gate let nobody in: its code."""


def code_of(page, check):
    text = page.text + ' ' + check.text
    words = [word for word in text.replace('<', ' ').replace('>', ' ').replace('"', ' ').split() if '.' in word and word.split('.')[0] in (
        'signin', 'algorithm', 'key', 'signature', 'gate', 'transport', 'time', 'claim', 'encryption', 'input')]
    return words[0] if words else 'status %d' % page.status


class Person(Browser):
    """A person with a browser; `provider` knows its pages."""

    def __init__(self, provider):
        super().__init__()
        self.provider = provider

    def check(self, path='/page'):
        return self.ask(PREFIX + 'check', None, {'X-Original-URI': path, 'X-Original-Method': 'GET'})

    def sign_in(self, path='/page'):
        """The headers of the check after it. Raises what the gate refuses with."""
        page = self.open(PREFIX + 'sign-in?return=' + urllib.parse.quote(path, ''))
        page = self.provider.sign_in(self, page)
        found = self.check(path)
        if found.status != 200:
            raise Refused(code_of(page, found), page.url, page.text[:500], found.text[:300])
        return found.headers


def with_gate(provider, openid, wishes, play, rules=(), clock=False):
    """What `play` says with this provider and a gate configured so."""
    environment = running.clock('all') if clock else None
    provider.start(environment, **wishes)
    provider.passwords = 0
    try:
        (folder / 'gate.json').write_text(json.dumps({
            'public': ORIGIN, 'listen': '127.0.0.1:%d' % GATE, 'operations': '127.0.0.1:%d' % OPERATIONS,
            'proxy': {'kind': 'nginx', 'peers': ['127.0.0.1']}, 'cookieKeys': 'cookies.keys',
            'providers': [{'id': 'op', 'name': provider.name, 'openID': {
                'issuer': provider.issuer, 'clientID': foreign_providers.CLIENT, 'emails': ['badwolf.org', 'corp.example'], **openid}}],
            'headers': {'X-Remote-User': 'subject', 'X-Remote-Email': 'email'}, 'rules': list(rules)}))
        running.start('gate', [arguments.gate, 'run', str(folder / 'gate.json')], GATE, env=environment)
        if hasattr(provider, 'learn'):
            keys = urllib.request.urlopen(PREFIX + 'openid/op/keys') if 'clientKey' in openid or 'decryptKeys' in openid else None
            if keys:
                provider.learn(json.load(keys))
        return play(Person(provider))
    finally:
        running.stop('gate')
        provider.stop()


def signs_in(person):
    headers = person.sign_in()
    assert headers['X-Remote-User'], dict(headers)


def email_from_user_info(provider):
    """The e-mail arrives with UserInfo and not without."""
    def play(is_read, person):
        mail = person.sign_in()['X-Remote-Email']
        assert bool(mail) == is_read, (is_read, mail)
    for is_read in (False, True):
        with_gate(provider, {**SECRET, **({} if is_read else {'userInfo': False})}, {}, lambda person: play(is_read, person))


def scopes(provider):
    """Without the scope email there is no e-mail."""
    def play(person):
        mail = person.sign_in()['X-Remote-Email']
        assert not mail, mail
    with_gate(provider, {**SECRET, 'scopes': ['openid'], 'userInfo': True}, {}, play)
    with_gate(provider, {**SECRET, 'scopes': ['openid', 'email'], 'userInfo': True}, {}, lambda person: signs_in(person))


def again(provider, openid, asked_again, jump=0):
    """Signs in twice with one browser; whether the provider asked for the password the second time."""
    def play(person):
        person.sign_in()
        assert provider.passwords == 1, provider.passwords
        if jump:
            running.clock('all', jump)
        person.jar.clear('127.0.0.1', '/', 'session') if 'session' in str(person.jar) else None
        person.sign_in()
        assert (provider.passwords == 2) == asked_again, (provider.passwords, person.trail[-6:])
    with_gate(provider, {**SECRET, **openid}, {}, play, clock=bool(jump))


def prompt(provider):
    again(provider, {}, False)
    # LemonLDAP::NG asks nobody again who has just said it.
    again(provider, {'prompt': 'login'}, True, jump=60)


def max_age(provider):
    again(provider, {'maxAge': 300}, False)
    again(provider, {'maxAge': 300}, True, jump=400)


def contexts(provider):
    with_gate(provider, {**SECRET, 'contexts': [provider.acr or 'urn:mfa']}, {}, signs_in)
    try:
        with_gate(provider, {**SECRET, 'contexts': ['urn:nothing']}, {}, signs_in)
    except Refused as error:
        # Some say themselves that they cannot, as the standard allows.
        assert error.args[0] in ('signin.context', 'signin.provider-error', 'signin.provider-refused'), error
    else:
        raise AssertionError('let in without the context')


def refresh(provider):
    """After the period the claims are read anew; after the provider forgets the person, the session ends."""
    def play(person):
        person.sign_in()
        running.clock('all', 90)
        found = person.check()
        assert found.status == 200, found.text
        report = urllib.request.urlopen('http://127.0.0.1:%d/health' % OPERATIONS).read().decode()
        assert 'refresh' not in report, report
        log = running.log('gate').split('listening')[-1]
        assert 'session.' not in log and 'no-refresh-token' not in log, log[-500:]
        # Proof that it asks: nobody answers, the claims count for one more period, and then no longer.
        provider.stop()
        statuses = []
        for seconds in (180, 300):
            running.clock('all', seconds)
            statuses.append(person.check().status)
        assert statuses == [200, 503] and 'session.not-renewed' in running.log('gate'), statuses
    members = {'refresh': 60, 'scopes': ['openid', 'email', 'offline_access']}
    if provider.offline_prompt:
        members['prompt'] = provider.offline_prompt
    with_gate(provider, {**SECRET, **members}, {}, play, clock=True)


def signed_out_here(provider):
    """RP-initiated: the session ends here and there, and the browser comes back."""
    def play(person):
        person.sign_in()
        question = person.open(PREFIX + 'sign-out')
        page = person.submit(question)
        for _ in range(4):
            if page.url.startswith(PREFIX):
                break
            if hasattr(provider, 'ended') and 'login.html' in page.url:
                page = provider.ended(person, page)
            elif page.forms:
                page = person.submit(page)
            elif page.links:
                back = [link for link in page.links if link.startswith(PREFIX)]
                page = person.open(back[0]) if back else page
        assert page.url.startswith(PREFIX + 'openid/op/signed-out'), (page.url, person.trail[-8:], page.text[:600])
        assert person.check().status == 401
        before = provider.passwords
        person.sign_in()
        assert provider.passwords == before + 1, 'the provider signs in without a question'
    with_gate(provider, SECRET, {}, play)


def signed_out_there(provider):
    """Back-channel: the provider ends the session here."""
    def play(person):
        person.sign_in()
        provider.sign_out(person)
        # A provider may tell by the back channel after the browser has its answer.
        end = time.monotonic() + 10
        while True:
            found, log = person.check(), running.log('gate').split('listening')[-1]
            if found.status == 401 or 'signin.refused' in log or time.monotonic() > end:
                break
            time.sleep(0.05)
        if 'signin.refused' in log:
            raise Refused(log.split('signin.refused code=')[1].split()[0])
        assert found.status == 401 and 'signout.demanded' in log, (found.status, log[-800:])
    with_gate(provider, SECRET, {}, play)


def encrypted(pair):
    def feature(provider):
        with_gate(provider, {'encrypted': 'required', **OPEN}, {'encryption': pair}, signs_in)
    return feature


def unencrypted_refused(provider):
    try:
        with_gate(provider, {'encrypted': 'required', **OPEN}, {}, signs_in)
    except Refused as error:
        assert error.args[0] == 'signin.not-encrypted', error
        return 'refused signin.not-encrypted'
    raise AssertionError('an ID token that is not encrypted was accepted')


def simple(openid=None, **wishes):
    return lambda provider: with_gate(provider, openid or SECRET, wishes, signs_in)


# The name of a feature, the word of `Foreign.words` that it needs, and the play.
FEATURES = [
    ('RS256', 'RS256', simple({'algorithms': ['RS256'], **SECRET}, algorithm='RS256')),
    ('ES256', 'ES256', simple({'algorithms': ['ES256'], **SECRET}, algorithm='ES256')),
    ('PS256', 'PS256', simple({'algorithms': ['PS256'], **SECRET}, algorithm='PS256')),
    ('e-mail from UserInfo alone', 'userinfo', email_from_user_info),
    ('scopes', 'scopes', scopes),
    ('client_secret_basic', 'basic', simple()),
    ('client_secret_post', 'post', simple({'authentication': 'post', **SECRET}, authentication='post')),
    ('private_key_jwt', 'privateKey', simple({'authentication': 'privateKey', 'clientKey': 'client.key'}, authentication='privateKey')),
    ('form_post', 'form_post', simple({'responseMode': 'form_post', **SECRET})),
    ('form_post without RFC 9207', 'form_post', simple({'responseMode': 'form_post', **SECRET}, issuer_named=False)),
    ('prompt', 'prompt', prompt), ('max_age', 'max_age', max_age), ('acr contexts', 'contexts', contexts),
    ('refresh', 'refresh', refresh), ('RP-initiated logout', 'rp-logout', signed_out_here),
    ('back-channel logout', 'back-channel', signed_out_there),
    *[('ID token %s %s' % pair, 'encrypted', encrypted(pair)) for pair in PAIRS],
    ('"encrypted": "required", plain ID token', 'plain', unencrypted_refused)]


def cell(provider, feature, word, play):
    if word in provider.words:
        found_words[provider.name, feature] = provider.words[word]
        return 'cannot'
    try:
        return play(provider) or 'works'
    except Refused as error:
        return 'refused %s' % error.args[0] + (' %s' % (error.args[1:],) if os.environ.get('VERBOSE') else '')
    except (AssertionError, OSError, KeyError, ValueError, SystemExit) as error:
        running.stop_all()
        return 'FAILED %s: %s' % (type(error).__name__, str(error)[:1200])


def show(kinds):
    print('\n| feature | ' + ' | '.join(kinds) + ' |\n|' + ' --- |' * (len(kinds) + 1))
    for feature, *_ in FEATURES:
        print('| %s | ' % feature + ' | '.join(table.get((kind, feature), '')[:60] for kind in kinds) + ' |')
    for (kind, feature), word in found_words.items():
        print('%s, %s: %s' % (kind, feature, word))


try:
    kinds = [kind for kind in arguments.only.split(',') if kind]
    for kind in kinds:
        kind_class, port = KINDS[kind]
        provider = kind_class(running, port, PREFIX)
        for feature, word, play in FEATURES:
            if arguments.features and not any(one in feature for one in arguments.features.split(',')) or (
                    'RFC 9207' in feature and 'form_post' not in provider.refusals):
                continue
            found = table[kind, feature] = cell(provider, feature, word, play)
            wanted = ['works', 'cannot', 'refused signin.not-encrypted']
            if feature in provider.refusals:
                code, found_words[kind, feature] = provider.refusals[feature]
                wanted = ['refused ' + code]
            tally.check('%s: %s: %s' % (kind, feature, found), found in wanted, found)
    if kinds:
        show(kinds)
    if arguments.pictures:
        import openid_pictures
        openid_pictures.take(arguments.gate, running, tally, pathlib.Path(arguments.pictures))
finally:
    running.stop_all()
running.end(tally)

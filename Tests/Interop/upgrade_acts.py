"""What upgrade.py has people and programs do: each act begins at one node and ends, after the `yield`, at the node that is sent in. It
returns whether all was as it has to be, and what was seen."""
import secrets
import time
import urllib.parse

from upgrade_world import (ACS, API, APP, BEARER, CALLBACK, CHALLENGE, EXCHANGE, OP, REGISTRATION, SECRETS, TOKEN_TYPE, VERIFIER, WIKI,
                           Browser, client, token)

ACTS, RACES = [], []
# Set by the play.
provider = admin_password = None


def act(what):
    def named(function):
        ACTS.append((what, function))
        return function
    return named


def race(what):
    """An act whose last step is asked of both nodes at once: it yields that step, and one node alone may say yes."""
    def named(function):
        RACES.append((what, function))
        return function
    return named


# acs: codes, tokens and sign-outs.

def authorize(node, browser, client_id='chat', **more):
    query = {'response_type': 'code', 'client_id': client_id, 'scope': 'openid', 'redirect_uri': CALLBACK, 'state': 's', 'nonce': 'n',
             'code_challenge': CHALLENGE, 'code_challenge_method': 'S256', **more}
    return browser.ask(node, ACS + '/v2/openid/authorize?' + urllib.parse.urlencode(query))


def people_page(node, browser, answer, name='Google', until=CALLBACK):
    """The page with the people of the test provider, or the way to another one."""
    answer = browser.follow(node, answer, until)
    links = [link for link in answer.text.split('href="')[1:] if '/v2/sign-in?' in link.split('"')[0] and name in link.split('</a>')[0]]
    if links:
        answer = browser.follow(node, browser.ask(node, urllib.parse.urljoin(answer.url, links[0].split('"')[0].replace('&amp;', '&'))), until)
    return answer


def press(node, browser, page):
    action, fields = page.form()
    return browser.ask(node, action, {**fields, 'person': '0'})


def code(node, browser=None, **more):
    """A code of Ada, who signs in at the test provider."""
    browser = browser or Browser()
    answer = press(node, browser, people_page(node, browser, authorize(node, browser, **more)))
    assert answer.place.startswith(CALLBACK) and 'code' in answer.query, str(answer)
    return answer.query['code']


def redeem(node, text):
    return token(node, {'grant_type': 'authorization_code', 'code': text, 'redirect_uri': CALLBACK, 'code_verifier': VERIFIER})


def refresh(node, text):
    return token(node, {'grant_type': 'refresh_token', 'refresh_token': text})


def userinfo(node, text):
    return Browser().ask(node, ACS + '/v2/openid/userinfo', headers={'Authorization': 'Bearer ' + text})


def exchange(node, text):
    return token(node, {'grant_type': EXCHANGE, 'subject_token': text, 'subject_token_type': TOKEN_TYPE + 'id_token', 'audience': API,
                        'requested_token_type': TOKEN_TYPE + 'access_token'})


def tokens(node, browser=None, **more):
    found = redeem(node, code(node, browser, **more)).json()
    assert 'refresh_token' in found, found
    return found


def over(node, found):
    """That neither refresh token nor access token of an authorization is taken; the refresh token last, since it may end the other."""
    seen = userinfo(node, found['access_token']).status, refresh(node, found['refresh_token']).status
    return seen == (401, 400), seen


def sign_out(node, browser, found):
    answer = browser.ask(node, ACS + '/v2/openid/logout?id_token_hint=' + found['id_token'])
    assert answer.status in (200, 302, 303), str(answer)


@act('a code gives tokens once')
def unused_code(node):
    text = code(node)
    node = yield
    seen = [redeem(node, text) for _ in range(2)]
    return [one.status for one in seen] == [200, 400], seen[0]


@act('a used code gives nothing, and a second use ends what it gave')
def used_code(node):
    text = code(node)
    found = redeem(node, text).json()
    node = yield
    again = redeem(node, text).status
    return again == 400 and over(node, found)[0], again


@act('a refresh token is good once, for the next one')
def unused_refresh(node):
    found = tokens(node)
    node = yield
    first = refresh(node, found['refresh_token'])
    second = refresh(node, first.json().get('refresh_token', ''))
    again = refresh(node, found['refresh_token'])
    return (first.status, second.status, again.status) == (200, 200, 400), first


@act('a used refresh token gives nothing, and ends the current one')
def used_refresh(node):
    found = tokens(node)
    current = refresh(node, found['refresh_token']).json()
    node = yield
    again = refresh(node, found['refresh_token']).status
    return again == 400 and refresh(node, current['refresh_token']).status == 400, again


@act('a revoked authorization stays revoked')
def revoked(node):
    found = tokens(node)
    told = client(node, '/v2/openid/revoke', {'token': found['refresh_token']}).status
    node = yield
    return told == 200 and over(node, found)[0], told


@act('an authorization can be revoked')
def to_revoke(node):
    found = tokens(node)
    node = yield
    told = client(node, '/v2/openid/revoke', {'token': found['access_token']}).status
    return told == 200 and over(node, found)[0], told


@act('an opaque access token is good')
def opaque(node):
    found = tokens(node)
    node = yield
    seen = userinfo(node, found['access_token'])
    told = client(node, '/v2/openid/introspect', {'token': found['access_token']})
    return seen.status == 200 and told.json().get('active') is True and seen.json()['sub'] == told.json()['sub'], seen


@act('an ID token can be exchanged, with the same person')
def exchanged(node):
    found = tokens(node)
    sub = exchange(node, found['id_token']).json()
    node = yield
    seen = exchange(node, found['id_token'])
    return seen.status == 200 and 'access_token' in sub and subject(seen.json()['access_token']) == subject(sub['access_token']), seen


def subject(text):
    import base64
    import json
    part = text.split('.')[1]
    return json.loads(base64.urlsafe_b64decode(part + '=' * (-len(part) % 4)))['sub']


@act('an access token for an API is good for introspection and refreshed')
def resource(node):
    found = tokens(node, resource=API, scope='openid read')
    node = yield
    seen = refresh(node, found['refresh_token'])
    return seen.status == 200 and subject(seen.json()['access_token']) == subject(found['access_token']), seen


@act('what a sign-out ended stays ended')
def signed_out(node):
    browser = Browser()
    found = tokens(node, browser)
    sign_out(node, browser, found)
    node = yield
    is_over, seen = over(node, found)
    return is_over and exchange(node, found['id_token']).status == 400, seen


@act('a sign-out ends what was given, and tells the relying party')
def to_sign_out(node):
    browser = Browser()
    found = tokens(node, browser)
    node = yield
    before = len(provider.told)
    sign_out(node, browser, found)
    is_over, seen = over(node, found)
    return is_over and len(provider.told) == before + 1, (seen, len(provider.told) - before)


@act('a refresh token with offline_access outlives the sign-out')
def offline(node):
    browser = Browser()
    found = tokens(node, browser, scope='openid offline_access')
    sign_out(node, browser, found)
    node = yield
    seen = refresh(node, found['refresh_token'])
    return seen.status == 200, seen


@act('a person who was asked whether to sign out is signed out')
def asked_to_leave(node):
    browser = Browser()
    found = tokens(node, browser)
    page = browser.ask(node, ACS + '/v2/openid/logout')
    node = yield
    action, fields = page.form(0)
    answer = browser.ask(node, action, fields)
    is_over, seen = over(node, found)
    return answer.status in (200, 303) and is_over, (str(answer), seen)


def push(node):
    return client(node, '/v2/openid/par', {
        'response_type': 'code', 'scope': 'openid', 'redirect_uri': CALLBACK, 'state': 's', 'nonce': 'n', 'code_challenge': CHALLENGE,
        'code_challenge_method': 'S256'}).json()['request_uri']


def pushed(node, uri):
    browser = Browser()
    answer = browser.ask(node, ACS + '/v2/openid/authorize?' + urllib.parse.urlencode({'client_id': 'chat', 'request_uri': uri}))
    return browser, answer


@act('a pushed request is authorized once')
def unused_push(node):
    uri = push(node)
    node = yield
    browser, answer = pushed(node, uri)
    answer = press(node, browser, people_page(node, browser, answer))
    again = pushed(node, uri)[1]
    return 'code' in answer.query and again.status == 400, (str(answer), str(again))


@act('a pushed request that was used gives nothing')
def used_push(node):
    uri = push(node)
    first = pushed(node, uri)[1]
    node = yield
    seen = pushed(node, uri)[1]
    return first.status < 400 and seen.status == 400, seen


@act('a client that registered itself signs people in')
def registered(node):
    answer = client(node, '/v2/openid/register', None, body='{"client_name": "Agent", "redirect_uris": ["%s"]}' % CALLBACK, headers={
        'Authorization': 'Bearer ' + REGISTRATION, 'Content-Type': 'application/json'})
    name = answer.json()['client_id']
    node = yield
    text = code(node, client_id=name)
    seen = Browser().ask(node, ACS + '/v2/openid/token', {
        'grant_type': 'authorization_code', 'client_id': name, 'code': text, 'redirect_uri': CALLBACK, 'code_verifier': VERIFIER})
    return seen.status == 200, seen


@act('a sign-in under way goes on')
def begun(node):
    browser = Browser()
    page = people_page(node, browser, authorize(node, browser))
    node = yield
    answer = press(node, browser, page)
    again = press(node, browser, page)
    return 'code' in answer.query and 'code' not in again.query, (str(answer), str(again))


@act('a sign-in that gave a code gives no other')
def finished(node):
    browser = Browser()
    page = people_page(node, browser, authorize(node, browser))
    answer = press(node, browser, page)
    node = yield
    again = press(node, browser, page)
    return 'code' in answer.query and 'code' not in again.query, again


@act('an admin stays signed in')
def admin(node):
    browser = Browser()
    browser.ask(node, ACS + '/admin/sign-in', {'password': admin_password})
    node = yield
    page = browser.ask(node, ACS + '/admin')
    return 'type="password"' not in page.text and 'chat' in page.text, page


def at_provider(node, browser, session, client_id='chat'):
    """A browser that signs in at the provider above acs: the address with which it comes back."""
    answer = authorize(node, browser, client_id)
    answer = people_page(node, browser, answer, 'Work', OP)
    return provider.answer(answer.place, 'grace', session)


# The old version knows the providers above by their places in the file and nothing else, so that it cannot end what the new one began.
ONLY_TO_NEW = ('a sign-in under way at a provider above', 'sign-out of the provider above')


@act('a sign-in under way at a provider above goes on, once')
def begun_upstream(node):
    browser = Browser()
    address = at_provider(node, browser, secrets.token_hex(4))
    node = yield
    copy = browser.copy()
    answer = browser.follow(node, browser.ask(node, address), CALLBACK)
    again = copy.follow(node, copy.ask(node, address), CALLBACK)
    return 'code' in answer.query and 'code' not in again.query, (str(answer), str(again))


def upstream(node, session, browser=None):
    browser = browser or Browser()
    answer = browser.follow(node, browser.ask(node, at_provider(node, browser, session)), CALLBACK)
    return redeem(node, answer.query['code']).json()


def upstream_logout(node, text):
    return Browser().ask(node, ACS + '/v2/upstream/openid/provider-1/logout', {'logout_token': text}).status


@act('a sign-out of the provider above ends what it began, once')
def upstream_out(node):
    session = secrets.token_hex(4)
    found = upstream(node, session)
    node = yield
    text = provider.logout_token('acs', session)
    told = upstream_logout(node, text), upstream_logout(node, text)
    is_over, seen = over(node, found)
    return is_over and told == (200, 400), (told, seen)


@act('what a sign-out of the provider above ended stays ended')
def upstream_was_out(node):
    session = secrets.token_hex(4)
    found = upstream(node, session)
    text = provider.logout_token('acs', session)
    told = upstream_logout(node, text)
    node = yield
    is_over, seen = over(node, found)
    # Each version remembers the token under its own name of the provider: the other one takes it, and finds nothing to end.
    return is_over and told == 200 and upstream_logout(node, text) in (200, 400), (told, seen)


@act('an assertion grant that was used gives nothing')
def used_grant(node):
    form = {'grant_type': BEARER, 'assertion': provider.grant(), 'resource': API, 'scope': 'read'}
    first = token(node, form, 'uploader')
    node = yield
    again = token(node, form, 'uploader')
    return first.status == 200 and again.status == 400, (str(first), str(again))


def draft_code(node):
    browser = Browser()
    answer = browser.ask(node, ACS + '/v2/OAuth2-13/authorize?' + urllib.parse.urlencode({
        'response_type': 'code', 'client_id': 'uploader', 'redirect_uri': CALLBACK, 'scope': 'chat', 'state': 's'}))
    return press(node, browser, people_page(node, browser, answer)).query['code']


def draft(node, form):
    return Browser().ask(node, ACS + '/v2/OAuth2-13', {
        'client_id': 'uploader', 'client_secret': SECRETS['uploader'], 'scope': 'chat', **form})


@act('a code of OAuth draft 13 gives a token once, and its refresh token another')
def draft13(node):
    text = draft_code(node)
    other = draft(node, {'grant_type': 'authorization_code', 'code': draft_code(node), 'redirect_uri': CALLBACK}).json()
    node = yield
    form = {'grant_type': 'authorization_code', 'code': text, 'redirect_uri': CALLBACK}
    seen = draft(node, form), draft(node, form)
    turned = draft(node, {'grant_type': 'refresh_token', 'refresh_token': other['refresh_token']})
    return [one.status for one in (*seen, turned)] == [200, 400, 200], (str(seen[0]), str(turned))


# The gate: sessions, sign-ins under way, tickets and sign-outs.

def user(node, browser, origin=APP, path='/page'):
    """Who the gate says that the browser is; the status where it is nobody."""
    answer = browser.ask(node, origin + path)
    return answer.fields.get('X-Remote-User') if answer.status == 200 else answer.status


def gate_answer(node, browser, way, session='s'):
    """The answer of a provider, not yet given to the gate: address and form."""
    answer = browser.ask(node, APP + '/.gate/sign-in?return=%2Fpage&provider=' + way)
    if way == 'op':
        return provider.answer(answer.place, 'grace', session), None
    page = people_page(node, browser, browser.ask(node, answer.place) if answer.place else answer)
    action, fields = press(node, browser, page).form()
    return action, fields


def gate_sign_in(node, way='op', session='s'):
    browser = Browser()
    address, form = gate_answer(node, browser, way, session)
    answer = browser.ask(node, address, form)
    assert answer.status == 303, str(answer)
    return browser


def gate_sign_out(node, browser):
    action, fields = browser.ask(node, APP + '/.gate/sign-out').form()
    return browser.ask(node, action, fields)


def of_each_way(what):
    def named(function):
        for way in ('op', 'saml', 'wsfed'):
            ACTS.append(('%s: %s' % (way, what), lambda node, way=way: function(node, way)))
        return function
    return named


@of_each_way('a session goes on, with its claims, and ends at the sign-out')
def session(node, way):
    browser = gate_sign_in(node, way)
    before = user(node, browser)
    closed = user(node, browser, path='/closed/x')
    node = yield
    after = user(node, browser), user(node, browser, path='/closed/x')
    gate_sign_out(node, browser)
    left = user(node, browser)
    return isinstance(before, str) and after == (before, closed) and left == 401, (before, closed, after, left)


@of_each_way('a session that was ended stays ended')
def ended_session(node, way):
    browser = gate_sign_in(node, way)
    thief = browser.copy()
    gate_sign_out(node, browser)
    node = yield
    return user(node, thief) == 401, user(node, thief)


@of_each_way('a sign-in under way goes on, and its answer is good once')
def gate_begun(node, way):
    browser = Browser()
    address, form = gate_answer(node, browser, way)
    node = yield
    copy = browser.copy()
    first, again = browser.ask(node, address, form), copy.ask(node, address, form)
    return isinstance(user(node, browser), str) and user(node, copy) == 401, (str(first), str(again))


@of_each_way('an answer that was taken is not taken again')
def gate_finished(node, way):
    browser = Browser()
    address, form = gate_answer(node, browser, way)
    copy = browser.copy()
    browser.ask(node, address, form)
    node = yield
    again = copy.ask(node, address, form)
    return user(node, copy) == 401, again


def ticket(node, browser):
    """The address with a ticket for the application on another host."""
    answer = browser.ask(node, WIKI + '/.gate/sign-in?return=%2Fpage')
    answer = browser.follow(node, answer, WIKI)
    assert '/.gate/ticket?' in answer.place, str(answer)
    return answer.place


@act('a session of an application goes on, and ends with the one at the site')
def child(node):
    browser = gate_sign_in(node)
    browser.ask(node, ticket(node, browser))
    before = user(node, browser, WIKI)
    node = yield
    after = user(node, browser, WIKI)
    if after == 401:
        # The old version does not know the sessions of the new one, and gets another from the site, without a page.
        browser.ask(node, ticket(node, browser))
        after = user(node, browser, WIKI)
    gate_sign_out(node, browser)
    return isinstance(before, str) and before == after and user(node, browser, WIKI) == 401, (before, after)


@act('a ticket opens a session once')
def unused_ticket(node):
    browser = gate_sign_in(node)
    address = ticket(node, browser)
    node = yield
    copy = browser.copy()
    first, again = browser.ask(node, address), copy.ask(node, address)
    return (first.status, again.status) == (303, 400) and isinstance(user(node, browser, WIKI), str), (str(first), str(again))


@act('a ticket that was used opens nothing')
def used_ticket(node):
    browser = gate_sign_in(node)
    address = ticket(node, browser)
    copy = browser.copy()
    browser.ask(node, address)
    node = yield
    again = copy.ask(node, address)
    return again.status == 400 and user(node, copy, WIKI) == 401, again


@act('what an application asks of the site goes on')
def asked_ticket(node):
    browser = gate_sign_in(node)
    answer = browser.ask(node, WIKI + '/.gate/sign-in?return=%2Fpage')
    node = yield
    answer = browser.follow(node, answer, WIKI)
    return browser.ask(node, answer.place).status == 303 and isinstance(user(node, browser, WIKI), str), answer


def gate_logout(node, text):
    return Browser().ask(node, APP + '/.gate/openid/op/logout', {'logout_token': text}).status


@act('a sign-out of the provider ends the session, once')
def gate_provider_out(node):
    name = secrets.token_hex(4)
    browser = gate_sign_in(node, session=name)
    node = yield
    text = provider.logout_token('gate', name)
    told = gate_logout(node, text), gate_logout(node, text)
    # The gate that has a file notices within a tenth of a second what others wrote.
    time.sleep(0.2)
    return user(node, browser) == 401 and told == (200, 400), (told, user(node, browser))


@act('a sign-out of the provider that was taken is not taken again')
def gate_provider_was_out(node):
    name = secrets.token_hex(4)
    browser = gate_sign_in(node, session=name)
    text = provider.logout_token('gate', name)
    told = gate_logout(node, text)
    node = yield
    return user(node, browser) == 401 and (told, gate_logout(node, text)) == (200, 400), told


# At both nodes at once.

@race('a code')
def race_code(node):
    text = code(node)
    yield lambda other: redeem(other, text).status == 200


@race('a refresh token')
def race_refresh(node):
    found = tokens(node)
    yield lambda other: refresh(other, found['refresh_token']).status == 200


@race('a pushed request')
def race_push(node):
    uri = push(node)
    yield lambda other: pushed(other, uri)[1].status < 400


@race('an assertion grant')
def race_grant(node):
    form = {'grant_type': BEARER, 'assertion': provider.grant(), 'resource': API, 'scope': 'read'}
    yield lambda other: token(other, form, 'uploader').status == 200


@race('a sign-in of a test person')
def race_begun(node):
    browser = Browser()
    page = people_page(node, browser, authorize(node, browser))
    yield lambda other: 'code' in press(other, browser.copy(), page).query


def race_answer(way):
    def racing(node):
        browser = Browser()
        address, form = gate_answer(node, browser, way)

        def step(other):
            copy = browser.copy()
            copy.ask(other, address, form)
            return isinstance(user(other, copy), str)
        yield step
    return racing


for one in ('saml', 'wsfed'):
    race('an answer by ' + one)(race_answer(one))


@race('a ticket')
def race_ticket(node):
    browser = gate_sign_in(node)
    address = ticket(node, browser)
    yield lambda other: browser.copy().ask(other, address).status == 303


@race('a logout token')
def race_logout(node):
    name = secrets.token_hex(4)
    gate_sign_in(node, session=name)
    text = provider.logout_token('gate', name)
    yield lambda other: gate_logout(other, text) == 200

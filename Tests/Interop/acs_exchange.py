#!/usr/bin/env python3
"""Tokens for tokens at acs (RFC 8693, RFC 7522, RFC 7523, identity assertion grants): subject tokens that xmlsec1 and PyJWT
signed are exchanged for each kind of token, and each is judged by xmlsec1, PyJWT or an HMAC of this script; then its refusals.

    swift build -c release --enable-all-traits --product acs
    Tests/Interop/acs_exchange.py --acs .build/release/acs [--install]

--install fetches Debian's xmlsec1 and openssl and PyPI's pyjwt[crypto] first. Prints a line for each thing that was seen, a
table subject type by requested type at the end with the code of each refusal in a second one, and exits with 1 on a surprise.
"""
import argparse
import base64
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

ACS, OPENID = 18393, 18394
parser = argparse.ArgumentParser()
parser.add_argument('--acs', default='.build/release/acs')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    programs.install('xmlsec1', 'openssl')
    subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', 'pyjwt[crypto]'], check=True)
import jwt  # noqa: E402

tally, running = programs.Tally(), programs.Programs('acs-exchange')
check, start, stop, folder = tally.check, running.start, running.stop, running.folder
ORIGIN = 'http://127.0.0.1:%d' % ACS
ISSUER, TOKEN = ORIGIN + '/', ORIGIN + '/v2/openid/token'
OP = 'http://127.0.0.1:%d' % OPENID
TYPE = 'urn:ietf:params:oauth:token-type:'
SWT = 'http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0'
TYPES = {'SAML 2.0': TYPE + 'saml2', 'SAML 1.1': TYPE + 'saml1', 'SWT': SWT, 'JWT': TYPE + 'jwt',
         'ID token': TYPE + 'id_token', 'access token': TYPE + 'access_token'}
EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
BEARER = 'urn:ietf:params:oauth:grant-type:'
CAMPUS, ADFS = 'https://campus.example/idp', 'https://adfs.example/trust'
SAML2, SAML1 = 'urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:1.0:assertion'


def b64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b'=').decode()


def instant(seconds=0):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)).strftime('%Y-%m-%dT%H:%M:%SZ')


# What providers say, signed by others than us.

SIGNATURE = ('<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>'
             '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'
             '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>'
             '<ds:Reference URI="#%s"><ds:Transforms>'
             '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
             '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>'
             '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference>'
             '</ds:SignedInfo><ds:SignatureValue/></ds:Signature>')
EMAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'


def sign(document, attribute, namespace, key='idp'):
    (folder / 'draft.xml').write_text(document)
    done = subprocess.run(['xmlsec1', '--sign', '--privkey-pem', folder / (key + '.key'), '--id-attr:' + attribute,
                           namespace + ':Assertion', folder / 'draft.xml'], check=True, capture_output=True)
    text = done.stdout.decode()
    return text[text.index('<saml:'):].strip()


def saml2(audience='agent', recipient=None, begins=-1, ends=300, issuer=CAMPUS, key='idp', name='ada', more=''):
    number = '_' + uuid.uuid4().hex
    data = '<saml:SubjectConfirmationData NotOnOrAfter="%s"%s/>' % (instant(ends), ' Recipient="%s"' % recipient if recipient else '')
    return sign(
        '<saml:Assertion xmlns:saml="%s" ID="%s" Version="2.0" IssueInstant="%s"><saml:Issuer>%s</saml:Issuer>%s<saml:Subject>'
        '<saml:NameID>%s</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">%s'
        '</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="%s" NotOnOrAfter="%s"><saml:AudienceRestriction>'
        '<saml:Audience>%s</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AttributeStatement>'
        '<saml:Attribute Name="%s"><saml:AttributeValue>%s@campus.example</saml:AttributeValue></saml:Attribute>'
        '</saml:AttributeStatement>%s</saml:Assertion>' % (
            SAML2, number, instant(-1), issuer, SIGNATURE % number, name, data, instant(begins), instant(ends), audience, EMAIL, name, more),
        'ID', SAML2, key)


def saml1(audience='agent', begins=-1, ends=300, issuer=ADFS, key='idp'):
    number = '_' + uuid.uuid4().hex
    confirmation = ('<saml:Subject><saml:NameIdentifier>ada</saml:NameIdentifier><saml:SubjectConfirmation>'
                    '<saml:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:bearer</saml:ConfirmationMethod>'
                    '</saml:SubjectConfirmation></saml:Subject>')
    return sign(
        '<saml:Assertion xmlns:saml="%s" MajorVersion="1" MinorVersion="1" AssertionID="%s" Issuer="%s" IssueInstant="%s">'
        '<saml:Conditions NotBefore="%s" NotOnOrAfter="%s"><saml:AudienceRestrictionCondition><saml:Audience>%s</saml:Audience>'
        '</saml:AudienceRestrictionCondition></saml:Conditions><saml:AttributeStatement>%s'
        '<saml:Attribute AttributeName="emailaddress" AttributeNamespace="http://schemas.xmlsoap.org/ws/2005/05/identity/claims">'
        '<saml:AttributeValue>ada@campus.example</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>%s'
        '</saml:Assertion>' % (SAML1, number, issuer, instant(-1), instant(begins), instant(ends), audience, confirmation,
                               SIGNATURE % number), 'AssertionID', SAML1, key)


def web(audience='agent', begins=None, ends=300, issuer=OP, key='idp', typ='JWT', algorithm='RS256', **more):
    now = int(time.time())
    claims = {'iss': issuer, 'aud': audience, 'sub': 'ada', 'email': 'ada@campus.example', 'iat': now - 1, 'exp': now + ends,
              'nbf': begins and now + begins, 'jti': uuid.uuid4().hex, **more}
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, (folder / (key + '.key')).read_text(), algorithm, headers={'kid': 'k1', 'typ': typ})


def access(**more):
    return web(**{'typ': 'at+jwt', 'client_id': 'agent', **more})


def simple(audience='client', ends=300, issuer=ISSUER, key='idp', **_):
    """A Simple Web Token with the key of acs, or with another one."""
    text = urllib.parse.urlencode({EMAIL: 'ada@campus.example', 'Issuer': issuer, 'Audience': audience,
                                   'ExpiresOn': int(time.time()) + ends})
    secret = base64.b64decode(running_secret) if key == 'idp' else b'another key of thirty-two octets'
    mac = base64.b64encode(hmac.new(secret, text.encode(), hashlib.sha256).digest()).decode()
    return text + '&HMACSHA256=' + urllib.parse.quote(mac, safe='')


MAKERS = {'SAML 2.0': saml2, 'SAML 1.1': saml1, 'SWT': simple, 'JWT': web, 'ID token': web, 'access token': access}


def wrapped(form, text):
    """An honest token inside what says something else."""
    if form.startswith('SAML'):
        attribute = 'ID' if form == 'SAML 2.0' else 'AssertionID'
        signature = re.search('<ds:Signature.*?</ds:Signature>', text, re.DOTALL)[0]
        inner = text.replace(signature, '')
        outer = re.sub(' %s="[^"]*"' % attribute, ' %s="_outer"' % attribute, inner, count=1).replace('ada', 'eva')
        advice = '<saml:Advice>%s</saml:Advice>' % inner
        place = outer.index('</saml:Conditions>') + len('</saml:Conditions>')
        outer = outer[:place] + advice + outer[place:]
        after = outer.index('</saml:Issuer>') + len('</saml:Issuer>') if form == 'SAML 2.0' else outer.rindex('</saml:Assertion>')
        return outer[:after] + signature + outer[after:]
    if form == 'SWT':
        return urllib.parse.urlencode({EMAIL: 'eva@campus.example', 'Audience': 'client'}) + '&' + text
    header, payload, signature = text.split('.')
    return json.dumps({'payload': payload, 'signatures': [{'protected': header, 'signature': signature},
                                                          {'protected': header, 'signature': signature}]})


def encrypted(form, text):
    """The token for a key that acs does not have; None where the format knows no encryption."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    public = serialization.load_pem_private_key((folder / 'evil.key').read_bytes(), None).public_key()
    key, start_value = os.urandom(32), os.urandom(12)
    if form.startswith('SAML'):
        sealed = public.encrypt(key, padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None))
        parts = [base64.b64encode(octets).decode() for octets in (sealed, start_value + AESGCM(key).encrypt(start_value, text.encode(), b''))]
        data = ENCRYPTED % tuple(parts)
        return '<saml:EncryptedAssertion xmlns:saml="%s">%s</saml:EncryptedAssertion>' % (SAML2, data) if form == 'SAML 2.0' else data
    if form == 'SWT':
        return None
    sealed = public.encrypt(key, padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None))
    header = b64url(json.dumps({'alg': 'RSA-OAEP-256', 'enc': 'A256GCM', 'cty': 'JWT', 'typ': 'JWT'}).encode())
    found = AESGCM(key).encrypt(start_value, text.encode(), header.encode())
    return '.'.join([header, *map(b64url, (sealed, start_value, found[:-16], found[-16:]))])


ENCRYPTED = ('<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">'
             '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>'
             '<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>'
             '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>'
             '<xenc:CipherData><xenc:CipherValue>%s</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>'
             '<xenc:CipherData><xenc:CipherValue>%s</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>')

# Judges of what acs gives.

def judge_xml(text, attribute, namespace):
    """The text of an assertion whose signature xmlsec1 verifies with the certificate of acs."""
    (folder / 'issued.xml').write_bytes(text)
    done = subprocess.run(['xmlsec1', '--verify', '--pubkey-cert-pem', folder / 'acs.crt', '--id-attr:' + attribute,
                           namespace + ':Assertion', folder / 'issued.xml'], capture_output=True, text=True)
    return text.decode() if done.returncode == 0 else 'not verified: ' + done.stderr


def judge(form, text, audience):
    """What a token says, verified by somebody else; None where it does not verify or is for another audience."""
    if form == 'SWT':
        signed, _, mac = text.rpartition('&HMACSHA256=')
        wanted = hmac.new(base64.b64decode(running_secret), signed.encode(), hashlib.sha256).digest()
        pairs = dict(urllib.parse.parse_qsl(signed))
        good = hmac.compare_digest(wanted, base64.b64decode(urllib.parse.unquote(mac)))
        return json.dumps(pairs) if good and pairs['Audience'] == audience and pairs['Issuer'] == ISSUER else None
    if form.startswith('SAML'):
        octets = base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))
        found = judge_xml(octets, *(('ID', SAML2) if form == 'SAML 2.0' else ('AssertionID', SAML1)))
        return found if '>%s<' % audience in found and ISSUER in found else None
    keys = jwt.PyJWKClient(ORIGIN + '/v2/openid/keys')
    header = jwt.get_unverified_header(text)
    if form == 'access token' and header['typ'] != 'at+jwt':
        return None
    claims = jwt.decode(text, keys.get_signing_key_from_jwt(text).key, algorithms=['RS256'], audience=audience, issuer=ISSUER)
    return json.dumps(claims)


def ask(fields, client='agent'):
    """The status and the JSON of the token endpoint."""
    request = urllib.request.Request(TOKEN, urllib.parse.urlencode(fields).encode())
    if client:
        pair = urllib.parse.quote(client, safe='') + ':secret+of+' + urllib.parse.quote(client, safe='')
        request.add_header('Authorization', 'Basic ' + base64.b64encode(pair.encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def travel(form, text):
    return b64url(text.encode()) if form.startswith('SAML') else text


def exchange(form, text, wanted=None, audience='urn:api', client='agent', **more):
    fields = {'grant_type': EXCHANGE, 'subject_token': travel(form, text), 'subject_token_type': TYPES[form],
              'audience': audience, **more}
    if wanted:
        fields['requested_token_type'] = TYPES.get(wanted, wanted)
    return ask({name: value for name, value in fields.items() if value is not None}, client)


class Provider(programs.JSONHandler):
    """What an OpenID provider publishes."""

    def do_GET(self):
        from jwt.algorithms import RSAAlgorithm
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
        key = load_pem_private_key((folder / 'idp.key').read_bytes(), None).public_key()
        body = {'keys': [{**json.loads(RSAAlgorithm.to_jwk(key)), 'kid': 'k1', 'alg': 'RS256', 'use': 'sig'}]} \
            if self.path == '/keys' else {
                'issuer': OP, 'authorization_endpoint': OP + '/authorize', 'token_endpoint': OP + '/token',
                'jwks_uri': OP + '/keys', 'response_types_supported': ['code'], 'subject_types_supported': ['public'],
                'id_token_signing_alg_values_supported': ['RS256']}
        self.answer(body)


def metadata(entity, role):
    certificate = ''.join((folder / 'idp.crt').read_text().splitlines()[1:-1])
    key = ('<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>'
           '<ds:X509Certificate>%s</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>' % certificate)
    return ('<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">' % entity + role.replace('KEY', key)
            + '</md:EntityDescriptor>')


IDP = ('<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">KEY<md:SingleSignOnService '
       'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://campus.example/sso"/></md:IDPSSODescriptor>')
STS = ('<md:RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
       'xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706" xsi:type="fed:SecurityTokenServiceType" '
       'protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706">KEY'
       '<fed:SecurityTokenServiceEndpoint><wsa:EndpointReference xmlns:wsa="http://www.w3.org/2005/08/addressing">'
       '<wsa:Address>https://adfs.example/ls</wsa:Address></wsa:EndpointReference></fed:SecurityTokenServiceEndpoint>'
       '<fed:PassiveRequestorEndpoint><wsa:EndpointReference xmlns:wsa="http://www.w3.org/2005/08/addressing">'
       '<wsa:Address>https://adfs.example/ls</wsa:Address></wsa:EndpointReference></fed:PassiveRequestorEndpoint>'
       '</md:RoleDescriptor>')


def write_service():
    (folder / 'campus.xml').write_text(metadata(CAMPUS, IDP))
    (folder / 'adfs.xml').write_text(metadata(ADFS, STS))
    rules = [{'if': {'from': provider, 'type': 'emailaddress'}} for provider in ('campus', 'adfs', 'op')]
    party = {'format': 'JWT', 'rules': ['all'], 'scopes': ['read'], 'exchangeFor': ['agent', 'client'], 'mayActFor': ['agent']}
    (folder / 'acs.json').write_text(json.dumps({
        'issuer': ISSUER, 'listen': '127.0.0.1:%d' % ACS, 'state': 'acs.db',
        'providers': [{'id': 'campus', 'grants': 'once', 'saml': {'metadata': 'campus.xml'}},
                      {'id': 'adfs', 'wsFederation': {'metadata': 'adfs.xml', 'realm': 'urn:acs'}},
                      {'id': 'op', 'grants': 'once', 'openID': {'issuer': OP, 'clientID': 'acs'}}],
        'ruleGroups': [{'name': 'all', 'rules': rules}],
        'relyingParties': [{'realm': 'urn:api', **party},
                           {'realm': 'client', 'clientSecret': 'secret of client', **party},
                           {'realm': 'urn:campus-only', **party, 'providers': ['campus']},
                           {'realm': 'urn:op-only', **party, 'providers': ['op']},
                           {'realm': 'urn:closed', 'format': 'JWT', 'rules': ['all']}],
        'serviceIdentities': [{'name': 'agent', 'password': 'secret of agent', 'audiences': ['https://agent.example/saml'],
                               'recipients': ['https://agent.example/acs']},
                              {'name': 'stranger', 'password': 'secret of stranger'}],
        'authorizationServers': [{'issuer': 'https://as.example', 'clients': {'agent': 'agent-there'}, 'scopes': ['orders']}]},
        indent=1))


def subjects():
    """Form, token and client: those of providers are for the agent, those of acs for the client."""
    found = [('SAML 2.0', 'campus', saml2(), 'agent'), ('SAML 1.1', 'adfs', saml1(), 'agent'), ('JWT', 'op', web(), 'agent'),
             ('ID token', 'op', web(nonce='n'), 'agent')]
    for form in TYPES:
        for audience in ('client', 'urn:api'):
            status, answer = exchange('SAML 2.0', saml2(), form, audience=audience)
            check('a %s of acs for %s' % (form, audience), status == 200, answer)
            text = answer.get('access_token', '')
            if form.startswith('SAML'):
                text = base64.urlsafe_b64decode(text + '=' * (-len(text) % 4)).decode()
            if audience == 'client':
                found.append((form, 'acs', text, 'client'))
            else:
                elsewhere[form] = text
    return found


def refusals(form, by, honest, client):
    """What a kind of subject token is refused for, and the token and the audience; the clock of acs does the rest. None where
    the format has no such thing."""
    make = MAKERS[form]
    own = {'issuer': ISSUER, 'audience': 'client'} if by == 'acs' else {}
    beyond = 'urn:campus-only' if by in ('adfs', 'op') else 'urn:op-only'
    return {
        'another audience': (elsewhere[form] if by == 'acs' else make(audience='https://else.example/'), 'urn:api'),
        'expired': None if by == 'acs' else (make(begins=-600, ends=-120), 'urn:api'),
        'not yet valid': None if by == 'acs' else (make(begins=600, ends=900), 'urn:api'),
        'another issuer': (make(**{**own, 'issuer': 'https://evil.example/'}), 'urn:api'),
        'another key': (make(**own, key='evil'), 'urn:api'),
        'never issued': (make(**own), 'urn:api') if form == 'SWT' else None,
        'a changed octet': (honest.replace('ada', 'eva') if form in ('SWT', 'SAML 2.0', 'SAML 1.1') else honest[:-8] + 'AAAAAAAA', 'urn:api'),
        'encrypted': (encrypted(form, honest), 'urn:api') if encrypted(form, honest) else None,
        'wrapped': (wrapped(form, honest), 'urn:api'),
        'malformed': (honest[:-9], 'urn:api'),
        'a provider not offered': (honest, beyond),
        'another type': (honest, 'urn:api', 'SAML 1.1' if form == 'SAML 2.0' else 'SAML 2.0')}


def words(answer):
    """The error and our code."""
    found = re.search(r'\(([a-z0-9.-]+)\)', answer.get('error_description', ''))
    return answer.get('error'), found[1] if found else ''


def refuse(row, what, form, text, audience, client, error='invalid_request', **more):
    status, answer = exchange(form, text, audience=audience, client=client, **more)
    found, code = words(answer)
    codes[row, what] = code or 'FAIL'
    check('%s: %s: %s, %s' % (row, what, found, code), (status, found) == (400, error) and code, answer)


def play_refusals(found):
    """Each kind of subject token, and what it is refused for; then the same when the clock of acs says another time."""
    for form, by, text, client in found:
        row = '%s of %s' % (form, by)
        for what, case in refusals(form, by, text, client).items():
            if case is None:
                codes[row, what] = '-'
            else:
                presented, audience, *as_other = case
                refuse(row, what, as_other[0] if as_other else form, presented, audience, client)
        refuse(row, 'a closed target', form, text, 'urn:closed', client, 'invalid_target')
        refuse(row, 'a scope beyond', form, text, 'urn:api', client, 'invalid_scope', scope='admin')
        stranger = exchange(form, text, client='stranger')
        found_word, code = words(stranger[1])
        codes[row, 'a client that may not'] = code
        check('%s: a client that may not: %s, %s' % (row, found_word, code), (stranger[0], found_word) == (400, 'unauthorized_client'), stranger)
        status, answer = exchange(form, text, client=client)
        check('%s: used again: accepted, as RFC 8693 has it' % row, status == 200, answer)
    for what, seconds in (('not yet valid', -3600), ('expired', 7200)):
        running.clock('acs', seconds)
        for form, by, text, client in found:
            row = '%s of %s' % (form, by)
            if by == 'acs' and not (form == 'SWT' and seconds < 0):
                refuse(row, what, form, text, 'urn:api', client)
    running.clock('acs', 0)


table, codes, elsewhere = {}, {}, {}
try:
    for name in ('idp', 'evil'):
        running.keypair(name)
    write_service()
    programs.serve(OPENID, Provider)
    moved = running.clock('acs')
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS, env=moved)
    keys = subprocess.run([arguments.acs, 'keys', folder / 'acs.json'], check=True, capture_output=True, text=True).stdout
    (folder / 'acs.crt').write_text(keys[:keys.index('-----END') + 26])
    running_secret = subprocess.run([arguments.acs, 'keys', '--symmetric', folder / 'acs.json'], check=True, capture_output=True,
                                    text=True).stdout.strip()
    found = subjects()
    for form, by, text, client in found:
        for wanted in TYPES:
            status, answer = exchange(form, text, wanted, client=client)
            said = judge(wanted, answer['access_token'], 'urn:api') if status == 200 else None
            good = said is not None and 'ada@campus.example' in said
            table['%s of %s' % (form, by), wanted] = good
            check('%s of %s for %s' % (form, by, wanted), good, said or answer)
    play_refusals(found)
    status, answer = exchange('JWT', web(cnf={'jkt': 'x'}))
    check('a bound token without a proof: invalid_request', (status, answer.get('error')) == (400, 'invalid_request'), answer)
    actor = {'actor_token': web(sub='robot'), 'actor_token_type': TYPES['JWT']}
    status, answer = exchange('JWT', web(may_act={'sub': 'robot', 'iss': OP}), 'access token', **actor)
    said = json.loads(judge('access token', answer['access_token'], 'urn:api')) if status == 200 else {}
    check('an actor token gives act', said.get('act', {}).get('iss') == ISSUER, answer)
    status, answer = exchange('JWT', web(may_act={'sub': 'else'}), 'access token', **actor)
    check('may_act is obeyed', (status, answer.get('error')) == (400, 'invalid_request'), answer)
    for grant, assertion in (('saml2-bearer', b64url(saml2(audience=TOKEN, recipient=TOKEN).encode())),
                             ('jwt-bearer', web(audience=ISSUER)),
                             ('jwt-bearer', web(audience=ISSUER, typ='oauth-id-jag+jwt', client_id='agent', resource='urn:api'))):
        fields = {'grant_type': BEARER + grant, 'assertion': assertion, 'resource': 'urn:api'}
        status, answer = ask(fields)
        said = judge('access token', answer['access_token'], 'urn:api') if status == 200 else None
        check('%s gives an access token' % grant, said and 'ada@campus.example' in said, answer)
        status, answer = ask(fields)
        check('%s, a second time: invalid_grant' % grant, (status, answer.get('error')) == (400, 'invalid_grant'), answer)
    status, answer = exchange('SAML 2.0', saml2(), TYPE + 'id-jag', audience='https://as.example', scope='orders')
    grant = answer.get('access_token', '')
    header = jwt.get_unverified_header(grant) if status == 200 else {}
    said = jwt.decode(grant, jwt.PyJWKClient(ORIGIN + '/v2/openid/keys').get_signing_key_from_jwt(grant).key,
                      algorithms=['RS256'], audience='https://as.example', issuer=ISSUER) if status == 200 else {}
    check('an identity assertion grant', header.get('typ') == 'oauth-id-jag+jwt' and said.get('client_id') == 'agent-there'
          and said['exp'] - said['iat'] <= 300, answer)
    # A grant that is redeemed while the process is killed gives one token at most.
    assertion = web(audience=ISSUER)
    fields = {'grant_type': BEARER + 'jwt-bearer', 'assertion': assertion, 'resource': 'urn:api'}
    first, _ = ask(fields)
    stop('acs', 9)
    start('acs', [arguments.acs, 'run', str(folder / 'acs.json')], ACS, env=moved)
    second, answer = ask(fields)
    check('a used grant is used after kill -9, too', (first, second) == (200, 400), answer)
    check('acs ends without an error', stop('acs') == 0)
finally:
    print()
    rows = list(dict.fromkeys(row for row, _ in table))
    print('%-22s' % 'subject \\ requested' + ''.join('%-14s' % wanted for wanted in TYPES))
    for row in rows:
        print('%-22s' % row + ''.join('%-14s' % ('ok' if table.get((row, wanted)) else 'FAIL') for wanted in TYPES))
    print()
    for row in dict.fromkeys(row for row, _ in codes):
        print('%-22s' % row + ', '.join('%s: %s' % (what, code) for (of, what), code in codes.items() if of == row))
    running.stop_all()
running.end(tally)

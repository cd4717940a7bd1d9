#!/usr/bin/env python3
"""The responses of PyPI's spid-sp-test, a suite of Italy's public administration, at our gate, each beside the variant of claims-attack
that says the same.

    swift build -c release --enable-all-traits --product claims-gate --product claims-attack
    python -m pip install spid-sp-test; apt-get install xmlsec1
    Tests/Interop/spid_responses.py --bin .build/release

Its own runner wants a service of its profile; here its responses are made by its classes, and posted to a sign-in at the gate. Exits
with 1 where the gate signs in otherwise than GOOD says, or where a response has neither a variant nor a reason.
"""
import argparse
import base64
import datetime
import http.cookiejar
import json
import logging
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

PORT, ISSUER = 19390, 'https://localhost:8443'
# Those of other numbers, which the gate signs in: good ones, and rules of that profile that SAML 2.0 does not have.
GOOD = {
    '1': 'good', '31': 'good', '94': 'good', '95': 'good', '96': 'good', '103': 'good: other attributes than were asked for',
    '109': 'good', '110': 'good',
    '3': 'SAML: the signature of the Response covers the assertion', '14': 'SAML: the times of the assertion count',
    '28': 'SAML Profiles 4.1.4.2: Issuer may be left out',
    '39': 'SAML: the times of the assertion count', '45': 'the profile: NameID is transient', '46': 'the profile: NameID is transient',
    '47': 'the profile: NameID is transient', '48': 'the profile: NameQualifier', '49': 'the profile: NameQualifier',
    '71': 'SAML Core 2.2.5: the Format of an Issuer may be left out', '76': 'SAML Core 2.5.1: NotBefore may be left out',
    '44': 'SAML Core 2.4.1: a confirmation may stand without a name; the application gets none', '97': 'no way to sign in was asked for: context/other plays it',
    '98': 'an AttributeStatement of nothing says nothing', '99': 'SAML Core 2.7.3.1: an attribute may have no value',
    '92': 'an empty class counts as none: no way to sign in was asked for',
}
VARIANTS = {
    '2': 'signature/removed', '4': 'signer/other-key', '5': 'key/attacker-certificate', '100': 'signer/other-key',
    'xsw1': 'wrapping/in-signature', 'xsw2': 'wrapping/first-unsigned', 'xsw3': 'wrapping/first-unsigned', 'xsw4': 'wrapping/nested',
    'xsw5': 'wrapping/second-with-copied-signature', 'xsw6': 'wrapping/in-signature', 'xsw7': 'wrapping/in-extensions',
    'xsw8': 'wrapping/in-object', 'xslt': 'transform/xslt', '8': 'response/empty-identifier', '9': 'response/no-identifier',
    '10': 'response/version', '11': 'response/empty-time', '12': 'response/no-time', '13': 'response/malformed-time',
    '15': 'response/future', '16': 'response/empty-request', '17': 'response/no-request', '18': 'response/other-request',
    '19': 'response/destination-empty', '21': 'response/destination-other', '22': 'response/hollow-status', '23': 'response/no-Status',
    '24': 'response/empty-status', '26': 'response/status', '27': 'response/empty-issuer', '29': 'response/issuer',
    '30': 'response/issuer-format', '32': 'response/no-assertion', '33': 'structure/empty-identifier', '34': 'structure/no-identifier',
    '35': 'structure/version', '36': 'time/malformed-issue-instant', '37': 'time/no-issue-instant', '38': 'time/malformed-issue-instant',
    '40': 'time/issued-in-future', '41': 'subject/hollow', '42': 'subject/none', '43': 'subject/empty',
    '51': 'subject/confirmation-without-data', '52': 'subject/unconfirmed', '53': 'subject/method-empty', '54': 'subject/method-absent',
    '55': 'subject/bearer2', '56': 'subject/confirmation-without-data', '57': 'recipient/empty', '58': 'recipient/none',
    '59': 'recipient/other', '60': 'recipient/empty-request', '61': 'recipient/no-request', '62': 'recipient/other-request',
    '63': 'time/confirmation-malformed-empty', '64': 'subject/confirmation-endless', '65': 'time/confirmation-malformed-words',
    '66': 'time/confirmation-ended', '68': 'issuer/none', '69': 'issuer/signed-for-another', '70': 'issuer/format', '72': 'issuer/format',
    '73': 'audience/hollow-conditions', '74': 'audience/no-conditions', '75': 'time/malformed-begin', '77': 'time/malformed-begin',
    '78': 'time/not-yet-by-a-second', '79': 'time/malformed-empty', '80': 'time/not-yet-by-a-second', '81': 'time/malformed-words', '82': 'time/expired-now',
    '83': 'audience/nobody', '85': 'audience/empty', '86': 'audience/nobody', '87': 'audience/other', '88': 'structure/undated-sign-in',
    '89': 'structure/no-sign-in', '90': 'structure/hollow-context', '93': 'structure/hollow-context',
    '104': 'response/status', '105': 'response/status', '106': 'response/status',
    '107': 'response/status', '108': 'response/status', '111': 'response/status',
}
# What the gate refuses for a signature that the driver's Responses do not have.
SIGNED = {'20': 'SAML Bindings 3.5.5.2: a signed Response has a Destination'}
METADATA = ('<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s"><md:IDPSSODescriptor '
            'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">'
            '<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>%s</ds:X509Certificate>'
            '</ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService '
            'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%s/samlsso"/></md:IDPSSODescriptor>'
            '</md:EntityDescriptor>')

parser = argparse.ArgumentParser()
parser.add_argument('--bin', type=pathlib.Path, default=pathlib.Path('.build/release'))
arguments = parser.parse_args()
tools = arguments.bin.resolve()
tally, running = programs.Tally(), programs.Programs('spid')
folder, origin = running.folder, 'http://127.0.0.1:%d' % PORT
running.keypair('idp')
# Where its settings look for the key of its provider.
(folder / 'private.key').write_bytes((folder / 'idp.key').read_bytes())
(folder / 'public.cert').write_bytes((folder / 'idp.crt').read_bytes())
os.environ['IDP_CERT_PATH'], os.environ['IDP_ENTITYID'] = str(folder), ISSUER
from lxml import etree  # noqa: E402
from spid_sp_test.response import SpidSpResponseCheck, saml_rnd_id  # noqa: E402
from spid_sp_test.responses import settings  # noqa: E402
from spid_sp_test.utils import del_ns  # noqa: E402

logging.disable(logging.CRITICAL)
(folder / 'idp.xml').write_text(METADATA % (ISSUER, running.certificate('idp'), ISSUER))
(folder / 'gate.json').write_text(json.dumps({
    'public': origin, 'listen': '127.0.0.1:%d' % PORT, 'proxy': {'kind': 'caddy', 'peers': ['127.0.0.1']},
    'providers': [{'id': 'spid', 'name': 'SPID', 'saml': {'metadata': 'idp.xml', 'entityID': ISSUER}}],
    'headers': {'X-Remote-User': 'subject'}}))
running.start('gate', [tools / 'claims-gate', 'run', folder / 'gate.json'], PORT)


class Browser:
    """Begins a sign-in, posts a response, and says whether a person is signed in."""

    def __init__(self):
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        self.opener = urllib.request.build_opener(
            Stay, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy())))

    def open(self, address, form=None):
        try:
            return self.opener.open(address, form and urllib.parse.urlencode(form).encode(), timeout=20)
        except urllib.error.HTTPError as error:
            return error

    def begin(self):
        where = self.open(origin + '/.gate/sign-in?return=/.gate/account').headers['Location']
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(where).query))
        return zlib.decompress(base64.b64decode(query['SAMLRequest']), -15), query.get('RelayState')

    def is_signed_in(self, address, form):
        self.open(address, form)
        return self.open(origin + '/.gate/account').status == 200


class Check(SpidSpResponseCheck):
    """Its responses, for a request that was caught here."""

    def do_authnrequest(self):
        self.browser = Browser()
        octets, self.relay_state = self.browser.begin()
        self.authnreq_etree = etree.fromstring(octets)
        del_ns(self.authnreq_etree)
        self.authnreq_attrs = self.authnreq_etree.attrib
        self.acs_url, self.acs_index, self.user_attrs = self.authnreq_attrs['AssertionConsumerServiceURL'], None, settings.ATTRIBUTES
        now = datetime.datetime.now(datetime.timezone.utc)

        def text(moment):
            return moment.strftime('%Y-%m-%dT%H:%M:%SZ')

        self.response_attrs = {
            'ResponseID': saml_rnd_id(), 'AuthnRequestID': self.authnreq_attrs['ID'], 'IssueInstant': text(now),
            'NotOnOrAfter': text(now + datetime.timedelta(minutes=5)), 'AssertionConsumerURL': self.acs_url,
            'NameIDNameQualifier': ISSUER, 'NameID': 'a-person', 'AssertionID': saml_rnd_id(), 'AuthnIstant': text(now),
            'SessionIndex': saml_rnd_id(), 'Issuer': ISSUER, 'Audience': self.authnreq_etree.find('Issuer').text,
            'AuthnContextClassRef': 'https://www.spid.gov.it/SpidL1', 'IssueInstantMillis': now.strftime('%Y-%m-%dT%H:%M:%S.%fZ'),
            'sign_response': True, 'sign_assertion': True}

    def is_signed_in(self, name):
        self.do_authnrequest()
        response = self.load_test(test_name=name)
        message = self.post_xml(
            self.sign(response.render(user_attrs=self.user_attrs), key_file=response.private_key,
                      cert_file=response.response_attrs.get('X509Certificate')), settings.RESPONSE_TESTS[name])
        form = {'SAMLResponse': base64.b64encode(message.encode()).decode()}
        if self.relay_state:
            form['RelayState'] = self.relay_state
        return self.browser.is_signed_in(self.acs_url, form)


listed = subprocess.run([tools / 'claims-attack', 'list', '--protocol', 'saml20'], capture_output=True, check=True, text=True)
ours = {json.loads(line)['id'] for line in listed.stdout.splitlines()}
made = Check(key_file=str(folder / 'private.key'), test_jsons=[], xmlsec_binary='/usr/bin/xmlsec1')
count = 0
try:
    for name, test in settings.RESPONSE_TESTS.items():
        try:
            signed_in = made.is_signed_in(name)
            count += signed_in
        except Exception as error:
            signed_in = None
            print('      %s is not made: %r' % (name, error))
        what, variant, signed = GOOD.get(name), VARIANTS.get(name), SIGNED.get(name)
        tally.check('%-5s %-12s %s' % (name, 'signed in' if signed_in else 'not made' if signed_in is None else 'refused',
                                       what or signed or variant or '-'),
                    signed_in is not None and signed_in == (what is not None) and (what or signed or variant in ours), test['name'])
    print('%d responses, %d signed in' % (len(settings.RESPONSE_TESTS), count))
finally:
    running.stop_all()
running.end(tally)

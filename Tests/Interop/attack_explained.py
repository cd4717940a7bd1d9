"""Why foreign services accept what they accept of claims-attack, by identifier or by family: read in their source or their
documentation, at the versions of Debian 12 and PyPI."""

# Allowed, or of no use to an attacker without another hole.
INSTRUCTION = 'processing instructions are dropped from signed text, as their XML readers do; the signer alone can put one there'
LENIENT = 'the reader is lenient about what does not matter for the signature; the signed person is read'
BASE64 = 'the base64 reader is lenient'
WINDOW = 'no lower bound of time is checked: OpenID Connect Core has no nbf'

OPENIDC = {
    'algorithm/none-4': 'OpenID Connect Core 3.1.3.7 (6) lets a client take an unsigned ID token from the token endpoint; it does so '
                        'even where OIDCIDTokenSignedResponseAlg is set',
    'header/duplicate-alg': 'the last of two members counts, which is "none"; as above',
    'encoding/signature-padding': BASE64,
    'issuer-parameter/absent': 'iss is compared where it is there, and not missed where discovery promises it (RFC 9207, 2.4)',
    'time/empty-window': WINDOW, 'time/not-yet': WINDOW,
    'keys/secret-in-set': 'a key of type oct in the key set verifies HS256, though anyone can read it there',
    'keys/for-encryption': 'use of a key in the key set is not looked at (RFC 7517, 4.2)',
    'keys/for-another-algorithm': 'alg of a key in the key set is not looked at (RFC 7517, 4.4)',
    'userinfo/other-subject': 'UserInfo of another subject is put aside, as OpenID Connect Core 5.3.2 has it',
}
OPENIDC['algorithm/none-unsigned'] = OPENIDC['algorithm/none-4']
OPENIDC['encoding/signature-padding-four'] = BASE64

PYSAML2 = {
    'audience/none': 'for_me takes Conditions without AudienceRestriction, which SAML Profiles 4.1.4.2 demands',
    'audience/no-conditions': 'an assertion without Conditions is taken as valid by condition_ok',
    'audience/hollow-conditions': 'Conditions that hold nothing are taken as valid by condition_ok',
    'audience/second-restriction': 'one of several restrictions is enough for for_me; SAML Core 2.5.1.4 wants all of them',
    'audience/instruction': INSTRUCTION,
    'recipient/': 'verify_recipient passes where no conv_info is handed over, which djangosaml2 1.12 does not do either',
    'logout/': 'a service cannot demand signed requests: parse_logout_request asks for want_authn_requests_signed of "idp"',
    'response/': LENIENT,
    'structure/': LENIENT,
    'subject/confirmation-endless': 'NotOnOrAfter of the confirmation is checked where it is there',
    'subject/instruction': INSTRUCTION,
    'subject/other-service': 'SPNameQualifier is not compared',
    'subject/sender-vouches': 'sender-vouches is taken as it is, which the browser profile does not know',
    'subject/two': LENIENT, 'subject/two-names': LENIENT,
    'time/': 'times are checked where they are there, and those of the sign-in are not compared with now',
    'transport/': BASE64,
    'value/SignatureValue-instruction': INSTRUCTION,
    'weak/': 'xmlsec1 takes SHA-1 and any transform that it knows',
    'wrapping/': 'the genuine assertion is read; what stands beside it is passed over',
    'xml/': 'the XML reader takes other encodings, XML 1.1 and a DOCTYPE without entities',
    'limit/': LENIENT,
}

SIMPLESAMLPHP = {
    'audience/none': 'an assertion without AudienceRestriction is taken, which SAML Profiles 4.1.4.2 demands',
    'audience/instruction': INSTRUCTION,
    'issuer/signed-for-another': 'the Issuer of the Response counts, and that of the assertion is not compared with it',
    'limit/': LENIENT,
    'logout/': 'requests for logout need a signature where validate.logout or redirect.validate says so, which is not the default',
    'other-browser/': 'unsolicited answers are allowed, and RelayState may be an address',
    'unsolicited/': 'unsolicited answers are allowed',
    'recipient/': 'Recipient and InResponseTo are checked where they are there',
    'response/': LENIENT,
    'signature/': 'xmlseclibs finds the genuine signature beside what does not belong there',
    'structure/': LENIENT,
    'subject/confirmation-endless': 'NotOnOrAfter of the confirmation is checked where it is there',
    'subject/sender-vouches': 'sender-vouches is taken, which the browser profile does not know',
    'subject/': 'the name is not used where an attribute identifies the person',
    'time/': 'times are checked where they are there, by a reader that carries month 13 over',
    'transport/': BASE64,
    'value/': BASE64,
    'weak/': 'xmlseclibs takes SHA-1 and any transform that it knows',
    'wrapping/': 'the genuine assertion is read; what stands beside it is passed over',
    'xml/': 'the XML reader takes other encodings and XML 1.1',
}

MELLON = {
    'audience/none': 'an assertion without AudienceRestriction is taken, which SAML Profiles 4.1.4.2 demands',
    'audience/instruction': INSTRUCTION,
    'limit/': LENIENT,
    'logout/replayed': 'requests for logout are not remembered',
    'other-browser/': 'InResponseTo is not compared with the request of the browser: unsolicited answers are allowed',
    'unsolicited/': 'unsolicited answers are allowed',
    'recipient/': 'InResponseTo is not compared, and Recipient is checked where it is there',
    'response/': 'the Response around a signed assertion is read no further than its status',
    'signature/SignedInfo-in-Object': 'libxmlsec1 verifies the genuine SignedInfo beside what does not belong there',
    'structure/': 'Lasso passes over what it does not know, also a condition, which SAML Core 2.5.1.1 forbids',
    'subject/': 'a subject without a confirmation is taken, and one of which neither an end nor data are there',
    'time/': 'times are checked where they are there, and those of the sign-in are not compared with now; month 13 is carried over',
    'value/': BASE64,
    'weak/': 'libxmlsec1 takes SHA-1 and repeated transforms',
    'wrapping/': 'the genuine assertion is read; what stands beside it is passed over',
    'xml/': 'the XML reader takes other encodings and XML 1.1',
}

SERVICES = {'openidc': OPENIDC, 'pysaml2': PYSAML2, 'mellon': MELLON, 'shibboleth': {}, 'simplesamlphp': SIMPLESAMLPHP}

"""Why foreign services accept what they accept of claims-attack, by identifier or by family: read in their source or their
documentation, at the versions of Debian 12 and PyPI."""

# Allowed, or of no use to an attacker without another hole.
INSTRUCTION = 'processing instructions are dropped from signed text, as their XML readers do; the signer alone can put one there'
LENIENT = 'the reader is lenient about what does not matter for the signature; the signed person is read'
BASE64 = 'the base64 reader is lenient'
WINDOW = 'no lower bound of time is checked: OpenID Connect Core has no nbf'

NO_AUDIENCE = {name: 'an assertion without AudienceRestriction is taken, which SAML Profiles 4.1.4.2 demands'
               for name in ('audience/none', 'audience/no-conditions', 'audience/hollow-conditions')}

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

DJANGOSAML2 = {
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
    **NO_AUDIENCE,
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
    **NO_AUDIENCE,
    'audience/instruction': INSTRUCTION,
    'limit/': LENIENT,
    'logout/expired': 'NotOnOrAfter of a request for logout is not looked at',
    'logout/other-destination': 'Destination of a request for logout is not compared',
    'logout/replayed': 'requests for logout are not remembered',
    'logout/unsolicited-response': 'an answer to a request for logout ends the session, whether there was a request or not',
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

SHIBBOLETH = {
    'audience/': 'the rule "Audience" looks at the restrictions that are there, and wants none; SAML Profiles 4.1.4.2 demands one',
    'limit/': LENIENT,
    'other-browser/': 'the policy that ships correlates no answer with a request: its own "blockUnsolicited" has to be chosen',
    'unsolicited/': 'unsolicited answers are allowed, as above',
    'recipient/': 'Recipient is compared; InResponseTo is not, as above',
    'response/': 'InResponseTo is not compared, as above; the order of the parts of an unsigned Response is not that of the schema',
    'signature/': 'XML-Security-C verifies the genuine parts beside what does not belong there',
    'structure/': LENIENT,
    'subject/other-service': 'SPNameQualifier is not compared',
    'time/': 'clockSkew, three minutes, widens a window that is empty; an empty time counts as none, and one without zone as UTC',
    'value/': BASE64,
    'weak/': 'SHA-1 is not among the algorithms that are excluded, MD5 is; repeated transforms are taken',
    'wrapping/': 'the genuine assertion is read; what stands beside it is passed over',
    'xml/': 'Xerces takes other encodings, XML 1.1 and relative namespaces',
}

LEMONLDAP_SAML = {
    **NO_AUDIENCE,
    'audience/second-restriction': 'one of several restrictions is enough for Lasso; SAML Core 2.5.1.4 wants all of them',
    'audience/instruction': INSTRUCTION,
    'limit/': LENIENT,
    'other-browser/': 'InResponseTo is looked for among the requests of all browsers, and no cookie ties one to its own',
    'recipient/': 'Recipient and InResponseTo of the confirmation are not read; InResponseTo of the Response is',
    'response/': 'the Response around a signed assertion is read for its Destination, InResponseTo and status',
    'signature/SignedInfo-in-Object': 'libxmlsec1 verifies the genuine SignedInfo beside what does not belong there',
    'structure/': 'Lasso passes over what it does not know, also a condition, which SAML Core 2.5.1.1 forbids',
    'subject/': 'the confirmation is not read, whatever its method and its end',
    'time/': 'the window of Conditions is checked where it is there, and no other time',
    'value/': BASE64,
    'weak/': 'libxmlsec1 takes SHA-1 and repeated transforms',
    'wrapping/': 'the genuine assertion is read; what stands beside it is passed over',
    'xml/': 'the XML reader takes other encodings and XML 1.1',
}

LEMONLDAP_OPENID = {
    'clock/an-hour-early': 'of the times exp is checked, and iat against the oldest that is allowed alone',
    'time/': 'of the times exp is checked, and iat against the oldest that is allowed alone',
    'encoding/': BASE64,
    'issuer-parameter/': '2.16 does not know the iss of an answer (RFC 9207)',
    'other-browser/': 'the state is looked for among all that were given out, and no cookie ties it to the browser: whoever opens a '
                      'link of an attacker is signed in as that attacker (Lib/OpenIDConnect.pm, extractState)',
    'parts/': 'the token is split at its dots, and what is behind the third is passed over (Common/JWT.pm)',
    'token/authorized-party': 'azp is compared where there are several audiences alone',
}

SERVICES = {'openidc': OPENIDC, 'djangosaml2': DJANGOSAML2, 'mellon': MELLON, 'shibboleth': SHIBBOLETH, 'simplesamlphp': SIMPLESAMLPHP,
            'lemonldap-saml': LEMONLDAP_SAML, 'lemonldap-openid': LEMONLDAP_OPENID}

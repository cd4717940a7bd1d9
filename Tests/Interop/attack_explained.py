"""Why foreign services accept what they accept of claims-attack, by identifier or by family: read in their source or their
documentation, at the versions of Debian 12 and PyPI. A reason by family holds for answers that sign in the person whom the provider signed,
and for no other.

Each reason is of a kind:
known   the project says so: by its documentation, its tracker, or a setting whose default it is
new     seen here, and read in its source; we know of no report
strict  the standard allows it, or it is of no use to an attacker without the provider's key: our reading is stricter than it has to be
"""


def known(text):
    return 'known', text


def new(text):
    return 'new', text


def strict(text):
    return 'strict', text


INSTRUCTION = strict('processing instructions are dropped from signed text, as their XML readers do; the signer alone can put one there')
LENIENT = strict('the reader is lenient about what does not matter for the signature; the signed person is read')
GENUINE = strict('the genuine assertion is read; what stands beside it is passed over')
BASE64 = strict('the base64 reader is lenient')
WINDOW = strict('no lower bound of time is checked: OpenID Connect Core has no nbf')
NONE = known('OpenID Connect Core 3.1.3.7 (6) lets a client take an unsigned ID token from the token endpoint, and pull request 20 made it so; '
             'OIDCIDTokenSignedResponseAlg does not change it')
UNSOLICITED = known('answers that no request came before are allowed, and one that names a request is not compared with it')
ENDLESS = new('NotOnOrAfter of the confirmation is checked where it is there')
WEAK = strict('XML Signature allows SHA-1 and more transforms than two, and so does libxmlsec1')
UNREAD = new('Lasso passes over a condition that it does not know, which SAML Core 2.5.1.1 forbids')
ONE_OF_SEVERAL = 'one of several restrictions is enough%s; SAML Core 2.5.1.4 wants all of them'
NO_AUDIENCE = {name: new('an assertion without AudienceRestriction is taken, which SAML Profiles 4.1.4.2 demands')
               for name in ('audience/none', 'audience/no-conditions', 'audience/hollow-conditions')}

OPENIDC = {
    'algorithm/none-4': NONE, 'algorithm/none-unsigned': NONE,
    'header/duplicate-alg': known('the last of two members counts, which is "none"; as for algorithm/none-4'),
    'encoding/signature-padding': BASE64, 'encoding/signature-padding-four': BASE64,
    'issuer-parameter/absent': new('iss is compared where it is there, and not missed where discovery promises it (RFC 9207, 2.4)'),
    'time/empty-window': WINDOW, 'time/not-yet': WINDOW,
    'keys/secret-in-set': new('a key of type oct in the key set verifies HS256, though anyone can read it there'),
    'keys/for-encryption': new('use of a key in the key set is not looked at (RFC 7517, 4.2)'),
    'keys/for-another-algorithm': strict('alg of a key in the key set is not looked at (RFC 7517, 4.4, which demands it of no reader)'),
    'userinfo/other-subject': strict('UserInfo of another subject is put aside, as OpenID Connect Core 5.3.2 has it'),
}

DJANGOSAML2 = {
    'audience/none': new('for_me takes Conditions without AudienceRestriction, which SAML Profiles 4.1.4.2 demands'),
    'audience/no-conditions': new('an assertion without Conditions is taken as valid by condition_ok'),
    'audience/hollow-conditions': new('Conditions that hold nothing are taken as valid by condition_ok'),
    'audience/second-restriction': new(ONE_OF_SEVERAL % ' for for_me'),
    'audience/instruction': INSTRUCTION,
    'recipient/': known('verify_recipient passes where no conv_info is handed over, which djangosaml2 1.12 does not do (pysaml2, issue 769)'),
    'logout/': new('a service cannot demand signed requests: parse_logout_request asks for want_authn_requests_signed of "idp"'),
    'response/': LENIENT,
    'structure/': LENIENT,
    'subject/confirmation-endless': ENDLESS,
    'subject/instruction': INSTRUCTION,
    'subject/other-service': new('SPNameQualifier is not compared'),
    'subject/sender-vouches': new('sender-vouches is taken as it is, which the browser profile does not know'),
    'subject/two': LENIENT, 'subject/two-names': LENIENT,
    'time/': new('times are checked where they are there, and those of the sign-in are not compared with now'),
    'transport/': BASE64,
    'value/SignatureValue-instruction': INSTRUCTION,
    'weak/': WEAK,
    'wrapping/': GENUINE,
    'xml/': strict('the XML reader takes other encodings, XML 1.1 and a DOCTYPE without entities'),
    'limit/': LENIENT,
}

SIMPLESAMLPHP = {
    **NO_AUDIENCE,
    'audience/instruction': INSTRUCTION,
    'issuer/signed-for-another': new('the Issuer of the Response counts, and that of the assertion is not compared with it'),
    'limit/': LENIENT,
    'logout/': known('requests for logout need a signature where validate.logout or redirect.validate says so, which is not the default'),
    'other-browser/': known('unsolicited answers are allowed, and RelayState may be an address'),
    'unsolicited/': UNSOLICITED,
    'recipient/': new('Recipient and InResponseTo are checked where they are there'),
    'response/': LENIENT,
    'signature/': strict('xmlseclibs finds the genuine signature beside what does not belong there'),
    'structure/': LENIENT,
    'structure/value-instruction': strict('a value that holds more than text becomes a list of nodes, and the page shows no text for it'),
    'subject/confirmation-endless': ENDLESS,
    'subject/sender-vouches': new('sender-vouches is taken, which the browser profile does not know'),
    'subject/': strict('the name is not used where an attribute identifies the person'),
    'time/': new('times are checked where they are there, by a reader that carries month 13 over'),
    'transport/': BASE64,
    'value/': BASE64,
    'weak/': strict('XML Signature allows SHA-1 and more transforms than two, and so does xmlseclibs'),
    'wrapping/': GENUINE,
    'xml/': strict('the XML reader takes other encodings and XML 1.1'),
}

MELLON = {
    **NO_AUDIENCE,
    'audience/instruction': INSTRUCTION,
    'limit/': LENIENT,
    'logout/expired': new('NotOnOrAfter of a request for logout is not looked at'),
    'logout/other-destination': new('Destination of a request for logout is not compared'),
    'logout/replayed': new('requests for logout are not remembered'),
    'logout/unsolicited-response': new('an answer to a request for logout ends the session, whether there was a request or not'),
    'other-browser/': UNSOLICITED,
    'unsolicited/': UNSOLICITED,
    'recipient/': new('InResponseTo is not compared, and Recipient is checked where it is there'),
    'response/': strict('the Response around a signed assertion is read no further than its status'),
    'signature/SignedInfo-in-Object': strict('libxmlsec1 verifies the genuine SignedInfo beside what does not belong there'),
    'structure/': LENIENT,
    'structure/unknown-condition': UNREAD,
    'subject/': new('a subject without a confirmation is taken, and one of which neither an end nor data are there'),
    'subject/empty': new('a name without characters is a name: the session has an empty one'),
    'subject/instruction': INSTRUCTION,
    'time/': new('times are checked where they are there, and those of the sign-in are not compared with now; month 13 is carried over'),
    'value/': BASE64,
    'weak/': WEAK,
    'wrapping/': GENUINE,
    'xml/': strict('the XML reader takes other encodings and XML 1.1'),
}

SHIBBOLETH = {
    'audience/': new('the rule "Audience" looks at the restrictions that are there, and wants none; SAML Profiles 4.1.4.2 demands one'),
    'limit/': LENIENT,
    'other-browser/': known('the policy that ships correlates no answer with a request: its own "blockUnsolicited" has to be chosen'),
    'unsolicited/': known('unsolicited answers are allowed, as for other-browser/'),
    'recipient/': known('Recipient is compared; InResponseTo is not, as for other-browser/'),
    **{name: known('InResponseTo is not compared, as for other-browser/')
       for name in ('response/empty-request', 'response/no-request', 'response/other-request')},
    'response/': strict('an unsigned Response may have no Destination, and its parts need not have the order of the schema'),
    'signature/': strict('XML-Security-C verifies the genuine parts beside what does not belong there'),
    'structure/': LENIENT,
    'subject/other-service': new('SPNameQualifier is not compared'),
    'time/': known('clockSkew, three minutes, widens a window that is empty; an empty time counts as none, and one without zone as UTC'),
    'value/': BASE64,
    'weak/': known('SHA-1 is not among the algorithms that are excluded, MD5 is; repeated transforms are taken'),
    'wrapping/': GENUINE,
    'xml/': strict('Xerces takes other encodings, XML 1.1 and relative namespaces'),
}

LEMONLDAP_SAML = {
    **NO_AUDIENCE,
    'audience/second-restriction': new(ONE_OF_SEVERAL % ' for Lasso'),
    'audience/instruction': INSTRUCTION,
    'limit/': LENIENT,
    'logout/expired': new('NotOnOrAfter of a request for logout is not looked at'),
    'logout/other-subject': new('the session of the browser that brings a request for logout ends, whomever the request names'),
    'logout/replayed': new('requests for logout are not remembered'),
    'other-browser/': new('InResponseTo is looked for among the requests of all browsers, and no cookie ties one to its own'),
    'recipient/': new('Recipient and InResponseTo of the confirmation are not read; InResponseTo of the Response is'),
    'response/': strict('the Response around a signed assertion is read for its Destination, InResponseTo and status'),
    'signature/SignedInfo-in-Object': strict('libxmlsec1 verifies the genuine SignedInfo beside what does not belong there'),
    'structure/': LENIENT,
    'structure/unknown-condition': UNREAD,
    'subject/': new('the confirmation is not read, whatever its method and its end'),
    'subject/instruction': INSTRUCTION,
    'time/': new('the window of Conditions is checked where it is there, and no other time'),
    'transport/': BASE64,
    'value/': BASE64,
    'weak/': WEAK,
    'wrapping/': GENUINE,
    'xml/': strict('the XML reader takes other encodings and XML 1.1'),
}

TIMES = new('of the times exp is checked, and iat against the oldest that is allowed alone')
LEMONLDAP_OPENID = {
    'clock/an-hour-early': TIMES, 'time/': TIMES,
    'encoding/': BASE64,
    'issuer-parameter/': new('2.16 does not know the iss of an answer (RFC 9207)'),
    'other-browser/': new('the state is looked for among all that were given out, and no cookie ties it to the browser: whoever opens a link of '
                          'an attacker is signed in as that attacker (Lib/OpenIDConnect.pm, extractState)'),
    'parts/': new('the token is split at its dots, and what is behind the third is passed over (Common/JWT.pm)'),
    'token/authorized-party': strict('azp is compared where there are several audiences alone, as OpenID Connect Core 3.1.3.7 (4) says'),
}

SERVICES = {'openidc': OPENIDC, 'djangosaml2': DJANGOSAML2, 'mellon': MELLON, 'shibboleth': SHIBBOLETH, 'simplesamlphp': SIMPLESAMLPHP,
            'lemonldap-saml': LEMONLDAP_SAML, 'lemonldap-openid': LEMONLDAP_OPENID}


def reason(result, explained):
    """The kind and the text for an accepted variant; None where nothing explains it."""
    one = result['id']
    by_family = explained.get(one.split('/')[0] + '/') if result['signedIn'] == 'the person of the answer' else None
    return explained.get(one, by_family)

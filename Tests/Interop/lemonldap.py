"""LemonLDAP::NG on loopback: as a service whose people sign in at a provider of SAML 2.0 or OpenID Connect, or, with settings of its
caller, as a provider.

Its portal is one PSGI application by starman. /mysession/?whoami tells who is signed in.
"""
import json
import os

# Without recommended packages, which are mail, graphics and a manager.
PACKAGES = ['liblemonldap-ng-portal-perl', 'liblasso-perl', 'starman', 'libio-string-perl', 'libxml-simple-perl',
            'libstring-random-perl', 'libconvert-base32-perl', 'libemail-sender-perl', 'libmime-tools-perl',
            'libcrypt-openssl-x509-perl', 'libglib-perl']
# Its cookies name a domain, which an address cannot have; without one they are of this host.
PORTAL = """use lib $ENV{LLNG_LIB};
use Lemonldap::NG::Portal::Main;
my $portal = Lemonldap::NG::Portal::Main->run( {} );
sub {
  my $env = shift;
  $env->{REQUEST_SCHEME} = 'http'; $env->{SERVER_NAME} = '127.0.0.1';
  my $answer = $portal->($env);
  if (ref $answer eq 'ARRAY') { s/;\\s*domain=[^;]*//i for @{ $answer->[1] } }
  $answer;
};
"""
# In place of its captcha, which needs ImageMagick; no page here shows one.
NO_CAPTCHA = """package Interop::NoCaptcha;
use strict;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
1;
"""
INI = """[all]
logLevel = info
[configuration]
type = File
dirName = %(folder)s/conf
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
"""


def saml(folder, metadata):
    """What it is told of a provider of SAML 2.0; options are those that its manager proposes."""
    return {
        'authentication': 'SAML', 'samlServicePrivateKeySig': (folder / 'sp.key').read_text(),
        'samlServicePublicKeySig': (folder / 'sp.crt').read_text(), 'samlServiceUseCertificateInResponse': 1,
        'samlIDPMetaDataXML': {'provider': {'samlIDPMetaDataXML': metadata.decode()}},
        'samlIDPMetaDataExportedAttributes': {'provider': {'mail': '0;email;;'}},
        'samlIDPMetaDataOptions': {'provider': {
            'samlIDPMetaDataOptionsCheckSSOMessageSignature': 1, 'samlIDPMetaDataOptionsCheckSLOMessageSignature': 1,
            'samlIDPMetaDataOptionsCheckTime': 1, 'samlIDPMetaDataOptionsCheckAudience': 1,
            'samlIDPMetaDataOptionsNameIDFormat': 'unspecified'}}}


def openid(discovery, keys, client='lemonldap', secret='for-testing-only', by='client_secret_post', variables={'mail': 'email'}):
    """What it is told of a provider of OpenID Connect: its discovery document and keys as texts, and who it is there."""
    return {
        'authentication': 'OpenIDConnect', 'oidcOPMetaDataJSON': {'provider': discovery},
        'oidcOPMetaDataJWKS': {'provider': keys}, 'oidcOPMetaDataExportedVars': {'provider': variables},
        'oidcOPMetaDataOptions': {'provider': {
            'oidcOPMetaDataOptionsClientID': client, 'oidcOPMetaDataOptionsClientSecret': secret,
            'oidcOPMetaDataOptionsScope': 'openid profile email', 'oidcOPMetaDataOptionsCheckJWTSignature': 1,
            'oidcOPMetaDataOptionsUseNonce': 1, 'oidcOPMetaDataOptionsIDTokenMaxAge': 30, 'oidcOPMetaDataOptionsStoreIDToken': 1,
            'oidcOPMetaDataOptionsTokenEndpointAuthMethod': by}}}


# Its people are dwho, rtyler and msmith, each with their name as the password.
PEOPLE = {
    'authentication': 'Demo', 'passwordDB': 'Demo', 'whatToTrace': 'uid', 'trustedDomains': '*', 'csp': 0,
    'demoExportedVars': {'uid': 'uid', 'cn': 'cn', 'mail': 'mail'}, 'portalDisplayResetPassword': 0, 'portalDisplayRegister': 0}


def identity_provider(folder, service=None):
    """It as an identity provider of SAML 2.0 for the service of that metadata; without one for none yet."""
    basic = '0;%s;urn:oasis:names:tc:SAML:2.0:attrname-format:basic;%s'
    services = {
        'samlSPMetaDataXML': {'sp': {'samlSPMetaDataXML': service}},
        'samlSPMetaDataOptions': {'sp': {
            'samlSPMetaDataOptionsSignSSOMessage': 1, 'samlSPMetaDataOptionsSignSLOMessage': 1,
            'samlSPMetaDataOptionsCheckSSOMessageSignature': 1, 'samlSPMetaDataOptionsCheckSLOMessageSignature': 1,
            'samlSPMetaDataOptionsNameIDFormat': 'persistent', 'samlSPMetaDataOptionsNameIDSessionKey': 'uid'}},
        'samlSPMetaDataExportedAttributes': {'sp': {name: basic % (name, name) for name in PEOPLE['demoExportedVars']}}}
    return {
        **PEOPLE, 'issuerDBSAMLActivation': 1, 'samlIDPSSODescriptorWantAuthnRequestsSigned': 0,
        'samlServicePrivateKeySig': (folder / 'llng.key').read_text(), 'samlServicePublicKeySig': (folder / 'llng.crt').read_text(),
        'samlServiceUseCertificateInResponse': 1,
        # Each of its workers keeps the session of the last request for so many seconds, and knows nothing of a sign-in that another
        # worker answered in between: a logout within them is refused for an unknown principal.
        'handlerInternalCache': 0, **(services if service else {})}


def write(folder, port, settings):
    """Writes the configuration with these settings beside the common ones; the command that serves it, and its environment."""
    for name in ('conf', 'sessions/lock', 'psessions/lock', 'cache', 'lib/Interop'):
        (folder / name).mkdir(parents=True, exist_ok=True)

    def store(name):
        return {'Directory': str(folder / name), 'LockDirectory': str(folder / name / 'lock'),
                'generateModule': 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256'}

    (folder / 'conf/lmConf-1.json').write_text(json.dumps({
        'cfgNum': 1, 'cfgAuthor': 'interop', 'cfgDate': '1', 'cfgVersion': '2.16.1', 'portal': 'http://127.0.0.1:%d/' % port,
        'domain': '127.0.0.1', 'cookieName': 'lemonldap', 'securedCookie': 0,
        # With SAML its default is None, which browsers keep over https alone.
        'sameSite': 'Lax', 'userDB': 'Same', 'passwordDB': 'Null',
        'registerDB': 'Null', 'whatToTrace': '_user', 'timeout': 72000, 'key': 'only-for-interop-tests', 'requireToken': 0,
        'locationRules': {'127.0.0.1': {'default': 'accept'}}, 'exportedHeaders': {}, 'groups': {}, 'macros': {},
        'globalStorage': 'Apache::Session::File', 'globalStorageOptions': store('sessions'),
        'persistentStorage': 'Apache::Session::File', 'persistentStorageOptions': store('psessions'),
        'localSessionStorage': 'Cache::FileCache', 'localSessionStorageOptions': {
            'cache_root': str(folder / 'cache'), 'namespace': 'interop', 'default_expires_in': 600},
        # Each worker keeps what it read of a session so long, and does not see what the other wrote: none does.
        'handlerInternalCache': 0, 'portalCheckLogins': 0, 'captcha': 'Interop::NoCaptcha', 'captcha_login_enabled': 0, 'captcha_mail_enabled': 0,
        'captcha_register_enabled': 0, 'portalDisplayResetPassword': 0, 'portalDisplayRegister': 0, 'loginHistoryEnabled': 0,
        **settings}))
    (folder / 'lemonldap-ng.ini').write_text(INI % {'folder': folder})
    (folder / 'portal.psgi').write_text(PORTAL)
    (folder / 'lib/Interop/NoCaptcha.pm').write_text(NO_CAPTCHA)
    command = ['starman', '--listen', '127.0.0.1:%d' % port, '--workers', '2', '--env', 'deployment', str(folder / 'portal.psgi')]
    return command, {**os.environ, 'LLNG_DEFAULTCONFFILE': str(folder / 'lemonldap-ng.ini'), 'LLNG_LIB': str(folder / 'lib')}

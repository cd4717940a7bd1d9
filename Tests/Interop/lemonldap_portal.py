"""LemonLDAP::NG's portal in a folder, by Starman: an identity provider of SAML 2.0 (by Lasso), an OpenID provider, and a client of one.

Its people are dwho, rtyler and msmith, each with their name as the password. The folder holds llng.key and llng.crt beforehand.
"""
import json
import os

PACKAGES = ['liblemonldap-ng-portal-perl', 'liblasso-perl', 'starman', 'libio-string-perl', 'libxml-simple-perl',
            'libstring-random-perl', 'libconvert-base32-perl', 'libemail-sender-perl', 'libmime-tools-perl',
            'libcrypt-openssl-x509-perl', 'libglib-perl', 'openssl']

# Its cookies name a domain, which an address cannot have; without one they are of this host.
PORTAL = """use lib '%(folder)s/lib';
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
SETTINGS = """[all]
logLevel = info
[configuration]
type = File
dirName = %(folder)s/conf
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
"""
# In place of the portal's own, which would need ImageMagick; no page here shows one.
NO_CAPTCHA = """package Interop::NoCaptcha;
use strict;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
1;
"""
ATTRIBUTES = ('uid', 'cn', 'mail')
BASIC = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'


def write(folder, port, service=None, provider=None):
    """Writes the configuration; the command that serves it, and its environment.

    `service` is the metadata of a service provider of SAML 2.0; empty for an identity provider that knows none yet. `provider` is an OpenID provider at which people sign in here: its
    discovery document and keys as texts, a client identifier and a secret.
    """
    values = {'folder': folder, 'port': port}
    for name in ('conf', 'sessions/lock', 'psessions/lock', 'cache', 'lib/Interop'):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / 'lib/Interop/NoCaptcha.pm').write_text(NO_CAPTCHA)
    (folder / 'portal.psgi').write_text(PORTAL % values)
    (folder / 'lemonldap-ng.ini').write_text(SETTINGS % values)

    def store(name):
        return {'Directory': str(folder / name), 'LockDirectory': str(folder / name / 'lock'),
                'generateModule': 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256'}

    portal = 'http://127.0.0.1:%d/' % port
    settings = {
        'cfgNum': 1, 'cfgAuthor': 'interop', 'cfgDate': '1', 'cfgVersion': '2.16.1', 'portal': portal, 'domain': '127.0.0.1',
        'cookieName': 'lemonldap', 'securedCookie': 0, 'authentication': 'Demo', 'userDB': 'Same', 'passwordDB': 'Demo',
        'registerDB': 'Null', 'whatToTrace': 'uid', 'timeout': 72000, 'key': 'only-for-tests', 'requireToken': 0, 'csp': 0,
        'demoExportedVars': {name: name for name in ATTRIBUTES}, 'locationRules': {'127.0.0.1': {'default': 'accept'}},
        'exportedHeaders': {}, 'groups': {}, 'globalStorage': 'Apache::Session::File', 'globalStorageOptions': store('sessions'),
        'persistentStorage': 'Apache::Session::File', 'persistentStorageOptions': store('psessions'),
        'localSessionStorage': 'Cache::FileCache',
        'localSessionStorageOptions': {'cache_root': str(folder / 'cache'), 'namespace': 'test', 'default_expires_in': 600},
        'trustedDomains': '*', 'portalCheckLogins': 0, 'captcha': 'Interop::NoCaptcha', 'captcha_login_enabled': 0,
        'captcha_mail_enabled': 0, 'captcha_register_enabled': 0, 'portalDisplayResetPassword': 0, 'portalDisplayRegister': 0,
        'loginHistoryEnabled': 0, 'samlServicePrivateKeySig': (folder / 'llng.key').read_text(),
        'samlServicePublicKeySig': (folder / 'llng.crt').read_text(), 'samlServiceUseCertificateInResponse': 1}
    if service is not None:
        settings.update({'issuerDBSAMLActivation': 1, 'samlIDPSSODescriptorWantAuthnRequestsSigned': 0})
    if service:
        settings.update({
            'samlSPMetaDataXML': {'sp': {'samlSPMetaDataXML': service}},
            'samlSPMetaDataOptions': {'sp': {
                'samlSPMetaDataOptionsSignSSOMessage': 1, 'samlSPMetaDataOptionsSignSLOMessage': 1,
                'samlSPMetaDataOptionsCheckSSOMessageSignature': 1, 'samlSPMetaDataOptionsCheckSLOMessageSignature': 1,
                'samlSPMetaDataOptionsNameIDFormat': 'persistent', 'samlSPMetaDataOptionsNameIDSessionKey': 'uid'}},
            'samlSPMetaDataExportedAttributes': {'sp': {name: '0;%s;%s;%s' % (name, BASIC, name) for name in ATTRIBUTES}}})
    if provider:
        discovery, keys, client, secret = provider
        settings.update({
            'authentication': 'OpenIDConnect', 'userDB': 'OpenIDConnect', 'passwordDB': 'Null',
            'oidcOPMetaDataJSON': {'op': discovery}, 'oidcOPMetaDataJWKS': {'op': keys},
            'oidcOPMetaDataOptions': {'op': {
                'oidcOPMetaDataOptionsClientID': client, 'oidcOPMetaDataOptionsClientSecret': secret,
                'oidcOPMetaDataOptionsScope': 'openid profile email', 'oidcOPMetaDataOptionsCheckJWTSignature': 1,
                'oidcOPMetaDataOptionsUseNonce': 1, 'oidcOPMetaDataOptionsStoreIDToken': 1,
                'oidcOPMetaDataOptionsTokenEndpointAuthMethod': 'client_secret_basic'}},
            'oidcOPMetaDataExportedVars': {'op': {'uid': 'sub', 'cn': 'name', 'mail': 'email'}},
            'oidcRPCallbackGetParam': 'openidconnectcallback', 'portalDisplayLogout': 1})
    (folder / 'conf/lmConf-1.json').write_text(json.dumps(settings, indent=1))
    command = ['starman', '--listen', '127.0.0.1:%d' % port, '--workers', '2', '--env', 'deployment', str(folder / 'portal.psgi')]
    return command, {**os.environ, 'LLNG_DEFAULTCONFFILE': str(folder / 'lemonldap-ng.ini')}

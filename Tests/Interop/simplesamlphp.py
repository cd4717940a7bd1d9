"""SimpleSAMLphp as an identity provider in a folder, by PHP's own server: SAML 2.0, and WS-Federation as `urn:adfs`.

Its people are ada (lovelace) and root (secret). The folder holds idp.key and idp.crt beforehand; what it knows of
service providers is in metadata/saml20-sp-remote.php and metadata/adfs-sp-remote.php.
"""
import os

PACKAGES = ['simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl', 'php-sqlite3', 'openssl']

CONFIG = """<?php
$config = [
  'baseurlpath' => 'http://127.0.0.1:%(idp)d/simplesaml/', 'certdir' => '%(folder)s/', 'datadir' => '%(folder)s/data/',
  'loggingdir' => '%(folder)s/log/', 'tempdir' => '%(folder)s/tmp', 'metadatadir' => '%(folder)s/metadata/',
  'attributenamemapdir' => '/etc/simplesamlphp/attributemap/', 'secretsalt' => 'a salt of a test',
  'auth.adminpassword' => 'admin', 'technicalcontact_email' => 'na@example.org', 'timezone' => 'UTC',
  'logging.level' => 7, 'logging.handler' => 'file', 'logging.logfile' => 'ssp.log', 'showerrors' => true,
  'enable.saml20-idp' => true, 'enable.adfs-idp' => true, 'store.type' => 'sql',
  'store.sql.dsn' => 'sqlite:%(folder)s/store.sq3', 'store.sql.prefix' => 'ssp',
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true, 'adfs' => true],
  'session.cookie.secure' => false, 'session.cookie.samesite' => null, 'language.default' => 'en',
  'language.cookie.secure' => false, 'language.cookie.samesite' => null, 'admin.checkforupdates' => false,
  'trusted.url.domains' => null, 'session.phpsession.savepath' => null, 'metadata.sources' => [['type' => 'flatfile']],
];
"""
SOURCES = """<?php
$config = ['users' => ['exampleauth:UserPass',
  'ada:lovelace' => ['uid' => ['ada'], 'mail' => ['ada@idp.example'], 'role' => ['user', 'a,b', 'größe'],
                     'eduPersonPrincipalName' => ['ada@idp.example']],
  'root:secret' => ['uid' => ['root'], 'mail' => ['root@idp.example'], 'role' => ['admin']]]];
"""
HOSTED = """<?php
$metadata['%(entity)s'] = ['host' => '__DEFAULT__', 'privatekey' => 'idp.key', 'certificate' => 'idp.crt',
  'auth' => 'users', 'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sign.logout' => true,
  'userid.attribute' => 'uid', 'saml20.sendartifact' => true];
"""


def write(folder, port):
    """Writes the configuration; the command that serves it, and its environment."""
    values = {'idp': port, 'folder': folder}
    (folder / 'metadata').mkdir(exist_ok=True)
    (folder / 'config.php').write_text(CONFIG % values)
    (folder / 'authsources.php').write_text(SOURCES)
    (folder / 'metadata/saml20-idp-hosted.php').write_text(HOSTED % {'entity': 'http://127.0.0.1:%d/idp' % port})
    (folder / 'metadata/adfs-idp-hosted.php').write_text(HOSTED % {'entity': 'urn:adfs'})
    for name in ('data', 'log', 'tmp', 'sessions', 'www'):
        (folder / name).mkdir(exist_ok=True)
    (folder / 'www/simplesaml').symlink_to('/usr/share/simplesamlphp/www')
    command = ['php', '-d', 'session.save_path=%s/sessions' % folder, '-d', 'error_log=%s/php.log' % folder,
               '-d', 'opcache.enable=0', '-d', 'opcache.enable_cli=0', '-S', '127.0.0.1:%d' % port, '-t', str(folder / 'www')]
    return command, {**os.environ, 'SIMPLESAMLPHP_CONFIG_DIR': str(folder), 'PHP_CLI_SERVER_WORKERS': '2'}


def write_service(folder, port, issuer, metadata):
    """As `write`, with a service provider `sp`, whose provider has that metadata. The folder holds sp.key and sp.crt too."""
    command, environment = write(folder, port)
    (folder / 'metadata/provider.xml').write_bytes(metadata)
    config = CONFIG % {'idp': port, 'folder': folder}
    (folder / 'config.php').write_text(config.replace(
        "[['type' => 'flatfile']]", "[['type' => 'flatfile'], ['type' => 'xml', 'file' => '%s/metadata/provider.xml']]" % folder))
    (folder / 'authsources.php').write_text(
        "<?php\n$config = ['sp' => ['saml:SP', 'entityID' => 'urn:simplesamlphp', 'idp' => '%s', 'privatekey' => 'sp.key',"
        " 'certificate' => 'sp.crt', 'acs.Bindings' => ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST']]];\n" % issuer)
    return command, environment

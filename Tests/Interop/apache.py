"""Foreign services in one Apache on loopback: mod_auth_mellon and Shibboleth SP (SAML 2.0), and mod_auth_openidc (OpenID Connect).

Each shows its environment at /protected/, and a page that anyone sees at /out. The folder holds sp.key and sp.crt, which the
SAML services sign with, and idp.xml, the metadata of their provider, beforehand.
"""
import pathlib
import shutil
import time

PACKAGES = ['apache2', 'libapache2-mod-auth-mellon', 'libapache2-mod-shib', 'libapache2-mod-auth-openidc', 'openssl']
MODULES = ['mpm_worker', 'authn_core', 'authz_core', 'authz_user', 'alias', 'dir', 'mime', 'include', 'headers',
           'setenvif']
NATIVE = 'urn:mace:shibboleth:3.0:native:sp:config'
MELLON = '''
<VirtualHost 127.0.0.1:{port}>
  ServerName http://127.0.0.1:{port}
  <Location />
    MellonEndpointPath /mellon
    MellonSPentityId urn:mellon
    MellonSPPrivateKeyFile {folder}/sp.key
    MellonSPCertFile {folder}/sp.crt
    MellonIdPMetadataFile {folder}/idp.xml
    MellonSecureCookie Off
    MellonMergeEnvVars On
  </Location>
  # Its test cookie is SameSite=None, which browsers keep over https alone.
  SetEnvIf Request_URI . MELLON_DISABLE_SAMESITE=1
  <Location /protected>
    AuthType Mellon
    MellonEnable auth
    Require valid-user
  </Location>
</VirtualHost>'''
SHIBBOLETH = '''
ShibConfig {folder}/shibboleth2.xml
ShibCompatValidUser On
<VirtualHost 127.0.0.1:{port}>
  ServerName http://127.0.0.1:{port}
  UseCanonicalName On
  <Location /Shibboleth.sso>
    SetHandler shib
    Require all granted
  </Location>
  <Location /protected>
    AuthType shibboleth
    ShibRequestSetting requireSession true
    Require shib-session
  </Location>
</VirtualHost>'''
OPENIDC = '''
<VirtualHost 127.0.0.1:{port}>
  ServerName http://127.0.0.1:{port}
  OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
  OIDCClientID openidc
  OIDCClientSecret for-testing-only
  OIDCRedirectURI http://127.0.0.1:{port}/protected/callback
  OIDCCryptoPassphrase for-testing-only
  OIDCScope "openid profile email"
  OIDCPKCEMethod S256
  OIDCSSLValidateServer Off
  OIDCPassClaimsAs both
  <Location /protected>
    AuthType openid-connect
    Require valid-user
  </Location>
</VirtualHost>'''
SERVICE = '''
<SPConfig xmlns="{native}" logger="{f}/shib.logger" clockSkew="180">
  <OutOfProcess logger="{f}/shib.logger"/><InProcess logger="{f}/shib.logger"/>
  <UnixListener address="{f}/run/shibd.sock"/>
  <ApplicationDefaults entityID="urn:shibboleth" REMOTE_USER="emailaddress">
    <Sessions lifetime="3600" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false"
              cookieProps="; path=/; HttpOnly" redirectLimit="exact">
      <SSO entityID="{entity}">SAML2</SSO>
      <Logout>SAML2 Local</Logout>
      <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/>
      <Handler type="Session" Location="/Session" showAttributeValues="true"/>
    </Sessions>
    <MetadataProvider type="XML" validate="true" path="{f}/idp.xml">{filters}</MetadataProvider>
    <AttributeExtractor type="XML" validate="true" reloadChanges="false" path="{f}/attribute-map.xml"/>
    <CredentialResolver type="File" use="signing" key="{f}/sp.key" certificate="{f}/sp.crt"/>
    <CredentialResolver type="File" use="encryption" key="{f}/sp.key" certificate="{f}/sp.crt"/>
  </ApplicationDefaults>
  <SecurityPolicyProvider type="XML" validate="true" path="{f}/security-policy.xml"/>
  <ProtocolProvider type="XML" validate="true" reloadChanges="false" path="{f}/protocols.xml"/>
</SPConfig>'''


class Apache:
    """Writes what the services need below `folder`, and starts them."""

    def __init__(self, running):
        self.running, self.folder = running, running.folder
        self.folder.chmod(0o755)
        self.hosts, self.ports, self.modules, self.has_shibboleth = [], [], list(MODULES), False
        running.keypair('sp')
        (self.folder / 'sp.key').chmod(0o644)
        site = self.folder / 'site' / 'protected'
        site.mkdir(parents=True, exist_ok=True)
        (site / 'index.shtml').write_text('<pre><!--#printenv --></pre>')
        (self.folder / 'site' / 'out').write_text('signed out')
        (self.folder / 'run').mkdir(mode=0o777, exist_ok=True)
        (self.folder / 'run').chmod(0o777)

    def host(self, text, port, **values):
        self.ports.append(port)
        self.hosts.append(text.format(folder=self.folder, port=port, **values))

    def mellon(self, port):
        self.modules.append('auth_mellon')
        self.host(MELLON, port)

    def openidc(self, port, issuer):
        self.modules.append('auth_openidc')
        self.host(OPENIDC, port, issuer=issuer)

    def shibboleth(self, port, entity, attributes, filters=''):
        """`attributes` is the content of its attribute map."""
        self.has_shibboleth = True
        self.host(SHIBBOLETH, port)
        (self.folder / 'attribute-map.xml').write_text(
            '<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">%s'
            '</Attributes>' % attributes)
        for name in ('security-policy.xml', 'protocols.xml'):
            shutil.copy('/etc/shibboleth/' + name, self.folder)
        for page in pathlib.Path('/etc/shibboleth').glob('*.html'):
            shutil.copy(page, self.folder)
        (self.folder / 'shib.logger').write_text(
            'log4j.rootCategory=INFO, out\nlog4j.appender.out=org.apache.log4j.FileAppender\n'
            'log4j.appender.out.fileName=%s/run/shib.log\nlog4j.appender.out.layout=org.apache.log4j.PatternLayout\n'
            'log4j.appender.out.layout.ConversionPattern=%%p %%c %%x: %%m%%n\n' % self.folder)
        (self.folder / 'shibboleth2.xml').write_text(
            SERVICE.format(native=NATIVE, f=self.folder, entity=entity, filters=filters).strip())

    def write(self):
        modules = ['LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so' % (name, name) for name in self.modules]
        if self.has_shibboleth:
            modules.append('LoadModule mod_shib /usr/lib/apache2/modules/mod_shib.so')
        (self.folder / 'httpd.conf').write_text('\n'.join(
            ['ServerRoot %s' % self.folder, 'ServerName 127.0.0.1', 'PidFile %s/run/httpd.pid' % self.folder,
             'ErrorLog %s/apache-error.log' % self.folder, 'LogLevel warn', 'User www-data', 'Group www-data']
            + ['Listen 127.0.0.1:%d' % port for port in self.ports] + modules
            + ['ServerLimit 1', 'ThreadsPerChild 16', 'MaxRequestWorkers 16', 'TypesConfig /etc/mime.types',
               'DocumentRoot %s/site' % self.folder, 'DirectoryIndex index.shtml', 'AddOutputFilter INCLUDES .shtml',
               'AddType "text/html; charset=utf-8" .shtml', '<Directory %s/site>' % self.folder, 'Options +Includes',
               'Require all granted', '</Directory>'] + self.hosts) + '\n')

    def start(self):
        self.write()
        if self.has_shibboleth:
            # Starts it again when it ends, as systemd does by Debian's unit.
            self.running.start('shibd', [
                'sh', '-c', 'umask 0; while :; do shibd -F -f -c "$0/shibboleth2.xml" -p "$0/run/shibd.pid"; echo "ended: $?"; done',
                str(self.folder)])
            socket = self.folder / 'run' / 'shibd.sock'
            for _ in range(300):
                if socket.exists():
                    break
                time.sleep(0.1)
        self.running.start('apache2', ['apache2', '-f', str(self.folder / 'httpd.conf'), '-DFOREGROUND'], self.ports[0])

    def stop(self):
        self.running.stop('apache2')
        self.running.stop('shibd')

"""Apache with mod_oauth2 (Debian's libapache2-mod-oauth2), a resource server: below each name it serves one page to whoever has a token that
counts there."""

CONFIGURATION = '''
ServerRoot %(folder)s
PidFile apache.pid
ErrorLog apache.error
Listen 127.0.0.1:%(port)d
ServerName 127.0.0.1
%(modules)s
User www-data
Group www-data
DocumentRoot %(folder)s/www
OAuth2Cache shm max_val_size=16384
<Location />
  AuthType oauth2
  Require valid-user
</Location>
%(locations)s
'''
MODULES = ('mpm_event', 'authn_core', 'authz_core', 'authz_user', 'socache_shmcb', 'oauth2')


def start(running, port, locations):
    """`locations`: by a name what `OAuth2TokenVerify` says there. The page is at /NAME/x."""
    folder = running.folder
    for name in locations:
        (folder / 'www' / name).mkdir(parents=True, exist_ok=True)
        (folder / 'www' / name / 'x').write_text('page')
    folder.chmod(0o755)
    (folder / 'apache.conf').write_text(CONFIGURATION % {
        'folder': folder, 'port': port,
        'modules': ''.join('Include /etc/apache2/mods-available/%s.load\n' % name for name in MODULES),
        'locations': ''.join('<Location /%s/>\n  OAuth2TokenVerify %s\n</Location>\n' % pair for pair in locations.items())})
    running.start('apache', ['/usr/sbin/apache2', '-X', '-f', str(folder / 'apache.conf')], port)

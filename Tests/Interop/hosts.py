"""Several hosts on one machine: a browser that keeps the cookies of each host apart, as RFC 6265bis has it, over TLS to one
address, whatever the name; and nginx in front of a gate for all of them, by the text of docs/gate.md."""
import http.client
import re
import ssl
import socket
import urllib.parse

import proxies
from browser import Page


class HostBrowser:
    """Every name is 127.0.0.1. Plain http goes where its address says."""

    def __init__(self, authority):
        self.context = ssl.create_default_context(cafile=str(authority))
        self.jars, self.trail, self.faults = {}, [], []

    def cookies(self, host):
        return self.jars.setdefault(host, {})

    def keep(self, host, fields):
        for field in fields:
            pair, *attributes = [part.strip() for part in field.split(';')]
            name, value = pair.split('=', 1)
            names = {part.split('=')[0].lower(): part.partition('=')[2] for part in attributes}
            if name.startswith('__Host-') and ('domain' in names or 'secure' not in names or names.get('path') != '/'):
                self.faults.append(field)
                continue
            if names.get('max-age') == '0':
                self.cookies(host).pop(name, None)
            else:
                self.cookies(host)[name] = value

    def ask(self, url, data=None, headers=None, method=None):
        """One exchange, no redirect followed."""
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname
        target = (parts.path or '/') + ('?' + parts.query if parts.query else '')
        if parts.scheme == 'https':
            connection = http.client.HTTPSConnection(host, parts.port, timeout=30, context=self.context)
            plain = socket.create_connection(('127.0.0.1', parts.port), 30)
            connection.sock = self.context.wrap_socket(plain, server_hostname=host)
        else:
            connection = http.client.HTTPConnection(host, parts.port, timeout=30)
        sent = {'Host': parts.netloc, 'Accept': 'text/html', 'Sec-Fetch-Mode': 'navigate', **(headers or {})}
        if self.cookies(host) and 'Cookie' not in sent:
            sent['Cookie'] = '; '.join('%s=%s' % pair for pair in self.cookies(host).items())
        if data is not None:
            sent.setdefault('Content-Type', 'application/x-www-form-urlencoded')
        connection.request(method or ('GET' if data is None else 'POST'), target, data, sent)
        got = connection.getresponse()
        page = Page(url, got.status, got.headers, got.read())
        connection.close()
        self.keep(host, got.headers.get_all('Set-Cookie', []))
        self.trail.append((url, got.status))
        return page

    def open(self, url, until=None):
        """An exchange and the redirects after it; the one before an address that `until` is true for."""
        page = self.ask(url)
        for _ in range(20):
            location = page.headers.get('Location')
            if page.status not in (301, 302, 303, 307) or not location:
                return page
            url = urllib.parse.urljoin(page.url, location)
            if until and until(url):
                return page
            page = self.ask(url)
        raise AssertionError('too many redirects: %s' % self.trail[-6:])


def page_text(first):
    """The fenced text of docs/gate.md that begins so."""
    return re.search('```text\n(%s.*?)```' % re.escape(first), proxies.DOCUMENTATION.read_text(), re.S).group(1)


SERVER = """
  server {
    listen 127.0.0.1:%(port)d%(ssl)s; listen 127.0.0.2:%(port)d%(ssl)s;
    server_name %(name)s;
    %(body)s
  }
"""


def nginx(folder, port, gates, hosts, more=None, tls=True):
    """The command that runs nginx before these gates for `hosts`, each name with the port of its application. `more` changes the
    text of a server. Without TLS the cookie is called session."""
    http, server = proxies.documented('nginx').split('# In server:\n')
    judged = server[server.index('location / {'):]
    buffers = server[:server.index('location /.gate/')]
    upstream = 'upstream gates { %s }\n' % ' '.join('server 127.0.0.1:%d max_fails=0;' % gate for gate in gates)
    servers = ''
    for name, application in hosts.items():
        body = buffers + page_text('location = /.gate/ticket') + judged
        body = (more or (lambda _, text: text))(name, body)
        body = re.sub('X-Original-Host [^;]*', 'X-Original-Host %s:%d' % (name, port), body)
        body = body.replace('http://127.0.0.1:4180', 'http://gates').replace('127.0.0.1:8080', '127.0.0.1:%d' % application)
        if tls:
            body = 'ssl_certificate %s/site.crt; ssl_certificate_key %s/site.key;\n' % (folder, folder) + body
        servers += SERVER % {'port': port, 'name': name, 'ssl': ' ssl' if tls else '', 'body': body}
    text = proxies.NGINX % {'folder': folder, 'port': port + 1, 'http': http + upstream + servers, 'server': 'return 404;'}
    text = text.replace('access_log off;', 'access_log %s/access.log;' % folder, 1)
    (folder / 'nginx.conf').write_text(text if tls else text.replace('__Host-session', 'session'))
    return ['nginx', '-p', str(folder), '-c', str(folder / 'nginx.conf')]

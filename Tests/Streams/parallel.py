#!/usr/bin/env python3
"""GNU parallel over a file of tokens, by the command of docs/engines.md: each line has its record, or the run has failed.

    swift build -c release --product claims
    python3 Tests/Streams/parallel.py [--tokens 400000] [--claims .build/release/claims] [--install]

--install fetches Debian's parallel. Prints what it saw, and exits with 1 on a surprise.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests/Performance'))
import tokens  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--tokens', type=int, default=400_000)
parser.add_argument('--claims', default='.build/release/claims')
parser.add_argument('--install', action='store_true')
arguments = parser.parse_args()
if arguments.install and not shutil.which('parallel'):
    subprocess.run(['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'parallel'], check=True)
CLAIMS = str(pathlib.Path(arguments.claims).resolve())
failures = 0


def check(what, is_so, found=''):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ('' if is_so else ': %s' % (str(found)[:800],)), flush=True)


def command(folder, trust):
    """The command that the documentation prints, with other names for what it reads."""
    block = re.search(r'^parallel .*?(?=^```)', (ROOT / 'docs/engines.md').read_text(), re.M | re.S).group()
    words = shlex.split(block.replace('\\\n', ' '), comments=True)
    end = words.index('>')
    words = words[:end]
    names = {'claims': CLAIMS, 'tokens.jsonl': str(folder / 'tokens.jsonl'), 'trust.json': trust}
    return [names.get(word, word) for word in words]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    swt = tokens.jobs(CLAIMS)[0]
    good, bad = swt[1].decode(), 'x' + swt[1].decode()
    (folder / 'key').write_text('WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo=')
    (folder / 'trust.json').write_text(json.dumps({
        'audiences': [tokens.AUDIENCE],
        'issuers': [{'name': tokens.ISSUER, 'keys': ['hmac-file:key']}]}))
    with open(folder / 'tokens.jsonl', 'w') as file:
        for number in range(arguments.tokens):
            file.write(json.dumps({'id': number, 'token': bad if number % 1000 == 999 else good}) + '\n')
    words = command(folder, str(folder / 'trust.json'))
    begun = time.perf_counter()
    run = subprocess.run(words, capture_output=True)
    took = time.perf_counter() - begun
    records = [json.loads(line) for line in run.stdout.split(b'\n')[:-1]]
    check('%d lines: a record each, in order, and exit code 0' % arguments.tokens,
          run.returncode == 0 and [record['id'] for record in records] == list(range(arguments.tokens)),
          (run.returncode, len(records), run.stderr))
    check('and the right verdict', all(record['valid'] == (record['id'] % 1000 != 999) for record in records))
    begun = time.perf_counter()
    with open(folder / 'tokens.jsonl') as file:
        subprocess.run([CLAIMS, 'verify', '--lines', '--jobs', str(os.cpu_count()), *words[words.index('--trust'):]],
                       stdin=file, stdout=subprocess.DEVNULL)
    print('      %.1f s; one process with as many workers %.1f s' % (took, time.perf_counter() - begun), flush=True)

    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    killed = []
    while not killed and process.poll() is None:
        found = subprocess.run(['pgrep', '-x', 'claims'], capture_output=True, text=True).stdout.split()
        for pid in found:
            os.kill(int(pid), signal.SIGKILL)
            killed.append(pid)
    output, _ = process.communicate()
    check('a verifier that is killed fails the run', killed and process.returncode != 0, (killed, process.returncode))
    missing = subprocess.run(command(folder, str(folder / 'none.json')), capture_output=True)
    check('so does a missing trust file', missing.returncode != 0 and missing.stdout == b'', missing.returncode)
sys.exit(failures > 0)

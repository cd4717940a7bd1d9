#!/usr/bin/env python3
"""What `claims verify --lines` owes an engine in time, memory and order, measured on the release build.

    swift build -c release --product claims
    python3 Tests/Streams/contract.py [--claims .build/release/claims]

Exits with 1 when a limit is passed: 2 ms from a token's line to its record at the 99th percentile with the input held
open, 64 MB at two workers for a line of 1 GB and for ten million empty lines, and the same records in the same order
at any number of workers.
"""
import argparse
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'Tests/Performance'))
import tokens  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument('--claims', default='.build/release/claims')
CLAIMS = str(pathlib.Path(parser.parse_args().claims).resolve())
VERIFY = [CLAIMS, 'verify', '--lines', '--trust', str(ROOT / 'TestVectors/trust.json'), '--at', '2030-01-01T12:00:00Z']
MEGABYTE = 1_000_000
failures = 0


def check(what, is_so, found):
    global failures
    failures += not is_so
    print(('ok    ' if is_so else 'FAIL  ') + what + ': ' + found, flush=True)


def answers():
    """Time from the end of a line to the end of its record, a line at a time and with half a line behind it."""
    for name, token, arguments in tokens.jobs(CLAIMS):
        process = subprocess.Popen(
            tokens.verify(CLAIMS, arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        output = os.fdopen(os.dup(process.stdout.fileno()), 'rb')
        times = []
        half = len(token) // 2
        process.stdin.write(token[:half])
        for _ in range(3000):
            begun = time.perf_counter()
            process.stdin.write(token[half:] + b'\n' + token[:half])
            record = output.readline()
            times.append(time.perf_counter() - begun)
        valid = json.loads(record)['valid']
        process.stdin.close()
        process.kill()
        process.wait()
        times.sort()
        p50, p99 = times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000
        check(f'{name}: line to record', valid and p99 <= 2, f'p50 {p50:.2f} ms, p99 {p99:.2f} ms')


def memory(what, pieces, expected):
    """Peak memory at two workers, and the number of records."""
    process = subprocess.Popen([*VERIFY, '--jobs', '2'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        for piece in pieces:
            process.stdin.write(piece)
        process.stdin.close()

    threading.Thread(target=feed).start()
    count = 0
    while chunk := process.stdout.read(1 << 20):
        count += chunk.count(b'\n')
    _, _, usage = os.wait4(process.pid, 0)
    peak = usage.ru_maxrss * 1024 / MEGABYTE
    check(what, count == expected and peak < 64, f'{count} records, peak {peak:.0f} MB')


def order():
    """The same octets at any number of workers, one record a line, each with its id."""
    vectors = []
    for line in open(ROOT / 'TestVectors/manifest.jsonl'):
        entry = json.loads(line)
        if entry.get('format') in ('swt', 'jwt', 'saml11', 'saml20') and 'file' in entry:
            token = (ROOT / 'TestVectors' / entry['file']).read_bytes()
            if len(token) < 20_000 and b'\x00' not in token:
                vectors.append(token.decode('latin-1'))
    count = 40_000
    text = ''.join(
        json.dumps({'id': number, 'token': vectors[number * 7919 % len(vectors)]}) + '\n' for number in range(count))
    sums = set()
    for jobs in (1, 2, 4, 16, 64):
        output = subprocess.run([*VERIFY, '--jobs', str(jobs)], input=text.encode(), capture_output=True).stdout
        sums.add(hashlib.sha256(output).hexdigest())
    ids = [json.loads(line)['id'] for line in output.splitlines()]
    check('order at 1, 2, 4, 16 and 64 workers', len(sums) == 1 and ids == list(range(count)), f'{count} records, {len(sums)} sum')


def end():
    """The end of the input ends the command; an empty input has no record."""
    process = subprocess.Popen(VERIFY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b'x\n')
    process.stdin.flush()
    process.stdout.readline()
    begun = time.perf_counter()
    process.stdin.close()
    rest = process.stdout.read() + process.stderr.read()
    process.wait()
    took = (time.perf_counter() - begun) * 1000
    check('end of the input to end of the process', rest == b'' and took < 50, f'{took:.1f} ms')
    empty = subprocess.run(VERIFY, input=b'', capture_output=True)
    check('an empty input', empty.returncode == 0 and empty.stdout + empty.stderr == b'', f'exit {empty.returncode}, no record')


def stalled():
    """A reader that stops reading costs neither memory nor time."""
    process = subprocess.Popen([*VERIFY, '--jobs', '2'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lines = b'x\n' * 500_000

    def feed():
        try:
            for _ in range(100):
                process.stdin.write(lines)
        except BrokenPipeError:
            pass

    threading.Thread(target=feed, daemon=True).start()
    # Until the verifier stands still.
    before, spent = -1, 0
    while spent != before:
        before = spent
        time.sleep(0.5)
        fields = pathlib.Path(f'/proc/{process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        spent = int(fields[11]) + int(fields[12])
    status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
    peak = int(status.split('VmHWM:')[1].split()[0]) * 1024 / MEGABYTE
    process.kill()
    process.wait()
    check('a reader that stops', peak < 64, f'peak {peak:.0f} MB, no more time spent')


answers()
memory('a line of 1 GB', [b'a' * (1 << 20)] * 1024 + [b'\n'], 1)
memory('ten million empty lines', [b'\n' * MEGABYTE] * 10, 10_000_000)
order()
end()
stalled()
sys.exit(failures > 0)

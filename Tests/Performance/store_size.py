#!/usr/bin/env python3
"""What a used token and a session take in Redis: entries as RedisStores writes them, and the server's own count of memory.

    Tests/Performance/store_size.py [--entries 200000] [--session-octets 1200]

--session-octets is the length of a session's JSON; sealing adds 28. Needs redis-server.
"""
import argparse
import base64
import hashlib
import os
import socket
import subprocess
import time

parser = argparse.ArgumentParser()
parser.add_argument('--entries', type=int, default=200_000)
parser.add_argument('--session-octets', type=int, default=1200)
arguments = parser.parse_args()
PORT = 18396
server = subprocess.Popen(['redis-server', '--port', str(PORT), '--save', '', '--bind', '127.0.0.1'], stdout=subprocess.DEVNULL)


def command(*words):
    return b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(word), word) for word in words)


def key(kind, number):
    digest = base64.urlsafe_b64encode(hashlib.sha256(b'%d' % number).digest()).rstrip(b'=')
    return b'federation:' + kind + b':' + digest


try:
    for _ in range(400):
        try:
            connection = socket.create_connection(('127.0.0.1', PORT))
            break
        except OSError:
            time.sleep(0.025)
    replies = connection.makefile('rb')

    def used():
        connection.sendall(command(b'INFO', b'memory'))
        length = int(replies.readline()[1:])
        text = replies.read(length + 2).decode()
        return int(next(line for line in text.splitlines() if line.startswith('used_memory:')).split(':')[1])

    def fill(name, make, count):
        before, begun = used(), time.perf_counter()
        for first in range(0, count, 1000):
            connection.sendall(b''.join(make(number) for number in range(first, first + 1000)))
            for _ in range(1000):
                replies.readline()
        took = time.perf_counter() - begun
        print('%-12s %6.0f bytes an entry, %7.0f commands a second by one connection' % (name, (used() - before) / count, count / took))

    fill('used token', lambda n: command(b'SET', key(b'u', n), b'1', b'NX', b'PX', b'900000'), arguments.entries)
    session = os.urandom(arguments.session_octets + 28)
    fill('session', lambda n: command(b'SET', key(b's', n), session, b'NX', b'PX', b'900000'), arguments.entries // 4)
    fill('index', lambda n: command(b'SADD', key(b'i', n), hashlib.sha256(b'%d' % n).digest()), arguments.entries // 4)
finally:
    server.kill()

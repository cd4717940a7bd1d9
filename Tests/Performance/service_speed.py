#!/usr/bin/env python3
"""Requests a second of a service and the gate, by wrk on one core and the server on the other.

    swift build -c release --enable-all-traits --product ServiceBench
    Tests/Performance/service_speed.py .build/release/ServiceBench      # needs Debian's wrk
"""
import re
import socket
import subprocess
import sys
import time

server = subprocess.Popen(['taskset', '-c', '1', sys.argv[1]], stdout=subprocess.PIPE, text=True)
try:
    cookie, token = server.stdout.readline().strip(), server.stdout.readline().strip()
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', 18280)) == 0:
                break
        time.sleep(0.05)

    def measure(path, headers=()):
        best = 0
        for _ in range(3):
            command = ['taskset', '-c', '0', 'wrk', '-t1', '-c16', '-d4s']
            for header in headers:
                command += ['-H', header]
            text = subprocess.run(command + ['http://127.0.0.1:18280' + path], capture_output=True, text=True).stdout
            if 'Non-2xx' in text:
                sys.exit('%s: %s' % (path, text))
            best = max(best, float(re.search(r'Requests/sec:\s+([\d.]+)', text)[1]))
        return best

    bare = measure('/bare')
    print('bare route     %8.0f requests/s' % bare)
    for name, path, headers in [
        # What reading one more header costs any route.
        ('bare, cookie', '/bare', ['Cookie: ' + cookie]),
        ('session route', '/session', ['Cookie: ' + cookie]),
        ('token route', '/token', ['Authorization: Bearer ' + token]),
        ('gate check', '/sso/check', ['Cookie: ' + cookie, 'X-Original-URI: /page', 'X-Original-Method: GET']),
    ]:
        rate = measure(path, headers)
        print('%-14s %8.0f requests/s, %.2f of the bare route, %.1f microseconds more' %
              (name, rate, rate / bare, 1e6 / rate - 1e6 / bare))
finally:
    server.terminate()
    server.wait(10)

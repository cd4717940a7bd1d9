#!/usr/bin/env python3
"""Requests a second of a service and the gate, by wrk on one core and the server on the other.

    MEASURES=1 swift build -c release --enable-all-traits --product ServiceBench
    Tests/Performance/service_speed.py .build/release/ServiceBench      # needs Debian's wrk

The routes take turns, a second each, and the best second of each counts: a machine whose speed changes under its
guests would compare one route's good minutes with another's bad ones. What the token costs by itself, and in the
middleware, is measured in the same process between the turns.
"""
import re
import socket
import subprocess
import sys
import time
import urllib.request

ROUNDS = 15
ADDRESS = 'http://127.0.0.1:18280'

server = subprocess.Popen(['taskset', '-c', '1', sys.argv[1]], stdout=subprocess.PIPE, text=True)
try:
    cookie, token = server.stdout.readline().strip(), server.stdout.readline().strip()
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', 18280)) == 0:
                break
        time.sleep(0.05)
    cookie, bearer = 'Cookie: ' + cookie, 'Authorization: Bearer ' + token
    routes = {
        'bare route': ('/bare',),
        # What reading one more header costs any route; what OpenSSL's verification alone does, and the token alone.
        'bare, cookie': ('/bare', cookie),
        'bare, token': ('/bare', bearer),
        'signature': ('/signature',),
        'validated': ('/validated',),
        'session route': ('/session', cookie),
        'token route': ('/token', bearer),
        'gate check': ('/sso/check', cookie, 'X-Original-URI: /page', 'X-Original-Method: GET'),
    }

    def measure(path, *headers):
        command = ['taskset', '-c', '0', 'wrk', '-t1', '-c16', '-d1s']
        for header in headers:
            command += ['-H', header]
        text = subprocess.run(command + [ADDRESS + path], capture_output=True, text=True).stdout
        if 'Non-2xx' in text:
            sys.exit('%s: %s' % (path, text))
        return 1e6 / float(re.search(r'Requests/sec:\s+([\d.]+)', text)[1])

    best = {name: float('inf') for name in routes}
    cost = [float('inf')] * 2
    for _ in range(ROUNDS):
        for name, route in routes.items():
            best[name] = min(best[name], measure(*route))
        request = urllib.request.Request(ADDRESS + '/cost', headers={'Authorization': 'Bearer ' + token})
        with urllib.request.urlopen(request) as answer:
            cost = [min(pair) for pair in zip(cost, map(float, answer.read().split()))]
    bare = best['bare route']
    for name, each in best.items():
        print('%-14s %8.0f requests/s, %.2f of the bare route, %.1f microseconds more' %
              (name, 1e6 / each, bare / each, each - bare))
    print('the token by itself %.1f microseconds, in the middleware %.1f: %.2f times' %
          (*cost, cost[1] / cost[0]))
    for text, name, base in (
            ('the route takes', 'token route', 'bare route'),
            ('on top of the bare one with that header', 'token route', 'bare, token'),
            ('a route with the signature alone', 'signature', 'bare route'),
            ('a route with the token alone', 'validated', 'bare route')):
        print('%s: %.2f times the token' % (text, (best[name] - best[base]) / cost[0]))
finally:
    server.terminate()
    server.wait(10)

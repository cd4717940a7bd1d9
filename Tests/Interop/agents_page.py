#!/usr/bin/env python3
"""Runs docs/agents.md as it is printed, steps 1 to 3: from an empty folder to the answer of the tool.

    swift build --enable-all-traits --product acs && swift build --enable-all-traits --product claims-gate
    pip install fastmcp requests lxml
    Tests/Interop/agents_page.py .build/debug

The folder of the commands is the argument. nginx has to be installed. The person's browser is this program, by way of
BROWSER. Prints the number of commands and the seconds, and exits with 1 unless the client prints one identifier.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

PAGE = pathlib.Path(__file__).resolve().parents[2] / 'docs' / 'agents.md'
PORTS = (8090, 4180, 8080, 3000)


def person(address):
    """Chooses the organisation, presses Ada and agrees."""
    import requests
    from lxml import html
    session = requests.Session()
    answer = session.get(address, timeout=20)
    for _ in range(8):
        if not answer.text.strip() or '/callback' in answer.url:
            return
        page = html.fromstring(answer.text)
        links = [link for link in page.xpath('//main//a') if 'organisation' in link.text_content()]
        if links:
            answer = session.get(urllib.parse.urljoin(answer.url, links[0].get('href')), timeout=20)
            continue
        forms = [form for form in page.forms if re.search('Ada|Continue|Allow', form.text_content())] or list(page.forms)
        if not forms:
            return
        fields = {name: value or '' for name, value in forms[0].fields.items()}
        for button in forms[0].xpath('.//button[@name]')[:1]:
            fields[button.get('name')] = button.get('value', '')
        answer = session.post(urllib.parse.urljoin(answer.url, forms[0].action or ''), data=fields, timeout=20)


def listens(port):
    import socket
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


def wait(port, wanted=True):
    end = time.monotonic() + 60
    while listens(port) != wanted:
        if time.monotonic() > end:
            raise SystemExit('port %d: %s' % (port, 'nobody listens' if wanted else 'is taken'))
        time.sleep(0.1)


def main(commands):
    for port in PORTS:
        if listens(port):
            raise SystemExit('port %d is taken' % port)
    text = PAGE.read_text().split('\n## 4. ')[0]
    started, count, output = time.monotonic(), 0, ''
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, program in re.findall(r'Save this as `([a-z.]+)`.*?```python\n(.*?)```', text, re.S):
            (folder / file).write_text(program)
        environment = {**os.environ, 'PATH': '%s:%s' % (commands.resolve(), os.environ['PATH']),
                       'BROWSER': '%s %s --person %%s &' % (sys.executable, pathlib.Path(__file__).resolve())}
        ports = dict(zip(('acs run', 'claims-gate run', 'nginx', 'python3 server.py'), PORTS))
        running = []
        try:
            for block in re.findall(r'```sh\n(.*?)```', text, re.S):
                for line in block.splitlines():
                    count += 1
                    if line.startswith('pip install'):
                        continue
                    line = line.replace('python3', sys.executable) if line.startswith('python3') else line
                    if line.startswith('nginx'):
                        line += ' -g "daemon off; pid %s/nginx.pid;" &' % folder
                    waited = next((port for start, port in ports.items()
                                   if line.replace(sys.executable, 'python3').startswith(start)), None)
                    if line.endswith('&'):
                        running.append(subprocess.Popen(['bash', '-c', 'exec ' + line[:-1]], cwd=folder, env=environment,
                                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
                        wait(waited)
                        continue
                    done = subprocess.run(['bash', '-c', line], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
                    output = done.stdout
                    if done.returncode:
                        raise SystemExit('%s: %d %s' % (line, done.returncode, done.stderr[-800:]))
        finally:
            for process in reversed(running):
                process.terminate()
            for process in running:
                process.wait(20)
    answer = output.strip().splitlines()[-1:]
    print('%d commands, %d s, the tool says %s' % (count, time.monotonic() - started, answer))
    return 0 if answer and re.fullmatch(r'[A-Za-z0-9_-]{20,}', answer[0]) and count <= 12 else 1


if __name__ == '__main__':
    if '--person' in sys.argv:
        person(sys.argv[2])
    else:
        sys.exit(main(pathlib.Path(sys.argv[1])))

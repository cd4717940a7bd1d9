"""An application that shows what reached it, octet by octet: a request is answered with its line, headers, body and trailers as
JSON. It switches to whatever protocol it is asked for, as an application does that knows no better, and echoes there."""
import base64
import hashlib
import json
import socket
import threading


class RawApplication:
    def __init__(self, port):
        self.seen, self.connections = [], set()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(('127.0.0.1', port))
        self.listener.listen(128)
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self):
        # A thread that waits in accept would keep the port, and proxies keep connections.
        for one in [self.listener, *self.connections]:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        file = connection.makefile('rb')
        self.connections.add(connection)
        try:
            while self._answer(connection, file):
                pass
        except (OSError, ValueError):
            pass
        finally:
            self.connections.discard(connection)
            connection.close()

    @staticmethod
    def _fields(file):
        fields = []
        while True:
            line = file.readline()
            if line in (b'\r\n', b'\n', b''):
                return fields
            name, _, value = line.decode('latin-1').partition(':')
            fields.append([name, value.strip()])

    def _answer(self, connection, file):
        """Whether another request may follow."""
        line = file.readline().decode('latin-1').strip()
        if not line:
            return False
        headers = self._fields(file)
        value = {name.lower(): text for name, text in headers}
        body, trailers = b'', []
        if 'chunked' in value.get('transfer-encoding', '').lower():
            while length := int(file.readline().split(b';')[0], 16):
                body += file.read(length)
                file.readline()
            trailers = self._fields(file)
        else:
            body = file.read(int(value.get('content-length') or 0))
        arrived = {'line': line, 'headers': headers, 'body': body.decode('latin-1'), 'trailers': trailers}
        self.seen.append(arrived)
        if 'upgrade' in value:
            self._switch(connection, file, value)
            return False
        text = json.dumps(arrived).encode()
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' % len(text)
                           + (b'' if line.startswith('HEAD ') else text))
        return not line.endswith('/1.0') and 'close' not in value.get('connection', '').lower()

    @staticmethod
    def _switch(connection, file, value):
        guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
        accept = base64.b64encode(hashlib.sha1((value.get('sec-websocket-key', '') + guid).encode()).digest()).decode()
        connection.sendall(('HTTP/1.1 101 Switching Protocols\r\nUpgrade: %s\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n'
                            % (value['upgrade'], accept)).encode())
        if value['upgrade'].lower() != 'websocket':
            while data := connection.recv(4096):
                connection.sendall(b'PAST THE GATE ' + data)
            return
        while len(head := file.read(2)) == 2:
            mask = file.read(4) if head[1] & 128 else bytes(4)
            data = bytes(octet ^ mask[place % 4] for place, octet in enumerate(file.read(head[1] & 127)))
            connection.sendall(bytes([head[0], len(data)]) + data)
            if head[0] & 15 == 8:
                return

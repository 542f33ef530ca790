"""A hostile client without the token, and what the program then takes and still answers.

usage: attack.py DEMO

Each attack runs beside a good client, which is given its table every 50 ms. The program's memory may grow by 32 MB in all, the good
client waits two seconds at most, and no attacker is connected for more than its five seconds.
"""
import os
import resource
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request

LIMIT, PATIENCE, SLOWEST = 32, 5, 2
failures = []


def check(condition, what):
    print(("pass  " if condition else "FAIL  ") + what, flush=True)
    if not condition:
        failures.append(what)


program = subprocess.Popen([sys.argv[1], "120"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
address = program.stdout.readline().strip()
base, token = address.split("#")
port = int(base.rstrip("/").rsplit(":", 1)[1])


def memory():
    with open(f"/proc/{program.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def head(path="/", host=None, *more):
    lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", *more, "", ""]
    return "\r\n".join(lines).encode()


UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")


def upgraded():
    connection = connect()
    connection.sendall(head("/live", None, *UPGRADE))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(4096)
    assert b" 101 " in answer, answer
    return connection


def pour(connection, byte, megabytes):
    """Sends until the program no longer takes it; how many bytes it took."""
    sent = 0
    try:
        while sent < megabytes << 20:
            connection.sendall(byte * 65536)
            sent += 65536
    except OSError:
        pass
    return sent


def frame(text, mask=b"abcd"):
    return bytes([0x81, 0x80 | len(text)]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(text))


def left(connections, seconds):
    """Those that the program has not closed after so many seconds."""
    ends, open_ones = time.monotonic() + seconds, set(connections)
    while open_ones and time.monotonic() < ends:
        for connection in select.select(list(open_ones), [], [], 0.1)[0]:
            try:
                if not connection.recv(65536):
                    open_ones.discard(connection)
            except OSError:
                open_ones.discard(connection)
    return len(open_ones)


class GoodClient(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.slowest, self.answers, self.failed, self.most, self.runs = 0, 0, 0, memory(), True

    def run(self):
        request = urllib.request.Request(base + "table", headers={"Authorization": "Bearer " + token})
        while self.runs:
            began = time.monotonic()
            try:
                self.answers += b"market.traded" in urllib.request.urlopen(request, timeout=10).read()
            except OSError:
                self.failed += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.most = max(self.most, memory())
            time.sleep(0.05)


def attack(name, run):
    before, client = memory(), GoodClient()
    client.start()
    began = time.monotonic()
    try:
        run()
    except OSError as error:
        check(False, f"{name}: {error}")
    while client.answers == 0 and time.monotonic() - began < 10:
        time.sleep(0.05)
    client.runs = False
    client.join()
    check(
        client.failed == 0 and client.answers > 0 and client.slowest < SLOWEST,
        f"{name}: the good client had {client.answers} answers, the slowest after {client.slowest:.2f} s, {client.failed} failed")
    print(f"      {name}: {before:.0f} MB before, {client.most:.0f} MB at most")


def idle():
    connections = []
    for _ in range(600):
        connections.append(connect())
    check(left(connections, PATIENCE + 2) == 0, "idle: each of 600 silent connections is closed within its time")


def slow():
    connections, ends = [connect() for _ in range(LIMIT - 4)], time.monotonic() + PATIENCE + 2
    text, open_ones, sent = head()[:-2] + b"X: " + b"a" * 1000, set(connections), 0
    while open_ones and time.monotonic() < ends:
        for connection in list(open_ones):
            try:
                connection.sendall(text[sent:sent + 1])
            except OSError:
                open_ones.discard(connection)
        sent += 1
        time.sleep(0.1)
    check(not open_ones, "slow header: each is closed within its time, though it still sends")


def poured(begin):
    """How many bytes the program took of each of twelve clients that send 32 MB after what `begin` has sent."""
    taken = []

    def one():
        try:
            connection = begin()
            taken.append(pour(connection, b"a", 32))
            connection.close()
        except OSError:
            pass

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def huge_header():
    def begin():
        connection = connect()
        connection.sendall(head()[:-2] + b"X: ")
        return connection

    taken = poured(begin)
    check(len(taken) == 12, f"huge header: {len(taken)} of twelve were sent, {sum(taken) >> 20} MB in all")


def huge_frame():
    def begin():
        connection = upgraded()
        connection.sendall(bytes([0x82, 0xff]) + struct.pack(">Q", 1 << 30) + b"abcd")
        return connection

    taken = poured(begin)
    most = max(taken, default=0)
    check(len(taken) == 12 and most < 8 << 20, f"huge first frame: at most {most >> 10} kB of 32 MB were taken of {len(taken)} clients")


def no_token():
    silent = [upgraded() for _ in range(12)]
    wrong = [upgraded() for _ in range(12)]
    for connection in wrong:
        connection.sendall(frame(b"0" * len(token)))
    check(left(silent + wrong, PATIENCE + 2) == 0, "no token, or a wrong one: each is closed within its time")


def forms():
    def status(request):
        connection = connect()
        connection.sendall(request)
        answer = connection.recv(4096)
        connection.close()
        return int(answer.split()[1])

    here = f"127.0.0.1:{port}"
    check(status(head()) == 200, "the page itself")
    check(status(head("/", f"{here}\r\nHost: evil.example")) == 403, "a second Host")
    check(status(head("/", f"evil.example\r\nHost: {here}")) == 403, "a second Host, that of this machine")
    check(status(head("/", f"127.0.0.1:80@evil.example")) == 403, "user@host in Host")
    check(status(head("http://user@127.0.0.1/")) == 400, "user@host in the request line")
    check(status(head("/", f"{here}\r\nOrigin: http://evil.example")) == 403, "another origin")
    for name, byte in [("UTF-8", "é".encode()), ("Latin-1", b"\xe9")]:
        check(status(head("/", None, "Cookie: of=BYTE").replace(b"BYTE", byte)) == 200, f"a cookie of another program in {name}")
    connection, answer = connect(), b""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)  # the request and its end come together
    connection.sendall(head())
    connection.shutdown(socket.SHUT_WR)
    while piece := connection.recv(65536):
        answer += piece
    check(b" 200 " in answer[:20] and b"</html>" in answer, "a client that sends no more after its request")


def out_of_files():
    """Programs with few files. A connection takes three, the last of which the server takes: one of three limits lets that fail."""
    for limit in range(48, 51):
        few = subprocess.Popen(
            [sys.argv[1], "60"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
        try:
            base, token = few.stdout.readline().strip().split("#")
            place, connections, answered = ("127.0.0.1", int(base.rstrip("/").rsplit(":", 1)[1])), [], True
            while answered and len(connections) < LIMIT:
                connections.append(socket.create_connection(place, timeout=1))
                try:
                    connections[-1].sendall(head())
                    answered = connections[-1].recv(65536) != b""
                except OSError:
                    answered = False
            check(not answered, f"with {limit} files {len(connections)} connections are too many")
            for connection in connections:
                connection.close()
            request, ends, answered = urllib.request.Request(base + "table", headers={"Authorization": "Bearer " + token}), time.monotonic() + 10, False
            while not answered and time.monotonic() < ends:
                try:
                    answered = b"market.traded" in urllib.request.urlopen(request, timeout=2).read()
                except OSError:
                    time.sleep(0.1)
            check(answered, f"with {limit} files the table is given again once they are closed")
        finally:
            few.kill()
            few.wait()


started = memory()
try:
    forms()
    out_of_files()
    attack("idle", idle)
    attack("slow header", slow)
    attack("huge header", huge_header)
    attack("huge first frame", huge_frame)
    attack("no token", no_token)
    grown = memory() - started
    check(grown < 32, f"the program's memory grew by {grown:.0f} MB")
    check(program.poll() is None, "the program still runs")
finally:
    program.kill()
    program.wait()
if failures:
    sys.exit(f"{len(failures)} failed")

"""Clients of the market server, on this machine: most read as fast as they can, some hardly at all.

python3 load.py PROGRAM [--clients N] [--slow N] [--seconds N] [--every MS] [--buffer N]

Starts the program, connects the clients, asks the program to end after the given time, and checks: each fast client has received
every tick from its first to the last, and the end; what the slow ones missed was counted; the memory of the server (VmRSS in
/proc, each second) did not grow; all connections ended, and the program with 0.
"""
import argparse, asyncio, json, resource, signal, socket, sys, time


class Client:
    def __init__(self):
        self.first = self.last = None
        self.gaps = self.dropped = self.ticks = 0
        self.closed = self.ended = False

    def take(self, message):
        fields = dict(line.split(b": ", 1) for line in message.split(b"\n") if b": " in line)
        event = fields.get(b"event")
        if event == b"opening":
            ticks = json.loads(fields[b"data"])["ticks"]
            self.first = self.last = ticks[-1]["number"] if ticks else None
        elif event == b"dropped":
            self.dropped = int(fields[b"data"])
        elif event == b"closed":
            self.closed = True
        elif b"id" in fields:
            number = int(fields[b"id"])
            if self.last is not None and number <= self.last:
                return
            if self.last is not None and number != self.last + 1:
                self.gaps += number - self.last - 1
            self.last = number
            self.ticks += 1


async def run(client, port, slow, hurry):
    sock = socket.socket()
    if slow:
        # Not smaller: the smallest buffer cannot hold a segment, and the server's kernel waits longer each time it sends it again.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(sock, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=1024 if slow else 2**18)
        writer.write(b"GET /prices HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        # The messages are found in the chunks of the response by their ends; a chunk's size is on a line of its own.
        rest, raw = b"", b""
        while data := await reader.read(256 if slow else 2**16):
            rest += data.replace(b"\r\n", b"\n") if not data.endswith(b"\r") else (data + await reader.read(1)).replace(b"\r\n", b"\n")
            while (end := rest.find(b"\n\n")) >= 0:
                client.take(rest[:end])
                rest = rest[end + 2:]
            if slow and hurry and hurry.is_set():
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**18)
            elif slow:
                await asyncio.sleep(1)
        client.ended = True
        writer.close()
    except (ConnectionError, OSError):
        client.ended = True


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


async def dropped(port):
    """As /metrics shows it, a second late at most."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    text = (await reader.read(-1)).decode()
    writer.close()
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if line.startswith('tidings_dropped{name="market.ticked",kind="stream"'))
    return sum(int(value) for _, value in lines)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    for name, default in [("clients", 200), ("slow", 20), ("seconds", 10), ("every", 20), ("buffer", 32)]:
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args()
    # A terminated load terminates its server as well.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    server = await asyncio.create_subprocess_exec(
        options.program, "--port", "0", "--every", str(options.every), "--buffer", str(options.buffer), "--grace", "10",
        stdout=asyncio.subprocess.PIPE)
    try:
        port = int((await asyncio.wait_for(server.stdout.readline(), 20)).decode().rsplit(":", 1)[1])
        clients = [Client() for _ in range(options.clients)]
        # When the market closes, every other slow client reads what it was sent; the rest stay as they are until they are cut off.
        tasks, hurry = [], asyncio.Event()
        for index, client in enumerate(clients):
            tasks.append(asyncio.create_task(run(client, port, index < options.slow, hurry if index % 2 == 0 else None)))
            if index % 20 == 19:
                await asyncio.sleep(0.02)
        samples = []
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            await asyncio.sleep(1)
            samples.append(memory(server.pid))
        # What is on the way to a slow client has to be full before something is dropped: on a busy machine that takes longer.
        while options.slow and await dropped(port) < 20 * options.slow and time.monotonic() < end + 60:
            await asyncio.sleep(1)
            samples.append(memory(server.pid))
        server.send_signal(signal.SIGTERM)
        hurry.set()
        began = time.monotonic()
        text = (await asyncio.wait_for(server.stdout.read(), 40)).decode()
        status = await asyncio.wait_for(server.wait(), 10)
        took = time.monotonic() - began
        _, pending = await asyncio.wait(tasks[options.slow:], timeout=10)
        # Those that stay slow still read what is in their buffers; the process at the other end has exited.
        for task in tasks:
            task.cancel()
    finally:
        if server.returncode is None:
            server.kill()
    slow, fast = clients[:options.slow], clients[options.slow:]
    newest = max((client.last or 0) for client in fast)
    half = len(samples) // 2
    before, after = max(samples[2:half] or samples[:1]), max(samples[half:])
    print(f"{len(fast)} fast clients: {sum(c.ticks for c in fast)} ticks, {sum(c.gaps for c in fast)} missed, "
          f"{sum(c.closed for c in fast)} with the end, {sum(c.last == newest for c in fast)} with the last tick")
    print(f"{len(slow)} slow clients: {sum(c.dropped for c in slow)} dropped as the server said, {sum(c.gaps for c in slow)} missed")
    print(f"server: {before} kB at most in the first half, {after} kB in the second; ended with {status} in {took:.1f} s: {text.strip()}")
    reported = int(text.split(",")[1].split()[0]) if "," in text else 0
    failures = [name for name, isRight in {
        "a fast client missed a tick": all(c.gaps == 0 and c.ticks > 0 for c in fast),
        "a fast client has not received the end": all(c.closed and c.ended and c.last == newest for c in fast),
        "a connection was left open": not pending,
        "nothing was dropped for the slow": reported > 0,
        "a slow client did not receive the count of what it missed": all(c.closed and c.gaps == c.dropped > 0 for c in slow[::2]),
        "memory grew": after <= before * 1.05 + 2048,
        "the server did not end with 0": status == 0,
    }.items() if not isRight]
    for failure in failures:
        print("failed:", failure)
    return 1 if failures else 0


sys.exit(asyncio.run(main()))

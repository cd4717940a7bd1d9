#!/usr/bin/env python3
"""Verdicts on tokens that arrive in a NATS JetStream, by one `claims verify --lines` a worker.

    pip install nats-py
    NATS_URL=nats://nats.example:4222 python3 claims_nats.py tokens verdicts --trust /etc/claims/trust.json

`claims_nats.py tokens verdicts --make-streams` makes the two streams and ends.

Takes messages of the subject `tokens` and publishes the record of each to the subject `verdicts`, with the number of the message
as `id`. A message is acknowledged when the server has its record: what a worker that dies has not acknowledged goes to another
one, and the server drops a record that is published twice within its duplicate window. So run any number of workers, and let a
supervisor start them again. Exit code 1: the verifier ended, or gave a record of another message. NATS_URL names the
servers, several with commas between them; without it there is one on this machine. A server that is not there yet, or goes, is
tried again after two seconds, then four, up to half a minute.
"""
import asyncio
import base64
import json
import os
import sys

import nats
from nats.errors import TimeoutError as NothingThere
from nats.js.api import AckPolicy, ConsumerConfig

# Messages that are read at once. The verifier answers them in order.
BATCH = 500
# Seconds after which the server hands a message to another worker.
WAIT = 30
# Longer than any record.
LINE = 64 << 20


async def judge(verifier, messages):
    """The records of the messages, matched by `id`."""
    numbers = [message.metadata.sequence.stream for message in messages]

    async def write():
        for number, message in zip(numbers, messages):
            line = {"id": number, "token64": base64.b64encode(message.data).decode()}
            verifier.stdin.write(json.dumps(line).encode() + b"\n")
        await verifier.stdin.drain()

    # At once with reading: a pipe that is not read would stop both.
    writing = asyncio.create_task(write())
    records = []
    for number in numbers:
        line = await verifier.stdout.readline()
        if not line.endswith(b"\n") or json.loads(line).get("id") != number:
            sys.exit("the verifier ended, or gave no record of message %d" % number)
        records.append(line[:-1])
    await writing
    return numbers, records


async def connected(url):
    """A connection. A server that is not there yet, or goes, is tried again, each time after twice the pause."""
    client = nats.NATS()

    async def lost(error):
        # The library would print a trace.
        print("claims_nats: %s" % (error or type(error).__name__), file=sys.stderr)
        if isinstance(error, OSError):
            client.options["reconnect_time_wait"] = min(2 * client.options["reconnect_time_wait"], 30)

    async def back():
        client.options["reconnect_time_wait"] = 1

    await client.connect(
        url.split(","), max_reconnect_attempts=-1, reconnect_time_wait=1, error_cb=lost, reconnected_cb=back)
    await back()
    return client


async def work(source, target, arguments, command="claims", url=None):
    connection = await connected(url or os.environ.get("NATS_URL", "nats://127.0.0.1:4222"))
    stream = connection.jetstream()
    try:
        name = await stream.find_stream_name_by_subject(source)
    except nats.js.errors.NotFoundError:
        sys.exit("claims_nats: no stream takes the subject %s; --make-streams makes one" % source)
    messages = await stream.pull_subscribe(
        source, durable="claims", stream=name,
        config=ConsumerConfig(ack_policy=AckPolicy.EXPLICIT, ack_wait=WAIT, max_ack_pending=20 * BATCH))
    verifier = await asyncio.create_subprocess_exec(
        command, "verify", "--lines", "--exit-on-reject", "never", *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LINE)
    while True:
        try:
            batch = await messages.fetch(BATCH, timeout=5)
        except NothingThere:
            if verifier.returncode is not None:
                sys.exit("the verifier ended with %d" % verifier.returncode)
            continue
        numbers, records = await judge(verifier, batch)
        await asyncio.gather(*(
            stream.publish(target, record, headers={"Nats-Msg-Id": "%s.%d" % (name, number)})
            for number, record in zip(numbers, records)))
        await asyncio.gather(*(message.ack() for message in batch))


async def make_streams(subjects, url=None):
    """Makes a stream for each subject that no stream takes."""
    connection = await connected(url or os.environ.get("NATS_URL", "nats://127.0.0.1:4222"))
    stream = connection.jetstream()
    for subject in subjects:
        try:
            name = await stream.find_stream_name_by_subject(subject)
            print("claims_nats: stream %s takes %s already" % (name, subject), file=sys.stderr)
        except nats.js.errors.NotFoundError:
            # Names of streams have no dots.
            name = subject.replace(".", "-").replace("*", "any").replace(">", "all")
            await stream.add_stream(name=name, subjects=[subject])
            print("claims_nats: made stream %s for %s" % (name, subject), file=sys.stderr)
    await connection.close()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[3:] == ["--make-streams"]:
        asyncio.run(make_streams(sys.argv[1:3]))
        sys.exit(0)
    asyncio.run(work(sys.argv[1], sys.argv[2], sys.argv[3:]))

#!/usr/bin/env python3
"""Ten processes share one store for a while, each signing in, renewing, using and signing out at random;
some are killed at random moments.

The processes run SessionProcess, which drives the package's CurrentSession and FileCredentialStore. The
service is simulated here and shares no code with the package: it issues tokens, lets access tokens expire,
and records every refresh token in a ledger. Each change of the store is written to a journal while the
store's lock is held, so that its lines are in the order of the changes. At the end it searches for:

- a refresh token that was used twice. Only if the first process was killed before it had finished may
  another one try again;
- a change that undid another: one that found other content than the last change wrote, or that wrote a
  person or tokens that were neither signed in by that operation nor issued for the tokens that it
  replaced, or that ended a session without a sign-out or a rejection of that session's token;
- a sign-in, a sign-out or a renewal that finished without a change.

Exit codes: 0 none, 1 some, 2 usage.
"""

import argparse
import base64
import collections
import os
import pathlib
import random
import re
import selectors
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEOPLE = ("mia", "leo", "ada")


class Child:
    def __init__(self, command):
        # A process group of its own is not needed: it starts no process.
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.buffer, self.operation, self.verb = b"", 0, "none"

    @property
    def pid(self):
        return self.process.pid

    def tell(self, text):
        try:
            self.process.stdin.write(text.encode() + b"\n")
        except BrokenPipeError:
            pass

    def lines(self):
        part = os.read(self.process.stdout.fileno(), 65536)
        if not part:
            return None
        *lines, self.buffer = (self.buffer + part).split(b"\n")
        return [line.decode() for line in lines]


class Service:
    """Issues tokens and records every use of a refresh token."""

    def __init__(self, chance):
        self.chance, self.count = chance, 0
        self.access, self.refresh, self.spent = {}, {}, collections.defaultdict(list)
        self.renewed = {}

    def issue(self, person):
        self.count += 1
        access, refresh = f"access-{self.count}", f"refresh-{self.count}"
        # Some expire soon, so that many processes have an expired token at once.
        self.access[access] = time.monotonic() + self.chance.choice((0, 0.02, 0.1))
        self.refresh[refresh] = person
        return access, refresh

    def use(self, access):
        return "good" if self.access.get(access, 0) > time.monotonic() else "bad"

    def spend(self, refresh, child):
        self.spent[refresh].append((child.pid, child.operation, time.monotonic()))
        if refresh not in self.refresh or len(self.spent[refresh]) > 1:
            return "refused"
        access, new = self.issue(self.refresh[refresh])
        self.renewed[refresh] = (self.refresh[refresh], access, new)
        return f"{access} {new}"


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        self.service = Service(self.chance)
        self.journal = folder / "journal"
        self.journal.touch()
        key = folder / "key"
        key.write_bytes(base64.b64encode(os.urandom(32)))
        key.chmod(0o600)
        self.command = [str(options.process), str(folder / "credentials"), str(key),
                        str(self.journal), str(time.time()), str(options.speed)]
        self.selector = selectors.DefaultSelector()
        self.number, self.kills, self.outcomes = 0, {}, collections.Counter()
        self.done, self.signed_in, self.verbs = set(), {}, {}

    def start(self):
        child = Child(self.command)
        self.selector.register(child.process.stdout, selectors.EVENT_READ, child)
        self.order(child, "start")

    def order(self, child, verb):
        self.number += 1
        child.operation, child.verb = self.number, verb
        words = [str(self.number), verb]
        if verb == "in":
            person = self.chance.choice(PEOPLE)
            tokens = self.service.issue(person)
            self.signed_in[self.number] = (person, *tokens)
            words += [person, *tokens]
        self.verbs[self.number] = (verb, child.pid)
        child.tell(" ".join(words))

    def next_verb(self, outcome):
        if outcome in ("none", "session.none"):
            return self.chance.choices(("start", "in", "out"), (92, 6, 2))[0]
        return self.chance.choices(("use", "start", "in", "out"), (960, 30, 5, 5))[0]

    def hear(self, child, line):
        verb, *words = line.split()
        if verb == "use":
            child.tell(self.service.use(words[0]))
        elif verb == "refresh":
            answer = self.service.spend(words[0], child)
            # The response takes a while; the process may be killed before.
            if self.chance.random() < 0.1:
                time.sleep(0.005)
            child.tell(answer)
        elif verb == "done":
            self.done.add(int(words[0]))
            self.outcomes[f"{child.verb} {words[1]}"] += 1
            if time.monotonic() < self.end:
                self.order(child, self.next_verb(words[1]))
            else:
                child.process.stdin.close()

    def gone(self, child):
        self.selector.unregister(child.process.stdout)
        child.process.wait()
        if child.pid not in self.kills and child.process.returncode != 0:
            self.outcomes[f"ended with {child.process.returncode}"] += 1
        if time.monotonic() < self.end:
            self.start()

    def run(self):
        self.end = time.monotonic() + self.options.seconds
        next_kill = time.monotonic() + 0.3
        for _ in range(self.options.processes):
            self.start()
        limit = self.end + 60
        while self.selector.get_map() and time.monotonic() < limit:
            for key, _ in self.selector.select(0.05):
                lines = key.data.lines()
                if lines is None:
                    self.gone(key.data)
                    continue
                for line in lines:
                    self.hear(key.data, line)
            if next_kill < time.monotonic() < self.end:
                next_kill += self.chance.uniform(0.05, 2 * self.options.kill_every)
                children = [key.data for key in self.selector.get_map().values()]
                child = self.chance.choice(children)
                self.kills[child.pid] = time.monotonic()
                child.process.kill()
        for key in list(self.selector.get_map().values()):
            key.data.process.kill()
            self.outcomes["stuck at the end"] += 1
        return self.judged()

    def judged(self):
        found = [f"a process {what}" for what in self.outcomes if "stuck" in what or "ended" in what]
        found += self.spent_twice()
        found += self.undone()
        return found

    def spent_twice(self):
        for refresh, uses in self.service.spent.items():
            for (pid, operation, first), (other, _, at) in zip(uses, uses[1:]):
                died = self.kills.get(pid)
                if pid == other or operation in self.done or died is None or died > at:
                    yield (f"{refresh} was spent twice, by processes {pid} and {other}, "
                           f"{at - first:.3f} s apart")

    def undone(self):
        """Follows the journal by the ledger's rules."""
        # The possible contents of the store: one, or two after a writer was killed.
        states, last_pid, written, traces = ["-"], None, set(), collections.defaultdict(list)
        refusals = {(pid, operation, refresh) for refresh, uses in self.service.spent.items()
                    for number, (pid, operation, _) in enumerate(uses) if number}
        for line in self.journal.read_text().splitlines():
            pid, operation, verb, before, after = line.split()
            pid, operation = int(pid), int(operation)
            where = f"{verb} {operation} of process {pid}"
            allowed = states if last_pid in self.kills else states[-1:]
            if before not in allowed:
                yield f"{where} found {before}, not {' or '.join(allowed)}"
            traces[operation].append((before, after))
            if before != after:
                reason = self.reason(pid, operation, verb, before, after, refusals)
                if reason is None:
                    yield f"{where} replaced {before} by {after}"
                elif after != "-" and (operation, after) in written:
                    yield f"{where} wrote {after} again"
                written.add((operation, after))
            states, last_pid = [before, after], pid
        found = subprocess.run(self.command, input=b"", capture_output=True, check=False)
        if found.returncode:
            yield "the store cannot be opened at the end"
        yield from self.traceless(traces)

    def reason(self, pid, operation, verb, before, after, refusals):
        if after == "-":
            refresh = before.split("/")[2]
            return verb == "out" or (pid, operation, refresh) in refusals or None
        tokens = tuple(after.split("/"))
        if verb == "in" and self.signed_in.get(operation) == tokens:
            return "signed in"
        if before != "-" and self.service.renewed.get(before.split("/")[2]) == tokens:
            return "renewed"
        return None

    def traceless(self, traces):
        for operation in self.done:
            verb, pid = self.verbs[operation]
            if verb == "in":
                wanted = "/".join(self.signed_in[operation])
                if all(after != wanted for _, after in traces[operation]):
                    yield f"in {operation} of process {pid} left no trace"
            if verb == "out" and all(after != "-" for _, after in traces[operation]):
                yield f"out {operation} of process {pid} left no trace"
        for refresh, uses in self.service.spent.items():
            pid, operation, _ = uses[0]
            if operation not in self.done or refresh not in self.service.renewed:
                continue
            wanted = "/".join(self.service.renewed[refresh])
            # Discarding is right if the session was replaced or ended meanwhile.
            if not any(after == wanted or not before.endswith("/" + refresh)
                       for before, after in traces[operation]):
                yield f"the renewal {operation} of process {pid} left no trace"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--processes", type=int, default=10)
    parser.add_argument("--kill-every", type=float, default=0.7, metavar="SECONDS")
    parser.add_argument("--speed", type=float, default=30,
                        help="seconds of the processes' clock in one second")
    parser.add_argument("--show", type=int, default=10, help="how many violations are shown")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--process", type=pathlib.Path, metavar="PATH",
                        default=ROOT / ".build" / "release" / "SessionProcess")
    options = parser.parse_args()
    if not options.process.exists():
        parser.error(f"no program at {options.process}: build SessionProcess, or name it with --process")
    with tempfile.TemporaryDirectory() as name:
        run = Run(options, pathlib.Path(name))
        found = run.run()
        changes = len(run.journal.read_text().splitlines())
        spent = sum(len(uses) for uses in run.service.spent.values())
        again = sum(len(uses) - 1 for uses in run.service.spent.values())
        print(f"seed {options.seed}: {options.processes} processes, {options.seconds:g} s, "
              f"{run.number} operations, {changes} changes of the store, {spent} refresh tokens spent "
              f"({again} once more after a kill), {len(run.kills)} processes killed")
        print(", ".join(f"{what}: {count}" for what, count in sorted(run.outcomes.items())))
        kinds = collections.Counter(re.sub(r"[^ ]*[0-9][^ ]*|-", "…", line) for line in found)
        for line in found[:options.show]:
            print("WRONG", line)
        for kind, count in kinds.most_common(6):
            print(f"{count} times: {kind}")
        print(f"{len(found)} violations")
        return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs one `claims verify --lines` while the clock, the trust file, keys and metadata change, and checks
every verdict against the correct one at that instant.

    swift build -c release --product claims
    python3 Tests/Streams/moving.py [--seconds 600] [--seed 1] [--claims .build/release/claims]

Tokens are minted throughout: long-lived ones of every key that is ever in use, and with a skew of 0
some that end, or begin, within seconds. Files are replaced atomically and in place, also in two pieces;
the trust file and keys are broken and repaired; some files are only touched, and at times there is a SIGHUP.

A verdict is right when it follows from the clock between the moment its line was sent and the moment its
record was read, and from a configuration that may have been in force then. A change may be in force as
soon as it begins and must be in force GRACE seconds after it ended; a file that does not load leaves the last
good configuration in force. Verdicts of lines for which two configurations were possible are counted as
being inside the grace, and must follow from one of the two. Exits with 1 at any wrong verdict.
"""

import argparse
import base64
import calendar
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The command checks its files once a second, and skips one that was written within 0.1 s. The
# rest is for loading and for a busy machine.
GRACE = 1.6
AUDIENCE = "https://rp.example/"
ELSEWHERE = "https://elsewhere.example/"
# Reasons to refuse a token, and their codes.
CODES = {
    "key": {"signature.invalid", "key.none", "signature.mac-mismatch"},
    "issuer": {"issuer.untrusted", "key.none"},
    "audience": {"audience.mismatch"},
    "ended": {"time.expired"},
    "early": {"time.not-yet-valid", "time.issued-in-future"},
}

Token = collections.namedtuple("Token", "line issuer key begins ends")
Change = collections.namedtuple("Change", "begun ended config")
FOREVER = float("inf")


class World:
    """The files, what is in force, and the tokens."""

    def __init__(self, claims, folder, chance):
        self.claims, self.folder, self.chance = claims, folder, chance
        self.lock = threading.Lock()
        self.tokens, self.brief = [], []
        self.counts = collections.Counter()
        self.made_keys()
        # The content of the files.
        self.files = {
            "audience": AUDIENCE, "issuers": ("shared", "public", "metadata"), "sound": True,
            "shared": "shared0", "public": "public0", "metadata": ("cert0",), "layout": 0,
        }
        for name in ("shared", "public", "metadata", "trust"):
            self.write(name, atomically=True)
        self.changes = [Change(0.0, 0.0, dict(self.files))]

    # Keys and tokens

    def made_keys(self):
        for number in range(3):
            secret = base64.b64encode(os.urandom(48)).decode()
            (self.folder / f"shared{number}.secret").write_text(secret + "\n")
            self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out",
                         f"public{number}.key")
            self.openssl("ec", "-in", f"public{number}.key", "-pubout", "-out",
                         f"public{number}.pub")
            self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
                         "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj",
                         f"/CN=cert{number}", "-keyout", f"cert{number}.key", "-out",
                         f"cert{number}.crt")
            for key in ("shared", "public", "cert"):
                self.mint(f"{key}{number}", 7200)

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def issuer(self, key):
        return "metadata" if key.startswith("cert") else key[:-1]

    def mint(self, key, lifetime, ahead=0):
        """Mints a token whose time begins `ahead` seconds from now, and stores it."""
        issuer = self.issuer(key)
        begins = int(time.time()) + ahead
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begins))
        words = [self.claims, "mint", "saml20" if issuer == "metadata" else "jwt", "--issuer",
                 f"urn:{issuer}", "--audience", AUDIENCE, "--subject", "ada", "--lifetime",
                 str(lifetime), "--at", at, "--not-before", at]
        if issuer == "shared":
            words += ["--key", f"hmac-file:{key}.secret"]
        else:
            words += ["--signing-key", f"{key}.key"]
        made = subprocess.run(words, cwd=self.folder, check=True, capture_output=True).stdout
        line = base64.b64encode(made.strip()) if issuer == "metadata" else made.strip()
        decoded = subprocess.run([self.claims, "decode", "-"], input=made, check=True,
                                 capture_output=True, cwd=self.folder).stdout
        says = json.loads(decoded)
        token = Token(line.decode(), issuer, key, instant(says.get("notBefore")) or 0,
                      instant(says["expires"]))
        with self.lock:
            (self.brief if lifetime < 60 else self.tokens).append(token)
            self.brief = [one for one in self.brief if one.ends > time.time() - 3]

    def sample(self, count):
        with self.lock:
            return self.chance.choices(self.tokens + self.brief, k=count)

    # Files

    def content(self, name):
        if name == "trust":
            return self.trust()
        if name == "shared":
            return (self.folder / f"{self.files['shared']}.secret").read_bytes()
        if name == "public":
            return (self.folder / f"{self.files['public']}.pub").read_bytes()
        certificates = [word for key in self.files["metadata"]
                        for word in ("--certificate", f"{key}.crt")]
        return subprocess.run(
            [self.claims, "mint", "metadata", "--issuer", "urn:metadata", "--sign-on",
             "https://idp.example/", "--id", "_m", *certificates],
            cwd=self.folder, check=True, capture_output=True).stdout

    def trust(self):
        entries = {
            "shared": {"name": "urn:shared", "keys": ["hmac-file:shared.key"], "formats": ["jwt"]},
            "public": {"name": "urn:public", "keys": ["public.pem"], "formats": ["jwt"]},
            "metadata": {"metadata": "metadata.xml", "formats": ["saml20"]},
        }
        text = json.dumps({"skew": 0, "audiences": [self.files["audience"]],
                           "issuers": [entries[name] for name in self.files["issuers"]]})
        if not self.files["sound"]:
            text = self.chance.choice([text[:-9], text.replace("skew", "skev"), "", "{"])
        return (text + " " * self.files["layout"] + "\n").encode()

    def path(self, name):
        return self.folder / {"trust": "trust.json", "shared": "shared.key",
                              "public": "public.pem", "metadata": "metadata.xml"}[name]

    def write(self, name, atomically, octets=None):
        octets = self.content(name) if octets is None else octets
        path = self.path(name)
        if atomically:
            draft = path.with_suffix(".draft")
            draft.write_bytes(octets)
            os.replace(draft, path)
            return
        half = self.chance.randrange(len(octets) + 1)
        with open(path, "wb", buffering=0) as file:
            file.write(octets[:half])
            time.sleep(self.chance.choice([0, 0.005, 0.04]))
            file.write(octets[half:])

    # Changes

    def step(self, number):
        """Makes one change, and where it breaks something, later the repair."""
        choice = ["shared", "break", "mend", "metadata", "public", "audience", "issuers", "spoil",
                  "touch", "layout"][number % 10]
        atomically = self.chance.random() < 0.5
        before = dict(self.files)
        name, octets = "trust", None
        if choice in ("shared", "public"):
            name = choice
            others = [f"{choice}{n}" for n in range(3) if f"{choice}{n}" != self.files[choice]]
            self.files[choice] = self.chance.choice(others)
        elif choice == "metadata":
            name = choice
            sets = [("cert0",), ("cert0", "cert1"), ("cert1", "cert2"), ("cert2",)]
            sets.remove(self.files["metadata"])
            self.files["metadata"] = self.chance.choice(sets)
        elif choice == "break":
            self.files["sound"] = False
        elif choice == "mend":
            self.files["sound"] = True
        elif choice == "audience":
            self.files["audience"] = ELSEWHERE
        elif choice == "issuers":
            self.files["issuers"] = self.chance.choice(
                [("shared", "public", "metadata")] * 2
                + [("shared", "metadata"), ("public", "metadata")])
        elif choice == "spoil":
            name = "public" if "public" in self.files["issuers"] else "metadata"
            octets = self.content(name)[:-20]
        elif choice == "layout":
            # A broken key is repaired, and the trust file has other octets with the same content.
            self.files["layout"] += 1
        if choice == "touch":
            self.change(lambda: self.path("trust").touch(), None)
        elif choice == "spoil":
            self.change(lambda: self.write(name, atomically, octets), None)
        else:
            octets = self.content(name)
            sound = self.files["sound"]
            self.change(lambda: self.write(name, atomically, octets),
                        dict(self.files) if sound else None)
        self.counts[choice] += 1
        if choice == "break" and self.chance.random() < 0.7:
            self.pause()
            self.files["shared"] = before["shared"][:-1] + str(
                (int(before["shared"][-1]) + 1) % 3)
            octets = self.content("shared")
            # A broken trust file keeps no key's change out.
            config = dict(self.changes[-1].config, shared=self.files["shared"])
            self.change(lambda: self.write("shared", atomically, octets), config)
            self.counts["shared while broken"] += 1
        if choice == "audience":
            self.pause()
            self.files["audience"] = AUDIENCE
            octets = self.content(name)
            self.change(lambda: self.write(name, atomically, octets), dict(self.files))
            self.counts["audience back"] += 1
        if choice == "spoil":
            self.pause()
            octets = self.content(name)
            self.change(lambda: self.write(name, atomically, octets), dict(self.files))
            self.counts["unspoil"] += 1

    def change(self, act, config):
        """Runs `act`, after which `config` is in force; None for the previous one."""
        with self.lock:
            config = config or self.changes[-1].config
            self.changes.append(Change(time.monotonic(), FOREVER, config))
        act()
        with self.lock:
            self.changes[-1] = self.changes[-1]._replace(ended=time.monotonic())

    def pause(self):
        end = time.monotonic() + GRACE + self.chance.uniform(0.4, 2.4)
        while time.monotonic() < end:
            current = [self.files["shared"], self.files["public"], self.files["metadata"][-1]]
            others = [f"{key}{number}" for key in ("shared", "public", "cert") for number in range(3)]
            key = self.chance.choice(current * 4 + others)
            self.mint(key, self.chance.choice([1, 2, 3]), ahead=self.chance.choice([0, 0, 2]))
            time.sleep(0.05)

    # Correct verdicts

    def possible(self, sent, read):
        """The configurations that may have been in force for a line."""
        with self.lock:
            changes = self.changes[-8:]
        found = []
        for place, change in enumerate(changes):
            until = changes[place + 1].ended + GRACE if place + 1 < len(changes) else FOREVER
            if change.begun <= read and sent <= until and change.config not in found:
                found.append(change.config)
        return found


def instant(text):
    if text is None:
        return None
    seconds = time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
    return float(calendar.timegm(seconds))


def reasons(token, config, now):
    """Why a token is refused at that instant; None for one that is accepted."""
    found = set()
    if token.issuer not in config["issuers"]:
        found.add("issuer")
    elif token.issuer == "metadata":
        if token.key not in config["metadata"]:
            found.add("key")
    elif token.key != config[token.issuer]:
        found.add("key")
    if config["audience"] != AUDIENCE:
        found.add("audience")
    if now >= token.ends:
        found.add("ended")
    if now < token.begins:
        found.add("early")
    return found


def is_right(record, token, configs, clocks):
    """Whether a verdict follows from one of the configurations at one of the instants."""
    for config in configs:
        # The verdict changes at these instants alone.
        edges = [edge for edge in (token.begins, token.ends) if clocks[0] < edge <= clocks[1]]
        for now in (*clocks, *edges):
            why = reasons(token, config, now)
            if record["valid"] and not why:
                return True
            if not record["valid"] and any(record["error"]["code"] in CODES[one] for one in why):
                return True
    return False


class Verifier:
    """`claims verify --lines`, which gets many lines at a time."""

    def __init__(self, claims, folder, jobs):
        self.talk = open(folder / "talk", "w+b")
        self.process = subprocess.Popen(
            [claims, "verify", "--lines", "--jobs", str(jobs), "--trust", folder / "trust.json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.talk)

    def ask(self, tokens):
        """The records, with the instants between which they were made."""
        text = "".join(token.line + "\n" for token in tokens).encode()
        sent, early = time.monotonic(), time.time()
        writer = threading.Thread(target=self.write, args=(text,))
        writer.start()
        records = []
        for _ in tokens:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the command ended: " + self.said())
            records.append(line)
        read, late = time.monotonic(), time.time()
        writer.join()
        return [json.loads(line) for line in records], (sent, read), (early, late)

    def write(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def said(self):
        self.talk.seek(0)
        return self.talk.read().decode()

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--claims", default=str(ROOT / ".build" / "release" / "claims"))
    arguments = parser.parse_args()
    claims = str(pathlib.Path(arguments.claims).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        world = World(claims, folder, random.Random(arguments.seed))
        verifier = Verifier(claims, folder, arguments.jobs)
        counts, wrong = run(world, verifier, arguments.seconds, arguments.seed)
        code = verifier.end()
        said = verifier.said().splitlines()
    report(world, counts, said, code)
    for text in wrong[:20]:
        print("WRONG", text)
    if counts["wrong"] or code != 1:
        sys.exit(1)


def run(world, verifier, seconds, seed):
    stop = threading.Event()
    chance = random.Random(seed + 1)
    counts = collections.Counter()
    failures, wrong = [], []

    def changer():
        try:
            number = 0
            while not stop.is_set():
                world.pause()
                world.step(number)
                number += 1
                if world.chance.random() < 0.3:
                    os.kill(verifier.process.pid, signal.SIGHUP)
                    counts["hang-ups"] += 1
        except Exception as error:  # The run fails with the error that stopped the changes.
            failures.append(error)

    thread = threading.Thread(target=changer, daemon=True)
    thread.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end and not failures:
        tokens = world.sample(chance.choice([1, 1, 3, 10, 30, 1500]))
        records, (sent, read), clocks = verifier.ask(tokens)
        configs = world.possible(sent, read)
        for token, record in zip(tokens, records, strict=True):
            counts["verdicts"] += 1
            counts["accepted" if record["valid"] else record["error"]["code"]] += 1
            if len(configs) > 1:
                counts["inside the grace"] += 1
            if not is_right(record, token, configs, clocks):
                counts["wrong"] += 1
                wrong.append(f"{token.key} {token.begins} {token.ends} at {clocks}: {record} "
                             f"with {configs}")
        time.sleep(chance.choice([0, 0.001, 0.01, 0.05]))
    stop.set()
    thread.join(timeout=60)
    if failures:
        raise failures[0]
    return counts, wrong


def report(world, counts, said, code):
    figures = ("verdicts", "inside the grace", "wrong", "hang-ups")
    for name in figures:
        print(f"{counts[name]:>10}  {name}")
    for name, count in sorted(counts.items()):
        if name not in figures:
            print(f"{count:>10}  {name}")
    for name, count in sorted(world.counts.items()):
        print(f"{count:>10}  changes: {name}")
    for text in ("trust reloaded: ", "trust not reloaded", "nothing changed", "does not load"):
        print(f"{sum(text in line for line in said):>10}  said: {text}")
    print(f"{code:>10}  exit code (some tokens were refused)")


if __name__ == "__main__":
    main()

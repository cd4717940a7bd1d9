#!/usr/bin/env python3
"""Completions of the five commands in bash, zsh and fish: verbs, options, words, and the names of files.

    completions.py BIN

BIN is the folder of the built commands. A shell that is not there is left out, and that is said.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A line up to the cursor, and what has to be offered or filled in.
LINES = [
    ("claims ver", "verify"),
    ("claims metadata l", "lint"),
    ("claims verify --trust tr", "trust.json"),
    ("claims verify --key idp", "idp.crt"),
    ("claims verify --trust trust.json tok", "token.txt"),
    ("claims decode tok", "token.txt"),
    ("claims mutate --output out", "outbox"),
    ("claims verify --allow-algorithm rsa-sh", "rsa-sha1"),
    ("claims verify --format saml1", "saml11"),
    ("claims-client session li", "list"),
    ("claims-client sign-in acs --trust tr", "trust.json"),
    ("claims-client post --service mast", "mastodon"),
    ("claims-gate che", "check"),
    ("claims-gate check ga", "gate.json"),
    ("claims-gate try gate.json --claims cl", "claims.json"),
    ("acs ke", "keys"),
    ("acs run ac", "acs.json"),
    ("claims-attack ru", "run"),
    ("claims-attack run at", "attack.json"),
    ("claims-attack list --protocol wsf", "wsfederation"),
    ("claims-attack run --severity war", "warning"),
]

BASH = r"""
source "$1"
COMP_LINE="$2"
read -ra COMP_WORDS <<< "$COMP_LINE"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_POINT=${#COMP_LINE}
function_name=$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')
COMPREPLY=()
"$function_name" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


def scripts(folder, where):
    for command in ("claims", "claims-client", "claims-gate", "acs", "claims-attack"):
        for shell in ("bash", "zsh", "fish"):
            told = subprocess.run(
                [folder / command, "--generate-completion-script", shell], check=True, capture_output=True, text=True)
            place = where / "functions" / f"_{command}" if shell == "zsh" else where / f"{command}.{shell}"
            place.parent.mkdir(exist_ok=True)
            place.write_text(told.stdout)


def in_bash(line, where):
    command = line.split()[0]
    told = subprocess.run(
        ["bash", "--norc", "-c", BASH, "bash", where / f"{command}.bash", line], cwd=where / "files", capture_output=True, text=True)
    return told.stdout.split()


def in_fish(line, where):
    command = line.split()[0]
    told = subprocess.run(
        ["fish", "--no-config", "-c", 'source $argv[1]; complete --do-complete "$argv[2]"', where / f"{command}.fish", line],
        cwd=where / "files", capture_output=True, text=True, env={"HOME": str(where), "PATH": "/usr/bin:/bin"})
    return [offered.split("\t")[0].rstrip("/") for offered in told.stdout.splitlines()]


class Zsh:
    """A zsh at a terminal."""

    def __init__(self, folder, where):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(where / "files")
            os.execvpe("zsh", ["zsh", "-f", "-i"], {
                "HOME": str(where), "PATH": f"{folder}:/usr/bin:/bin", "TERM": "dumb", "PS1": "% ", "COLUMNS": "400"})
        self.say(f"fpath=({where}/functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep zle_bracketed_paste; "
                 "LISTMAX=0; PS1='ready> '\n")
        self.read("ready> ", 20)

    def say(self, text):
        os.write(self.terminal, text.encode())

    def read(self, until, seconds):
        """What the terminal shows until a text, or until nothing comes any more."""
        shown, end = "", time.monotonic() + seconds
        while time.monotonic() < end and until not in shown:
            if select.select([self.terminal], [], [], 0.2)[0]:
                shown += os.read(self.terminal, 65536).decode(errors="replace")
        return shown

    def complete(self, line, wanted):
        self.say(line + "\t")
        shown = self.read(wanted, 5)
        self.say("\x15\n")
        self.read("ready> ", 5)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]", "", shown)

    def end(self):
        self.say("exit\n")
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as name:
        where = pathlib.Path(name)
        (where / "files" / "outbox").mkdir(parents=True)
        for file in ("trust.json", "idp.crt", "token.txt", "gate.json", "claims.json", "acs.json", "attack.json"):
            (where / "files" / file).touch()
        scripts(folder, where)
        zsh = Zsh(folder, where) if shutil.which("zsh") else None
        for line, wanted in LINES:
            answers = {"bash": in_bash(line, where)} if shutil.which("bash") else {}
            if shutil.which("fish"):
                answers["fish"] = in_fish(line, where)
            if zsh:
                answers["zsh"] = zsh.complete(line, wanted)
            for shell, answer in answers.items():
                tried += 1
                fits = wanted in answer
                wrong += not fits
                print(f"{'ok   ' if fits else 'WRONG'} {shell:4} {line}<TAB> {wanted if fits else repr(answer)}")
        if zsh:
            zsh.end()
    for shell in ("bash", "zsh", "fish"):
        if not shutil.which(shell):
            print(f"left out: there is no {shell}")
    print(f"{tried} completions, {wrong} wrong")
    sys.exit(wrong > 0)


main()

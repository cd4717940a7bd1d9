#!/usr/bin/env python3
"""Sixty wrong command lines over the five commands: what is said, the hint, the exit code.

    wrong_lines.py BIN            checks every line; exits with 1 where one is answered differently
    wrong_lines.py BIN --table    prints the answers as a Markdown table

BIN is the folder of the built commands. Nothing is fetched, and nothing listens.
"""

import pathlib
import shlex
import subprocess
import sys
import tempfile

JWT = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2kifQ.c2ln"

# A command line, words that the error has to have, and words of the hint; the exit code is 2 but where it is given.
LINES = [
    ("claims verfy token", "did you mean verify?", "see --help"),
    ("claims --bogus", "unknown option --bogus", "see --help"),
    ("claims verify --trsut trust.json token", "unknown option --trsut; did you mean --trust?", "see --help"),
    ("claims verify --audiance urn:app token", "unknown option --audiance; did you mean --audience?", "see --help"),
    ("claims verify token", "nothing is trusted", "see --help"),
    ("claims verify --trust trust.json --key a.crt token", "--trust and --key exclude each other", "see --help"),
    ("claims verify --key a.crt --jobs 2 token", "--jobs needs --lines", "see --help"),
    ("claims verify --key a.crt --line-numbers token", "--line-numbers needs --lines", "see --help"),
    ("claims verify --key a.crt --lines --jobs many token", "is invalid for '--jobs <COUNT>'", "see --help"),
    ("claims verify --key a.crt --lines --jobs 0 token", "--jobs must be 1 to 256", "see --help"),
    ("claims verify --key missing.crt token", "missing.crt", "check the name of the file"),
    ("claims verify --trust missing.json token", "missing.json", "check the name of the file"),
    ("claims verify --key hmac-file:swt.key --at yesterday token", "--at", "RFC 3339"),
    ("claims verify --key hmac-file:swt.key --at 2026-13-40 token", "--at", "RFC 3339"),
    ("claims verify --key hmac-file:swt.key --skew 6000 token", "--skew must be from 0 to 600", "see --help"),
    ("claims verify --key hmac-file:swt.key --allow-algorithm md5 token", "--allow-algorithm", ""),
    ("claims verify --key hmac-file:swt.key --format saml token", "is invalid for '--format <FORMAT>'", "see --help"),
    ("claims verify --key hmac-file:swt.key --audience a --allow-any-audience token", "exclude each other", "see --help"),
    ("claims verify --key", "missing value for '--key <SPEC>'", "see --help"),
    (f"claims verify --key hmac-file:swt.key {JWT}", "a token is passed on standard input", "", 3),
    (f"claims {JWT}", "unexpected argument (a text of", "see --help"),
    ("claims help vreify", 'unknown verb "vreify"; did you mean verify?', "see --help"),
    ("claims frobnicate", 'unknown verb "frobnicate"; verbs: decode,', "see --help"),
    ("claims-gate frobnicate", 'unknown verb "frobnicate"; verbs: check,', "see --help"),
    ("acs init . --saml missing.xml", "missing.xml", "check the name of the file"),
    ("claims-gate init . --public app.example", "--public", "see --help"),
    ("claims-gate import nginx a.conf", "is invalid for", "see --help"),
    ("claims --trust trust.json verify token", "unknown option --trust", "the verb comes first"),
    ("claims verify --key hmac-file:swt.key --skew -5 token", "missing value for '--skew <SECONDS>'", "--skew=VALUE"),
    ("claims verify --key hmac-file:swt.key --issuer --audience a token", "missing value for '--issuer <NAME>'", "see --help"),
    ("claims verify --trust a.json --trust b.json token", "--trust is given several times", "see --help"),
    ("claims verify --trust=a.json --trust=b.json token", "--trust is given several times", "see --help"),
    ("claims verify --trust . token", "Is a directory", "name a file in it"),
    ("claims-gate check .", "Is a directory", "name a file in it"),
    ("claims decode --trust trust.json token", "unknown option --trust", "--trust is an option of verify"),
    ("claims decode --strip-prefix token", "--strip-prefix needs --claims-prefix", "see --help"),
    ("claims decode missing.txt", "missing.txt", "", 3),
    ("claims explain --show-values --key a.crt token", "--show-values needs --html", "see --help"),
    ("claims explain token", "nothing is trusted, so nothing was judged", "name a key with --key"),
    ("claims mint slm20 --issuer a", "did you mean saml20?", "see --help"),
    ("claims mint jwt --issuer a --audience b", "name a secret with --key or a private key", "see --help"),
    ("claims mint jwt --issuer a --audience b --key hmac-file:swt.key --certificate a.crt",
     "--certificate needs --signing-key", "see --help"),
    ("claims mint swt --issuer a --key hmac-file:swt.key", "missing expected argument '--audience <NAME> ...'", "see --help"),
    ("claims mint saml20 --issuer a --audience b --signing-key a.key --sign response",
     "--sign response needs --wrap response", "see --help"),
    ("claims mint metadata --issuer a --certificate a.crt --sign-on https://a.example/ --at 2026-01-01",
     "--at needs --lifetime", "see --help"),
    ("claims trust", "", "", 0),
    ("claims trust chek trust.json", "did you mean check?", "see --help"),
    ("claims trust check", "missing expected argument '<FILE>'", "see --help"),
    ("claims metadata show --allow-algorithm rsa-sha1 m.xml", "--allow-algorithm needs --key", "see --help"),
    ("claims metadata lint --format xml m.xml", "is invalid for '--format <FORMAT>'", "see --help"),
    ("claims xml canonicalize m.xml", "missing expected argument '--method <METHOD>'", "see --help"),
    ("claims bench --seconds 0", "--seconds must be between 0.001 and 60", "see --help"),
    ("claims-client sing-in", "did you mean sign-in?", "see --help"),
    ("claims-client sign-in --realm urn:app --trust trust.json", "one of --namespace and --server is needed", "see --help"),
    ("claims-client sign-in acs --relam urn:app", "unknown option --relam; did you mean --realm?", "see --help"),
    ("claims-client session lst", "did you mean list?", "see --help"),
    ("claims-client session list --store f", "with --store one of --store-key-file", "see --help"),
    ("claims-client post --service mastodon --text hi --token-file t --page 1", "--page is for facebook, not for mastodon",
     "see --help"),
    ("claims-client post --service mastodon --text hi --token-file t", "--api is needed for mastodon", "see --help"),
    ("claims-client post --service x --text hi --image-description a --token-file t",
     "--image-description needs --image", "see --help"),
    ("claims-client post --service x --text hi --token-file missing", "cannot read missing", "", 3),
    ("claims-client post --service myspace --text hi", "is invalid for '--service <SERVICE>'", "see --help"),
    ("claims-client call FETCH https://api.example/", "the method is GET, POST, PUT, PATCH or DELETE", "see --help"),
    ("claims-client call GET https://api.example/ --content-type text/plain", "--content-type needs --body-file", "see --help"),
    ("claims-client token wrap --server https://a.example/ --realm r --trust trust.json", "--name is needed", "see --help"),
    ("claims-gate chek gate.json", "did you mean check?", "see --help"),
    ("claims-gate check", "missing expected argument '<FILE>'", "see --help"),
    ("claims-gate check missing.json", "missing.json", "check the name of the file"),
    ("claims-gate doctor gate.json", "missing expected argument '<URL>'", "see --help"),
    ("claims-gate sessions gate.json list", "one of --subject, --provider and --all", "see --help"),
    ("claims-gate try gate.json /a --claim x", "unknown option --claim; did you mean --claims?", "see --help"),
    ("acs dmo", "did you mean demo?", "see --help"),
    ("acs run missing.json", "missing.json", "check the name of the file"),
    ("acs keys acs.json --symmetric --password", "--symmetric and --password exclude each other", "see --help"),
    ("acs check acs.json extra", "unexpected argument", "see --help"),
    ("acs run --roll acs.json", "unknown option --roll", "--roll is an option of keys"),
    ("claims-attack provder", "did you mean provider?", "see --help"),
    ("claims-attack run", "missing expected argument '<FILE>'", "see --help"),
    ("claims-attack run missing.json", "missing.json", "check the name of the file"),
    ("claims-attack list --protocol saml", "is invalid for '--protocol <PROTOCOL>'", "see --help"),
    ("claims-attack provider --html a attack.json", "unknown option --html", "--html is an option of run"),
    ("claims-attack run --severity high attack.json", "is invalid for '--severity <SEVERITY>'", "see --help"),
]


def answer(folder, line, where):
    words = shlex.split(line)
    told = subprocess.run(
        [folder / words[0], *words[1:]], cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        env={"HOME": str(where), "PATH": "/usr/bin:/bin"})
    error, hint = [], []
    for said in told.stderr.splitlines():
        for mark, list_ in (("error: ", error), ("hint: ", hint)):
            if said.startswith(f"{words[0]}: {mark}"):
                list_.append(said.removeprefix(f"{words[0]}: {mark}"))
    return told, "; ".join(error), "; ".join(hint)


def main():
    folder, table = pathlib.Path(sys.argv[1]).resolve(), "--table" in sys.argv
    wrong = 0
    if table:
        print("| command line | message | hint | exit |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        where = pathlib.Path(name)
        (where / "token").write_text("a=b&HMACSHA256=eA%3d%3d\n")
        (where / "t").write_text("token\n")
        (where / "t").chmod(0o600)
        (where / "swt.key").write_bytes(bytes(range(32)))
        for line, message, advice, *code in LINES:
            told, error, hint = answer(folder, line, where)
            if table:
                print("| " + " | ".join(text.replace("|", "\\|") for text in (f"`{line}`", error, hint, str(told.returncode))) + " |")
            faults = []
            if told.returncode != (code or [2])[0]:
                faults.append(f"exit {told.returncode}")
            if message not in error:
                faults.append(f"no {message!r}")
            if advice not in hint:
                faults.append(f"no hint {advice!r}")
            if JWT in told.stderr:
                faults.append("repeats a token")
            # Messages begin with a small letter or a name, and have no full stop.
            if error.endswith(".") or told.returncode == 2 and not hint:
                faults.append("style")
            if faults:
                wrong += 1
                print(f"{line}\n  {', '.join(faults)}\n  {told.stderr.strip()}", file=sys.stderr)
    print(f"{len(LINES)} command lines, {wrong} answered otherwise", file=sys.stderr)
    sys.exit(wrong > 0)


main()

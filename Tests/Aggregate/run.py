#!/usr/bin/env python3
"""Makes a metadata aggregate of 50 MB and measures the command's time and memory for it.

    swift build -c release --product claims
    python3 Tests/Aggregate/run.py [--megabytes 50] [--all] [--command .build/release/claims]

Fails when the count or the entity that is looked up is wrong, or when the peak of memory is 150 MB
or more.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MD = "urn:oasis:names:tc:SAML:2.0:metadata"
LIMIT = 150


def certificate(name):
    lines = (ROOT / "TestVectors/keys" / (name + ".crt")).read_text().splitlines()
    return "".join(line for line in lines if not line.startswith("-"))


def entity(number, certificate):
    host = f"idp{number}.example"
    return f"""<md:EntityDescriptor entityID="https://{host}/idp">
 <md:Extensions><mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui">
  <mdui:DisplayName xml:lang="en">Provider {number}</mdui:DisplayName>
  <mdui:Description xml:lang="en">{'A university with a description. ' * 20}</mdui:Description>
 </mdui:UIInfo></md:Extensions>
 <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
  <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{certificate}
  </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
  <md:KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{certificate}
  </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
  <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
   Location="https://{host}/sso"/>
 </md:IDPSSODescriptor>
 <md:Organization><md:OrganizationName xml:lang="en">Provider {number}</md:OrganizationName>
 </md:Organization>
</md:EntityDescriptor>
"""


def write(path, size):
    """Writes the aggregate; returns the number of its entities."""
    body = certificate("idp-rsa")
    count = 0
    with open(path, "w") as file:
        file.write(f'<md:EntitiesDescriptor xmlns:md="{MD}" '
                   'xmlns:ds="http://www.w3.org/2000/09/xmldsig#" '
                   'validUntil="2030-01-02T00:00:00Z">\n')
        while file.tell() < size:
            file.write(entity(count, body))
            count += 1
        file.write("</md:EntitiesDescriptor>\n")
    return count


def run(command, *arguments):
    """The output, the seconds, and the peak of resident memory in MB of one run."""
    start = time.monotonic()
    process = subprocess.run(
        ["/usr/bin/time", "-f", "%M", command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seconds = time.monotonic() - start
    peak = int(process.stderr.split()[-1]) / 1024
    return process.stdout, seconds, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--all", action="store_true", help="decode every key, too: minutes")
    parser.add_argument("--command", default=str(ROOT / ".build/release/claims"))
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/aggregate.xml"
        count = write(path, options.megabytes * 1_000_000)
        wanted = f"https://idp{count - 2}.example/idp"
        at = ("--at", "2030-01-01T12:00:00Z")
        size = Path(path).stat().st_size / 1e6
        print(f"{size:.1f} MB, {count} entities")
        token = str(ROOT / "TestVectors/saml20/response-assertion-signed.xml")
        for name, arguments, check in (
                ("count", ["metadata", "show", "--count", *at, path],
                 lambda out: json.loads(out)["entities"] == count),
                ("look up", ["metadata", "show", "--entity", wanted, *at, path],
                 lambda out: json.loads(out)["entityID"] == wanted),
                ("show all", ["metadata", "show", *at, path],
                 lambda out: out.count(b"\n") == count),
                ("lint", ["metadata", "lint", *at, path],
                 lambda out: out.count(b'"META-L04"') == count - 1),
                ("trust all", ["verify", "--metadata", path, "--allow-any-audience", *at, token],
                 lambda out: json.loads(out)["error"]["code"] == "issuer.untrusted"),
                ("trust one", ["verify", "--metadata", path, "--issuer", wanted,
                               "--allow-any-audience", *at, token],
                 lambda out: json.loads(out)["error"]["code"] == "issuer.untrusted")):
            if not options.all and name in ("show all", "lint", "trust all"):
                continue
            out, seconds, peak = run(options.command, *arguments)
            # Trusting all keeps a key for each entity: that grows with the file, by design.
            is_good = check(out) and (peak < LIMIT or name == "trust all")
            failures += not is_good
            print(f"{'ok' if is_good else 'FAILED':6} {name:10} {seconds:6.2f} s {peak:7.1f} MB")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

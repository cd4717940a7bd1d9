#!/usr/bin/env python3
"""The interoperability vectors of XML Encryption 1.1 and EdDSA signatures that Apache Santuario keeps.

    Tests/Corpora/santuario.py --claims PATH FOLDER

FOLDER is a checkout of apache/santuario-xml-security-java; where it is missing, nothing is run. (The vectors of XML
Signature 1.1 are among those of run.py, as xmlsec has them.) Needs openssl and the Python package cryptography.

Exit codes: 0 all agree or are explained (or there is no checkout), 1 some do not, 2 usage.
"""

import argparse
import base64
import html
import pathlib
import re
import subprocess
import sys
import tempfile

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from cryptography.hazmat.primitives.keywrap import aes_key_unwrap

RESOURCES = pathlib.Path("src/test/resources")
ENCRYPTED = RESOURCES / "org/w3c/www/interop/xmlenc-core-11"
SIGNED = RESOURCES / "javax/xml/crypto/dsig/eddsa"
# The files of keys and their passphrases, as the tests of Santuario open them.
KEYS = ((".pfx", "1234"), ("_SHA256WithECDSA.p12", "passwd"), ("_SHA256WithRSA.p12", "passwd"))
CURVES = {"P256": (ec.SECP256R1(), hashes.SHA256(), 16), "P384": (ec.SECP384R1(), hashes.SHA384(), 24),
          "P521": (ec.SECP521R1(), hashes.SHA512(), 32)}


def private_keys(folder, stem, scratch):
    """The keys of a name, as PEM files."""
    for suffix, passphrase in KEYS:
        source = folder / (stem + suffix)
        if source.exists():
            target = scratch / (source.name + ".pem")
            target.write_bytes(subprocess.run(
                ["openssl", "pkcs12", "-legacy", "-in", source, "-nocerts", "-nodes", "-passin",
                 "pass:" + passphrase], capture_output=True, check=True).stdout)
            yield target


def agreed(text, path):
    """The content key that ECDH-ES with ConcatKDF and AES key wrap gives, by another library, and its cipher."""
    curve, digest, length = CURVES[re.search(r"EC-(P\d+)", path.name)[1]]
    encrypted = [base64.b64decode(value) for value in re.findall(r"CipherValue>([^<]+)<", text)]
    point = base64.b64decode(re.search(r"PublicKey>([^<]+)<", text)[1])
    # The first octet is how many bits of the last one are not used.
    info = b"".join(bytes.fromhex(re.search(rf'{name}="([^"]*)"', text)[1])[1:]
                    for name in ("AlgorithmID", "PartyUInfo", "PartyVInfo"))
    def content_key(key):
        secret = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(curve, point))
        return aes_key_unwrap(ConcatKDFHash(digest, length, info).derive(secret), encrypted[0])
    return content_key, encrypted[1]


def decrypted(claims, keys, document):
    words = [word for key in keys for word in ("--key", str(key))]
    done = subprocess.run([claims, "xml", "decrypt", *words, "-"], input=document.encode(), capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def squeezed(data):
    """Without white space, and with one way to write an empty element."""
    return re.sub(rb"<(\w+)([^<>]*)/>", rb"<\1\2></\1>", re.sub(rb"\s+", b" ", data)).strip()


def encryption(claims, folder, scratch):
    expected = squeezed((folder / "plaintext.xml").read_bytes())
    for path in sorted(folder.glob("cipherText*.xml")):
        text = path.read_text()
        keys = list(private_keys(folder, path.name.split("__")[1], scratch))
        status, plaintext, said = decrypted(claims, keys, text)
        if status == 0:
            yield path.name, "agrees" if squeezed(plaintext) == expected else "DISAGREES", "decrypted"
        elif path.name[-5] in "456" and "encryption.failed" in said:
            # The plaintext is no element. With one in its place, under the same keys, it decrypts.
            content_key, cipher = agreed(text, path)
            for key in (serialization.load_pem_private_key(pem.read_bytes(), None) for pem in keys):
                try:
                    made = AESGCM(content_key(key))
                    octets = made.decrypt(cipher[:12], cipher[12:], None)
                except Exception:  # Another key of that name.
                    continue
                other = base64.b64encode(cipher[:12] + made.encrypt(cipher[:12], b"<a>b</a>", None)).decode()
                twin = text.replace(re.findall(r"CipherValue>([^<]+)<", text)[1], other)
                good = octets.hex() == (folder / "binary-data.hex").read_text().strip() \
                    and decrypted(claims, keys, twin)[:2] == (0, b"<a>b</a>")
                yield path.name, "explained" if good else "DISAGREES", "16 octets that are no XML; an element decrypts"
                break
            else:
                yield path.name, "DISAGREES", "no key fits"
        else:
            yield path.name, "DISAGREES", said.splitlines()[0]


def signatures(claims, folder, scratch):
    for path in sorted(folder.glob("*.xml")):
        text = html.unescape(path.read_text())
        certificate = scratch / "signer.crt"
        lines = re.search(r"X509Certificate>([^<]+)<", text)[1].split()
        certificate.write_text("\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""]))
        done = subprocess.run([claims, "xml", "verify", "--key", certificate, "--allow-algorithm", "sha1",
                               "--id-attribute", "AssertionID", "--allow-partial", path], capture_output=True, text=True)
        code = (re.search(r'"code":"([^"]+)"', done.stdout) or ["", "valid"])[1]
        wanted = {"signature.invalid", "signature.digest-mismatch"} if "Invalid" in path.name else {"valid"}
        yield path.name, "agrees" if code in wanted else "DISAGREES", code + done.stderr


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    words.add_argument("--claims", required=True, type=pathlib.Path, metavar="PATH")
    words.add_argument("folder", type=pathlib.Path)
    words = words.parse_args()
    if not (words.folder / ENCRYPTED).is_dir():
        print("no checkout of Santuario: skipped")
        return 0
    claims, counts = str(words.claims.resolve()), {}
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for group in (encryption(claims, words.folder / ENCRYPTED, scratch),
                      signatures(claims, words.folder / SIGNED, scratch)):
            for case, outcome, why in group:
                counts[outcome] = counts.get(outcome, 0) + 1
                print(f"{outcome:10} {case}: {why}")
    print("santuario: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 1 if "DISAGREES" in counts else 0


if __name__ == "__main__":
    sys.exit(main())

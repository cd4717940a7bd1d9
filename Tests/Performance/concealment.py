"""concealment.py CLI [TOKENS]: the processor time of failures to decrypt AES-CBC that must look alike.

Unsigned messages around CBC ciphertext fail with one error, whatever the plaintext is. Here it has impossible padding,
is no XML, half an assertion, XML of another kind, an assertion of an unknown issuer, one without a signature, one
with a wrong signature, and one that was changed behind a valid one. TOKENS of each (2,000) go through one process in
turns of a hundred, and the medians of the turns are compared with the median of all. Ends with 1 when one is more than
two per cent away. Needs a release build, and Python's `cryptography`.
"""
import base64
import json
import os
import random
import statistics
import subprocess
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VECTORS = os.path.join(ROOT, "TestVectors")
TURN = 100
MOST = 0.02


def plaintexts():
    """Octets of one length, by what is wrong with them."""
    text = open(os.path.join(VECTORS, "saml20", "response-assertion-signed.xml"), encoding="utf-8").read()
    start, end = text.index("<saml:Assertion"), text.index("</saml:Assertion>") + len("</saml:Assertion>")
    genuine = text[start:end]
    declared = "xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\""
    if declared not in genuine[:genuine.index(">")]:
        genuine = genuine.replace("<saml:Assertion", "<saml:Assertion " + declared, 1)
    value = genuine.index("SignatureValue>") + len("SignatureValue>")
    signature = genuine[genuine.index("<ds:Signature"):genuine.index("</ds:Signature>") + len("</ds:Signature>")]
    other = "B" if genuine[value + 8] != "B" else "C"
    random.seed(7)
    noise = bytes(random.randrange(1, 256) for _ in genuine)
    cases = {
        "padding": genuine, "no XML": noise, "half": genuine[:len(genuine) // 2],
        "nearly all": genuine[:-8], "other XML": genuine.replace("saml:Assertion", "saml:Assertiox"),
        "unknown issuer": genuine.replace("https://idp.example/idp", "https://idq.example/idp"),
        "no signature": genuine.replace(signature, ""),
        "wrong signature": genuine[:value + 8] + other + genuine[value + 9:],
        "changed": genuine.replace("alice", "malic"),
    }
    cases = {name: text if isinstance(text, bytes) else text.encode() for name, text in cases.items()}
    # The length of the ciphertext is nobody's secret; it is the same for all.
    length = max(map(len, cases.values())) // 16 * 16 + 16
    return {name: octets.ljust(length - 1) for name, octets in cases.items()}


def token(octets, breaks):
    certificate = x509.load_pem_x509_certificate(open(os.path.join(VECTORS, "keys", "rp-rsa.crt"), "rb").read())
    key, iv = os.urandom(32), os.urandom(16)
    count = 16 - len(octets) % 16
    padded = octets + b"\0" * (count - 1) + bytes([200 if breaks else count])
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    value = base64.b64encode(iv + encryptor.update(padded) + encryptor.finalize()).decode()
    oaep = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
    wrapped = base64.b64encode(certificate.public_key().encrypt(key, oaep)).decode()
    return f"""<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r" Version="2.0" IssueInstant="2030-01-01T12:00:00Z">\
<saml:Issuer>https://idp.example/idp</saml:Issuer><samlp:Status><samlp:StatusCode \
Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:EncryptedAssertion><e:EncryptedData \
xmlns:e="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element"><e:EncryptionMethod \
Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\
<e:EncryptedKey><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/><e:CipherData>\
<e:CipherValue>{wrapped}</e:CipherValue></e:CipherData></e:EncryptedKey></ds:KeyInfo><e:CipherData><e:CipherValue>\
{value}</e:CipherValue></e:CipherData></e:EncryptedData></saml:EncryptedAssertion></samlp:Response>"""


def main():
    command, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    process = subprocess.Popen(
        [command, "verify", "--lines", "--jobs", "1", "--key", os.path.join(VECTORS, "keys", "idp-rsa.crt"),
         "--decrypt-key", os.path.join(VECTORS, "keys", "rp-rsa.key"), "--allow-any-audience",
         "--issuer", "https://idp.example/idp", "--at", "2030-01-01T12:00:00Z"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    pid = process.pid
    lines = {
        name: (json.dumps({"token": base64.b64encode(token(octets, name == "padding").encode()).decode()}) + "\n")
        .encode() for name, octets in plaintexts().items()}

    def total():
        time = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                time += int(file.read().split()[0])
        return time

    def turn(line):
        before = total()
        for _ in range(TURN):
            process.stdin.write(line)
            process.stdin.flush()
            assert b"encryption.failed" in process.stdout.readline()
        return (total() - before) / TURN / 1000

    times = {name: [] for name in lines}
    for line in lines.values():
        turn(line)
    order = list(lines)
    for _ in range(max(count // TURN, 1)):
        random.shuffle(order)
        for name in order:
            times[name].append(turn(lines[name]))
    process.stdin.close()
    process.wait()
    medians = {name: statistics.median(values) for name, values in times.items()}
    middle = statistics.median(medians.values())
    worst = 0
    for name, median in medians.items():
        share = median / middle - 1
        worst = max(worst, abs(share))
        print(f"{name:16} {median:8.1f} us a token  {share * 100:+5.1f} %")
    print("within" if worst <= MOST else "beyond", f"{MOST * 100:.0f} %")
    sys.exit(worst > MOST)


if __name__ == "__main__":
    main()

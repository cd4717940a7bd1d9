"""The fixed jobs that the scripts of this folder measure: tokens that the command mints itself, the same
every time, and how each is verified."""
import base64
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEYS = os.path.join(ROOT, "TestVectors", "keys")
ISSUER, AUDIENCE, AT = "https://idp.example.test/", "https://rp.example.test/", "2030-01-01T12:00:00Z"
RSA = ["--signing-key", os.path.join(KEYS, "idp-rsa.key"), "--certificate", os.path.join(KEYS, "idp-rsa.crt")]
RSA_TRUST = ["--key", os.path.join(KEYS, "idp-rsa.crt")]
RECIPIENT = [os.path.join(KEYS, "rp-rsa.crt"), os.path.join(KEYS, "rp-rsa.key")]
# A name beyond ASCII, as most directories have some.
NAME = ["--claim", "http://schemas.example.test/claims/name=Mia Müller"]
SECRET = "hmac:" + "WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo="


def claims(count):
    return [part for number in range(count)
            for part in ("--claim", f"http://schemas.example.test/claims/attribute{number}=value number {number}")]


def mint(command, kind, *arguments):
    common = ["--issuer", ISSUER, "--audience", AUDIENCE, "--subject", "ada@example.test", "--at", AT]
    made = subprocess.run([command, "mint", kind, *common, *arguments], capture_output=True, check=True)
    return made.stdout.strip()


def jobs(command):
    """(name, token as a line, arguments of `claims verify`)"""
    saml = ["--id", "_performance", *RSA]
    # As the stored counts were taken; a NameFormat on each attribute is read more slowly.
    saml20 = [*saml, "--attribute-name-format", "none"]
    return [
        ("swt", mint(command, "swt", "--key", SECRET, *claims(6)), ["--key", SECRET]),
        ("jwt-rs256", mint(command, "jwt", *RSA[:2], *claims(10)), [*RSA_TRUST, "--format", "jwt"]),
        ("saml20-20", mint(command, "saml20", *saml20, *claims(20)), RSA_TRUST),
        ("saml20-110", mint(command, "saml20", *saml20, *claims(110)), RSA_TRUST),
        ("saml11-20", mint(command, "saml11", *saml, *claims(20)), RSA_TRUST),
        ("swt-name", mint(command, "swt", "--key", SECRET, *claims(6), *NAME), ["--key", SECRET]),
        ("jwt-hs256", mint(command, "jwt", "--key", SECRET, *claims(10)), ["--key", SECRET, "--format", "jwt"]),
        ("saml20-name", mint(command, "saml20", *saml20, *claims(20), *NAME), RSA_TRUST),
        # As a form brings it, and as most lines of files are.
        ("base64-110", base64.b64encode(mint(command, "saml20", *saml20, *claims(110), "--wrap", "response")), RSA_TRUST),
    ]


def refused_jobs(command):
    """As `jobs`, of tokens that another key signed."""
    other = "hmac:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="
    return [("refused", mint(command, "swt", "--key", SECRET, *claims(6)), ["--key", other])]


def long_jobs(command):
    """As `jobs`, of tokens that take long."""
    saml20 = ["--id", "_performance", *RSA, "--attribute-name-format", "none"]
    encrypted = mint(command, "saml20", *saml20, *claims(20), "--encrypt-to", RECIPIENT[0], "--wrap", "response")
    return [
        ("saml20-5000", mint(command, "saml20", *saml20, *claims(5000)), RSA_TRUST),
        ("encrypted", encrypted, [*RSA_TRUST, "--decrypt-key", RECIPIENT[1]]),
    ]


def verify(command, arguments):
    return [command, "verify", "--lines", "--jobs", "1", "--issuer", ISSUER, "--audience", AUDIENCE,
            "--at", AT, *arguments]

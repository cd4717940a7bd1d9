"""The keys. Made once and kept in keys/: a file that exists is never made again."""

import base64
import datetime
import json
import secrets
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key)
from cryptography.x509.oid import NameOID
from jwcrypto import jwk

from .world import ROOT

FOLDER = ROOT / "keys"

# The key that every SWT of the protocol reference is made with: bytes 00 to 1f.
SWT_KEY = bytes(range(32))


def make():
    """Makes the keys that are not there yet."""
    FOLDER.mkdir(exist_ok=True)
    pair("idp-rsa", rsa_key(2048), "idp.example")
    pair("idp-ec256", lambda: ec.generate_private_key(ec.SECP256R1()), "idp.example")
    pair("idp-ec384", lambda: ec.generate_private_key(ec.SECP384R1()), "idp.example")
    pair("idp-ec521", lambda: ec.generate_private_key(ec.SECP521R1()), "idp.example")
    pair("other-rsa", rsa_key(2048), "other.example")
    # The attacker's: same subject, same serial number, another key.
    pair("evil-rsa", rsa_key(2048), "idp.example")
    pair("weak-rsa1024", rsa_key(1024), "idp.example")
    pair("weak-exponent", lambda: rsa.generate_private_key(3, 2048), "idp.example")
    pair("expired", rsa_key(2048), "idp.example", years=(2015, 2020))
    pair("rp-rsa", rsa_key(2048), "rp.example")
    pair("rp-ec256", lambda: ec.generate_private_key(ec.SECP256R1()), "rp.example")
    pair("rp-ec384", lambda: ec.generate_private_key(ec.SECP384R1()), "rp.example")
    pair("rp-ec521", lambda: ec.generate_private_key(ec.SECP521R1()), "rp.example")
    # For servers on this machine.
    for name, host, years in (("tls-localhost", "localhost", (2020, 2120)),
                              ("tls-other", "other.example", (2020, 2120)),
                              ("tls-expired", "localhost", (2015, 2020))):
        pair(name, lambda: ec.generate_private_key(ec.SECP256R1()), host, years, host)
    # A common name alone, which names no server (RFC 9525, 6.3).
    pair("tls-common-name", lambda: ec.generate_private_key(ec.SECP256R1()), "localhost",
         (2020, 2120))

    absent("idp-rsa.pub", lambda: private("idp-rsa").public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    absent("idp-rsa.der", lambda: certificate("idp-rsa").public_bytes(Encoding.DER))

    # Public keys that must be refused wherever they are configured.
    parameters = ["ecparam", "-genkey", "-noout", "-name"]
    absent("bad-explicit.pub", lambda: by_openssl(
        [*parameters, "prime256v1", "-param_enc", "explicit"], ["ec", "-pubout", "-param_enc", "explicit"]))
    for curve in ("secp256k1", "secp112r1", "prime192v1"):
        absent(f"bad-{curve}.pub", lambda: by_openssl([*parameters, curve], ["ec", "-pubout"]))
    absent("bad-rsa512.pub", lambda: by_openssl(["genrsa", "512"], ["rsa", "-pubout"]))

    absent("acs.key", lambda: base64.b64encode(SWT_KEY) + b"\n")
    absent("hmac-64.key", lambda: base64.b64encode(secrets.token_bytes(64)) + b"\n")
    absent("idp-ed25519.key", lambda: ed25519.Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    absent("idp-ed25519.pub", lambda: private("idp-ed25519").public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    absent("idp-ed448.key", lambda: ed448.Ed448PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    absent("idp-ed448.pub", lambda: private("idp-ed448").public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    # The receiver's for encrypted JSON Web Tokens.
    absent("rp-x25519.key", lambda: x25519.X25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    absent("rp-secrets.jwk", secret_set)
    for number in (44, 65, 87):
        absent(f"idp-mldsa-{number}.jwk", lambda: json.dumps({
            name: value for name, value in jwk.JWK.generate(
                kty="AKP", alg=f"ML-DSA-{number}").export_private(as_dict=True).items()
            if name != "kid"}).encode())
    for name, kid in (("rp-rsa", "rsa-1"), ("rp-ec256", "ec-1"), ("rp-x25519", "x-1")):
        absent(f"{name}.jwk", lambda: private_jwk(name, kid))
    absent("acs-31.key", lambda: base64.b64encode(SWT_KEY[:31]) + b"\n")
    absent("acs-other.key", lambda: base64.b64encode(secrets.token_bytes(32)) + b"\n")


def secret_set():
    """Secrets of each length that an algorithm of RFC 7518 has."""
    encoded = lambda octets: base64.urlsafe_b64encode(octets).rstrip(b"=").decode()  # noqa: E731
    return json.dumps({"keys": [
        {"kty": "oct", "kid": f"secret-{count}", "use": "enc", "k": encoded(secrets.token_bytes(count))}
        for count in (16, 24, 32, 48, 64)]}).encode()


def private_jwk(name, kid):
    """The private key in `name`.key as jwcrypto writes it."""
    made = jwk.JWK.from_pem((FOLDER / (name + ".key")).read_bytes())
    return json.dumps({"kid": kid, "use": "enc"} | {
        key: value for key, value in made.export_private(as_dict=True).items()
        if key != "kid"}).encode()


def by_openssl(make, show):
    """A public key that cryptography would not make; the private half is thrown away."""
    private_key = subprocess.run(["openssl", *make], check=True, capture_output=True).stdout
    return subprocess.run(
        ["openssl", *show], input=private_key, check=True, capture_output=True).stdout


def absent(name, make_bytes):
    path = FOLDER / name
    if not path.exists():
        path.write_bytes(make_bytes())


def rsa_key(bits):
    return lambda: rsa.generate_private_key(public_exponent=65537, key_size=bits)


def pair(name, generate, common_name, years=(2020, 2120), host=None):
    """A private key in PEM (PKCS #8) and a self-signed certificate around its public half."""
    absent(name + ".key", lambda: generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    absent(name + ".crt", lambda: self_signed(private(name), common_name, years, host))


def self_signed(key, common_name, years, host=None):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
    start, end = (datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc) for year in years)
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject)
        .public_key(key.public_key()).serial_number(1)
        .not_valid_before(start).not_valid_after(end))
    if host:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)


def private(name):
    return load_pem_private_key((FOLDER / (name + ".key")).read_bytes(), None)


def certificate(name):
    return x509.load_pem_x509_certificate((FOLDER / (name + ".crt")).read_bytes())


def certificate_text(name):
    """The certificate as ds:X509Certificate carries it."""
    return base64.b64encode(certificate(name).public_bytes(Encoding.DER)).decode()


def secret(name):
    return base64.b64decode((FOLDER / (name + ".key")).read_bytes())

"""XML Encryption by hand, the same bytes each time.

Nothing here is fit for real use: content keys, initialisation vectors, OAEP seeds and ephemeral keys
are digests of a label. Real programs make them at random.
"""

import base64
import hashlib

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import keys
from .signing import DIGESTS, DS, ENC, MORE21

ENC11 = "http://www.w3.org/2009/xmlenc11#"
DSIG11 = "http://www.w3.org/2009/xmldsig11#"
ELEMENT = ENC + "Element"

CIPHERS = {
    "aes128-gcm": (ENC11 + "aes128-gcm", 16), "aes192-gcm": (ENC11 + "aes192-gcm", 24),
    "aes256-gcm": (ENC11 + "aes256-gcm", 32), "aes128-cbc": (ENC + "aes128-cbc", 16),
    "aes192-cbc": (ENC + "aes192-cbc", 24), "aes256-cbc": (ENC + "aes256-cbc", 32),
    "tripledes-cbc": (ENC + "tripledes-cbc", 24),
}
CURVES = {"256": (ec.SECP256R1(), "urn:oid:1.2.840.10045.3.1.7"),
          "384": (ec.SECP384R1(), "urn:oid:1.3.132.0.34"),
          "521": (ec.SECP521R1(), "urn:oid:1.3.132.0.35")}


def stream(label, count):
    """So many bytes that look random."""
    octets = b"".join(
        hashlib.sha256(f"{label} {number}".encode()).digest()
        for number in range(count // 32 + 1))
    return octets[:count]


def text(octets):
    return base64.b64encode(octets).decode()


# Ciphers


def seal(plaintext, cipher, key, label, *, iv=None, last=None):
    """The octets of CipherValue. `last` is the last byte of the CBC padding, if not the right one."""
    if cipher.endswith("gcm"):
        iv = stream(label + " iv", 12) if iv is None else iv
        return iv + AESGCM(key).encrypt(iv, plaintext, None)
    block = 8 if cipher == "tripledes-cbc" else 16
    missing = block - len(plaintext) % block
    # ISO 10126: arbitrary bytes, then the count.
    padding = stream(label + " padding", missing - 1) + bytes([missing if last is None else last])
    iv = stream(label + " iv", block)
    algorithm = TripleDES(key) if block == 8 else algorithms.AES(key)
    encryptor = Cipher(algorithm, modes.CBC(iv)).encryptor()
    return iv + encryptor.update(plaintext + padding) + encryptor.finalize()


# Keys


def mask(seed, count, digest):
    octets = b"".join(
        hashlib.new(digest, seed + number.to_bytes(4, "big")).digest()
        for number in range(count // 20 + 1))
    return octets[:count]


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right))


def raw_rsa(block, key):
    numbers = keys.certificate(key).public_key().public_numbers()
    return pow(int.from_bytes(block, "big"), numbers.e, numbers.n).to_bytes(len(block), "big")


def oaep(cek, key, label, digest="sha1", mgf="sha1", parameters=b""):
    """RSAES-OAEP (RFC 8017, 7.1.1) with a seed that is known."""
    size = keys.certificate(key).public_key().key_size // 8
    length = hashlib.new(digest).digest_size
    data = hashlib.new(digest, parameters).digest() + bytes(size - len(cek) - 2 * length - 2)
    data += b"\x01" + cek
    seed = stream(label + " seed", length)
    masked = xor(data, mask(seed, len(data), mgf))
    return raw_rsa(b"\x00" + xor(seed, mask(masked, length, mgf)) + masked, key)


def pkcs1(cek, key, label):
    size = keys.certificate(key).public_key().key_size // 8
    padding = stream(label + " padding", size).replace(b"\x00", b"\x01")[:size - len(cek) - 3]
    return raw_rsa(b"\x00\x02" + padding + b"\x00" + cek, key)


def ephemeral(curve, label):
    if curve == "x25519":
        return x25519.X25519PrivateKey.from_private_bytes(stream(label + " ephemeral", 32))
    return ec.derive_private_key(
        int.from_bytes(stream(label + " ephemeral", 31), "big"), CURVES[curve][0])


def agreed(count, key, curve, label, info, digest=hashes.SHA256):
    """The key that the sender and the holder of `key` agree on."""
    if curve == "x25519":
        secret = ephemeral(curve, label).exchange(keys.private(key).public_key())
        return ConcatKDFHash(digest(), count, info).derive(secret)
    secret = ephemeral(curve, label).exchange(ec.ECDH(), keys.certificate(key).public_key())
    return ConcatKDFHash(digest(), count, info).derive(secret)


# Elements


def method(uri, inner=""):
    return f'<xenc:EncryptionMethod Algorithm="{uri}">{inner}</xenc:EncryptionMethod>'


def cipher_data(octets):
    return ("<xenc:CipherData><xenc:CipherValue>" + text(octets)
            + "</xenc:CipherValue></xenc:CipherData>")


def key_info(*inner):
    return f'<ds:KeyInfo xmlns:ds="{DS}">{"".join(inner)}</ds:KeyInfo>' if inner else ""


def certificate(key):
    return ("<ds:X509Data><ds:X509Certificate>" + keys.certificate_text(key)
            + "</ds:X509Certificate></ds:X509Data>")


def encrypted_key(octets, uri, *, parameters="", info="", id=None, recipient=None):
    head = (f' Id="{id}"' if id else "") + (f' Recipient="{recipient}"' if recipient else "")
    return (f'<xenc:EncryptedKey xmlns:xenc="{ENC}"{head}>{method(uri, parameters)}{info}'
            f"{cipher_data(octets)}</xenc:EncryptedKey>")


def oaep_key(cek, label, *, key="rp-rsa", digest=None, mgf=None, parameters=None, hint=False,
             new=False, id=None, recipient=None):
    """An EncryptedKey by RSA-OAEP; `new` for the name of XML Encryption 1.1."""
    octets = oaep(cek, key, label, digest or "sha1", mgf or "sha1", parameters or b"")
    inner = f"<xenc:OAEPparams>{text(parameters)}</xenc:OAEPparams>" if parameters else ""
    if digest:
        inner += f'<ds:DigestMethod xmlns:ds="{DS}" Algorithm="{DIGESTS[digest]}"/>'
    if mgf:
        inner += f'<e11:MGF xmlns:e11="{ENC11}" Algorithm="{ENC11}mgf1{mgf}"/>'
    return encrypted_key(
        octets, ENC11 + "rsa-oaep" if new else ENC + "rsa-oaep-mgf1p", parameters=inner,
        info=key_info(certificate(key)) if hint else "", id=id, recipient=recipient)


def agreement(curve, label, *, info=b"", digest="sha256", point=None, named=None):
    """An AgreementMethod: ECDH-ES with ConcatKDF; AlgorithmID carries all of the other info."""
    value = None
    if curve == "x25519" and point is None:
        value = der_value(ephemeral(curve, label).public_key())
    elif point is None:
        point = ephemeral(curve, label).public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint)
    if value is None:
        named = CURVES[curve][1] if named is None else named
        curve_text = f'<d11:NamedCurve URI="{named}"/>' if named else "<d11:ECParameters/>"
        value = (f"<ds:KeyValue><d11:ECKeyValue>{curve_text}<d11:PublicKey>{text(point)}</d11:PublicKey>"
                 "</d11:ECKeyValue></ds:KeyValue>")
    algorithm = MORE21 + "x25519" if curve == "x25519" else ENC11 + "ECDH-ES"
    return (
        f'<xenc:AgreementMethod xmlns:xenc="{ENC}" xmlns:e11="{ENC11}" xmlns:d11="{DSIG11}" '
        f'Algorithm="{algorithm}"><e11:KeyDerivationMethod Algorithm="{ENC11}ConcatKDF">'
        f'<e11:ConcatKDFParams AlgorithmID="00{info.hex()}" PartyUInfo="" PartyVInfo="00">'
        f'<ds:DigestMethod Algorithm="{DIGESTS[digest]}"/></e11:ConcatKDFParams>'
        f"</e11:KeyDerivationMethod><xenc:OriginatorKeyInfo>{value}</xenc:OriginatorKeyInfo>"
        "</xenc:AgreementMethod>")


def der_value(public_key):
    """A key as its SubjectPublicKeyInfo (XML Signature 1.1, 4.5.8)."""
    octets = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"<d11:DEREncodedKeyValue>{text(octets)}</d11:DEREncodedKeyValue>"


def wrapped_key(cek, label, *, curve="256", key="rp-ec256", size=16, **options):
    """An EncryptedKey by AES key wrap under an agreed key."""
    wrapping = agreed(size, key, curve, label, options.get("info", b""))
    return encrypted_key(
        aes_key_wrap(wrapping, cek), f"{ENC}kw-aes{size * 8}",
        info=key_info(agreement(curve, label, **options)))


def data(octets, cipher, *, info="", type=ELEMENT, id="_ed", inner="", uri=None):
    kind = f' Type="{type}"' if type else ""
    return (f'<xenc:EncryptedData xmlns:xenc="{ENC}" Id="{id}"{kind}>'
            f"{method(CIPHERS[cipher][0] if uri is None else uri, inner)}{info}"
            f"{cipher_data(octets)}</xenc:EncryptedData>")


def content_key(cipher, label):
    return stream(label + " key", CIPHERS[cipher][1])


def sealed(plaintext, label, cipher="aes128-gcm", *, type=ELEMENT, inner="", uri=None, iv=None,
           last=None, id="_ed", **transport):
    """An EncryptedData with its EncryptedKey inside."""
    cek = content_key(cipher, label)
    octets = seal(plaintext.encode() if isinstance(plaintext, str) else plaintext, cipher, cek,
                  label, iv=iv, last=last)
    return data(octets, cipher, info=key_info(oaep_key(cek, label, **transport)), type=type,
                inner=inner, uri=uri, id=id)

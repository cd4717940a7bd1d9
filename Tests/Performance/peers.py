#!/usr/bin/env python3
"""Processor time a token: `claims verify --lines --jobs 1` beside other verifiers, over the same tokens in one run.

    swift build -c release --product claims
    python3 -m venv .build-venv && .build-venv/bin/pip install lxml xmlsec signxml cryptography pyjwt
    .build-venv/bin/python Tests/Performance/peers.py [--claims PATH]

The command reads a line, decodes base64, parses, verifies, makes every check, and prints all claims as JSON. libxmlsec1
(C, called from Python) and signxml parse and verify one signature; PyJWT verifies, checks times and audience and reads the
claims; the bare HMAC is hashlib's alone. The best of three runs counts. Prints a table in Markdown.
"""
import argparse
import base64
import hashlib
import hmac
import os
import resource
import subprocess
import sys
import time

import jwt
import lxml.etree
import signxml
import xmlsec
from cryptography import x509

import tokens

DIFFERENT = 200


def command_time(claims, lines, arguments):
    """Microseconds of processor time a line."""
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(tokens.verify(claims, arguments), input=b"".join(lines), capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode or done.stdout.count(b'"valid":true') != len(lines):
            sys.exit("claims refused a token: " + done.stdout[:300].decode())
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(used, best or used)
    return best / len(lines) * 1e6


def peer_time(inputs, verify):
    best = None
    for _ in range(3):
        begun = time.process_time()
        for octets in inputs:
            verify(octets)
        used = time.process_time() - begun
        best = min(used, best or used)
    return best / len(inputs) * 1e6


def saml(claims, attributes):
    """Different responses, as XML."""
    made = []
    for number in range(DIFFERENT):
        made.append(tokens.mint(claims, "saml20", "--id", "_p%d" % number, "--wrap", "response", *tokens.RSA, *tokens.claims(attributes)))
    return made


def xmlsec_verify(octets):
    root = lxml.etree.fromstring(octets)
    xmlsec.tree.add_ids(root, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = XMLSEC_KEY
    context.verify(xmlsec.tree.find_node(root, xmlsec.constants.NodeSignature))


def signxml_verify(octets):
    signxml.XMLVerifier().verify(octets, x509_cert=CERTIFICATE.decode(), id_attribute="ID")


def jwt_verify(octets):
    jwt.decode(octets, JWT_KEY, algorithms=["RS256"], audience=tokens.AUDIENCE, options={"verify_exp": False, "verify_nbf": False, "verify_iat": False})


def hmac_alone(octets):
    hmac.new(SECRET, octets, hashlib.sha256).digest()


arguments = argparse.ArgumentParser()
arguments.add_argument("--claims", default=".build/release/claims")
claims = os.path.abspath(arguments.parse_args().claims)
CERTIFICATE = open(tokens.RSA[3], "rb").read()
XMLSEC_KEY = xmlsec.Key.from_memory(CERTIFICATE, xmlsec.constants.KeyDataFormatCertPem, None)
JWT_KEY = x509.load_pem_x509_certificate(CERTIFICATE).public_key()
SECRET = base64.b64decode(tokens.SECRET.split(":", 1)[1])

print("| microseconds of processor time a token | claims | others |")
print("| --- | --- | --- |")
for name, attributes in [("SAML 2.0 response, 10 attributes", 10), ("SAML 2.0 response, 110 attributes", 110)]:
    made = saml(claims, attributes)
    ours = command_time(claims, [base64.b64encode(octets) + b"\n" for octets in made] * 20, tokens.RSA_TRUST)
    others = [(label, peer_time(made, verify)) for label, verify in [("libxmlsec1", xmlsec_verify), ("signxml", signxml_verify)]]
    print("| %s, RSA-2048 | %.1f | %s |" % (name, ours, ", ".join("%s %.0f (%.1f times)" % (label, cost, cost / ours) for label, cost in others)))
token = tokens.mint(claims, "jwt", *tokens.RSA[:2], *tokens.claims(10))
ours = command_time(claims, [token + b"\n"] * 20000, [*tokens.RSA_TRUST, "--format", "jwt"])
other = peer_time([token] * 2000, jwt_verify)
print("| JSON Web Token, RS256 | %.1f | PyJWT %.0f (%.1f times) |" % (ours, other, other / ours))
token = tokens.mint(claims, "swt", "--key", tokens.SECRET, *tokens.claims(6))
ours = command_time(claims, [token + b"\n"] * 100000, ["--key", tokens.SECRET])
other = peer_time([token] * 20000, hmac_alone)
print("| Simple Web Token, %d octets | %.2f | a bare HMAC from Python %.2f |" % (len(token), ours, other))

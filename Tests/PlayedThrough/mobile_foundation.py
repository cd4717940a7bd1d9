"""An IBM Mobile Foundation 8.0 runtime at /mfp/api."""
import base64
import hashlib
import itertools
import json
import time

from stage import Fault, Server, answer

CHALLENGE = ("X-Requested-With", "x-wl-app-version", "Content-Type")
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
REDIRECT = "https://mfpredirecturi"


def octets(text):
    if "=" in text:
        raise Fault("base64url with padding")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(header, payload, signature, key=None):
    """Verifies RS256 with the key in the header, which must equal `key` if given; returns the payload."""
    head = json.loads(octets(header))
    jwk = head["jwk"]
    if head["alg"] != "RS256" or jwk["kty"] != "RSA":
        raise Fault("another algorithm")
    modulus, exponent = (int.from_bytes(octets(jwk[name]), "big") for name in "ne")
    if modulus.bit_length() < 2048 or key and key != (modulus, exponent):
        raise Fault("another key, or a short one")
    size = (modulus.bit_length() + 7) // 8
    given = octets(signature)
    digest = hashlib.sha256(f"{header}.{payload}".encode()).digest()
    wanted = b"\0\1" + b"\xff" * (size - 54) + b"\0" \
        + bytes.fromhex("3031300d060960864801650304020105000420") + digest
    if len(given) != size or pow(int.from_bytes(given, "big"), exponent, modulus).to_bytes(size, "big") != wanted:
        raise Fault("a signature that is not right")
    return (modulus, exponent), jwk.get("kid"), json.loads(octets(payload))


class MobileFoundation(Server):
    base = "/mfp/api/"

    def __init__(self, person="john", password="password-of-john"):
        super().__init__()
        self.person, self.password = person, self.secret(password)
        self.clients, self.codes, self.tokens, self.used = {}, {}, {}, set()
        self.serial = itertools.count(4711)
        self.signed_in, self.remembered, self.attempts = set(), set(), 3
        self.signed_out = []

    def end_sessions(self):
        """Ends the states of the checks; remembered users stay remembered."""
        self.signed_in.clear()
        self.tokens.clear()

    def answer(self, request):
        route = (request.method, request.path.removeprefix(self.base))
        if route[0] in ("GET", "PUT") and route[1] == "adapters/talks/mine":
            return self.resource(request)
        if request.field("X-Requested-With") != "XMLHttpRequest" \
                or request.field("x-wl-app-version") != "1.0.0":
            raise Fault("a field of the SDKs is missing")
        if request.method == "POST":
            request.only(*CHALLENGE)
        if route == ("POST", "registration/v1/self"):
            return self.register(request)
        if route == ("POST", "preauth/v1/preauthorize"):
            return self.preauthorize(request)
        if route == ("POST", "preauth/v1/logout"):
            return self.log_out(request)
        if route == ("GET", "az/v1/authorization"):
            return self.authorize(request)
        if route == ("POST", "az/v1/token"):
            return self.token(request)
        raise Fault("no such endpoint")

    def register(self, request):
        data = request.json("signedRegistrationData")["signedRegistrationData"]
        if set(data) != {"header", "payload", "signature"}:
            raise Fault("other members")
        key, name, body = verify(data["header"], data["payload"], data["signature"])
        if name is not None or set(body) != {"device", "application", "attributes"} \
                or body["attributes"] != {"sdk_protocol_version": 1} or not body["device"]["id"] \
                or body["application"] != {"id": "org.example.talks", "clientPlatform": "linux",
                                           "version": "1.0.0"}:
            raise Fault("an application that is not registered")
        client = str(next(self.serial))
        self.clients[client] = key
        return answer(201, b"", Location=f"{self.address}{self.base}registration/v1/clients/{client}")

    def preauthorize(self, request):
        body = request.json("scope", "client_id", optional=("challengeResponse",))
        client = body["client_id"]
        if client not in self.clients:
            return answer(400, {"errorCode": "INVALID_CLIENT_ID"})
        elements = body["scope"].split(" ")
        if elements != sorted(elements):
            raise Fault("a scope that is not sorted")
        challenge = {"errorMsg": None, "remainingAttempts": self.attempts}
        given = (body.get("challengeResponse") or {}).get("UserLogin")
        if client in self.remembered:
            self.signed_in.add(client)
        if given is not None:
            if set(body["challengeResponse"]) != {"UserLogin"} \
                    or set(given) != {"username", "password", "rememberMe"}:
                raise Fault("other credentials")
            if (given["username"], given["password"]) == (self.person, self.password):
                self.signed_in.add(client)
                self.attempts = 3
                if given["rememberMe"] is True:
                    self.remembered.add(client)
            else:
                self.attempts -= 1
                challenge = {"errorMsg": "Wrong Credentials", "remainingAttempts": self.attempts}
                if self.attempts == 0:
                    self.attempts = 3
                    return answer(403, {"failures": {"UserLogin": {"failure": "Account blocked"}}})
        now = int(time.time() * 1000)
        successes = {"clockSynchronization": {"serverTimeStamp": now}}
        if "accessRestricted" not in elements:
            return answer(200, {"successes": successes})
        if client not in self.signed_in:
            return answer(401, {"challenges": {"UserLogin": challenge}, "successes": successes},
                          WWW_Authenticate="MFP-Challenge")
        successes["UserLogin"] = {"user": {
            "id": self.person, "displayName": "John", "authenticatedAt": now,
            "authenticatedBy": "UserLogin", "attributes": {}}}
        return answer(200, {"successes": successes})

    def authorize(self, request):
        request.only("X-Requested-With", "x-wl-app-version", query=(
            "response_type", "client_id", "scope", "redirect_uri", "isAjaxRequest"))
        request.empty()
        query = request.query
        if (query["response_type"], query["redirect_uri"], query["isAjaxRequest"]) != ("code", REDIRECT, "true"):
            raise Fault("another way to a code")
        if query["client_id"] not in self.signed_in and query["scope"] != "RegisteredClient":
            return answer(403, {"error": "access_denied"})
        code = self.secret(f"code-{next(self.serial)}-for-one-use")
        self.codes[code] = (query["client_id"], query["scope"])
        return answer(302, Location=f"{REDIRECT}?code={code}")

    def assertion(self, form, endpoint, purpose):
        """Verifies the client's assertion, which is valid once."""
        if form["client_assertion_type"] != ASSERTION:
            raise Fault("another type of assertion")
        header, payload, signature = form["client_assertion"].split(".")
        name = json.loads(octets(header))["jwk"]["kid"]
        key, _, claims = verify(header, payload, signature, self.clients[name])
        wanted = {"iss": "org.example.talks$linux$1.0.0", "sub": name,
                  "aud": f"{self.address}{self.base}{endpoint}", "jti": purpose}
        # The times are milliseconds.
        if {member: claims[member] for member in wanted} != wanted \
                or set(claims) != set(wanted) | {"iat", "exp"} or claims["exp"] != claims["iat"] + 60000 \
                or abs(claims["iat"] - time.time() * 1000) > 60000:
            raise Fault(f"another assertion: {claims}")
        return name

    def token(self, request):
        form = request.form("client_id", "redirect_uri", "code", "grant_type", "client_assertion_type",
                            "client_assertion")
        if (form["grant_type"], form["redirect_uri"]) != ("authorization_code", REDIRECT):
            raise Fault("another grant")
        if form["code"] in self.used:
            raise Fault("a code is used for the second time")
        client, scope = self.codes.pop(form["code"])
        self.used.add(form["code"])
        if self.assertion(form, "az/v1/token", form["code"]) != client or form["client_id"] != client:
            raise Fault("the code of another client")
        token = self.secret(f"header.{base64.urlsafe_b64encode(scope.encode()).decode()}.{next(self.serial)}"
                            "-signature-of-the-server")
        self.tokens[token] = scope
        return answer(200, {"access_token": token, "token_type": "Bearer", "expires_in": 3599,
                            "scope": scope})

    def log_out(self, request):
        form = request.form("client_assertion_type", "client_assertion", "security_check")
        client = self.assertion(form, "preauth/v1/logout", form["security_check"])
        self.signed_in.discard(client)
        self.remembered.discard(client)
        self.signed_out.append((client, form["security_check"]))
        return answer(200, b"")

    def resource(self, request):
        request.only("Authorization", "Content-Type")
        given = request.field("Authorization") or ""
        if not given.startswith("Bearer "):
            raise Fault("no bearer token")
        if given.removeprefix("Bearer ") not in self.tokens:
            return answer(401, b"", WWW_Authenticate='Bearer error="invalid_token"')
        if request.method == "PUT":
            request.json("title")
        else:
            request.empty()
        return answer(200, {"balance": 1234})

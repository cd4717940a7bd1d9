"""Azure Mobile Services, version 1, and App Service authentication."""
import base64
import hashlib
import hmac
import itertools
import json
import re
import time
import urllib.parse

from stage import Fault, Server, answer

KIT = r"ZUMO/\d\.\d \(lang=\w+; os=\w+;( \w+=[^;]+;)* version=[\d.]+\)"
ZUMO = ("User-Agent", "X-ZUMO-VERSION", "X-ZUMO-INSTALLATION-ID", "Content-Type")


def b64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


class MobileServices(Server):
    """`version` of App Service's API; without one it is Mobile Services with an application key."""

    def __init__(self, application_key=None, version=None):
        super().__init__()
        self.application_key, self.version = application_key and self.secret(application_key), version
        self.master_key = self.secret("masterKeyForThePlay0123456789")
        self.accounts, self.valid, self.serial = {}, {}, itertools.count(42)
        self.provider_token = self.secret("facebook-token|of-mia")
        self.talks, self.refreshes, self.signed_out = ["Swift & Days"], 0, []
        self.refreshable, self.code, self.blocked = True, None, set()

    # Tokens (version 2)

    def issue(self, user, provider):
        key = hashlib.sha256((self.master_key + "JWTSig").encode()).digest()
        claims = {"exp": int(time.time()) + 30 * 86400 + len(self.valid),
                  "iss": "urn:microsoft:windows-azure:zumo", "ver": 2, "aud": provider, "uid": user}
        signed = b64url(json.dumps({"alg": "HS256", "typ": "JWT", "kid": "0"}).encode()) \
            + "." + b64url(json.dumps(claims).encode())
        token = signed + "." + b64url(hmac.new(key, signed.encode(), hashlib.sha256).digest())
        self.valid[self.secret(token)] = user
        return token

    def expire(self):
        self.valid.clear()

    def login(self, user, provider):
        return {"user": {"userId": user}, "authenticationToken": self.issue(user, provider)}

    # Requests

    def answer(self, request):
        if request.method == "GET" and request.path.startswith("/login/") and not self.version:
            return self.browser(request)
        if self.version and request.method == "GET" and request.path == "/.auth/login/facebook":
            return self.proof_key(request)
        self.check(request)
        if self.version and request.method == "GET" and request.path == "/.auth/login/facebook/token":
            return self.redeem(request)
        sign_in = "/.auth/login/" if self.version else "/login/"
        if request.method == "POST" and request.path.startswith(sign_in):
            return self.trade(request, request.path.removeprefix(sign_in))
        if request.method == "POST" and request.path == "/tables/Accounts":
            return self.account(request)
        if request.path == "/tables/Talks":
            return self.table(request)
        if self.version and request.method == "GET" and request.path == "/.auth/refresh":
            request.empty()
            user = self.user(request)
            self.refreshes += 1
            if not self.refreshable:
                return answer(403, "", "text/plain")
            # The token may have expired up to three days ago.
            return answer(200, self.login(user or "sid:1f", "facebook"))
        if self.version and request.method == "GET" and request.path == "/.auth/logout":
            request.empty()
            self.signed_out.append(self.user(request))
            return answer(302, Location="/.auth/logout/done")
        raise Fault("no such endpoint")

    def check(self, request):
        """The header fields of every request."""
        request.only(*ZUMO, "X-ZUMO-AUTH", "ZUMO-API-VERSION" if self.version else "X-ZUMO-APPLICATION",
                     query=tuple(request.query))
        kit = request.field("X-ZUMO-VERSION") or ""
        if not re.fullmatch(KIT, kit) or request.field("User-Agent") != kit:
            raise Fault(f"X-ZUMO-VERSION {kit} beside User-Agent {request.field('User-Agent')}")
        if request.field("Accept") != "application/json":
            raise Fault("another type is accepted")
        if self.version and request.field("ZUMO-API-VERSION") != self.version:
            raise Fault("another ZUMO-API-VERSION")
        if not self.version and request.field("X-ZUMO-APPLICATION") != self.application_key:
            raise Fault("another application key")

    def user(self, request):
        token = request.field("X-ZUMO-AUTH")
        if token is None or token.count(".") != 2:
            raise Fault("no X-ZUMO-AUTH")
        return self.valid.get(token)

    def anonymous(self, request, query=()):
        if request.field("X-ZUMO-AUTH") or set(request.query) != set(query):
            raise Fault("a sign-in with a credential, or with other parameters")

    def trade(self, request, provider):
        self.anonymous(request)
        if provider != "facebook":
            return answer(401, {"code": 401, "error": f"Error: Authentication with '{provider}' is not supported."})
        if request.json("access_token")["access_token"] != self.provider_token:
            return answer(401, {"code": 401, "error": "Error: The Facebook token is not valid."})
        return answer(200, self.login("sid:1f" if self.version else "Facebook:100004711", "facebook"))

    def browser(self, request):
        if request.path != "/login/facebook" or request.query:
            raise Fault("another way to sign in")
        token = json.dumps(self.login("Facebook:100004711", "facebook"))
        return answer(302, Location="/login/done#token=" + urllib.parse.quote(token, safe=""))

    def proof_key(self, request):
        """The browser sign-in of App Service; unlike RFC 7636, both values are padded base64."""
        wanted = {"session_mode": "token", "post_login_redirect_url": "claims-client://easyauth.callback",
                  "code_challenge_method": "S256"}
        if {name: request.query.get(name) for name in wanted} != wanted or len(request.query) != 4 \
                or len(base64.b64decode(request.query["code_challenge"], validate=True)) != 32:
            raise Fault("another way to sign in")
        self.code = self.secret(f"easyauth-code-{next(self.serial)}"), request.query["code_challenge"]
        return answer(302, Location=wanted["post_login_redirect_url"] + "?authorization_code=" + self.code[0])

    def redeem(self, request):
        self.anonymous(request, ("authorization_code", "code_verifier"))
        request.empty()
        code, challenge = self.code
        self.code = None
        verifier = request.query["code_verifier"]
        if code != request.query["authorization_code"] or \
                base64.b64encode(hashlib.sha256(verifier.encode()).digest()).decode() != challenge:
            raise Fault("another code or verifier")
        self.secret(verifier)
        return answer(200, self.login("sid:1f", "facebook"))

    def account(self, request):
        signs_in = "login" in request.query
        self.anonymous(request, ("login",) if signs_in else ())
        given = request.json("username", "password", optional=() if signs_in else ("email",))
        name = given["username"]
        if signs_in:
            if request.query["login"] != "true":
                raise Fault("login is something else than true")
            if name in self.blocked:
                return answer(401, {"code": 401, "error": "The account is blocked for 10 minutes"})
            if self.accounts.get(name, (None,))[0] != given["password"]:
                return answer(401, "Incorrect username or password".join('""'), "application/json")
            user = self.accounts[name][1]
            return answer(200, {"userId": user, "token": self.issue(user, "Custom")})
        if name in self.accounts:
            return answer(400, {"code": 400, "error": "Username already exists"})
        if len(given["password"]) < 8:
            return answer(400, {"code": 400, "error": "Invalid password (at least 8 chars required)"})
        number = next(self.serial)
        self.accounts[name] = (self.secret(given["password"]), f"Custom:{number}")
        return answer(201, {"id": number, "username": name, "email": given.get("email"),
                            "userId": f"Custom:{number}", "token": self.issue(f"Custom:{number}", "Custom")})

    def table(self, request):
        # $top is OData's maximum number of rows.
        if not set(request.query) <= {"bypass", "$top"} or self.version and request.query:
            raise Fault("other parameters")
        top = request.query.get("$top", "50")
        if not top.isdigit():
            raise Fault("$top is a number")
        if not self.user(request):
            return answer(401, {"code": 401, "error": "Error: The authentication token has expired."})
        if request.method == "POST":
            self.talks.append(request.json("title")["title"])
            return answer(201, {"id": len(self.talks), "title": self.talks[-1]})
        if request.method != "GET":
            raise Fault("another method")
        request.empty()
        return answer(200, [{"id": number + 1, "title": title} for number, title in enumerate(self.talks[:int(top)])])

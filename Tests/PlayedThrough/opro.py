"""A Rails application with the engine oPRO 0.5.0."""
import itertools
import html
import urllib.parse

from stage import Fault, Server, answer

SIGN_IN = {"error": "You need to sign in or sign up before continuing."}


class OPRO(Server):
    client, client_secret = "3234myClientId5678", "14321myClientSecret8765"

    def __init__(self, email="foo@example.com", password="p4ssw0rd-of-foo"):
        super().__init__()
        self.secret(self.client_secret)
        self.email, self.password = email, self.secret(password)
        self.numbers = itertools.count(1)
        # There is one grant: each exchange invalidates all earlier tokens.
        self.access = self.refresh = self.code = None
        self.old, self.spent = set(), []
        self.permissions = {"read", "write"}
        self.consents = True
        self.user = {"id": 7, "email": email, "twitter": "schneems"}

    def token(self, kind):
        return self.secret(f"{next(self.numbers):04x}{kind}".encode().hex().ljust(32, "0")[:32])

    def expire(self):
        """Ends the access token before its expiry."""
        self.access = self.token("gone")

    def answer(self, request):
        route = (request.method, request.path)
        if route == ("POST", "/oauth/token.json"):
            return self.exchange(request)
        if route == ("GET", "/oauth/new"):
            return self.consent(request)
        if route == ("POST", "/oauth/authorize"):
            return self.authorize(request)
        if route == ("GET", "/oauth_tests/show_me_the_money.json"):
            return self.tester(request)
        if request.path == "/users/me.json" and request.method in ("GET", "PUT"):
            return self.me(request)
        raise Fault("no such endpoint")

    def exchange(self, request):
        request.only("Content-Type")
        form = request.form("client_id", "client_secret",
                            optional=("email", "username", "password", "refresh_token", "code"))
        kinds = [{"email", "password"}, {"username", "password"}, {"refresh_token"}, {"code"}]
        if set(form) - {"client_id", "client_secret"} not in kinds:
            raise Fault("none of the grants, or several")
        problem = ""
        if (form["client_id"], form["client_secret"]) != (self.client, self.client_secret):
            problem += f" based on client_id={form['client_id']} and client_secret={form['client_secret']}"
        if "refresh_token" in form:
            if form["refresh_token"] in self.spent:
                raise Fault("a refresh token is used for the second time")
            if form["refresh_token"] != self.refresh:
                problem += f" & has a refresh_token={form['refresh_token']}"
        elif "code" in form:
            if form["code"] != self.code:
                problem += f" & has been granted a code={form['code']}"
        elif form.get("email", form.get("username")) != self.email or form["password"] != self.password:
            problem += " using username and password"
        if problem:
            return answer(401, {"error": "Could not find a user that belongs to this application" + problem})
        if "refresh_token" in form:
            self.spent.append(form["refresh_token"])
        self.access, self.refresh, self.code = self.token("a"), self.token("r"), None
        return answer(200, {"access_token": self.access, "token_type": "bearer",
                            "refresh_token": self.refresh, "expires_in": False})

    # The browser

    def consent(self, request):
        query = request.query
        if set(query) - {"scope[]"} != {"client_id", "redirect_uri", "response_type", "state"} \
                or query["client_id"] != self.client or query["response_type"] != "code":
            raise Fault(f"a consent page with {sorted(query)}")
        # The engine writes the state into an address unescaped.
        if not query["state"].isalnum() or len(query["state"]) < 16:
            raise Fault("a state that needs escaping, or is too short")
        inputs = "".join(f'<input type="hidden" name="{name}" value="{html.escape(query[name])}">'
                         for name in ("redirect_uri", "state"))
        return answer(200, f'<form method="post" action="/oauth/authorize">{inputs}</form>', "text/html")

    def authorize(self, request):
        form = request.form("redirect_uri", "state")
        self.code = self.token("c")
        what = f"code={self.code}&response_type=code" if self.consents else "error=access_denied"
        if not form["redirect_uri"].startswith("http://127.0.0.1:"):
            raise Fault("an address of another machine")
        return answer(302, Location=f"{form['redirect_uri']}?{what}&state={form['state']}")

    # For the person

    def person(self, request, *fields):
        request.only("Authorization", *fields)
        given = request.field("Authorization") or ""
        if not given.startswith('Token token="') or not given.endswith('"'):
            raise Fault(f"credential in another form: {given[:8]}…")
        if request.field("Accept") != "application/json":
            raise Fault("a browser's request, which would be sent to the sign-in page")
        return given == f'Token token="{self.access}"'

    def tester(self, request):
        params = {"format": "json", "action": "show"}
        if not self.person(request):
            return answer(401, {"status": "unauthorized", "params": params, "message":
                                "OAuth did not work :(   - OAuth user not found!"})
        return answer(200, {"status": 200, "message": "OAuth worked!", "params": params, "user_id": 7})

    def me(self, request):
        isKnown = self.person(request, "Content-Type")
        if request.method == "PUT":
            changes = request.json("user")["user"]
            if isKnown and "write" in self.permissions:
                # Unknown attributes are dropped silently.
                self.user |= {name: value for name, value in changes.items() if name in self.user}
        else:
            request.empty()
        return answer(200, self.user) if isKnown else answer(401, SIGN_IN)

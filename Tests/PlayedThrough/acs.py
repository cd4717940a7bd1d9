"""An Access Control Service namespace with its identity providers (WS-Federation, OAuth WRAP, SWT)."""
import base64
import calendar
import hashlib
import hmac
import html
import json
import time
import urllib.parse

from stage import Fault, Server, answer

IDENTITY = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
PROVIDER = "http://schemas.microsoft.com/accesscontrolservice/2010/07/claims/identityprovider"
EXPIRATION = "http://schemas.microsoft.com/ws/2008/06/identity/claims/expiration"
FACEBOOK_TOKEN = "http://www.facebook.com/claims/AccessToken"
TRUST_2005 = "http://schemas.xmlsoap.org/ws/2005/02/trust"
TRUST_13 = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
SWT = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"


def encoded(text):
    """The encoding of .NET's HttpUtility.UrlEncode."""
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!*()"
    return "".join("+" if b == 32 else chr(b) if b in plain else f"%{b:02x}" for b in text.encode())


def url_token(text):
    """The encoding of .NET's UrlTokenEncode: base64 followed by the number of `=`."""
    full = base64.urlsafe_b64encode(text.encode()).decode()
    return full.rstrip("=") + str(full.count("="))


def from_url_token(text):
    return base64.urlsafe_b64decode(text[:-1] + "=" * int(text[-1])).decode()


def simple_web_token(claims, key, audience, issuer, expires):
    signed = "&".join(f"{encoded(name)}={encoded(value)}" for name, value in [
        *claims, ("Audience", audience), ("ExpiresOn", str(int(expires))), ("Issuer", issuer)])
    mac = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
    return signed + "&HMACSHA256=" + encoded(mac)


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def envelope(token, realm):
    """The token in a RequestSecurityTokenResponse of WS-Trust 2005/02."""
    utility = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
    now = time.time()
    return f"""<t:RequestSecurityTokenResponse xmlns:t="{TRUST_2005}">
  <t:Lifetime>
    <wsu:Created xmlns:wsu="{utility}">{stamp(now)}.000Z</wsu:Created>
    <wsu:Expires xmlns:wsu="{utility}">{stamp(now + 600)}.000Z</wsu:Expires>
  </t:Lifetime>
  <wsp:AppliesTo xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy">
    <EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>{html.escape(realm)}</Address></EndpointReference>
  </wsp:AppliesTo>
  <t:RequestedSecurityToken>
    <wsse:BinarySecurityToken wsu:Id="uuid:1-2-3" ValueType="{SWT}"
      EncodingType="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
      xmlns:wsu="{utility}"
      xmlns:wsse="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">{base64.b64encode(token.encode()).decode()}</wsse:BinarySecurityToken>
  </t:RequestedSecurityToken>
  <t:TokenType>{SWT}</t:TokenType>
  <t:RequestType>{TRUST_2005}/Issue</t:RequestType>
  <t:KeyType>http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey</t:KeyType>
</t:RequestSecurityTokenResponse>"""


def form_page(action, fields):
    """A page that submits its form by itself."""
    inputs = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
                     for name, value in fields)
    return answer(200, f'<html><body onload="document.forms[0].submit()"><form method="POST" '
                       f'action="{html.escape(action)}">{inputs}</form></body></html>',
                  "text/html; charset=utf-8")


class AccessControl(Server):
    """`mood` determines the result of the next sign-in: see `outcome`."""

    def __init__(self, realm, provider_token, provider_token_ends=None):
        super().__init__()
        self.realm = realm
        self.key = bytes(range(32))
        self.secret(base64.b64encode(self.key).decode())
        self.issuer = self.address + "/"
        self.provider_token = self.secret(provider_token)
        self.provider_token_ends = provider_token_ends or time.time() + 5000
        self.mood = "good"
        self.tokens = []
        self.identities = {"uploader": self.secret("uploader-password/17")}

    def answer(self, request):
        route = (request.method, request.path)
        if route == ("GET", "/v2/metadata/IdentityProviders.js"):
            return self.providers(request)
        if route == ("GET", "/v2/wsfederation"):
            return self.passive(request)
        if route == ("GET", "/v2/facebook"):
            return self.outcome(request.query["cx"])
        if route == ("GET", "/facebook/dialog/oauth"):
            if set(request.query) != {"client_id", "redirect_uri", "scope"}:
                raise Fault("the provider's address was not opened as it is")
            return answer(302, Location=request.query["redirect_uri"])
        if route == ("GET", "/facebook/logout"):
            return answer(200, "signed out of the provider", "text/plain")
        if route == ("POST", "/WRAPv0.9"):
            return self.wrap(request)
        raise Fault("no such endpoint")

    # Home realm discovery

    def providers(self, request):
        request.only(query=("protocol", "realm", "reply_to", "context", "version")
                     if "reply_to" in request.query else ("protocol", "realm", "version"))
        query = request.query
        if query["protocol"] != "wsfederation" or query["version"] != "1.0":
            raise Fault("another protocol or version")
        if query["realm"] != self.realm:
            return answer(400, "ACS50001: relying party unknown", "text/plain")
        context = self.context(query.get("reply_to", ""), query.get("context", ""), "Facebook-1234567890")
        login = (f"{self.address}/facebook/dialog/oauth?client_id=1234567890&redirect_uri="
                 + encoded(f"{self.address}/v2/facebook?cx={context}") + "&scope=email%2cpublish_stream")
        corporate = f"{self.address}/adfs/ls/?wa=wsignin1.0&wctx={context}"
        return answer(200, [
            {"Name": "Facebook", "LoginUrl": login, "LogoutUrl": f"{self.address}/facebook/logout",
             "ImageUrl": "", "EmailAddressSuffixes": []},
            {"Name": "Example Corp", "LoginUrl": corporate, "LogoutUrl": "", "ImageUrl": "",
             "EmailAddressSuffixes": ["example.org"]}])

    def context(self, reply_to, context, provider):
        return url_token("&".join(f"{name}={encoded(value)}" for name, value in [
            ("pr", "wsfederation"), ("rm", self.realm), ("ry", reply_to), ("cx", context),
            ("ip", provider)]))

    # The passive profile

    def passive(self, request):
        query = request.query
        if query.get("wa") == "wsignout1.0":
            if set(query) != {"wa", "wtrealm"} or query["wtrealm"] != self.realm:
                raise Fault("a sign-out with other parameters")
            return answer(200, "signed out of the service", "text/plain")
        if set(query) != {"wa", "wtrealm", "wreply", "wctx", "wct", "whr"} or query["wa"] != "wsignin1.0":
            raise Fault(f"a sign-in with {sorted(query)}")
        when = calendar.timegm(time.strptime(query["wct"], "%Y-%m-%dT%H:%M:%SZ"))
        if query["wtrealm"] != self.realm or abs(time.time() - when) > 60:
            raise Fault("another realm, or a clock that is off")
        return answer(302, Location="/v2/facebook?cx="
                      + self.context(query["wreply"], query["wctx"], query["whr"]))

    def outcome(self, context):
        facts = dict(pair.split("=") for pair in from_url_token(context).split("&"))
        facts = {name: urllib.parse.unquote_plus(value)
                 for name, value in facts.items()}
        if not facts["ry"].startswith("http://127.0.0.1:") or len(facts["cx"]) < 16:
            raise Fault("no address to come back to, or no context")
        if self.mood in ("cancelled", "failed"):
            return form_page(facts["ry"], [("ErrorDetails", self.error_details(facts["cx"]))])
        result = envelope(self.token(facts["ip"]), self.realm)
        if self.mood == "two tokens":
            second = envelope(self.token(facts["ip"]), self.realm)
            collection = "RequestSecurityTokenResponseCollection"
            both = (result + second).replace(TRUST_2005, TRUST_13)
            result = f'<t:{collection} xmlns:t="{TRUST_13}">{both}</t:{collection}>'
        return form_page(facts["ry"], [("wa", "wsignin1.0"), ("wresult", result),
                                       ("wctx", facts["cx"])])

    def error_details(self, context):
        code = {"cancelled": "ACS50019", "failed": "ACS50008"}[self.mood]
        return json.dumps({
            "context": context, "httpReturnCode": 401, "identityProvider": "Facebook-1234567890",
            "timeStamp": stamp(time.time()).replace("T", " ") + "Z",
            "traceId": "11111111-2222-3333-4444-555555555555",
            "errors": [{"errorCode": "ACS30000", "errorMessage": "<b>the provider's answer</b>"},
                       {"errorCode": code, "errorMessage": "(text for people)"}]})

    def token(self, provider):
        claims = [(IDENTITY + "nameidentifier", "100004711"), (IDENTITY + "name", "Mia Müller"),
                  (IDENTITY + "emailaddress", "mia+news@example.org"),
                  (EXPIRATION, stamp(self.provider_token_ends) + ".3593475Z"),
                  (FACEBOOK_TOKEN, self.provider_token), (PROVIDER, provider)]
        return self.signed(claims)

    def signed(self, claims):
        token = simple_web_token(
            claims, self.key if self.mood != "bad mac" else bytes(reversed(self.key)),
            self.realm if self.mood != "other audience" else "uri:elsewhere.example.org",
            self.issuer if self.mood != "other issuer" else "https://elsewhere.example.org/",
            time.time() + (600 if self.mood != "expired" else -3600))
        self.secret(token)
        self.secret(token.rpartition("=")[2])
        self.tokens.append(token)
        return token

    # OAuth WRAP 0.9

    def wrap(self, request):
        request.only("Content-Type")
        form = request.form("wrap_name", "wrap_password", "wrap_scope")
        if form["wrap_scope"] != self.realm:
            return answer(400, "Error:Code:400:SubCode:T0:Detail:ACS50001", "text/plain")
        if self.identities.get(form["wrap_name"]) != form["wrap_password"]:
            return answer(401, "Error:Code:401:SubCode:T0:Detail:ACS50012: Authentication failed.",
                          "text/plain")
        token = self.signed([(IDENTITY + "nameidentifier", form["wrap_name"]), (PROVIDER, self.issuer)])
        return answer(200, f"wrap_access_token={encoded(token)}&wrap_access_token_expires_in=599",
                      "application/x-www-form-urlencoded")


class RelyingParty(Server):
    """A service of the relying party, which accepts one token in one scheme."""

    def __init__(self, scheme):
        super().__init__()
        self.scheme = scheme
        self.token = None
        self.takes = True

    def answer(self, request):
        if request.path != "/talks":
            raise Fault("no such resource")
        request.only("Authorization", "Content-Type")
        wanted = {"wrap": f'WRAP access_token="{self.token}"', "bearer": f"Bearer {self.token}"}[self.scheme]
        if request.field("Authorization") != wanted:
            raise Fault("another credential")
        if not self.takes:
            return answer(401, "", WWW_Authenticate="WRAP" if self.scheme == "wrap" else "Bearer")
        if request.method == "PUT":
            return answer(200, {"changed": request.json("title")["title"]})
        if request.method != "GET":
            raise Fault("another method")
        request.empty()
        return answer(200, {"talks": ["Swift & Days"]})

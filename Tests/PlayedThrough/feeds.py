"""Mastodon, X, LinkedIn and Bluesky, reduced to posts without an image."""
import datetime
import re
import time

from stage import Fault, Server, answer


def bearer(request):
    token = request.field("Authorization") or ""
    if not token.startswith("Bearer ") or len(token) < 10:
        raise Fault("no bearer token")
    return token.removeprefix("Bearer ")


class Mastodon(Server):
    def __init__(self, token="mastodon-token-of-mia"):
        super().__init__()
        self.token = self.secret(token)
        self.statuses = {}

    def answer(self, request):
        if (request.method, request.path) == ("GET", "/api/v2/instance"):
            request.only()
            request.empty()
            return answer(200, {"domain": self.authority, "configuration": {"statuses": {
                "max_characters": 600, "characters_reserved_per_url": 23}}})
        if (request.method, request.path) != ("POST", "/api/v1/statuses"):
            raise Fault("no such endpoint")
        request.only("Authorization", "Idempotency-Key", "Content-Type")
        if bearer(request) != self.token:
            return answer(401, {"error": "The access token is invalid"})
        key = request.field("Idempotency-Key") or ""
        if len(key) < 16:
            raise Fault("no idempotency key to speak of")
        form = request.form("status", "visibility", optional=("language",))
        if form["visibility"] not in ("public", "unlisted", "private", "direct"):
            raise Fault("another visibility")
        number = self.statuses.setdefault(key, (len(self.statuses) + 110, form))[0]
        return answer(200, {"id": str(number), "created_at": "2030-01-01T00:00:00.000Z",
                            "url": f"{self.address}/@mia/{number}", "uri": f"{self.address}/u/{number}",
                            "visibility": form["visibility"], "content": "<p>…</p>"})


class X(Server):
    def __init__(self, token="x-token-of-mia"):
        super().__init__()
        self.token = self.secret(token)
        self.posts = []

    def answer(self, request):
        if (request.method, request.path) != ("POST", "/2/tweets"):
            raise Fault("no such endpoint")
        request.only("Authorization", "Content-Type")
        if bearer(request) != self.token:
            return answer(401, {"title": "Unauthorized", "type": "about:blank", "status": 401,
                                "detail": "Unauthorized"})
        text = request.json("text")["text"]
        if text in self.posts:
            return answer(403, {"title": "Forbidden", "type": "about:blank", "status": 403, "detail":
                                "You are not allowed to create a Tweet with duplicate content."})
        self.posts.append(text)
        number = str(1900000000000000000 + len(self.posts))
        return answer(201, {"data": {"id": number, "text": text, "edit_history_tweet_ids": [number]}})


class LinkedIn(Server):
    def __init__(self, token="linkedin-token-of-mia", version="202601"):
        super().__init__()
        self.token, self.version = self.secret(token), version
        self.posts = []

    def answer(self, request):
        if (request.method, request.path) != ("POST", "/rest/posts"):
            raise Fault("no such endpoint")
        request.only("Authorization", "Content-Type", "LinkedIn-Version", "X-Restli-Protocol-Version")
        if request.field("X-Restli-Protocol-Version") != "2.0.0":
            raise Fault("another version of the protocol")
        if request.field("LinkedIn-Version") != self.version:
            return answer(426, {"status": 426, "code": "NONEXISTENT_VERSION", "message": "no such version"})
        if bearer(request) != self.token:
            return answer(401, {"status": 401, "serviceErrorCode": 65601, "code": "REVOKED_ACCESS_TOKEN",
                                "message": "The token used in the request has been revoked"})
        post = request.json("author", "commentary", "visibility", "distribution", "lifecycleState",
                            "isReshareDisabledByAuthor")
        distribution = {"feedDistribution": "MAIN_FEED", "targetEntities": [],
                        "thirdPartyDistributionChannels": []}
        if post["distribution"] != distribution or post["visibility"] != "PUBLIC" \
                or post["lifecycleState"] != "PUBLISHED" or post["isReshareDisabledByAuthor"] is not False \
                or not re.fullmatch(r"urn:li:(person|organization):\w+", post["author"]):
            raise Fault("a post of another kind")
        if re.search(r"(?<!\\)[|{}@\[\]()<>#*_~]", post["commentary"]):
            raise Fault("little text that is not escaped")
        self.posts.append(post["commentary"])
        return answer(201, b"", x_restli_id="urn:li:share:7000000000000000000")


class Bluesky(Server):
    def __init__(self, handle="mia.example.org", password="abcd-efgh-ijkl-mnop"):
        super().__init__()
        self.handle, self.password = handle, self.secret(password)
        self.did = "did:plc:abcdefghijklmnopqrstuvwx"
        self.access, self.refresh = self.secret("access.jwt.of-mia"), self.secret("refresh.jwt.of-mia")
        self.records = {}

    def answer(self, request):
        if request.method != "POST":
            raise Fault("another method")
        if request.path == "/xrpc/com.atproto.server.createSession":
            request.only("Content-Type")
            given = request.json("identifier", "password")
            if (given["identifier"], given["password"]) != (self.handle, self.password):
                return answer(401, {"error": "AuthenticationRequired",
                                    "message": "Invalid identifier or password"})
            return answer(200, {"did": self.did, "handle": self.handle, "accessJwt": self.access,
                                "refreshJwt": self.refresh, "email": "mia@example.org",
                                "emailConfirmed": True, "active": True})
        if request.path != "/xrpc/com.atproto.repo.createRecord":
            raise Fault("no such method")
        request.only("Authorization", "Content-Type")
        if bearer(request) != self.access:
            raise Fault("another token than that of the session")
        record = request.json("repo", "collection", "record", "rkey")
        post = record["record"]
        if record["repo"] != self.did or record["collection"] != "app.bsky.feed.post" \
                or post["$type"] != "app.bsky.feed.post" or not re.fullmatch("[2-7a-z]{13}", record["rkey"]) \
                or not set(post) <= {"$type", "text", "createdAt", "langs", "facets"}:
            raise Fault("a record of another kind")
        octets = post["text"].encode()
        marked = [octets[facet["index"]["byteStart"]:facet["index"]["byteEnd"]].decode()
                  for facet in post.get("facets", [])]
        if marked != re.findall(r"(?<!\S)#\w+", post["text"]):
            raise Fault(f"marks at {marked}")
        made = datetime.datetime.strptime(post["createdAt"], "%Y-%m-%dT%H:%M:%S.%fZ")
        if abs(made.replace(tzinfo=datetime.timezone.utc).timestamp() - time.time()) > 60:
            raise Fault("a post of another time")
        self.records[record["rkey"]] = post
        return answer(200, {"uri": f"at://{self.did}/app.bsky.feed.post/{record['rkey']}", "cid": "bafyrei",
                            "commit": {"cid": "bafyrei", "rev": record["rkey"]},
                            "validationStatus": "valid"})

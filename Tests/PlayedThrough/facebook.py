"""Facebook's Graph API, reduced to pages and their feeds."""
import hashlib
import hmac
import time

from stage import Fault, Server, answer


class Facebook(Server):
    def __init__(self, user_token, version="v23.0"):
        super().__init__()
        self.user_token, self.version = self.secret(user_token), version
        # id: (name, tasks)
        self.pages = {}
        self.app_secret = None
        self.posts = []

    def page(self, page, name, *tasks):
        self.pages[page] = (name, list(tasks))
        self.secret(self.page_token(page))

    def page_token(self, page):
        return f"EAAB-page-{page}-" + hashlib.sha256(self.user_token.encode()).hexdigest()[:16]

    def answer(self, request):
        token = request.field("Authorization") or ""
        if not token.startswith("Bearer "):
            raise Fault("no bearer token")
        token = token.removeprefix("Bearer ")
        if request.path == f"/{self.version}/me/accounts":
            return self.accounts(request, token)
        page = request.path.split("/")[2:3]
        if request.method == "POST" and page and request.path == f"/{self.version}/{page[0]}/feed":
            return self.feed(request, token, page[0])
        raise Fault("no such edge")

    def prove(self, given, token):
        """appsecret_proof, which an app with a secret must send, and no other may."""
        wanted = None
        if self.app_secret:
            wanted = hmac.new(self.app_secret.encode(), token.encode(), hashlib.sha256).hexdigest()
        if given != wanted:
            raise Fault("another appsecret_proof")

    def accounts(self, request, token):
        if request.method != "GET":
            raise Fault("another method")
        request.only("Authorization", query=("appsecret_proof",) if self.app_secret else ())
        request.empty()
        if token != self.user_token:
            return error(190, "Error validating access token", 463)
        self.prove(request.query.get("appsecret_proof"), token)
        return answer(200, {"data": [
            {"id": page, "name": name, "category": "Community", "tasks": tasks,
             "access_token": self.page_token(page)} for page, (name, tasks) in self.pages.items()],
            "paging": {"cursors": {"before": "A", "after": "B"}}})

    def feed(self, request, token, page):
        request.only("Authorization", "Content-Type")
        if token == self.user_token:
            raise Fault("the person's token where the page's belongs")
        if page not in self.pages or token != self.page_token(page):
            raise Fault("a token that is not this page's")
        form = request.form("message", "published", optional=("link", "appsecret_proof"))
        if form["published"] != "true":
            raise Fault("not published")
        self.prove(form.get("appsecret_proof"), token)
        if (page, form["message"]) in self.posts:
            return error(506, "Duplicate status message")
        self.posts.append((page, form["message"]))
        return answer(200, {"id": f"{page}_{len(self.posts)}"})


def error(code, message, subcode=None):
    about = {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "AbC123"}
    if subcode:
        about["error_subcode"] = subcode
    return answer(400, {"error": about}, X_App_Usage='{"call_count":28,"total_time":25,"total_cputime":25}')

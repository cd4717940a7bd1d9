#!/usr/bin/env python3
"""Runs `claims-client` like a person with a browser, against servers in Python.

    swift build --enable-all-traits --product claims-client
    python3 Tests/PlayedThrough/play.py [--client .build/debug/claims-client] [--only NAME]

The servers implement the protocols and share no code with the package. They are stricter than real ones: a
method, path, field, parameter or member that the protocol does not define is a fault, and so are a refresh
token or a code used twice and a person's token in place of a page's. Each play starts the command, opens the
addresses that it prints, posts the forms of the returned pages, and checks the last page, the exit code,
standard output, standard error and the requests to the servers. In the end no output of the command may
contain a secret, in any of the encodings of Tests/Secrets/search.py.

Prints one line for each check and `N played, 0 failed`; exits with 1 if one failed.
"""
import argparse
import concurrent.futures
import contextlib
import datetime
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

import acs
import feeds
from acs import AccessControl, RelyingParty
from facebook import Facebook
from feeds import Bluesky, LinkedIn, Mastodon, X
from mobile_foundation import MobileFoundation
from mobile_services import MobileServices
from opro import OPRO
from stage import FORM, Play, answer

ROOT = pathlib.Path(__file__).resolve().parents[2]
REALM = "uri:talks.example.org"
FACEBOOK = "AAAB1+x/y=|person-of-mia"
SERVER_ERROR = answer(503, "<html>busy</html>", "text/html")


# Access Control Service

def sign_in_options(play, service, *more):
    play.file("acs.key", acs.base64.b64encode(service.key).decode())
    trust = play.file("trust.json", acs.json.dumps({
        "audiences": [REALM],
        "issuers": [{"name": service.issuer, "keys": ["hmac-file:acs.key"], "formats": ["swt"]}]}))
    return ["--server", service.address, "--realm", REALM, "--trust", trust, "--timeout", "20", *play.store, *more]


def browse(play, service, changed=None):
    """Opens the address, and posts the form of the page that it leads to."""
    def hear(address, _):
        page = play.browser.open(address)
        return play.browser.submit(page, service.address, changed)
    return hear


def signed_in(play, service, *more):
    """A person signed in with Facebook through Access Control Service."""
    return play.run("sign-in", *sign_in_options(play, service, "--provider-name", "Facebook", *more),
                    hear=browse(play, service))


def page(outcome):
    """The last page: status and text."""
    last = outcome.seen[-1] if outcome.seen else None
    return (last.status, last.text) if hasattr(last, "status") else (None, repr(last))


def good_sign_in(play):
    service = play.serve(AccessControl(REALM, FACEBOOK))
    listed = play.run("providers", "--server", service.address, "--realm", REALM)
    play.check("the providers are listed",
               listed.status == 0 and [one["name"] for one in listed.json] == ["Facebook", "Example Corp"],
               listed)
    outcome = signed_in(play, service)
    play.check("the page has status 200 and reports that the person is signed in",
               page(outcome)[0] == 200 and "You are signed in" in page(outcome)[1], outcome)
    last = outcome.seen[-1].fields if page(outcome)[0] else {}
    play.check("nothing keeps that page, and nothing on it runs", last.get("Cache-Control") == "no-store"
               and last.get("Content-Security-Policy", "").startswith("default-src 'none'"), last)
    play.check("the command prints who that is", outcome.status == 0 and outcome["subject"] == "100004711"
               and outcome["provider"] == "Facebook-1234567890" and outcome["state"] == "usable", outcome)
    strange = []

    def curious(address, _):
        """A browser that sends wrong requests before it posts the form."""
        arrived = play.browser.open(address)
        strange.append(play.browser.get(urllib.parse.urljoin(arrived.action, "/favicon.ico")))
        strange.append(play.browser.get(arrived.action))
        return play.browser.submit(arrived, service.address)

    shown = play.run("session", "show", *play.store)
    play.check("the session is kept, with the claims as they were written",
               shown.status == 0 and acs.IDENTITY + "name" in shown["claims"]
               and shown["claims"][acs.IDENTITY + "name"] == ["Mia Müller"]
               and shown["claims"][acs.IDENTITY + "emailaddress"] == ["mia+news@example.org"], shown)
    play.check("the provider's token is named and not shown",
               [one["type"] for one in shown["providerTokens"]] == [acs.FACEBOOK_TOKEN], shown)
    again = play.run("sign-in", *sign_in_options(play, service, "--provider", "Facebook-1234567890"), hear=curious)
    play.check("a page is asked for its picture, and once more by GET: neither ends the wait",
               [one.status for one in strange] == [404, 405], again)
    play.check("the provider can be named by its claim, too", again.status == 0 and page(again)[0] == 200, again)
    asked = play.run("sign-in", *sign_in_options(play, service), hear=browse(play, service),
                     answers=[("Number or address: ", "1")])
    play.check("a terminal asks for the provider", asked.status == 0 and "1  Facebook" in asked.talk, asked)
    nobody = play.run("sign-in", *sign_in_options(play, service))
    play.check("without a terminal the error names the options: exit code 2",
               nobody.status == 2 and "--provider" in nobody.talk, nobody)
    talkative = signed_in(play, service, "--verbose")
    play.check("a log of it all is written on request", talkative.status == 0 and "acs.providers" in talkative.talk
               and len(service.tokens) == 4, talkative)


def flooded_sign_in(play):
    """Another program of this machine floods the listener while the person signs in."""
    service = play.serve(AccessControl(REALM, FACEBOOK))
    measured = {}

    def flood(address, _):
        arrived = play.browser.open(address)
        url = urllib.parse.urlsplit(arrived.action)
        process = listening(url.port)
        before = resident(process)
        head = (f"POST {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: {FORM}\r\n"
                "Content-Length: 4194304\r\n\r\n").encode()
        posts = []
        for _ in range(300):
            post = socket.create_connection((url.hostname, url.port), 5)
            posts.append(post)
            # The listener may close it meanwhile.
            with contextlib.suppress(OSError):
                post.sendall(head + b"a" * 30_000)
        for post in posts:
            with contextlib.suppress(OSError):
                post.sendall(b"a" * 65_536)
        measured["growth"] = resident(process) - before
        began = time.monotonic()
        seen = play.browser.submit(arrived, service.address)
        measured["seconds"] = time.monotonic() - began
        measured["growth"] = max(measured["growth"], resident(process) - before)
        for post in posts:
            post.close()
        return seen

    outcome = play.run("sign-in", *sign_in_options(play, service, "--provider-name", "Facebook"), hear=flood)
    play.check("the person signs in nevertheless", outcome.status == 0 and page(outcome)[0] == 200, outcome)
    play.check("300 half-sent posts: memory grows by less than 8 MB", measured["growth"] < 8_000_000, measured)
    play.check("the real answer takes less than a second", measured["seconds"] < 1, measured)
    play.lines.append(f"        {measured['growth'] / 1e6:.1f} MB, {measured['seconds'] * 1e3:.0f} ms")


def listening(port):
    """The process that listens at a port of this machine."""
    sockets = [line.split() for line in open("/proc/net/tcp")]
    # 0A: it listens.
    [wanted] = [f"socket:[{one[9]}]" for one in sockets if one[1].endswith(f":{port:04X}") and one[3] == "0A"]
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            for one in os.scandir(f"/proc/{number}/fd"):
                if os.readlink(one.path) == wanted:
                    return number
    raise AssertionError(f"nothing listens at {port}")


def resident(process):
    """The resident memory of a process in bytes."""
    status = open(f"/proc/{process}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


def refused_sign_ins(play):
    service = play.serve(AccessControl(REALM, FACEBOOK))
    for mood, code, words in [
            ("bad mac", "signature.mac-mismatch", "HMAC"), ("other issuer", "issuer.untrusted", "issuer"),
            ("two tokens", "response.several-assertions", "more than one token"), ("other audience", "audience.mismatch", "audience"),
            ("expired", "time.expired", "expired"), ("cancelled", "session.cancelled", "by the person"),
            ("failed", "client.provider-failed", "ACS30000")]:
        service.mood = mood
        outcome = signed_in(play, service)
        play.refused(mood, outcome, code, words)
        status, text = page(outcome)
        play.check(f"{mood}: the page has a status of 4xx and the code, and reports that the person is not signed in",
                   status in range(400, 500) and code in text and "You are not signed in" in text
                   and "You are signed in" not in text, (status, text))
        play.check(f"{mood}: nothing is kept", play.sessions() == [], play.sessions())
    play.check("the page of a failure shows nothing that came with the request",
               "provider's answer" not in page(outcome)[1] and "<b>" not in outcome.seen[-1].source, outcome)
    service.mood = "good"
    heard = []

    def foreign(address, said):
        arrived = play.browser.open(address)
        heard.append(play.browser.submit(arrived, service.address, {"wctx": "0123456789abcdef0123456789abcdef"}))
        # A page of another site whose name now resolves to this machine (DNS rebinding).
        heard.insert(0, play.browser.submit(arrived, service.address, host="evil.example.org"))
        for _ in range(100):
            if "waiting goes on" in said():
                break
            time.sleep(0.05)
        heard.append(said())
        return play.browser.submit(arrived, service.address)

    outcome = play.run("sign-in", *sign_in_options(play, service, "--provider-name", "Facebook"), hear=foreign)
    play.check("the right form under another host's name: 404, and the wait goes on", heard and heard[0].status == 404,
               heard)
    play.check("a foreign wctx: the page reports it with 4xx",
               len(heard) > 1 and heard[1].status == 400 and "client.state" in heard[1].text
               and "no answer to the sign-in under way" in heard[1].text, heard)
    play.check("a foreign wctx: standard error tells it at once, while the command waits",
               len(heard) > 2 and "waiting goes on" in heard[2], heard)
    play.check("a foreign wctx: the right answer counts afterwards",
               outcome.status == 0 and page(outcome)[0] == 200, outcome)

    def never(address, _):
        arrived = play.browser.open(address)
        return play.browser.submit(arrived, service.address, {"wctx": "0123456789abcdef0123456789abcdef"})

    options = sign_in_options(play, service, "--provider-name", "Facebook", "--account", "another")
    options[options.index("--timeout") + 1] = "2"
    outcome = play.run("sign-in", *options, hear=never)
    play.refused("a foreign wctx alone", outcome, "client.timeout")
    play.check("a foreign wctx alone: nothing is kept", len(play.sessions()) == 1, play.sessions())


def token_of_a_program(play):
    service = play.serve(AccessControl(REALM, FACEBOOK))
    options = sign_in_options(play, service)
    options = options[:options.index("--timeout")]
    right = play.file("right", service.identities["uploader"])
    outcome = play.run("token", "wrap", "--name", "uploader", "--password-file", right, *options)
    play.check("a program gets a token by WRAP, which is not shown",
               outcome.status == 0 and outcome["format"] == "swt" and outcome["token"] is None, outcome)
    shown = play.run("token", "wrap", "--reveal", "--name", "uploader", "--password-file", right, *options,
                     reveals=True)
    play.check("only --reveal shows it", shown["token"] == service.tokens[-1], shown)
    wrong = play.hidden("wrong", "another-password-1")
    outcome = play.run("token", "wrap", "--name", "uploader", "--password-file", wrong, *options)
    play.refused("another password", outcome, "client.credentials", "ACS50012")


# Feeds with a session

FEEDS = {"mastodon": (Mastodon, []), "x": (X, []),
         "linkedin": (LinkedIn, ["--author", "urn:li:person:AbC123", "--api-version", "202601"]),
         "bluesky": (Bluesky, ["--identifier", "mia.example.org"])}


def feed_address(name, server):
    return server.address + ("/2" if name == "x" else "")


def feeds_with_a_facebook_session(play):
    service = play.serve(AccessControl(REALM, FACEBOOK))
    play.check("a person signs in through Facebook", signed_in(play, service).status == 0)
    facebook = play.serve(Facebook(FACEBOOK))
    facebook.page("4711", "Swift Days", "CREATE_CONTENT", "MODERATE")
    for name, (kind, options) in FEEDS.items():
        server = play.serve(kind())
        outcome = play.run("post", "--service", name, "--api", feed_address(name, server), *options,
                           "--from-session", *play.store, "--text", "See you at Swift Days")
        play.refused(f"{name} with Facebook's token", outcome, "session.provider-token")
        play.check(f"{name} with Facebook's token: nothing is sent, not even a connection opened",
                   server.requests == [] and server.connections == 0, server.requests)
        own = play.run("post", "--service", name, "--api", feed_address(name, server), *options, "--token-file",
                       play.file("token", server.password if name == "bluesky" else server.token),
                       "--text", "Bis bald bei den Schweifzügen 🚂 (soon) #swift")
        play.check(f"{name} with its own: the post is published",
                   own.status == 0 and own["service"] == name and own["id"], own)
    post = ["post", "--service", "facebook", "--api", facebook.address, "--api-version", "v23.0",
            "--from-session", *play.store, "--text", "See you at \"Swift & Days\" + more"]
    outcome = play.run(*post, "--dry-run")
    play.check("a rehearsal sends nothing",
               outcome.status == 0 and facebook.connections == 0 and "message=See" in outcome.output, outcome)
    outcome = play.run(*post)
    play.check("Facebook's token posts to the feed of the person's page at Facebook", outcome.status == 0
               and facebook.posts == [("4711", "See you at \"Swift & Days\" + more")], outcome)
    outcome = play.run(*post, "--verbose")
    play.refused("the same once more", outcome, "feed.duplicate")
    # The provider's token has expired, while the session is still valid.
    service.provider_token_ends = time.time() - 60
    play.check("a person signs in with a Facebook token that has ended", signed_in(play, service).status == 0)
    before = facebook.connections
    outcome = play.run(*post)
    play.refused("Facebook with a token that has ended", outcome, "session.provider-token", "ended")
    play.check("Facebook with a token that has ended: nothing is sent", facebook.connections == before)
    outcome = play.run("session", "forget", *play.store)
    play.check("the session is forgotten", outcome.status == 0 and play.sessions() == [], outcome)
    outcome = play.run(*post)
    play.refused("Facebook without a session", outcome, "session.none")


def pages(play):
    facebook = play.serve(Facebook(FACEBOOK))
    token = play.hidden("user.token", FACEBOOK)
    post = ["post", "--service", "facebook", "--api", facebook.address, "--api-version", "v23.0", "--text"]
    person = ["--token-file", token]
    outcome = play.run(*post, "nowhere", *person)
    play.refused("no page", outcome, "feed.permission", "a page that the person may post to")
    facebook.page("4711", "Swift Days", "CREATE_CONTENT")
    facebook.page("4712", "Read alone", "ANALYZE")
    outcome = play.run(*post, "to the only one", *person)
    play.check("the only page that the person may post to is taken",
               outcome.status == 0 and facebook.posts == [("4711", "to the only one")], outcome)
    outcome = play.run(*post, "to that of others", "--page", "4712", *person)
    play.refused("a page on which the person may not post", outcome, "feed.permission", "4711 (Swift Days)")
    facebook.page("4713", "Server Days", "CREATE_CONTENT", "MODERATE")
    outcome = play.run(*post, "to which?", *person)
    play.check("several pages and no --page: a list and exit code 2", outcome.status == 2
               and "4711 (Swift Days), 4713 (Server Days)" in outcome.talk and "4712" not in outcome.talk, outcome)
    outcome = play.run(*post, "to the second", "--page", "4713", *person)
    play.check("--page chooses, and the post carries that page's token", outcome.status == 0
               and facebook.posts[-1] == ("4713", "to the second") and outcome["id"] == "4713_2", outcome)
    outcome = play.run(*post, "from a terminal", *person, answers=[("Number: ", "7"), ("Number: ", "2")])
    play.check("a terminal shows a list and asks until there is an answer", outcome.status == 0
               and facebook.posts[-1] == ("4713", "from a terminal") and "1  Swift Days" in outcome.talk, outcome)
    asked = facebook.count("GET", "/v23.0/me/accounts")
    own = play.file("page.token", facebook.page_token("4713"))
    outcome = play.run(*post, "with its own token", "--page", "4713", "--page-token", "--token-file", own)
    play.check("--page-token: the page's own token, and no question for the pages", outcome.status == 0
               and facebook.count("GET", "/v23.0/me/accounts") == asked, outcome)
    facebook.app_secret = play.secret("app-secret-for-the-play")
    outcome = play.run(*post, "proved", "--page", "4711", *person, "--app-secret-file",
                       play.file("app.secret", facebook.app_secret))
    play.check("--app-secret-file proves the person's token, then the page's", outcome.status == 0
               and facebook.posts[-1] == ("4711", "proved"), outcome)
    outcome = play.run(*post, "expired", "--token-file", play.hidden("old.token", "AAAB-ended-long-ago"),
                       "--app-secret-file", os.path.join(play.folder, "app.secret"))
    play.refused("a token that Facebook takes no more", outcome, "feed.token-expired", "190")
    play.check("no post but those", len(facebook.posts) == 5, facebook.posts)


# oPRO

def opro(play):
    play.verbose = True
    server = play.serve(OPRO())
    secret = play.file("client.secret", server.client_secret)
    store = [*play.store, "--account", "opro"]
    sign_in = ["sign-in", "opro", "--server", server.address, "--client-id", server.client,
               "--client-secret-file", secret, *store]
    other_account = [*sign_in[:-1], "second"]
    outcome = play.run(*sign_in, "--user-name", server.email, "--password-file",
                       play.hidden("wrong", "another-password-2"))
    play.refused("another password", outcome, "client.password")
    outcome = play.run("sign-in", "opro", "--server", server.address, "--client-id", server.client,
                       "--client-secret-file", play.hidden("other.secret", "another-client-secret"), *store,
                       "--user-name", server.email, "--password-file", play.file("password", server.password))
    play.refused("another client's secret", outcome, "client.application")
    outcome = play.run(*sign_in, "--user-name", server.email, answers=[("Password of", server.password)])
    play.check("the person signs in by a password that is typed", outcome.status == 0
               and outcome["subject"] == "7" and outcome["scheme"] == "token" and outcome["renewable"], outcome)
    call = ["call", "--client-secret-file", secret, *store]
    outcome = play.run(*call, "GET", server.address + "/oauth_tests/show_me_the_money.json")
    play.check("the tester takes the credential", outcome.status == 0 and outcome["status"] == 200
               and "OAuth worked!" in outcome["body"], outcome)
    body = play.file("profile.json", '{"user":{"twitter":"mia","zip":"11111"}}')
    outcome = play.run(*call, "PUT", server.address + "/users/me.json", "--body-file", body)
    play.check("the profile is changed", outcome.status == 0 and server.user["twitter"] == "mia", outcome)
    first = server.refresh
    server.expire()
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.check("a 401 is answered by one renewal, and the request goes out once more", outcome.status == 0
               and '"twitter": "mia"' in outcome["body"] and server.spent == [first], (outcome, server.spent))
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.check("the new credential is kept; the refresh token is spent once",
               outcome.status == 0 and server.spent == [first], server.spent)
    # Four programs with one session.
    server.expire()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(
            lambda _: play.run(*call, "GET", server.address + "/users/me.json"), range(4)))
    play.check("four calls at once: each is answered, and the refresh token is spent once",
               all(one.status == 0 for one in outcomes) and len(server.spent) == 2, outcomes)
    second = server.refresh
    outcome = play.run("session", "renew", "--client-secret-file", secret, *store)
    play.check("a session is renewed on request", outcome.status == 0 and server.spent[2:] == [second], outcome)
    outcome = play.run("session", "renew", *store)
    play.refused("a renewal without the client's secret", outcome, "session.renewal-refused", "--client-secret-file")
    server.expire()
    server.broken["/oauth/token.json"] = SERVER_ERROR
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.refused("a renewal at a server that is not well", outcome, "transport.status", "503", status=3)
    play.check("the session stays", len(play.sessions()) == 1, play.sessions())
    server.broken = {"/users/me.json": answer(401, {"error": "not for you"})}
    before = len(server.spent)
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.check("a 401 after the renewal is the answer: one renewal and no more", outcome.status == 1
               and outcome["status"] == 401 and len(server.spent) == before + 1, outcome)
    stranger = play.serve(OPRO())
    server.broken = {"/users/me.json": answer(302, Location=stranger.address + "/users/me.json")}
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.check("a redirect is shown and not followed", outcome.status == 1 and outcome["status"] == 302
               and stranger.connections == 0, outcome)
    server.broken.clear()
    # Another device has signed in meanwhile.
    server.refresh = server.token("elsewhere")
    server.expire()
    outcome = play.run(*call, "GET", server.address + "/users/me.json")
    play.refused("a refresh token that another device has made worthless", outcome, "session.renewal-refused")
    play.check("the session is over then", play.sessions() == [], play.sessions())

    # The consent page.
    def consent(address, _):
        return play.browser.submit(play.browser.open(address), server.address)

    outcome = play.run(*sign_in, "--write", "--timeout", "20", hear=consent)
    play.check("the person signs in on the consent page", outcome.status == 0 and page(outcome)[0] == 200
               and "You are signed in" in page(outcome)[1], outcome)
    server.consents = False
    outcome = play.run(*other_account, "--timeout", "20", hear=consent)
    play.refused("the person denies access", outcome, "session.cancelled")
    play.check("the person denies access: the page has 4xx", page(outcome)[0] == 400
               and "You are signed in" not in page(outcome)[1], outcome)
    server.consents = True
    server.broken["/oauth/token.json"] = answer(401, {
        "error": "Could not find a user that belongs to this application & has been granted a code=0000code"})
    outcome = play.run(*other_account, "--timeout", "20", hear=consent)
    play.refused("a code that is not taken", outcome, "client.code")
    play.check("a code that is not taken: the page has 4xx", page(outcome)[0] == 400
               and "client.code" in page(outcome)[1], outcome)
    server.broken.clear()
    outcome = play.run("call", "GET", server.address.replace("127.0.0.1", "localhost") + "/users/me.json", *store)
    play.refused("a call to another host", outcome, "session.other-origin")
    outcome = play.run("session", "sign-out", *store)
    play.check("oPRO does not support a sign-out, and the command reports that", outcome.status == 0
               and outcome["serviceTold"] is False and play.sessions() == [], outcome)


# Mobile Services and App Service

def mobile_services(play):
    play.verbose = True
    server = play.serve(MobileServices(application_key="application-key-for-the-play"))
    key = ["--application-key-file", play.file("zumo.key", server.application_key)]
    register = ["register", "--server", server.address, *key, "--user-name", "mia", "--email", "mia@example.org"]
    outcome = play.run(*register, "--password-file", play.hidden("short", "2short!"))
    play.refused("a password that is too short", outcome, "client.sign-in-refused", "at least 8 chars")
    password = play.hidden("password", "p4ssw0rd-of-mia")
    outcome = play.run(*register, "--password-file", password)
    play.check("an account is registered, without a sign-in", outcome.status == 0 and outcome["registered"] == "mia"
               and outcome["subject"] == "Custom:42" and play.sessions() == [], outcome)
    outcome = play.run(*register, "--password-file", password)
    play.refused("the same name again", outcome, "client.sign-in-refused", "Username already exists")
    sign_in = ["sign-in", "mobile-services", "--server", server.address, *key, *play.store]
    outcome = play.run(*sign_in, "--user-name", "mia", "--password-file", play.hidden("wrong", "another-password-3"))
    play.refused("another password", outcome, "client.sign-in-refused", "Incorrect username or password")
    play.check("another password: nothing is kept", play.sessions() == [])
    server.blocked.add("mia")
    outcome = play.run(*sign_in, "--user-name", "mia", "--password-file", password)
    play.refused("a blocked account", outcome, "client.sign-in-refused", "The account is blocked for 10 minutes")
    server.blocked.clear()
    outcome = play.run(*sign_in, "--user-name", "mia", "--password-file", password)
    play.check("the person signs in with the new account", outcome.status == 0
               and outcome["subject"] == "Custom:42" and outcome["scheme"] == "zumo", outcome)
    talks = server.address + "/tables/Talks"
    outcome = play.run("call", "GET", talks, *key, *play.store)
    play.check("a table is read with X-ZUMO-AUTH", outcome.status == 0 and "Swift & Days" in outcome["body"], outcome)
    outcome = play.run("call", "POST", talks, "--body-file", play.file("talk.json", '{"title":"Tokens"}'), *key,
                       *play.store)
    play.check("a row is added", outcome.status == 0 and outcome["status"] == 201 and server.talks[-1] == "Tokens",
               outcome)
    outcome = play.run("call", "GET", talks, *play.store)
    play.check("without the application key it is wrong usage", outcome.status == 2
               and "application-key" in outcome.talk, outcome)
    server.expire()
    before = server.count("GET", "/tables/Talks")
    outcome = play.run("call", "GET", talks, *key, *play.store)
    play.refused("a token of an own account that is over", outcome, "session.over")
    play.check("there is no prompt for a password, and the session is over",
               server.count("GET", "/tables/Talks") == before + 1 and play.sessions() == [], play.sessions())
    outcome = play.run(*sign_in, "--provider", "facebook", "--token-file",
                       play.file("fb.token", server.provider_token))
    play.check("a provider's token is traded", outcome.status == 0
               and outcome["subject"] == "Facebook:100004711", outcome)
    outcome = play.run(*sign_in, "--provider", "google", "--token-file", play.hidden("g.token", "google-id-token"),
                       "--account", "second")
    play.refused("a provider that the app does not have", outcome, "client.sign-in-refused", "not supported")
    for word in "no", "yes":
        outcome = play.run(*sign_in, "--provider", "facebook", "--table", "Talks", "--account", word,
                           hear=lambda address, _: f"{play.browser.open(address)}\n{word}", piped=True)
        play.secrets.add(outcome.seen[-1].partition("#")[2].partition("\n")[0] if outcome.seen else "no end")
        asked = "Facebook:100004711" in outcome.talk and "Did your own browser end there" in outcome.talk
        if word == "no":
            play.refused("a browser signs in, and the person denies that it is theirs", outcome, "session.cancelled")
            play.check("the command asked, and keeps nothing", asked and len(play.sessions()) == 1, play.sessions())
        else:
            play.check("a browser signs in, and its last address is piped in and confirmed", asked
                       and outcome.status == 0 and outcome["subject"] == "Facebook:100004711", outcome)
    play.run("session", "sign-out", "--account", "yes", *key, *play.store)
    outcome = play.run("session", "sign-out", *key, *play.store)
    play.check("version 1 cannot be told of a sign-out", outcome.status == 0 and outcome["serviceTold"] is False
               and play.sessions() == [], outcome)


def app_service(play):
    play.verbose = True
    server = play.serve(MobileServices(version="2.0.0"))
    sign_in = ["sign-in", "mobile-services", "--server", server.address, "--api-version", "2.0.0", *play.store]
    token = play.file("fb.token", server.provider_token)
    outcome = play.run(*sign_in, "--provider", "facebook", "--token-file", token)
    play.check("a provider's token is traded", outcome.status == 0 and outcome["subject"] == "sid:1f", outcome)
    outcome = play.run(*sign_in, "--provider", "facebook", hear=lambda address, _: play.browser.open(address),
                       answers=[("browser ends: ", lambda seen: seen[-1])])
    play.check("a browser signs in with a proof key; its last address is typed and does not show",
               outcome.status == 0 and outcome["subject"] == "sid:1f"
               and outcome.seen[0].startswith("claims-client://easyauth.callback?"), outcome)
    talks = server.address + "/tables/Talks"
    server.expire()
    outcome = play.run("call", "GET", talks, *play.store)
    play.check("a 401 is answered by one refresh, and the request goes out once more", outcome.status == 0
               and "Swift & Days" in outcome["body"] and server.refreshes == 1
               and server.count("GET", "/tables/Talks") == 2, outcome)
    outcome = play.run("call", "GET", talks, *play.store)
    play.check("the new token is kept", outcome.status == 0 and server.refreshes == 1, outcome)
    outcome = play.run("session", "renew", *play.store)
    play.check("a session is renewed on request", outcome.status == 0 and server.refreshes == 2, outcome)
    outcome = play.run("session", "sign-out", *play.store)
    play.check("App Service hears of the sign-out", outcome.status == 0 and outcome["serviceTold"] is True
               and server.signed_out == ["sid:1f"]
               and outcome["signOutAddresses"] == [server.address + "/.auth/logout"], outcome)
    play.check("the session is gone", play.sessions() == [], play.sessions())
    play.run(*sign_in, "--provider", "facebook", "--token-file", token)
    server.expire()
    server.refreshable = False
    outcome = play.run("call", "GET", talks, *play.store)
    play.refused("a refresh that is not granted", outcome, "session.renewal-refused")
    play.check("the session is over then", play.sessions() == [], play.sessions())
    server.refreshable = True
    play.run(*sign_in, "--provider", "facebook", "--token-file", token)
    server.broken["/.auth/logout"] = SERVER_ERROR
    outcome = play.run("session", "sign-out", *play.store)
    play.refused("a sign-out at a service that is not well", outcome, "transport.status", "503", status=3)
    server.close()
    outcome = play.run("call", "GET", talks, *play.store)
    play.refused("a call while the service is down", outcome, "transport.no-connection", "connection refused",
                 status=3)
    outcome = play.run("session", "sign-out", *play.store)
    play.refused("a sign-out while the service is down", outcome, "transport.no-connection", "connection refused",
                 status=3)
    play.check("the session stays", len(play.sessions()) == 1, play.sessions())
    outcome = play.run("session", "forget", *play.store)
    play.check("it can be forgotten here alone", outcome.status == 0 and play.sessions() == [], outcome)


# Mobile Foundation

def mobile_foundation(play):
    play.verbose = True
    server = play.serve(MobileFoundation())
    sign_in = ["sign-in", "mobile-foundation", "--server", server.address + "/mfp/api", "--application",
               "org.example.talks", "--application-version", "1.0.0", "--device", "dev-1", "--scope",
               "accessRestricted", *play.store]
    john = ["--user-name", "john", "--password-file"]
    wrong = play.hidden("wrong", "another-password-4")
    outcome = play.run(*sign_in, *john, wrong)
    play.refused("another password", outcome, "client.sign-in-refused", "Wrong Credentials", "2 attempts are left")
    play.run(*sign_in, *john, wrong)
    outcome = play.run(*sign_in, *john, wrong)
    play.refused("no attempts are left", outcome, "client.security-check", "Account blocked")
    play.check("nothing is kept after that", play.sessions() == [], play.sessions())
    right = play.file("right", server.password)
    outcome = play.run(*sign_in, *john, right, "--remember-me")
    play.check("the person signs in; the client registered once", outcome.status == 0
               and outcome["subject"] == "john" and len(server.clients) == 1, outcome)
    mine = server.address + "/mfp/api/adapters/talks/mine"
    outcome = play.run("call", "GET", mine, *play.store)
    play.check("a protected resource is read", outcome.status == 0 and "1234" in outcome["body"], outcome)
    server.end_sessions()
    outcome = play.run("call", "GET", mine, *play.store)
    play.check("a token that is over is renewed where the server remembers the person", outcome.status == 0
               and len(server.tokens) == 1, outcome)
    outcome = play.run("session", "renew", *play.store)
    play.check("a session is renewed on request", outcome.status == 0 and len(server.tokens) == 2, outcome)
    listed = play.sessions()
    play.check("the session is listed", [(one["account"], one["service"], one["state"]) for one in listed]
               == [("mobile-foundation", "mobile-foundation", "usable")], listed)
    outcome = play.run("session", "sign-out", *play.store)
    play.check("Mobile Foundation hears of the sign-out, by the client's own signature", outcome.status == 0
               and outcome["serviceTold"] is True and server.signed_out == [("4711", "UserLogin")], outcome)
    play.check("the session is gone", play.sessions() == [], play.sessions())
    outcome = play.run(*sign_in)
    play.check("the person is not remembered any more: exit code 2 without a name", outcome.status == 2
               and "--user-name" in outcome.talk, outcome)
    server.clients.clear()
    outcome = play.run(*sign_in, *john, right)
    play.check("a server that forgot the client is registered at again", outcome.status == 0
               and len(server.clients) == 1, outcome)
    server.end_sessions()
    outcome = play.run("session", "renew", *play.store)
    play.refused("a renewal without a remembered person", outcome, "session.renewal-refused")
    play.run(*sign_in, *john, right)
    server.close()
    outcome = play.run("session", "sign-out", *play.store)
    play.refused("a sign-out while the server is down", outcome, "transport.no-connection", "connection refused",
                 status=3)
    play.check("the session stays", len(play.sessions()) == 1, play.sessions())


# Calls and sign-out with a token of Access Control Service

def relying_party(play):
    play.verbose = True
    service = play.serve(AccessControl(REALM, FACEBOOK))
    for scheme in ("wrap", "bearer"):
        party = play.serve(RelyingParty(scheme))
        outcome = signed_in(play, service, "--account", scheme, "--resource", party.address, "--scheme", scheme)
        play.check(f"{scheme}: the person signs in", outcome.status == 0 and outcome["scheme"] == scheme, outcome)
        party.token = service.tokens[-1]
        call = [party.address + "/talks", *play.store, "--account", scheme]
        outcome = play.run("call", "GET", *call)
        play.check(f"{scheme}: a call carries the token, as it was issued", outcome.status == 0
                   and "Swift & Days" in outcome["body"], outcome)
        outcome = play.run("call", "PUT", *call, "--body-file", play.file("talk.json", '{"title":"Tokens"}'))
        play.check(f"{scheme}: so does one with a body", outcome.status == 0 and "Tokens" in outcome["body"], outcome)
        outcome = play.run("call", "GET", service.address + "/talks", *play.store, "--account", scheme)
        play.refused(f"{scheme}: the service of another", outcome, "session.other-origin")
        party.takes = False
        outcome = play.run("call", "GET", *call)
        play.refused(f"{scheme}: a token that is not taken any more", outcome, "session.over")
        play.check(f"{scheme}: the session is over then", play.sessions() == [], play.sessions())
    outcome = signed_in(play, service)
    outcome = play.run("call", "GET", party.address + "/talks", *play.store)
    play.check("a token for no known address is wrong usage, and the hint names the option", outcome.status == 2
               and "--resource" in outcome.talk, outcome)
    outcome = play.run("session", "sign-out", *play.store)
    addresses = outcome["signOutAddresses"] or []
    play.check("a sign-out prints the provider's address and the service's", outcome.status == 0
               and len(addresses) == 2 and addresses[0] == service.address + "/facebook/logout", outcome)
    for address in addresses:
        play.browser.open(address)
    play.check("the browser that opens them is heard by both", service.count("GET", "/facebook/logout") == 1
               and service.requests[-1] == ("GET", "/v2/wsfederation"), service.requests[-3:])
    play.check("the session is gone", play.sessions() == [], play.sessions())


# Causes

def causes(play):
    play.verbose = True
    text = ["--text", "See you at Swift Days"]
    ends = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(minutes=5)
    iso = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
    mastodon = play.serve(Mastodon())
    post = ["post", "--service", "mastodon", "--api", mastodon.address, "--token-file",
            play.file("m.token", mastodon.token), *text]
    mastodon.broken["/api/v2/instance"] = answer(429, {"error": "Too many requests"}, X_RateLimit_Reset=iso)
    outcome = play.run(*post)
    play.refused("Mastodon: 429 before the post", outcome, "feed.rate-limited", "no post before " + iso)
    play.check("Mastodon: 429 before the post: nothing is posted", not mastodon.count("POST", "/api/v1/statuses"))
    mastodon.broken = {"/api/v1/statuses": answer(429, {"error": "Too many requests"}, X_RateLimit_Reset=iso)}
    outcome = play.run(*post)
    play.refused("Mastodon: 429 at the post", outcome, "feed.rate-limited", iso)
    mastodon.broken = {"/api/v2/instance": SERVER_ERROR}
    outcome = play.run(*post)
    play.refused("Mastodon: 503 before the post", outcome, "feed.unavailable")
    bluesky = play.serve(Bluesky())
    post = ["post", "--service", "bluesky", "--api", bluesky.address, "--identifier", bluesky.handle, *text]
    outcome = play.run(*post, "--token-file", play.hidden("wrong", "wxyz-wxyz-wxyz-wxyz"))
    play.refused("Bluesky: a wrong app password", outcome, "feed.credentials", "AuthenticationRequired")
    right = ["--token-file", play.file("app.password", bluesky.password)]
    bluesky.broken["/xrpc/com.atproto.server.createSession"] = answer(
        429, {"error": "RateLimitExceeded", "message": "Rate Limit Exceeded"},
        ratelimit_reset=str(int(ends.timestamp())))
    outcome = play.run(*post, *right)
    play.refused("Bluesky: 429 before the post", outcome, "feed.rate-limited", iso)
    facebook = play.serve(Facebook(FACEBOOK))
    facebook.broken["/v23.0/me/accounts"] = answer(400, {"error": {
        "message": "(#4) Application request limit reached", "type": "OAuthException", "code": 4}})
    outcome = play.run("post", "--service", "facebook", "--api", facebook.address, "--api-version", "v23.0",
                       "--token-file", play.hidden("user.token", FACEBOOK), *text)
    play.refused("Facebook: its limit before the post", outcome, "feed.rate-limited", "code 4")
    x = play.serve(X())
    x.broken["/2/tweets"] = SERVER_ERROR
    post = ["post", "--service", "x", "--token-file", play.file("x.token", x.token), *text]
    outcome = play.run(*post, "--api", x.address + "/2")
    play.refused("X: 503 at the post", outcome, "feed.unknown-outcome")
    play.check("X: 503 at the post: it is sent once", x.count("POST", "/2/tweets") == 1, x.requests)

    # Sign-ins at failing services.
    services = play.serve(MobileServices(application_key="application-key-for-the-causes"))
    services.broken[""] = SERVER_ERROR
    key = ["--application-key-file", play.file("zumo.key", services.application_key)]
    password = play.hidden("password", "p4ssw0rd-of-nobody")
    person = ["--user-name", "mia", "--password-file", password]
    outcome = play.run("sign-in", "mobile-services", "--server", services.address, *key, *person, *play.store)
    play.refused("Mobile Services: 503 at the sign-in", outcome, "transport.status", "status 503", status=3)
    outcome = play.run("register", "--server", services.address, *key, *person)
    play.refused("Mobile Services: 503 at the registration", outcome, "transport.status", "status 503", status=3)
    server = play.serve(OPRO())
    server.broken[""] = SERVER_ERROR
    client = ["--client-id", server.client, "--client-secret-file", play.file("client.secret", server.client_secret)]
    outcome = play.run("sign-in", "opro", "--server", server.address, *client, *person, *play.store)
    play.refused("oPRO: 503 at the sign-in", outcome, "transport.status", "status 503", status=3)
    foundation = play.serve(MobileFoundation())
    foundation.broken[""] = SERVER_ERROR
    app = ["--application", "org.example.talks", "--application-version", "1.0.0", "--device", "dev-1"]
    outcome = play.run("sign-in", "mobile-foundation", "--server", foundation.address + "/mfp/api", *app, *person,
                       *play.store)
    play.refused("Mobile Foundation: 503 at the sign-in", outcome, "transport.status", "status 503", status=3)
    play.check("there is no session", play.sessions() == [], play.sessions())

    # No server.
    for server in (mastodon, bluesky, facebook, x, services, foundation):
        server.close()
    down = services.address
    unknown = "https://nowhere.invalid"
    for where, words in ((down, "connection refused"), (unknown, "unknown host")):
        name = words
        outcome = play.run("sign-in", "mobile-services", "--server", where, *key, *person, *play.store)
        play.refused(f"{name}: sign-in", outcome, "transport.no-connection", words, status=3)
        outcome = play.run("sign-in", "mobile-foundation", "--server", where + "/mfp/api", *app, *person, *play.store)
        play.refused(f"{name}: sign-in at Mobile Foundation", outcome, "transport.no-connection", words, status=3)
        outcome = play.run("providers", "--server", where, "--realm", REALM)
        play.refused(f"{name}: providers", outcome, "transport.no-connection", words, status=3)
        outcome = play.run("post", "--service", "mastodon", "--api", where, "--token-file",
                           os.path.join(play.folder, "m.token"), *text)
        play.refused(f"{name}: a post to Mastodon", outcome, "transport.no-connection", words, status=3)
        outcome = play.run("post", "--service", "bluesky", "--api", where, "--identifier", bluesky.handle, *right, *text)
        play.refused(f"{name}: a post to Bluesky", outcome, "transport.no-connection", words, status=3)
        outcome = play.run(*post, "--api", where + "/2")
        play.refused(f"{name}: a post to X, which was not sent", outcome, "transport.no-connection", words, status=3)
    outcome = play.run("providers", "--server", "http://acs.example.org", "--realm", REALM)
    play.refused("plain http to another machine", outcome, "transport.insecure-address", status=2)


def busy_access_control(play):
    service = play.serve(AccessControl(REALM, FACEBOOK))
    service.broken["/v2/metadata"] = answer(503, "ACS90046: busy", "text/plain")
    outcome = play.run("sign-in", *sign_in_options(play, service, "--provider-name", "Facebook"))
    play.refused("503 five times, after 1, 2, 4 and 8 seconds", outcome, "client.service-busy", "ACS90046")
    play.check("five requests and no more", len(service.requests) == 5, service.requests)


PLAYS = [busy_access_control, causes, good_sign_in, flooded_sign_in, refused_sign_ins,
         token_of_a_program,
         feeds_with_a_facebook_session, pages, opro, mobile_services, app_service, mobile_foundation,
         relying_party]


def run(story, client, folder):
    play = Play(story.__name__.replace("_", " "), client, os.path.join(folder, story.__name__))
    try:
        story(play)
    except Exception:
        play.check("the play comes to its end", False, traceback.format_exc())
    play.end()
    return play


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--client", default=str(ROOT / ".build/debug/claims-client"))
    parser.add_argument("--only", help="a part of the name of the plays to run")
    options = parser.parse_args()
    client = os.path.abspath(options.client)
    if not os.access(client, os.X_OK):
        parser.error(f"{client} is no program: swift build --enable-all-traits --product claims-client")
    stories = [story for story in PLAYS if (options.only or "") in story.__name__]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        plays = list(pool.map(lambda story: run(story, client, folder), stories))
    for play in plays:
        print("\n".join(play.lines))
    played, failed = sum(play.played for play in plays), sum(play.failed for play in plays)
    print(f"{played} played, {failed} failed ({time.monotonic() - began:.0f} s)")
    return 1 if failed or not played else 0


if __name__ == "__main__":
    sys.exit(main())

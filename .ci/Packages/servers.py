"""Servers on 127.0.0.1 for the packages beside this file.

`Service` and `LoginServer` are like Microsoft Graph: the service, and the login that issues its tokens. They are
strict: a credential where none belongs, an address that is used twice, and an Accept that does not allow the answer are
errors, which fail the recording. `answering` makes a service of a few answers.
"""
import contextlib
import http.server
import json
import re
import threading
import urllib.parse
import uuid

EVENTS = [{"id": f"e{n}", "subject": f"Event {n}", "start": {"dateTime": f"2026-01-0{n}T10:00:00.0000000"}}
          for n in range(1, 6)]
LOCK = threading.RLock()
TOKENS, SESSIONS, MONITORS = {}, {}, {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=None, content_type="application/json", **headers):
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        accept = self.headers.get("Accept", "*/*")
        if status < 300 and data and "*/*" not in accept and content_type not in accept:
            status, data, content_type = 406, json.dumps(problem("NotAcceptable", accept)).encode(), "application/json"
        self.send_response(status)
        if data:
            self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def handle_method(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(self.url.query, keep_blank_values=True))
        self.origin = f"http://{self.headers['Host']}"
        with LOCK:
            for (method, pattern), act in self.routes.items():
                match = re.fullmatch(pattern, self.url.path)
                if match and method in ("*", self.command):
                    return act(self, *match.groups())
            self.answer(404, problem("NotFound", f"{self.command} {self.path}"))

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_method


def problem(code, message):
    return {"error": {"code": code, "message": message}}


def signed(act):
    """Only with a token that is not expired."""
    def checked(server, *parts):
        token = server.headers.get("Authorization", "").removeprefix("Bearer ")
        if not TOKENS.get(token):
            return server.answer(401, problem("InvalidAuthenticationToken", "Access token has expired."))
        act(server, *parts)
    return checked


def unsigned(act):
    """Only without a token: the address is the credential."""
    def checked(server, *parts):
        if "Authorization" in server.headers:
            return server.answer(400, problem("InvalidRequest", "a credential was sent to a one-time address"))
        act(server, *parts)
    return checked


# The service.

@signed
def me(server):
    server.answer(200, {"id": "u1", "displayName": "Ada"})


@signed
def events(server):
    if server.query.get("$orderby") != "start/dateTime":
        return server.answer(400, problem("BadRequest", server.path))
    skip, top = int(server.query.get("$skip", 0)), int(server.query["$top"])
    page = {"value": EVENTS[skip:skip + top]}
    if skip + top < len(EVENTS):
        page["@odata.nextLink"] = (
            f"{server.origin}/v1.0/me/events?$top={top}&$orderby=start%2fdateTime&$skip={skip + top}")
    server.answer(200, page)


@signed
def delta(server):
    link = f"{server.origin}/v1.0/me/calendarView/delta"
    if server.query == {}:
        page = {"value": EVENTS[:2], "@odata.nextLink": f"{link}?$skiptoken=R0us%2Bm!3"}
    elif server.query == {"$skiptoken": "R0us+m!3"}:
        page = {"value": EVENTS[2:3], "@odata.deltaLink": f"{link}?$deltatoken=dt%2B1%2F%3D"}
    elif server.query == {"$deltatoken": "dt+1/="}:
        page = {"value": [{"id": "e6", "subject": "Event 6"}], "@odata.deltaLink": f"{link}?$deltatoken=dt%2B2%2F%3D"}
    else:
        return server.answer(400, problem("BadRequest", server.path))
    server.answer(200, page)


@signed
def text(server, message):
    if message != "m%2F1":
        return server.answer(404, problem("ErrorItemNotFound", "The message was not found."))
    server.answer(200, "Subject: Hello\n\nGrüße\n".encode(), "text/plain")


@signed
def create_upload(server, name):
    session = uuid.uuid4().hex
    SESSIONS[session] = b""
    server.answer(200, {"uploadUrl": f"{server.origin}/up/{session}?tempauth=s3cret-{uuid.uuid4().hex}"})


@unsigned
def chunk(server, session):
    match = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", server.headers.get("Content-Range", ""))
    received = SESSIONS.get(session)
    if received is None or not match or int(match[1]) != len(received):
        return server.answer(416, problem("InvalidRange", server.headers.get("Content-Range", "none")))
    SESSIONS[session] = received = received + server.body
    if len(received) < int(match[3]):
        return server.answer(202, {"nextExpectedRanges": [f"{len(received)}-"]})
    del SESSIONS[session]
    server.answer(201, {"id": "f1", "name": "film.bin", "size": len(received)})


@signed
def copy(server, item):
    monitor = uuid.uuid4().hex
    MONITORS[monitor] = 2
    server.answer(202, Location=f"{server.origin}/monitor/{monitor}")


@unsigned
def copy_status(server, monitor):
    if monitor not in MONITORS:
        return server.answer(404, problem("NotFound", "no such monitor"))
    MONITORS[monitor] -= 1
    server.answer(200, {"status": "inProgress"} if MONITORS[monitor] else {"status": "completed", "resourceId": "f2"})


# The login.

@unsigned
def token(server):
    form = dict(urllib.parse.parse_qsl(server.body.decode()))
    is_renewal = form.get("grant_type") == "refresh_token"
    if not is_renewal and (form.get("username"), form.get("password")) != ("ada", "right"):
        return server.answer(400, {"error": "invalid_grant", "error_description": "AADSTS50126: Invalid username or password."})
    if is_renewal and form.get("refresh_token") not in TOKENS:
        return server.answer(400, {"error": "invalid_grant", "error_description": "the refresh token is unknown"})
    access, refresh = (f"s3cret-{uuid.uuid4().hex}" for _ in range(2))
    # The token of a sign-in is expired at once, so that each session renews it.
    TOKENS[access], TOKENS[refresh] = is_renewal, False
    server.answer(200, {"token_type": "Bearer", "access_token": access, "refresh_token": refresh, "expires_in": 3600})


class Service(Handler):
    routes = {
        ("GET", "/v1.0/me"): me,
        ("GET", "/v1.0/me/events"): events,
        ("GET", "/v1.0/me/calendarView/delta"): delta,
        ("GET", r"/v1\.0/me/messages/([^/]+)/\$value"): text,
        ("POST", "/v1.0/me/drive/root:/([^/]+):/createUploadSession"): create_upload,
        ("PUT", "/up/(.+)"): chunk,
        ("POST", "/v1.0/me/drive/items/([^/]+)/copy"): copy,
        ("GET", "/monitor/(.+)"): copy_status,
    }


class LoginServer(Handler):
    routes = {("POST", "/common/oauth2/v2.0/token"): token}


def answering(answers, asked):
    """A service with an answer for each path, and 404 for others. It adds each request to `asked`. An answer is a body,
    the arguments of `answer`, or a function that returns one of these."""
    def answer(server):
        asked.append(" ".join([server.command, server.path, *server.headers.get_all("Authorization", [])]))
        body = answers.get(server.url.path)
        body = body(server) if callable(body) else body
        server.answer(*(body if isinstance(body, tuple) else (404 if body is None else 200, body)))

    return type("Answering", (Handler,), {"routes": {("*", ".*"): answer}})


@contextlib.contextmanager
def serving(*handlers):
    """Runs a server for each handler. Yields their ports."""
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) for handler in handlers]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [server.server_port for server in servers]
    for server in servers:
        server.shutdown()
        server.server_close()

"""A small Hub on 127.0.0.1: the few addresses that huggingface_hub asks for when it fetches a model."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

Files = Mapping[str, bytes]

GATED, BROKEN = "some/gated", "some/broken"


@dataclass
class Hub:
    """The address, what the models hold (id, then revision, then file name), and what was asked for."""

    url: str
    models: Mapping[str, Mapping[str, Files]]
    requests: list[tuple[str, str]] = field(default_factory=list)

    def fetched(self) -> set[str]:
        """The names of the files whose content was sent."""
        return {
            path.split("/resolve/")[1].split("/", 1)[1]
            for verb, path in self.requests
            if verb == "GET" and "/resolve/" in path
        }


def commit_of(revision: str) -> str:
    """The commit that a revision names."""
    return hashlib.sha1(revision.encode()).hexdigest() if len(revision) < 40 else revision


@contextmanager
def serve(models: Mapping[str, Mapping[str, Files]]) -> Iterator[Hub]:
    """Run a Hub with these models."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def log_message(self, *_arguments: object) -> None:
            pass

        def _answer(self, *, with_body: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.requests.append((self.command, path))
            status, headers, body = respond(hub.models, path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if with_body:
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub = Hub(f"http://127.0.0.1:{server.server_address[1]}", models)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


Answer = tuple[int, dict[str, str], bytes]


def respond(models: Mapping[str, Mapping[str, Files]], path: str) -> Answer:
    """What the Hub says to a path."""
    is_api = path.startswith("/api/models/")
    parts = path.removeprefix("/api/models/").strip("/").split("/")
    repo, rest = "/".join(parts[:2]), parts[2:]
    if repo == GATED:
        return error(403, "GatedRepo")
    if repo == BROKEN:
        return error(500, "")
    if repo not in models:
        return error(401, "RepoNotFound")
    revision = rest[1] if len(rest) > 1 else "main"
    revisions = {name: files for known, files in models[repo].items() for name in (known, commit_of(known))}
    if revision not in revisions:
        return error(404, "RevisionNotFound")
    files = revisions[revision]
    commit = commit_of(revision)
    if is_api and rest and rest[0] == "tree":
        return as_json([entry(name, data) for name, data in files.items()])
    if is_api:
        return as_json({"id": repo, "sha": commit, "siblings": [{"rfilename": name} for name in files]})
    name = "/".join(rest[2:])
    if name not in files:
        return error(404, "EntryNotFound")
    return 200, {"ETag": f'"{hashlib.sha1(files[name]).hexdigest()}"', "X-Repo-Commit": commit}, files[name]


def entry(name: str, data: bytes) -> dict[str, Any]:
    return {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}


def as_json(value: object) -> Answer:
    return 200, {"Content-Type": "application/json"}, json.dumps(value).encode()


def error(status: int, code: str) -> Answer:
    return status, {"X-Error-Code": code, "X-Error-Message": code} if code else {}, b"{}"

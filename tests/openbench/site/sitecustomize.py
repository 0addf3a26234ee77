"""Replaces the network for OpenBench's server and client: requests to GitHub are answered from git repositories on this
machine. Python loads this file by itself from PYTHONPATH; OpenBench's own files stay as they are.

GITHUB_MIRROR is a folder of repositories, OWNER/NAME each. What is answered:

    https://api.github.com/repos/OWNER/NAME/branches|commits/REF, /compare/A...B, /zipball/REF
    https://github.com/OWNER/NAME/archive/REF.zip
    https://raw.githubusercontent.com/OWNER/NAME/REF/PATH
"""
import json
import os
import re
import subprocess

MIRROR = os.environ.get("GITHUB_MIRROR", "")


def git(repo, *args):
    return subprocess.run(["git", "-C", os.path.join(MIRROR, repo), *args], check=True, capture_output=True).stdout


def commit(repo, ref):
    sha = git(repo, "rev-parse", "--verify", ref + "^{commit}").decode().strip()
    return {"sha": sha, "commit": {"message": git(repo, "log", "-1", "--format=%B", sha).decode()}}


def archive(repo, ref):
    return git(repo, "archive", "--format=zip", "--prefix=%s-%s/" % (repo.split("/")[1], ref), ref)


ROUTES = [
    (r"https://api\.github\.com/repos/([^/]+/[^/]+)/branches/(.+?)/?", lambda r, ref: {"commit": commit(r, ref)}),
    (r"https://api\.github\.com/repos/([^/]+/[^/]+)/commits/(.+?)/?", commit),
    (r"https://api\.github\.com/repos/([^/]+/[^/]+)/compare/(.+?)\.\.\.(.+?)/?",
     lambda r, a, b: {"ahead_by": int(git(r, "rev-list", "--count", "%s..%s" % (a, b)))}),
    (r"https://api\.github\.com/repos/([^/]+/[^/]+)/zipball/(.+?)/?", archive),
    (r"https://github\.com/([^/]+/[^/]+)/archive/(.+?)\.zip/?", archive),
    (r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/(.+)",
     lambda r, ref, path: git(r, "show", "%s:%s" % (ref, path))),
]


def answer(url):
    for pattern, make in ROUTES:
        match = re.fullmatch(pattern, url)
        if match:
            try:
                body = make(*match.groups())
            except subprocess.CalledProcessError as error:
                return 404, json.dumps({"message": error.stderr.decode()}).encode()
            return 200, body if isinstance(body, bytes) else json.dumps(body).encode()
    return 404, b'{"message": "Not Found"}'


def install():
    import requests
    from requests.adapters import BaseAdapter

    class Mirror(BaseAdapter):
        def send(self, request, **_):
            response = requests.Response()
            response.status_code, response._content = answer(request.url)
            response.url, response.request = request.url, request
            return response

        def close(self):
            pass

    plain = requests.Session.__init__

    def with_mirror(self):
        plain(self)
        for host in ("github.com", "api.github.com", "raw.githubusercontent.com"):
            self.mount("https://%s/" % host, Mirror())

    requests.Session.__init__ = with_mirror


if MIRROR:
    install()

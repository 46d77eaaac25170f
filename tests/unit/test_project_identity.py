from __future__ import annotations

import subprocess
import sys

import pytest

from perdure.domain.errors import UsageError
from perdure.domain.project import (
    ProjectKey,
    canonical_name,
    choose_remote,
    normalise_remote,
    project_keys,
    slug,
)

SHA_A = "a1" * 20
SHA_B = "b2" * 20


@pytest.mark.req("identity.remote-spellings")
@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("git@git.example.org:Org/Repo.git", "git.example.org/Org/Repo"),
        ("git.example.org:Org/Repo", "git.example.org/Org/Repo"),
        ("git@git.example.org:/Org//Repo.git/", "git.example.org/Org/Repo"),
        ("ssh://git@git.example.org:22/Org/Repo", "git.example.org/Org/Repo"),
        ("git+ssh://git@GIT.Example.org/Org/Repo.git", "git.example.org/Org/Repo"),
        ("https://git.example.org./Org/./Repo.git.git///", "git.example.org/Org/Repo"),
        ("  HTTPS://git.example.org:443/Org/Repo?ref=main#readme\n", "git.example.org/Org/Repo"),
        ("http://git.example.org:80/Org/Repo", "git.example.org/Org/Repo"),
        ("git://git.example.org:9418/Org/Repo", "git.example.org/Org/Repo"),
        ("https://git.example.org/Org/%52epo", "git.example.org/Org/Repo"),
        ("https://git.example.org/Org/a%20b%25", "git.example.org/Org/a b%"),
        ("https://git.example.org/Org/%ff", "git.example.org/Org/%ff"),
        ("https://git.example.org/solo/.git", "git.example.org/solo"),
        ("git@intranet:tools/build", "intranet/tools/build"),
        ("git@host.example:~ann/notes.git", "host.example/~ann/notes"),
        ("ssh://host.example/~ann/notes", "host.example/~ann/notes"),
        ("git@host.example:@scope/pkg", "host.example/@scope/pkg"),
        ("host.example:@scope/pkg", "host.example/@scope/pkg"),
        ("ssh://git@host.example:2222/org/repo", "host.example:2222/org/repo"),
        ("[git@host.example:2222]:org/repo.git", "host.example:2222/org/repo"),
        ("[host.example:22]:org/repo.git", "host.example/org/repo"),
        ("git@host.example:2222/org/repo", "host.example:2222/org/repo"),
        ("git@host.example:22/org/repo", "host.example/org/repo"),
        ("git@host.example:2222/repo", "host.example/2222/repo"),
        ("git@gitlab.com:2222/group/repo", "gitlab.com/2222/group/repo"),
        ("ssh://git@[2001:DB8:0::1]:22/org/repo", "[2001:db8::1]/org/repo"),
        ("ssh://git@[2001:db8::1%25eth0]:2222/org/repo", "[2001:db8::1]:2222/org/repo"),
        ("git@[2001:db8::1]:org/repo", "[2001:db8::1]/org/repo"),
        ("https://bücher.example/Org/Zürich", "xn--bcher-kva.example/Org/Zürich"),
        ("https://XN--BCHER-KVA.example/Org/Zu\u0308rich", "xn--bcher-kva.example/Org/Zürich"),
    ],
)
def test_every_spelling_of_a_remote_has_one_value(url, value):
    assert normalise_remote(url) == value
    assert normalise_remote(value) == value


@pytest.mark.req("identity.known-services")
@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("git@github.com:Org/Repo.git", "github.com/org/repo"),
        ("https://www.github.com/ORG/repo", "github.com/org/repo"),
        ("ssh://git@ssh.github.com:443/org/Repo.Git", "github.com/org/repo"),
        ("git@github.com:12345/repo", "github.com/12345/repo"),
        ("ssh://git@altssh.gitlab.com:443/Group/Sub/Repo.git", "gitlab.com/group/sub/repo"),
        ("https://bitbucket.org/Team/Repo", "bitbucket.org/team/repo"),
        ("https://codeberg.org/Team/Repo", "codeberg.org/team/repo"),
        ("https://gist.github.com/Ann/0f1e2d.git", "gist.github.com/0f1e2d"),
        ("git@gist.github.com:0f1e2d.git", "gist.github.com/0f1e2d"),
        ("https://git.sr.ht/~Ann/Repo", "git.sr.ht/~Ann/Repo"),
        ("https://org@dev.azure.com/Org/Proj/_git/Repo", "dev.azure.com/org/proj/repo"),
        ("git@ssh.dev.azure.com:v3/Org/Proj/Repo", "dev.azure.com/org/proj/repo"),
        ("org@vs-ssh.visualstudio.com:v3/org/proj/repo", "dev.azure.com/org/proj/repo"),
        ("https://org.visualstudio.com/DefaultCollection/proj/_git/repo", "dev.azure.com/org/proj/repo"),
        ("https://org.visualstudio.com/_git/repo", "dev.azure.com/org/repo/repo"),
        ("https://dev.azure.com/org/_git/repo", "dev.azure.com/org/repo/repo"),
    ],
)
def test_services_known_to_fold_case_or_to_have_several_hosts_give_one_value(url, value):
    assert normalise_remote(url) == value
    assert normalise_remote(value) == value


@pytest.mark.req("identity.no-credentials")
@pytest.mark.parametrize(
    "url",
    [
        "https://ann:s3cret@git.example.org/org/repo",
        "https://s3cret@git.example.org/org/repo.git/",
        "https://ann:s3cr@et@git.example.org/org/repo",
        "https://git.example.org/org/repo?private_token=s3cret",
        "ssh://ann:s3cret@git.example.org:22/org/repo",
        "ann:s3cret@git.example.org:org/repo",
        "ann:s3c:r@et@git.example.org:org/repo",
        "[ann:s3cret@git.example.org:22]:org/repo",
    ],
)
def test_no_credential_is_left_in_the_value(url):
    assert normalise_remote(url) == "git.example.org/org/repo"


@pytest.mark.req("identity.local-paths")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "/srv/git/repo.git",
        "./repo",
        "../repo",
        "~/repo",
        "~ann/repo",
        "repo",
        "file:///srv/git/repo.git",
        "C:\\src\\repo",
        "C:/src/repo",
        "c:repo",
        "\\\\server\\share\\repo",
        "https://host.example/org\\repo",
        "ext::sh -c 'nc host 1 %S'",
        "codecommit::eu-west-1://repo",
        "s3://bucket/repo",
        "persistent-https://host.example/org/repo",
        "https:///org/repo",
        "https://host.example",
        "https://host.example/.git",
        "https://host.example/../repo",
        "https://host.example:port/org/repo",
        "https://host.example:99999/org/repo",
        "https://ann:s3/cret@host.example/org/repo",
        "https://-oProxyCommand=x/org/repo",
        "https://ho st.example/org/repo",
        "https://a..b/org/repo",
        "https://ü\u3002\u3002ü/org/repo",
        "ssh://[::1/org/repo",
        "ssh://[::1]x/org/repo",
        "ssh://[::zz]/org/repo",
        "x[::1]:org/repo",
        "[::1]org/repo",
        "[host.example:x]:org/repo",
        "[host.example]/org/repo",
        "ann@host.example/org/repo",
        "ann:s3cret@host.example/org/repo",
        "host.example:a@b/org/repo",
        "https://host.example/org/re\x00po",
        "https://host.example/org/re%0apo",
        "https://host.example/org/re\ud800po",
        "https://host.example/" + "a" * 5000,
    ],
)
def test_what_is_not_the_same_on_another_machine_is_no_remote(url):
    assert normalise_remote(url) is None


@pytest.mark.req("identity.remote-choice")
@pytest.mark.parametrize(
    ("remotes", "chosen"),
    [
        ({}, None),
        ({"fork": "git@a.example:me/x", "origin": "git@a.example:us/x"}, "git@a.example:us/x"),
        ({"fork": "git@a.example:me/x", "upstream": "git@a.example:up/x"}, "git@a.example:up/x"),
        ({"zoe": "git@a.example:z/x", "ann": "git@a.example:a/x"}, "git@a.example:a/x"),
        ({"origin": "/srv/x.git", "upstream": "git@a.example:up/x"}, "git@a.example:up/x"),
        ({"origin": "backups.d/x.git"}, None),
        ({"origin": ""}, None),
    ],
)
def test_the_remote_that_speaks_for_a_repository(remotes, chosen):
    assert choose_remote(remotes) == chosen


@pytest.mark.req("identity.key-order")
def test_keys_come_in_the_order_of_trust():
    keys = project_keys("Pay_Roll App", "git@github.com:Org/Repo.git", [SHA_B, SHA_A], "/home/ann/src/x/")

    assert keys == (
        ProjectKey("marker", "pay-roll-app"),
        ProjectKey("remote", "github.com/org/repo"),
        ProjectKey("root", SHA_A),
        ProjectKey("path", "/home/ann/src/x"),
    )
    assert [str(key) for key in keys] == [
        "marker:pay-roll-app",
        "remote:github.com/org/repo",
        f"root:{SHA_A}",
        "path:/home/ann/src/x",
    ]
    assert tuple(ProjectKey.parse(str(key)) for key in keys) == keys


@pytest.mark.req("identity.key-order")
def test_what_is_missing_or_malformed_gives_no_key():
    assert project_keys(None, "../x", ["main", "-x", "A1" * 19], None) == ()
    assert project_keys("", None, [SHA_A.upper()], "/") == (
        ProjectKey("root", SHA_A),
        ProjectKey("path", "/"),
    )
    assert project_keys(None, None, [], "/srv/\udcff项目") == (ProjectKey("path", "/srv/\\udcff项目"),)


@pytest.mark.req("identity.key-order")
@pytest.mark.parametrize("text", ["", "remote", "remote:", "host:a/b", ":x"])
def test_a_text_that_is_no_key_is_refused(text):
    with pytest.raises(UsageError, match="not a project key"):
        ProjectKey.parse(text)


@pytest.mark.req("identity.slug")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Site Roadmap", "site-roadmap"),
        ("main", "main"),
        ("_", "_"),
        ("my-app_v1.2", "my-app_v1.2"),
        ("0b9f7e0c-6a0e-4e7b-9a37-0a2f6d1c5e11", "0b9f7e0c-6a0e-4e7b-9a37-0a2f6d1c5e11"),
        ("a/b\\c", "a-b-c"),
        ("../../etc/passwd", "etc-passwd"),
        (".git", "git"),
        (".GIT\u200c/hooks", "git-hooks"),
        ("-rf", "rf"),
        ("Zu\u0308rich", "zürich"),
        ("日本語 プロジェクト", "日本語-プロジェクト"),
        ("हिन्दी", "हिन्दी"),
        ("Ёлка", "ёлка"),
        ("a\ufe0f\u3164b", "a-b"),
        ("\u0301x", "x"),
        ("x\n\x1b[31m", "x-31m"),
        ("", "project"),
    ],
)
def test_a_slug_is_readable_and_safe(name, expected):
    assert slug(name) == expected


@pytest.mark.req("identity.slug")
def test_names_that_are_cut_or_emptied_stay_apart():
    long = "x" * 100
    names = [f"{long}1", f"{long}2", "字" * 100, "🎉", "///", "..."]
    slugs = [slug(name) for name in names]

    assert len(set(slugs)) == len(names)
    assert all(len(text) <= 64 and len(text.encode()) <= 200 for text in slugs)
    assert slugs[0].startswith("x" * 55 + "-")
    assert slugs[3].startswith("project-")


@pytest.mark.req("identity.slug")
def test_a_slug_of_wide_letters_fits_a_file_name():
    text = slug("\U00020000" * 64)

    assert len(text.encode()) <= 200
    assert slug(text) == text


@pytest.mark.req("identity.names-folded")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Site Roadmap", "site-roadmap"),
        ("site_roadmap", "SITE--ROADMAP"),
        ("Straße", "STRASSE"),
        ("Zu\u0308rich", "ZÜRICH"),
        ("_", "-"),
    ],
)
def test_names_are_compared_without_case_and_separators(one, other):
    assert canonical_name(one) == canonical_name(other) != ""


@pytest.mark.req("identity.names-folded")
def test_different_names_stay_different():
    names = ["main", "_", "_main", "ma in", "0b9f7e0c-6a0e", "0b9f7e0c6a0e", "naïve", "naive", "a/b", "a b"]

    assert len({canonical_name(name) for name in names}) == len(names)


@pytest.mark.req("identity.light")
def test_identity_costs_a_hook_nothing_but_its_own_code():
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; import os, __future__; before = set(sys.modules)\n"
        "import perdure.domain.project, perdure.vault.gitdir\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('perdure')))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *sys.path], capture_output=True, text=True, check=True
    )

    assert result.stdout.split() == []

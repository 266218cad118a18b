"""Where the client refuses to go, whatever the name, the redirect or the lookup says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.reading import Validators
from morningdeck.ports.verbs import Http
from tests.servers.web import Server, answer

from .conftest import ClientMaker
from .directory import Directory


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::1]", "0", "[::]"],
)
def test_no_spelling_of_loopback_is_visited(
    server: Server, make_client: ClientMaker, host: str
) -> None:
    client = make_client(allow_networks=())

    with pytest.raises(PermanentError, match=r"is not a public address, add it to http\.allow"):
        client.get(server.url(host=host))

    assert server.connections == 0


def test_a_host_with_one_private_address_among_public_ones_is_not_visited(
    make_client: ClientMaker,
) -> None:
    client = make_client(resolver=Directory(["93.184.216.34", "10.0.0.1"]))

    with pytest.raises(PermanentError, match=r"news\.example: 10\.0\.0\.1 is not a public"):
        client.get("http://news.example/")


def test_the_connection_goes_to_the_address_that_was_checked(
    server: Server, make_client: ClientMaker
) -> None:
    rebinding = Directory(["127.0.0.1"], ["10.0.0.1"])
    client = make_client(resolver=rebinding)
    server.says("/", answer(body=b"checked"))

    page = client.get(server.url(host="news.example"))

    assert page.body == b"checked"
    assert rebinding.asked == ["news.example"]
    assert server.requests[0].headers["host"] == f"news.example:{server.port}"


def test_a_name_that_turns_to_a_private_address_later_is_refused_later(
    server: Server, make_client: ClientMaker
) -> None:
    client = make_client(resolver=Directory(["127.0.0.1"], ["10.0.0.1"]))
    server.says("/", answer(302, location=f"http://other.example:{server.port}/"))

    with pytest.raises(PermanentError, match=r"other\.example: 10\.0\.0\.1 is not a public"):
        client.get(server.url(host="news.example"))


@pytest.mark.parametrize(
    "target",
    ["http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "//[fd00:ec2::254]/"],
)
def test_h9_a_redirect_to_a_private_address_is_refused(
    server: Server, client: Http, target: str
) -> None:
    server.says("/", answer(302, location=target))

    with pytest.raises(PermanentError, match="is not a public address"):
        client.get(server.url())


def test_h9_a_name_that_begins_like_a_private_network_is_visited(
    server: Server, make_client: ClientMaker
) -> None:
    client = make_client(resolver=Directory(["127.0.0.1"]))
    server.says("/", answer(body=b"recalls"))

    assert client.get(server.url(host="fda.gov")).body == b"recalls"


def test_the_second_address_is_tried_when_the_first_does_not_answer(
    server: Server, make_client: ClientMaker
) -> None:
    # The server listens on 127.0.0.1 alone.
    client = make_client(resolver=Directory(["127.0.0.2", "127.0.0.1"]))
    server.says("/", answer(body=b"second"))

    assert client.get(server.url(host="news.example")).body == b"second"


def test_proxies_of_the_environment_are_not_used(
    server: Server, client: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    server.says("/", answer(body=b"direct"))

    assert client.get(server.url()).body == b"direct"


def test_a_redirect_out_of_the_web_is_refused(server: Server, client: Http) -> None:
    server.says("/", answer(302, location="file:///etc/passwd"))

    with pytest.raises(PermanentError, match="only http and https"):
        client.get(server.url())


def test_the_password_of_an_address_is_sent_but_never_shown(server: Server, client: Http) -> None:
    address = server.url("/feed?key=hush").replace("http://", "http://me:hush@")
    server.says("/feed?key=hush", answer(body=b"private"), answer(404))

    page = client.get(address)
    with pytest.raises(PermanentError) as caught:
        client.get(address)

    assert server.requests[0].headers["authorization"] == "Basic bWU6aHVzaA=="
    assert "me:hush" not in page.url
    assert str(caught.value) == "127.0.0.1: answered 404 Not Found, check the address"


def test_secrets_do_not_follow_a_redirect_to_another_origin(
    server: Server, make_client: ClientMaker
) -> None:
    client = make_client(resolver=Directory(["127.0.0.1"]))
    server.says("/", answer(302, location="/same"))
    server.says("/same", answer(302, location=server.url("/other", host="other.example")))
    server.says("/other", answer())

    client.get(
        server.url(),
        headers={"Authorization": "Bearer hush", "X-Plain": "yes"},
        validators=Validators(etag='"1"'),
    )

    _, same, other = server.requests
    assert same.headers["authorization"] == "Bearer hush"
    assert "authorization" not in other.headers
    assert (other.headers["x-plain"], other.headers["if-none-match"]) == ("yes", '"1"')


def test_a_lookup_that_finds_nothing_is_worth_another_try(make_client: ClientMaker) -> None:
    def nothing(_: str) -> Sequence[str]:
        return ()

    with pytest.raises(TransientError, match=r"news\.example: no such host .*check the address"):
        make_client(resolver=nothing).get("http://news.example/")

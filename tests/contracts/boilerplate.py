"""The port `Boilerplate`: what other pages of a host say as well is no part of a text."""

from __future__ import annotations

from morningdeck.ports.verbs import Boilerplate

SITE = "https://news.example"
WALL = "We value your privacy.\nWe and our partners store cookies."
HARBOUR = "The harbour opens to ferries on Monday."


class BoilerplateContract:
    """Give it the fixture `boilerplate`, which has seen no page yet."""

    def test_the_first_page_of_a_host_is_what_it_says(self, boilerplate: Boilerplate) -> None:
        assert boilerplate.without(f"{SITE}/1", "Harbour opens", HARBOUR) == HARBOUR

    def test_what_another_page_says_as_well_is_left_out(self, boilerplate: Boilerplate) -> None:
        boilerplate.without(f"{SITE}/1", "Council votes", f"The council votes.\n{WALL}")

        text = boilerplate.without(f"{SITE}/2", "Harbour opens", f"{HARBOUR}\n{WALL}")

        assert text == HARBOUR

    def test_a_page_that_is_read_again_keeps_its_text(self, boilerplate: Boilerplate) -> None:
        for _ in range(2):
            assert boilerplate.without(f"{SITE}/1", "Harbour opens", HARBOUR) == HARBOUR

    def test_two_addresses_of_one_headline_may_say_the_same(self, boilerplate: Boilerplate) -> None:
        boilerplate.without(f"{SITE}/1", "Harbour opens to ferries", HARBOUR)

        assert boilerplate.without(f"{SITE}/2", "The harbour opens", HARBOUR) == HARBOUR

    def test_what_other_hosts_say_is_theirs(self, boilerplate: Boilerplate) -> None:
        boilerplate.without("https://other.example/1", "Council votes", WALL)

        assert boilerplate.without(f"{SITE}/1", "Harbour opens", WALL) == WALL

    def test_what_has_no_address_is_left_alone(self, boilerplate: Boilerplate) -> None:
        for url in (None, "", "mailto:ada@example.org"):
            boilerplate.without(url, "Council votes", WALL)
            assert boilerplate.without(url, "Harbour opens", WALL) == WALL

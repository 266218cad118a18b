"""Names of hosts, as they are looked up."""

from __future__ import annotations

import pytest

from morningdeck.domains import in_ascii


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("news.example", "news.example"),
        ("r4---sn_a.example.", "r4---sn_a.example."),
        ("stra\u00dfe.example", "xn--strae-oqa.example"),
        ("my_host.stra\u00dfe.example", "my_host.xn--strae-oqa.example"),
        ("B\u00dcCHER\u3002example", "xn--bcher-kva.example"),
        ("cafe\u0301.example", "xn--caf-dma.example"),
        ("\u03b2\u03cc\u03bb\u03bf\u03c2.com", "xn--nxasmm1c.com"),
        ("\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com", "xn--mgba3gch31f060k.com"),
        ("\u2460\u2461\u2466.0.0.1", "127.0.0.1"),
        ("\u2603.net", "xn--n3h.net"),
    ],
)
def test_a_name_is_looked_up_as_browsers_do(written: str, asked: str) -> None:
    assert in_ascii(written) == asked


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a..b",
        "a" * 64 + ".example",
        "\u00fc" * 60 + ".example",
        "\u00fc" * 5000,
        "\u00fc..example",
        "-\u00fc.example",
        "\u05d0a.example",
        "\u2100.example",
        "\u00fc\u2100.example",
        "\u00fc b.example",
        "\u00fc>.example",
        "\uff20\u00fc.example",
        "\ud800.example",
        "\ue000.example",
    ],
)
def test_what_can_be_no_name_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        in_ascii(written)

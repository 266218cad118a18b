"""Who may import whom, where each library lives, how large a file grows, what shares a name."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from morningdeck import store

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "morningdeck"
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_FUNCTION_LINES = 350, 40

NOUNS = {"discreet", "hosts", "errors", "files", "model", "logs", "memory", "views"}
NOUNS |= {"mailboxes", "moments", "sockets"}
PURE = NOUNS | {"work", "ports", "schedule", "selection", "languages", "plaintext", "wording"}
PURE |= {"asked", "edition", "stemming", "updates"}
PURE |= {"exonyms", "holds", "notice_texts", "prices", "prompts", "waiting_lists"}
ALLOWED = {
    "hosts": set(),
    "discreet": set(),
    "errors": {"discreet"},
    "files": set(),
    "sockets": set(),
    "mailboxes": {"hosts"},
    "model": set(),
    "logs": {"structured"},
    "structured": {"discreet"},
    "memory": set(),
    "views": {"model"},
    "asked": {"model", "stemming"},
    "signing": set(),
    "signed_links": {"signing"},
    "stemming": set(),
    "work": {"errors"},
    "ports": {"model", "work"},
    "schedule": {"errors", "model"},
    "plans": {"errors", "model", "schedule"},
    "addresses": {"errors", "model", "parsing", "sources"},
    "selection": {"model"},
    "updates": set(),
    "edition": {"model", "ports", "schedule", "selection", "snapshots", "updates"},
    "snapshots": {"model", "ports", "selection"},
    "exonyms": set(),
    "languages": set(),
    "notice_texts": set(),
    "moments": set(),
    "plaintext": set(),
    "wording": {"model", "languages", "plaintext"},
    "folders": set(),
    "waiting_lists": set(),
    "quiet_hours": {"schedule"},
    "alerting": {"asked", "errors", "logs", "model", "ports", "schedule"},
    "bounces": {"errors", "logs", "model", "ports"},
    "images": {"errors", "files", "logs", "ports"},
    "pinging": {"errors", "logs", "model", "ports"},
    "picturing": {"errors", "logs", "model", "ports"},
    "preparing": {"edition", "model", "ports"},
    "indexing": {"errors", "logs", "model", "ports"},
    "refining": {"model", "ports", "selection"},
    "theming": {"errors", "logs", "model", "ports", "schedule"},
    "prices": {"model"},
    "holds": {"model"},
    "choices": {
        *("delivery", "enrichers", "errors", "hosts", "mailboxes", "prompts"),
        *("quiet_hours", "search"),
    },
    "prompts": {"errors"},
    "settings": {"choices", "errors", "folders"},
    "render": {"hosts", "languages", "model", "plaintext", "signed_links", "wording"},
    "passwords": {"errors"},
    "outgoing_mail": {
        *("errors", "mailboxes", "model", "plaintext", "render", "signed_links", "wording"),
    },
    **dict.fromkeys(("fetch", "process", "brief", "deliver"), PURE),
    **dict.fromkeys(("engine", "store"), PURE),
    "actions": {
        *("asked", "discreet", "errors", "files", "model", "passwords", "ports", "views", "work"),
        *("signed_links", "signing"),
        *(
            "addresses",
            "brief",
            "edition",
            "engine",
            "indexing",
            "parsing",
            "plans",
            "refining",
            "schedule",
        ),
        *("selection", "store", "theming", "wording"),
    },
    **dict.fromkeys(
        ("net", "parsing", "sources", "endpoint", "enrichers", "stories", "delivery", "search"),
        PURE,
    ),
}
"""Modules that are not here (app and its adapters, verbs, loops, ...) plug things together."""

HOMES = {
    "alembic": {"store", "migrations"},
    "anyio": {"web"},
    "apscheduler": {"engine"},
    "argon2": {"passwords"},
    "celery": {"engine"},
    "babel": {"exonyms", "languages"},
    "certifi": {"net"},
    "css_inline": {"parsing"},
    "fastapi": {"web"},
    "fasttext": {"enrichers"},
    "feedparser": {"parsing"},
    "httpx2": {"endpoint"},
    "idna": {"hosts"},
    "jinja2": {"delivery", "render", "web"},
    "kombu": {"engine"},
    "json_repair": {"endpoint"},
    "imaplib": {"sources"},
    "lxml": {"parsing"},
    "meilisearch": {"search"},
    "markupsafe": {"render", "web"},
    "nh3": {"parsing"},
    "numpy": {"enrichers", "stories"},
    "openai": {"endpoint"},
    "PIL": {"parsing"},
    "psycopg2": {"store"},
    "pydantic": {"parsing", "settings", "web"},
    "rich": {"cli"},
    "smtplib": {"delivery"},
    "snowballstemmer": {"stemming"},
    "Stemmer": {"stemming"},
    "sqlalchemy": {"store", "migrations"},
    "sqlite3": {"store"},
    "starlette": {"web"},
    "structlog": {"logs", "structured"},
    "tokenizers": {"enrichers"},
    "trafilatura": {"parsing"},
    "typer": {"cli", "__main__"},
    "urllib3": {"search"},
    "uvicorn": {"web"},
}
ROOMS = ("tables", "database", "expressions", "notices", "queue", "results", "rows", "views")
"""Of the store: each imports only those before it."""
APART = {"results", "rows", "views"}
"""Rooms that do not know each other."""
HOMONYMS = {
    "DAY": "one day is one day everywhere",
    "T": "a type variable",
    "app": "the name by which Typer and Celery look for theirs",
}
"""Public names that two packages may have, and why; commands of the command line are others."""
ONLY_CLI_AND_WEB = {"app"}
ROOTS = {"app", "verbs", "loops", "distributed", "daemon", "cli", "demo", "__main__", "web"}
ROOTS |= {"celery", "standing"}


def part_of(file: Path) -> str:
    """`store` for store/queue/protocol.py, `fetch` for fetch.py."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def package_of(file: Path) -> str:
    """As `part_of`, but each room of the store is one of its own."""
    parts = file.relative_to(PACKAGE).parts
    return f"store/{parts[1]}" if parts[0] == "store" and len(parts) > 2 else part_of(file)


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module == "morningdeck":
                yield from (f"morningdeck.{alias.name}" for alias in node.names)
            else:
                yield node.module


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_place_allows(file: Path) -> None:
    part = part_of(file)
    for name in imports(file):
        top, _, rest = name.partition(".")
        if top == "morningdeck":
            other = rest.partition(".")[0]
            if other and other != part and not other.startswith("__version"):
                assert part not in ALLOWED or other in ALLOWED[part], f"{part} imports {other}"
                assert other not in ONLY_CLI_AND_WEB or part in ROOTS, f"{part} imports {other}"
        elif top != "_typeshed" and (top not in sys.stdlib_module_names or top in HOMES):
            assert part in HOMES.get(top, {part}), f"{top} has its home in {HOMES[top]}"
            assert top in HOMES, f"{top} has no home: add it to HOMES with a reason"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_files_and_functions_stay_small(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.body[0].lineno + 1  # options are no code
            assert length <= MOST_FUNCTION_LINES, f"{node.name} has {length} lines"


def test_only_the_application_asks_the_system_what_time_it_is() -> None:
    for file in FILES:
        if part_of(file) != "app":
            text = file.read_text(encoding="utf-8")
            assert "datetime.now(" not in text, file
            assert "utcnow(" not in text, file


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_store_imports_only_those_before_it(room: str) -> None:
    before = {room, *ROOMS[: ROOMS.index(room)]} - (APART - {room} if room in APART else set())
    for file in (PACKAGE / "store" / room).rglob("*.py"):
        for name in imports(file):
            if name.startswith("morningdeck.store"):
                known = name.split(".")[2] if name.count(".") > 1 else "store"
                assert known in before, f"{file.relative_to(PACKAGE)} imports {known}"


def test_every_package_is_installed() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    there = {file.parent.relative_to(ROOT) for file in PACKAGE.rglob("__init__.py")}

    listed = {name for name in setuptools["packages"] if "migrations" not in name}
    assert listed == {".".join(folder.parts) for folder in there}


def test_every_table_and_template_is_installed() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    there = {
        file for file in PACKAGE.rglob("*") if file.is_file() and file.parent.name != "__pycache__"
    }

    listed = {
        file
        for package, patterns in setuptools["package-data"].items()
        for pattern in patterns
        for file in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    assert there - listed == set(FILES)


def test_the_design_has_a_room_for_every_module() -> None:
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = design.partition("\n## 7. Rooms\n")[2].partition("\n## 8.")[0]

    modules = {part_of(file) for file in FILES} - {"__init__", "__main__"}
    assert sorted(name for name in modules if not re.search(rf"`{name}/?`", rooms)) == []


def test_migrations_are_numbered_one_after_the_other() -> None:
    """Two that were made at the same time would both follow the one before."""
    numbers = sorted(file.name[:4] for file in (ROOT / "migrations" / "versions").glob("0*.py"))

    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_the_rooms_of_the_store_are_those_that_it_tells_of() -> None:
    told = [line.split()[0] for line in (store.__doc__ or "").splitlines() if "  " in line]
    there = {file.parent.name for file in (PACKAGE / "store").glob("*/__init__.py")}

    assert tuple(told) == ROOMS
    assert there == set(ROOMS)


def public_names(file: Path) -> Iterator[str]:
    """What stands at the top of a file without an underscore, commands aside."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name, args=given):
                if part_of(file) != "cli" or "typer.Context" not in ast.unparse(given):
                    yield name
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                named = (one for target in targets for one in ast.walk(target))
                yield from (one.id for one in named if isinstance(one, ast.Name))


def test_a_public_name_means_one_thing() -> None:
    packages = defaultdict(set)
    for file in FILES:
        for name in public_names(file):
            packages[name].add(package_of(file))

    homonyms = {
        name: sorted(those)
        for name, those in packages.items()
        if len(those) > 1 and not name.startswith("_")
    }
    assert {name: those for name, those in homonyms.items() if name not in HOMONYMS} == {}
    assert HOMONYMS.keys() <= homonyms.keys(), "some need not be allowed any more"

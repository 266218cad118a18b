"""Which items the name of a stream stands for, for one reader."""

from __future__ import annotations

from functools import cached_property

from starlette.exceptions import HTTPException

from morningdeck.actions.labels import Label, label_named, labels_of
from morningdeck.errors import NotFoundError
from morningdeck.model.finding import EVERY_ITEM, ItemFilter, Stream, StreamQuery
from morningdeck.views.reading import FollowedView
from morningdeck.web.greader import words
from morningdeck.web.greader.params import Params
from morningdeck.web.login import Caller

NOT_READ, SAVED = Stream((ItemFilter(unread=True),)), Stream((ItemFilter(saved=True),))
STATES = {
    "reading-list": EVERY_ITEM,
    "starred": SAVED,
    "unread": NOT_READ,
    "kept-unread": NOT_READ,
    "fresh": NOT_READ,
}
NOT_KEPT = ("broadcast", "broadcast-friends", "created", "like", "tracking-kept-unread")
"""States of Google's that mean nothing here: nothing is in them, whatever is put there."""
READ = words.StreamName("state", "read")


class Shelves:
    """What one reader has, asked for once in a request."""

    def __init__(self, by: Caller) -> None:
        self._by = by
        self._own_names = (str(by.user.id), by.user.email.lower())

    @cached_property
    def followed(self) -> tuple[FollowedView, ...]:
        return self._by.store.subscriptions.followed(self._by.user.id)

    @cached_property
    def labels(self) -> dict[str, Label]:
        return labels_of(self._by.store, self._by.user.id, self.followed)

    def source(self, named: str) -> FollowedView | None:
        """By its number or its address."""
        return next((one for one in self.followed if named in (str(one.id), one.url)), None)

    def source_called(self, stream: str) -> FollowedView:
        name = words.stream_name(stream, self._own_names)
        if name.kind != "feed":
            raise HTTPException(400, f"{stream[:100]!r} is no feed")
        source = self.source(name.value)
        if source is None:
            raise NotFoundError(f"there is no feed {name.value[:100]!r}")
        return source

    def label_called(self, stream: str) -> str:
        name = words.stream_name(stream, self._own_names)
        if name.kind != "label":
            raise HTTPException(400, f"{stream[:100]!r} is no label")
        return name.value

    def state_called(self, stream: str) -> str:
        name = words.stream_name(stream, self._own_names)
        if name.kind != "state":
            raise HTTPException(400, f"{stream[:100]!r} is no state that items can be in")
        return name.value

    def query(self, stream: str, said: Params) -> StreamQuery:
        """`it` and `xt` cross it with further streams, or take them away."""
        all_of: list[Stream] = []
        none_of: list[Stream] = []
        for name in filter(None, (stream, *said.all("it"))):
            self._put(name, all_of, none_of)
        for name in filter(None, said.all("xt")):
            self._put(name, none_of, all_of)
        times = words.time_of(said.one("ot")), words.time_of(said.one("nt"))
        return StreamQuery(tuple(all_of) or (EVERY_ITEM,), tuple(none_of), *times)

    def _put(self, stream: str, here: list[Stream], or_here: list[Stream]) -> None:
        """What is read is what is not unread."""
        if words.stream_name(stream, self._own_names) == READ:
            or_here.append(NOT_READ)
        else:
            here.append(self._stream(stream))

    def _stream(self, stream: str) -> Stream:
        name = words.stream_name(stream, self._own_names)
        if name.kind == "feed":
            return Stream(source_ids=(self.source_called(stream).id,))
        if name.kind == "label":
            return label_named(self.labels, name.value).stream
        if name.value in NOT_KEPT:
            return Stream()
        if name.value not in STATES:
            raise HTTPException(400, f"{stream[:100]!r} names no stream")
        return STATES[name.value]

"""What notices say: what has happened or is wrong, and what its reader can do."""

from __future__ import annotations


def source_gone(name: str) -> str:
    return f"{name} is gone for good: its server said so"


def source_unreadable(name: str, error: str) -> str:
    return f"{name} cannot be read: {error}"


def source_moved(name: str, host: str) -> str:
    return f"{name} has moved for good: its new address at {host} is read from now on"


def item_unreadable(source: str, title: str, error: str) -> str:
    return (
        f'{source}: "{title}" could not be read ({error}).'
        " morningdeck queue dead lists what failed, queue retry --all tries again"
    )


def runs_missed(briefing: str, count: int, last_slot: str) -> str:
    return f"{briefing}: {count} run(s) missed, the last {last_slot}: nothing was running"


def briefing_unwritten(briefing: str, briefing_id: int, error: str) -> str:
    return (
        f"{briefing}: could not be written ({error}). It is tried again at its next"
        f" time, or now with morningdeck briefing run {briefing_id}"
    )


def report_reached_nobody(report: str, error: str | None) -> str:
    return f"{report} reached nobody{_why(error)}. The next one has its news again"


def report_refused(report: str, report_id: int, address: str, error: str | None) -> str:
    return f"{report} was refused by {address}{_why(error)}. {_again(report_id)}"


def report_may_have_arrived(report: str, report_id: int, address: str, error: str | None) -> str:
    return (
        f"{report} may have reached {address} or not{_why(error)}. Look there; {_again(report_id)}"
    )


def budget_spent(dollars: str) -> str:
    return (
        f"the budget of ${dollars} a day is spent: until midnight the model is not asked,"
        " new items are enriched offline. enricher.daily_budget_usd is the limit"
    )


def price_unknown(model: str) -> str:
    return (
        f"the price of {model!r} is not known, so with a budget it is not asked: set"
        " enricher.price_in and enricher.price_out, in dollars for a million tokens,"
        " 0 for a model of your own"
    )


def model_held(endpoint: str, *, denied: bool) -> str:
    if denied:
        return (
            f"{endpoint} refuses the key, the address or the model: check enricher.api_key,"
            " enricher.base_url and enricher.model. Until then items are enriched offline"
        )
    return f"{endpoint} does not answer, or wants no calls: what cannot wait is enriched offline"


def report_name(briefing: str, report_id: int, slot: str) -> str:
    return f"{briefing}: report {report_id} ({slot})"


def _why(error: str | None) -> str:
    return f" ({error})" if error else ""


def _again(report_id: int) -> str:
    return f"morningdeck report send {report_id} sends it again"

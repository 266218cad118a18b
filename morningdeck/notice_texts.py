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


def address_ended(briefing: str, briefing_id: int, address: str, reason: str) -> str:
    return (
        f"{briefing} does not go to {address} any more: mail came back{_why(reason)}. To go on,"
        f" name its recipients again: morningdeck briefing edit {briefing_id} --to ADDRESS"
    )


def bounces_unread(why: str) -> str:
    return (
        f"mail that comes back is not read: {why}. Until that is put right, addresses that are gone"
        " get mail, and nobody can unsubscribe by mail"
    )


def reader_left(briefing: str, briefing_id: int, address: str, reason: str) -> str:
    return (
        f"{briefing} does not go to {address} any more: {reason}. To go on, name its recipients"
        f" again: morningdeck briefing edit {briefing_id} --to ADDRESS"
    )


def search_ended(search: str, address: str, reason: str) -> str:
    return (
        f"what {search!r} finds does not go to {address} any more{_why(reason)}. To go on, save it"
        " again: morningdeck search remove, then search save"
    )


def search_untold(search: str, error: str) -> str:
    return f"what {search!r} finds could not be told ({error}). It is tried again within a day"


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


def model_held(endpoint: str, denied: bool, why: str = "") -> str:
    if denied:
        return (
            f"{endpoint} refuses the key, the address or the model: check enricher.api_key,"
            " enricher.base_url and enricher.model. Until then items are enriched offline"
        )
    return f"{endpoint} does not answer, or wants no calls: what cannot wait is enriched offline"


def mail_held(endpoint: str, denied: bool, why: str) -> str:
    until = "until that is put right" if denied else "for now"
    return f"no mail leaves {until}: {why}. Mails wait, and are tried again while they are news"


def search_held(endpoint: str, denied: bool, why: str) -> str:
    if denied:
        return f"{endpoint} refuses search.api_key: check it. The database searches meanwhile"
    return (
        f"{endpoint} does not answer: check that it runs, and search.url. The database searches"
        " meanwhile, nothing is lost"
    )


def search_refused(item_id: int, why: str) -> str:
    return (
        f"the search server does not take item {item_id} ({why}): it is found by the database"
        " alone. It is tried again when the item changes, and by morningdeck reindex"
    )


def broker_away(stage: str, why: str) -> str:
    return (
        f"the broker takes no work for {stage}: {why}. The work waits in the database; check the"
        " broker and queue.broker_url"
    )


def web_away(why: str) -> str:
    return f"the daemon works without its pages: {why}; it tries again by itself"


def report_name(briefing: str, report_id: int, slot: str) -> str:
    return f"{briefing}: report {report_id} ({slot})"


def _why(error: str | None) -> str:
    return f" ({error})" if error else ""


def _again(report_id: int) -> str:
    return f"morningdeck report send {report_id} sends it again"

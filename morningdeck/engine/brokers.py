"""How to reach a broker, and what the stages are called there, for our own threads and Celery's.

Queues are named as the stages; what else lives in the same Redis or Amazon account is kept
apart by a prefix, and in RabbitMQ by a virtual host, if one wants that.
"""

from __future__ import annotations

import ssl
from typing import Any
from urllib.parse import urlsplit

from morningdeck.logs import log
from morningdeck.work import LARGEST_ID, Stage

CARRIED = (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING)
"""The stages whose work goes through a broker; what is delivered stays with the daemons."""
NAME_PREFIX = "morningdeck-"
ANSWER_SECONDS = 5.0
"""How long a broker may take to answer."""
LONG_POLL_SECONDS = 5
"""Amazon charges for each question: ask for as long as a drain can wait."""


def task_of(stage: Stage) -> str:
    return f"morningdeck.{stage.value}"


def queue_of(stage: Stage) -> str:
    return stage.value


def id_in(value: object, stage: Stage) -> int | None:
    """The id that a message names; None, and a word in the log, where it can be none of ours."""
    if type(value) is int and 0 <= value <= LARGEST_ID:
        return value
    log.warning("message_not_understood", stage=stage.value)
    return None


def transport_options(url: str, *, long_poll_seconds: int = LONG_POLL_SECONDS) -> dict[str, Any]:
    """What to set for the kind of broker that the URL names."""
    match url.partition("://")[0]:
        case "redis" | "rediss":
            return {
                "global_keyprefix": NAME_PREFIX,
                "priority_steps": [0],
                "socket_timeout": ANSWER_SECONDS,
                "socket_connect_timeout": ANSWER_SECONDS,
                "socket_keepalive": True,
            }
        case "sqs":
            patience = {"connect_timeout": ANSWER_SECONDS, "retries": {"max_attempts": 1}}
            return {
                "queue_name_prefix": NAME_PREFIX,
                "wait_time_seconds": long_poll_seconds,
                "polling_interval": 0.1,
                "client-config": {
                    **patience,
                    "read_timeout": ANSWER_SECONDS + long_poll_seconds,
                },
            }
        case _:
            return {
                "read_timeout": ANSWER_SECONDS,
                "write_timeout": ANSWER_SECONDS,
            }


def tls_options(url: str) -> dict[str, Any] | None:
    """Without these Redis may have any certificate, and RabbitMQ that of another host."""
    match url.partition("://")[0]:
        case "rediss":
            return {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True}
        case "amqps":
            return {"server_hostname": urlsplit(url).hostname}
        case _:
            return None

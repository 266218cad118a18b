"""The way out: everything whose address comes from users or content is fetched here.

    polite client, which is what others are given: `get(url)`
      polite      whether the host may be asked now; quick retries; where redirects lead
    unpaced: for what a person waits for, such as the images of a page
    guarded poster: what is sent on purpose, once, without pace
    guarded client: one request
      urls        what is written -> scheme, host, port, path as they go on the wire
      resolver    name -> addresses, by the deadline; not where a connection is still open
      ip_ranges   may each of them be visited?
      connection  to the checked address, under the host's own name; TLS; every wait timed
      response    status, headers, and the body: at most so many bytes, after decompression
      answers     what a status or a failure means

No package does this for us: of those there are, only the connections would be left. Pools,
redirects, retries and decompression follow rules of our own, and some log addresses in full;
http.client takes answers for whole that were cut short.
"""

from morningdeck.net.client import GuardedClient
from morningdeck.net.polite import QUICK_RETRIES, PatientPace, PoliteClient
from morningdeck.net.posting import GuardedPoster
from morningdeck.net.unpaced import Unpaced

__all__ = [
    "QUICK_RETRIES",
    "GuardedClient",
    "GuardedPoster",
    "PatientPace",
    "PoliteClient",
    "Unpaced",
]

"""The way out: everything whose address comes from users or content is fetched here.

    get(url)
      urls        what is written -> scheme, host, port, path as they go on the wire
      pool        is a connection to that origin still open? then no new name, no new check
      resolver    name -> addresses, by the deadline
      addresses   may each of them be visited?
      connection  to the checked address, under the host's own name; TLS; every wait timed
      body        at most so many bytes, after decompression
      answers     what a status or a failure means
      client      redirects (each hop starts at the top) and quick retries

The standard library's http.client speaks the protocol. Of the packages built on it only the
connections would be left: pools, redirects, retries and decompression follow rules of our own,
and some log addresses in full.
"""

from morningdeck.net.client import GuardedClient

__all__ = ["GuardedClient"]

"""The nouns: frozen values that travel between the parts.

Times are aware UTC. Texts are plain unless the name says HTML, and HTML in here
has been sanitised. Nothing in this package knows where a value came from.
"""

"""Pages for people: thin handlers, each of which fills one template with what actions answer.

    rendering  fills a template of `templates/`; addresses, times and forms as templates need them
    visiting   who looks at a page: a session, or nobody yet; forms that are our own
    forms      what a form says
    problems   what went wrong, as a page

How a page is added stands in docs/design.md.
"""

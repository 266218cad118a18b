"""Reports as people read them: a subject, a plain text and an HTML page.

    Report --foreign: one line each, lengths capped, web links only-->
           --tiers: a lead, a few shorts, a line each for the rest-->
           --paper: what the templates are given--> templates --fitting--> Rendered

A report is rendered once: its mails, its page and what is kept are made from the parts, and
nothing reads them back. Pure: the same report gives the same parts.
"""

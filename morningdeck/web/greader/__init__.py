"""The Google Reader API as FreshRSS serves it, for reader apps: the same functions in other words.

    params   what a request says, in its query or its form
    words    numbers, times, ids of items and names of streams, as clients write them
    login    the password is a token; what it logs in as is the token again
    streams  which items a name stands for
    entries  an item as clients read it
    markup   the same answers as XML, and feeds as Atom
    account, reading, marking, subscribing   the routes

It is not in /api/openapi.json: its form is that of other people's clients.
"""

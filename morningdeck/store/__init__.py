"""All SQL, in rooms. Each imports only those above it; the last three do not know each other.

tables       what is stored, column by column
database     connections, transactions, locks, migrations, backups
expressions  conditions and values that mean the same in every query
notices      what follows when a job ends badly: who is told, what is closed or sent again
queue        the row protocol: claim, start, settle, renew, recover; an item's turn in line
results      what a settlement saves of what its job has found
rows         what verbs and adapters read, and what they write outside a settlement
views        what users see and set, and what is removed with time

`store.py` plugs them together.
"""

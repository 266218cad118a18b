"""What can be asked of a deck: plain functions, one file per subject.

The command line, the web, the API and tests ask by these. A function is given what it
works on: the store or one of its tables, ports, values. What only reads or marks rows is a
method of the store already and has no function here.
"""

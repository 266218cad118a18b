"""The row protocol as a model that is small enough to be explored completely.

designs      what could be done differently, and what then goes wrong
state        rows and processes at one moment; which states are the same
statements   what one SQL statement does to a row
steps        what a step is, and which code each one stands for
working      the steps of feeders and workers
keeping      the steps of heartbeats, recovery, death and time
explore      every order of steps, and the promises
"""

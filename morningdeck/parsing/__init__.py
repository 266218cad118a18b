"""Foreign bytes to plain values, in child processes with limits on time and memory.

`pool.ParserPool` is all that the rest of the program needs. Everything else in this
package runs inside the children, so this module stays empty: they start faster.
"""

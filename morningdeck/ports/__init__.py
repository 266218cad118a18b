"""The interfaces that adapters implement: what the verbs and the engine need of the outside.

Each port has one contract suite in the tests, which every implementation passes.
"""

"""What every port of `morningdeck.ports` promises, one suite each.

Whatever has a port's shape runs its suite, the fakes of these tests included (test_fakes.py):
a class of tests inherits the suite and says with its fixtures what is to be tried.
"""

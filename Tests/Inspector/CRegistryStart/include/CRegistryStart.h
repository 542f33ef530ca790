// Nothing: what it does, it does before the tests begin.

"""What shortened tool results would have done to a recorded session.

course     the session once more, with each result shortened     ledger   which lines the agent saw, in both
answer     `whatif --squeeze`                                     needs    which of them it used
"""

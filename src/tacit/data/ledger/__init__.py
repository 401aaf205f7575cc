"""The ledger: what was spent from each data set, by whom, and what is left."""

from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.ledger import Charge, DataSet, Ledger
from tacit.data.ledger.replay import Replay, verify_lines
from tacit.data.ledger.verification import verify_ledger

__all__ = [
    "Account",
    "Cap",
    "Charge",
    "DataSet",
    "Ledger",
    "Replay",
    "Spent",
    "verify_ledger",
    "verify_lines",
]

"""Public tables that ship inside packages, with declared schemas, beside private peers."""

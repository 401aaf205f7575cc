"""The cases that prove each claim, imported when their target is audited: see `verify/places`."""

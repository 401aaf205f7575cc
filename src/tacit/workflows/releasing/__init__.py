"""What leaves the house: the record, the policy it must keep, the key that signs it, the pack.

`check_release.py` and `check_certificate.py` are programs of their own, which import nothing of
tacit: they go into packs.
"""

"""Mechanisms that are wrong on purpose: an audit that misses one of them fails the build.

Each is a mistake that was printed in a paper, shipped in a library, or is made in practice.
"""

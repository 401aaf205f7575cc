"""The explorer: a web page on this machine's loopback that parses, calls and shows."""

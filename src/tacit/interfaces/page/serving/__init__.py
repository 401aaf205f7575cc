"""The server behind the page: routes, guards, workers."""

"""From the command to the browser: a private file that leads to the page, for one use.

What a browser is started with is shown to every user of the machine, so it is given this file and
not the address. It lies in the workspace, because some browsers may not read temporary folders.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from tacit.interfaces.page.serving.workspace import OPENED

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>tacit explorer</title>
</head>
<body><a href="{address}">Open the explorer</a></body>
</html>
"""


@dataclass(slots=True)
class Redirect:
    """A file in a folder that only its owner can enter."""

    address: str
    within: Path
    folder: Path | None = field(default=None, init=False)

    def open(self) -> None:
        """Write the file and show it in a browser; if that cannot be, the printed address stays."""
        with suppress(OSError):
            self.folder = Path(tempfile.mkdtemp(prefix=OPENED, dir=self.within))
            file = self.folder / "explorer.html"
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as text:
                text.write(PAGE.format(address=escape(self.address)))
            webbrowser.open(file.as_uri())

    def remove(self) -> None:
        """Remove the file and its folder, if they are there."""
        folder, self.folder = self.folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

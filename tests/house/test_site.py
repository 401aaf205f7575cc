"""The documentation site: versions beside each other, and links that lead somewhere."""

from __future__ import annotations

from pathlib import Path

from docs.versions import broken_links, list_versions


def _site(folder: Path) -> Path:
    for version in ("0.2.0", "0.10.0"):
        (folder / version).mkdir()
        (folder / version / "index.html").write_text(
            '<h1 id="top">x</h1><a href="a%20page.html#here">a</a><a href="#top">b</a>'
            '<a href="https://example.org/not-asked">c</a>'
        )
        (folder / version / "a page.html").write_text('<p id="here"><img src="../index.html">')
    (folder / "notes").mkdir()
    return folder


def test_versions_are_listed_newest_first(tmp_path: Path) -> None:
    site = _site(tmp_path)
    assert list_versions(site) == ["0.10.0", "0.2.0"]
    assert not [*broken_links(site)]  # the page of versions is one of its pages


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    site = _site(tmp_path)
    list_versions(site)
    page = site / "0.2.0" / "index.html"
    page.write_text('<a href="a%20page.html#gone">a</a><a href="gone.html">b</a><img src="no.png">')
    found = [link for _, link in broken_links(site)]
    assert sorted(found) == ["a%20page.html#gone", "gone.html", "no.png"]

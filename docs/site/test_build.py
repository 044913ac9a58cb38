"""Links are found where Markdown has links, and nowhere else."""

import tempfile
import unittest
from pathlib import Path

import build
from markdown import anchors, links, problems


class Links(unittest.TestCase):
    """Links and headings of a page."""

    def targets(self, text):
        """The targets of all links."""
        return [link.target for link in links(Path("page.md"), text)]

    def test_code_and_other_sites_are_no_links(self):
        """Only links to files and headings count."""
        text = "[a](x.md) `b[0](y.md)` [c](https://example.org) [`d`](#e)\n\n```sh\n[f](z.md)\n```\n\n[g]: w.md\n"
        self.assertEqual(self.targets(text), ["x.md", "#e", "w.md"])
        self.assertEqual(self.targets('<img src="a.png"> ![b](c.svg "title")'), ["a.png", "c.svg"])

    def test_headings_have_the_anchors_of_repository_hosts(self):
        """Lower case, without punctuation, numbered if repeated."""
        text = "# `cwplugin fit`\n## What's new?\n## Same\n## Same\n```\n# no heading\n```\n"
        self.assertEqual(anchors(text), {"cwplugin-fit", "whats-new", "same", "same-1"})

    def test_every_broken_link_is_found_with_its_line(self):
        """A missing file, a missing heading, a folder without README.md."""
        with tempfile.TemporaryDirectory() as name:
            root = Path(name).resolve()
            (root / "docs").mkdir()
            (root / "empty").mkdir()
            (root / "docs" / "README.md").write_text("# Contents\n")
            page = root / "a.md"
            page.write_text("[1](docs)\n[2](docs/#contents)\n[3](docs/README.md#other)\n[4](b.md)\n[5](empty)\n[6](../c)\n")
            self.assertEqual(
                [problem.split(": ", 1)[0] for problem in problems(root, [page])], ["a.md:3", "a.md:4", "a.md:5", "a.md:6"]
            )

    def test_the_contents_name_pages_from_the_root(self):
        """The first page is the README of the repository."""
        listed = build.listed_pages()
        self.assertEqual(listed[0], build.ROOT / "README.md")
        self.assertIn(build.ROOT / "docs" / "decisions" / "0001-cuts-follow-the-printed-inequality.md", listed)


if __name__ == "__main__":
    unittest.main()

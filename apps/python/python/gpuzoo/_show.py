"""What notebooks show."""

from __future__ import annotations

from html import escape


def frame(page: str, text: str) -> str:
    """A whole page within another one, which its style does not reach; without a page, a text."""
    if not page:
        return f"<pre>{escape(text)}</pre>"
    height = min(600, 120 + 18 * max(10, text.count("\n")))
    return (
        f'<iframe sandbox="" srcdoc="{escape(page)}" title="gpuzoo" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8884"></iframe>'
    )

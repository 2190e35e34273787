"""Pages: parse, ask, reply. One module per kind of page."""

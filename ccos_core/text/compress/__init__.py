"""Texts made shorter."""

"""Whole screens, made of widgets; none knows an engine."""

"""YAML files, read with PyYAML where it is installed: `pip install 'ccos-tui[yaml]'`. Nothing else imports it."""

from __future__ import annotations

from ccos_core.errors import NotUnderstood, Unavailable


def read_yaml(text: str, path: str) -> object:
    """The plain values a YAML text holds; only those that JSON has, too."""
    try:
        import yaml
    except ImportError as error:
        hint = "Install it with: pip install PyYAML. Or write the same settings as TOML."
        raise Unavailable("is YAML, and PyYAML isn't installed", place=path, hint=hint) from error
    try:
        found: object = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark is not None else "it"
        raise NotUnderstood(f"isn't YAML: {line} can't be read", place=path) from error
    return found

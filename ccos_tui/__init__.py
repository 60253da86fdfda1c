"""The screens: a Textual app over `ccos_core`, which knows nothing of it."""

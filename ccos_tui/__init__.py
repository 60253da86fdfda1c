"""The screens of ccos-tui, over `ccos_core`."""

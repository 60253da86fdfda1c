"""What a transcript amounts to, told from its bytes at a glance: for lists of thousands of them, where to read each one
would take minutes. A glance counts what an import of the same bytes counts; the tests hold the two together.
"""

"""The record's own rules: how ops are chained, packed and archived. Ops are opaque bytes here, and state is unknown."""

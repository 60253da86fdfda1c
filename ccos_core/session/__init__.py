"""The only writer: observations go in through the gate, and a workspace is made, cared for and scanned from here."""

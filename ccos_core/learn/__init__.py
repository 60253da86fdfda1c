"""The playbook as values: what sessions show, rules, their scores, maturity and conflicts. Nothing here reads a record
or a clock."""

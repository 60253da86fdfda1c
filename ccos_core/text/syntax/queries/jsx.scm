; Elements. One in lower case is the platform's, whatever the file calls by that name.

(jsx_opening_element name: (_) @element)
(jsx_self_closing_element name: (_) @element)
(jsx_closing_element) @aside

; What only the grammar of JavaScript has.

(formal_parameters (identifier) @bound)
(class_heritage (_) @base)
(class_heritage (call_expression arguments: (arguments (_) @base)))

; What the grammars of JavaScript and TypeScript have in common. Definitions at the top and imports are read by walking
; statements; here is what has to be met wherever it stands.

; Where names live. What is given a name belongs to the innermost of these, a `var` to the innermost function
[
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (generator_function)
  (arrow_function)
  (method_definition)
] @function
[
  (statement_block)
  (for_statement)
  (for_in_statement)
  (switch_body)
  (catch_clause)
  (class_declaration)
  (class)
] @block

; What has a `this` of its own
[
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (generator_function)
  (method_definition)
  (class_declaration)
  (class)
] @rebinds

; What is given a name
(lexical_declaration (variable_declarator name: (identifier) @bound))
(variable_declaration (variable_declarator name: (identifier) @var))
(shorthand_property_identifier_pattern) @bound
(pair_pattern value: (identifier) @bound)
(array_pattern (identifier) @bound)
(rest_pattern (identifier) @bound)
(assignment_pattern left: (identifier) @bound)
(for_in_statement kind: ["let" "const"] left: (identifier) @bound)
(for_in_statement kind: "var" left: (identifier) @var)
(catch_clause parameter: (identifier) @bound)
(arrow_function parameter: (identifier) @bound)
(function_expression name: (identifier) @bound)
(generator_function name: (identifier) @bound)
(class name: (_) @bound)
(function_declaration name: (identifier) @hoisted)
(generator_function_declaration name: (identifier) @hoisted)
(class_declaration name: (_) @hoisted)

; What is loaded by a call
(call_expression function: (import) arguments: (arguments (string) @loaded))
(call_expression function: (identifier) arguments: (arguments . (string) @loaded .))
(variable_declarator
  value: (call_expression function: (identifier) arguments: (arguments . [(string) (call_expression)] .))) @loading
(variable_declarator
  value: (member_expression object: (call_expression function: (identifier) arguments: (arguments . (string) .)))) @loading
(variable_declarator value: (await_expression (call_expression function: (import)))) @loading
(variable_declarator
  value: (member_expression
    object: (parenthesized_expression (await_expression (call_expression function: (import)))))) @loading

; What is used
(identifier) @name
(shorthand_property_identifier) @name
(this) @self
(super) @self
(decorator [
  (identifier) @decorated
  (member_expression) @decorated
  (call_expression function: (_) @decorated)
])

; Names there that nobody uses
(import_statement) @aside
(export_clause) @aside
(namespace_export) @aside

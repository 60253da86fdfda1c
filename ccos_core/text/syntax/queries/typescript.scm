; What only the grammars of TypeScript have.

; Where names live
[
  (abstract_class_declaration)
  (interface_declaration)
  (type_alias_declaration)
  (function_signature)
  (method_signature)
  (abstract_method_signature)
  (function_type)
  (constructor_type)
  (call_signature)
  (construct_signature)
  (index_signature)
  (conditional_type)
] @block
(abstract_class_declaration) @rebinds

; What is given a name
(required_parameter pattern: (identifier) @bound)
(optional_parameter pattern: (identifier) @bound)
(required_parameter name: (identifier) @bound)
(optional_parameter name: (identifier) @bound)
(index_signature name: (identifier) @bound)
(type_parameter name: (type_identifier) @typed)
(type_parameters (ERROR (identifier) @typed)) ; after `in` and `out`, which the grammar doesn't know
(type_parameter (ERROR (identifier) @typed))
(infer_type . (type_identifier) @typed)
(mapped_type_clause name: (type_identifier) @typed)
(abstract_class_declaration name: (type_identifier) @hoisted)
(function_signature name: (identifier) @hoisted)
(interface_declaration name: (type_identifier) @retyped)
(type_alias_declaration name: (type_identifier) @retyped)
(enum_declaration name: (identifier) @bound)

; What is used
(type_identifier) @typename
(nested_type_identifier module: (_) @qualifier)
(call_expression function: (_) @generic type_arguments: (_))
(new_expression constructor: (_) @generic type_arguments: (_))
(extends_clause value: (_) @base)
(extends_clause value: (call_expression arguments: (arguments (_) @base)))
(implements_clause [
  (type_identifier) @base
  (nested_type_identifier) @base
  (generic_type name: (_) @base)
])
(extends_type_clause [
  (type_identifier) @base
  (nested_type_identifier) @base
  (generic_type name: (_) @base)
])

; Names there that nobody uses
(import_alias) @aside
(nested_type_identifier name: (type_identifier) @part)

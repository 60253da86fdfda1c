; Patterns end before anything deep begins: one that waits for what comes behind costs the square of the depth.

; What is defined
(function_item) @function
(function_signature_item) @function
(struct_item) @struct
(enum_item) @enum
(union_item) @union
(trait_item) @trait
(impl_item) @impl
(const_item) @constant
(static_item) @static
(type_item) @type
(associated_type) @type
(enum_variant) @variant
(macro_definition) @macro
(mod_item) @module

; What is taken from elsewhere
(use_declaration) @use
(extern_crate_declaration) @crate

; How far a binding reaches
(let_declaration) @let
[
  (closure_expression)
  (match_arm)
  (for_expression)
  (while_expression)
  (if_expression)
  (loop_expression)
  (unsafe_block)
  (async_block)
] @reach

; What is bound
(let_declaration pattern: (_) @pattern)
(let_condition pattern: (_) @pattern)
(for_expression pattern: (_) @pattern)
(parameter pattern: (_) @pattern)
(closure_parameters) @pattern
(match_pattern) @pattern
(shorthand_field_identifier) @field
(type_parameter name: (type_identifier) @generic)
(const_parameter name: (identifier) @generic)

; Where names stand that aren't parsed as what they are
(macro_invocation) @invocation
(macro_invocation (token_tree) @tokens)
(macro_rule right: (token_tree) @tokens)
(macro_rule left: (_) @silent)
(attribute_item) @attribute
(inner_attribute_item) @attribute

; What is used
(identifier) @name
(type_identifier) @typename
[(self) (super) (crate)] @root
(metavariable) @root

; What is no use though it is a name
(visibility_modifier (scoped_identifier) @silent)
(type_binding name: (type_identifier) @passed)

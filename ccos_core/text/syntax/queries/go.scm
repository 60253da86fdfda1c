; Patterns end before anything deep begins: one that waits for what comes behind costs the square of the depth.

; What is defined; at the top it makes a symbol, inside of a function it hides what is outside
(function_declaration) @function
(method_declaration) @function
[(type_spec) (type_alias)] @type
(const_spec) @value
(var_spec) @value
(field_declaration) @field
(method_elem) @method
(type_elem) @element

; What a name lives in
(func_literal) @literal
(function_type) @shape
[
  (block)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (expression_case)
  (default_case)
  (communication_case)
] @block
(type_switch_statement) @switch
(type_case) @case

; What gives a name for a while
(parameter_declaration . name: (identifier)) @parameter
(variadic_parameter_declaration . name: (identifier)) @parameter
(type_parameter_declaration) @generic
(short_var_declaration) @short
(range_clause left: (expression_list) ":=") @taken
(receive_statement left: (expression_list) ":=") @taken

; Where names come from
(package_clause) @package
(import_spec) @import

; What is used
(identifier) @name
(type_identifier) @type_name
(qualified_type package: (package_identifier) @type_name)
(argument_list) @arguments
(type_conversion_expression type: (generic_type) @called)

; Keys of a composite literal are fields, unless it is seen to be of a kind without any
(keyed_element key: (literal_element (identifier) @key))
(literal_value) @members
(composite_literal type: [(map_type) (array_type) (slice_type) (implicit_length_array_type)] @without_fields)

; What opens a scope, owns what stands in it, or gives it a role
(decorated_definition) @decorated
(decorator) @decorator
(function_definition name: (identifier) @function.name body: (_) @function.body) @function
(class_definition name: (identifier) @class.name body: (_) @class.body) @class
(lambda body: (_) @lambda.body) @lambda
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @comprehension
(list_comprehension (_) . (for_in_clause right: (_) @iterated))
(set_comprehension (_) . (for_in_clause right: (_) @iterated))
(dictionary_comprehension (_) . (for_in_clause right: (_) @iterated))
(generator_expression (_) . (for_in_clause right: (_) @iterated))
(assignment) @assignment
(type_alias_statement) @assignment
(augmented_assignment) @augmented

; What is given a name
(assignment left: (identifier) @target)
(augmented_assignment left: (identifier) @target)
(type_alias_statement left: (type (identifier) @target))
(type_alias_statement left: (type (generic_type . (identifier) @target)))
(pattern_list (identifier) @target)
(tuple_pattern (identifier) @target)
(list_pattern (identifier) @target)
(list_splat_pattern (identifier) @target)
(dictionary_splat_pattern (identifier) @target)
(for_statement left: (identifier) @target)
(for_in_clause left: (identifier) @target)
(as_pattern_target (identifier) @target)
(as_pattern_target (tuple (identifier) @target))
(as_pattern_target (list (identifier) @target))
(parameters (identifier) @target)
(typed_parameter . (identifier) @target)
(default_parameter name: (identifier) @target)
(typed_default_parameter name: (identifier) @target)
(lambda_parameters (identifier) @target)
(case_pattern (dotted_name . (identifier) @target .))
(case_pattern (as_pattern (identifier) @target .))
(keyword_pattern (dotted_name . (identifier) @target .))
(splat_pattern (identifier) @target)
(named_expression name: (identifier) @walrus)
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @nonlocal)

; Names of types that only one definition knows: def f[T], class A[T], type A[T]
(function_definition type_parameters: (type_parameter (type (identifier) @typevar)))
(function_definition type_parameters: (type_parameter (type (_ . [(identifier) (type (identifier))] @typevar))))
(class_definition type_parameters: (type_parameter (type (identifier) @typevar)))
(class_definition type_parameters: (type_parameter (type (_ . [(identifier) (type (identifier))] @typevar))))
(type_alias_statement left: (type (generic_type (type_parameter (type (identifier) @typevar)))))

; What is taken from elsewhere
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @future

; Which role a name has where it is used
(class_definition superclasses: (argument_list [(identifier) (attribute)] @base))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @base)))
(class_definition superclasses: (argument_list (subscript subscript: (_) @type)))
(type) @type
(class_pattern (dotted_name) @type)

; What is no code, and what of it is
(string_content) @text
(comment) @text
(type (string (string_content) @quoted))
(function_definition body: (block . (string) @doc))
(class_definition body: (block . (string) @doc))

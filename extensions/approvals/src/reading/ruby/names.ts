const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Parts of a program that have no effect by themselves, whatever is in them. */
export const PLAIN_PARTS = words(
  "AndNode ArgumentsNode ArrayNode AssocNode BackReferenceReadNode BeginNode BlockLocalVariableNode BlockNode BlockParametersNode BreakNode CaseNode ElseNode EmbeddedStatementsNode EnsureNode FalseNode FlipFlopNode FloatNode HashNode IfNode ImplicitNode IndexAndWriteNode IndexOperatorWriteNode IndexOrWriteNode InstanceVariableOperatorWriteNode InstanceVariableOrWriteNode InstanceVariableReadNode InstanceVariableWriteNode IntegerNode InterpolatedMatchLastLineNode InterpolatedRegularExpressionNode InterpolatedStringNode ItLocalVariableReadNode ItParametersNode KeywordHashNode LambdaNode LocalVariableAndWriteNode LocalVariableOperatorWriteNode LocalVariableOrWriteNode LocalVariableReadNode LocalVariableTargetNode LocalVariableWriteNode MatchLastLineNode MultiTargetNode MultiWriteNode NextNode NilNode NumberedParametersNode NumberedReferenceReadNode OptionalKeywordParameterNode OptionalParameterNode OrNode ParametersNode ParenthesesNode PostExecutionNode PreExecutionNode ProgramNode RangeNode RegularExpressionNode RequiredKeywordParameterNode RequiredParameterNode RescueModifierNode RescueNode RestParameterNode ReturnNode SplatNode StatementsNode StringNode SymbolNode TrueNode UnlessNode UntilNode WhenNode WhileNode YieldNode",
);

/** Functions without a receiver that only compute, print, or read the operands. */
export const FUNCTIONS = words(
  "Array Float Integer Rational String abort block_given? chomp chop exit fail format gets gsub lambda loop p pp print printf proc putc puts raise rand readline readlines sprintf sub",
);

/** Libraries of the language that a program may load. */
export const LIBRARIES = words("csv date digest json pp set time yaml");

/** Classes and modules as values: none of them reaches files or programs. */
export const CONSTANTS = words(
  "ArgumentError Array Comparable Date EOFError Errno::EACCES Errno::ENOENT FalseClass Float Float::INFINITY FrozenError Hash IndexError Integer JSON::ParserError KeyError NameError NilClass NoMethodError Numeric Psych::SyntaxError Range Regexp RuntimeError Set StandardError StopIteration String Symbol Time TrueClass TypeError ZeroDivisionError",
);

/** Input and output of the program. */
export const STREAMS = words("ARGF STDIN $stdin");
export const OUTPUTS = words("STDOUT STDERR $stdout $stderr");

/** Functions that show the content of a file with a literal name. */
export const FILE_READERS = words(
  "CSV.foreach CSV.read CSV.table File.foreach File.open File.read File.readlines YAML.safe_load_file",
);

/** Functions that show names or properties of files with literal names. */
export const NAME_READERS = words(
  "Dir.entries Dir.exist? File.directory? File.exist? File.file? File.mtime File.size",
);

/** Functions of classes that only compute a value, with the most arguments by position. */
export const PURE_FUNCTIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    1: "CSV.parse CSV.parse_line Digest::MD5.hexdigest Digest::SHA1.hexdigest Digest::SHA256.hexdigest File.extname Hash.new Integer.sqrt JSON.generate JSON.parse JSON.pretty_generate Math.sqrt Regexp.escape Set.new YAML.dump YAML.safe_load",
    3: "Array.new Date.new Date.parse Date.strptime Date.today File.basename File.dirname File.join Math.log Math.log10 Math.log2 Regexp.new Regexp.union Time.at Time.now Time.parse Date.valid_date?",
  }).flatMap(([most, names]) =>
    names.split(" ").map((name): [string, number] => [name, Number(most)]),
  ),
);

/** Names of arguments that choose only how text is read or shown. */
export const OPTIONS = words(
  "aliases chomp col_sep encoding external_encoding headers indent symbolize_names",
);

/** Methods that have no effect on anything but their own value and the program, whatever that value is. */
export const METHODS = words(
  "[] []= + - * / % ** == != === < > <= >= <=> =~ !~ ! & | ^ << >> ~ -@ +@ abs all? any? ascii_only? assoc at backtrace begin between? bytes bytesize call capitalize captures casecmp casecmp? ceil center chars chomp chop chr chunk_while clamp clear close codepoints collect combination compact concat count cover? cycle day delete delete_at delete_if delete_prefix delete_suffix detect difference dig digits div divmod downcase drop drop_while dup each each_byte each_char each_cons each_entry each_index each_key each_line each_pair each_slice each_value each_with_index each_with_object empty? encode end end_with? entries eof? eql? equal? even? except fdiv fetch fetch_values fields fill filter filter_map find find_all find_index first flat_map flatten float floor force_encoding freeze frozen? full_message gcd getc gets grep grep_v group_by gsub gsub! has_key? has_value? hash headers hex hour include? index inject insert inspect instance_of? intern intersect? intersection invert is_a? iso8601 itself join key key? keys kind_of? last lazy lcm length line lineno lines ljust lstrip map match match? max max_by member? merge merge! message min min_by minmax minmax_by minute modulo month mtime named_captures names negative? next nil? none? nonzero? oct odd? one? ord pad parse_csv partition path permutation pop pos positive? post_match pow pre_match prepend product push rand rassoc read readchar readline readlines reduce reject reject! replace respond_to? reverse reverse_each rewind rindex rjust rotate round rpartition rstrip sample scan sec select select! shift shuffle size skip slice slice_when sort sort! sort_by split squeeze start_with? step store strftime string strip strip! sub sub! subset? sum superset? swapcase take take_while tally tap then times to_a to_ary to_csv to_date to_f to_h to_i to_json to_r to_s to_set to_str to_sym to_time to_yaml tr tr_s transform_keys transform_values transpose union uniq uniq! unicode_normalize unshift upcase update upto downto values values_at wday weekday with_index with_object yday year yield_self zero? zip",
);

/** Methods of output. */
export const PRINTING = words("flush print printf puts sync sync= write <<");

/** Names of functions of every object, which a program cannot define again. */
export const RESERVED = words(
  "Array Complex Digest Float Hash Integer JSON Rational String URI Pathname BigDecimal CSV abort at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller caller_locations catch class clone const_get const_set define_method define_singleton_method display dup enum_for eval exec exit exit! extend fail fork format freeze gem gem_original_require gets global_variables hash include initialize inspect instance_eval instance_exec instance_variable_get instance_variable_set instance_variables iterator? itself j jj lambda load local_variables loop method method_missing methods module_eval class_eval module_function object_id open p pp print printf private proc protected public public_method public_send putc puts raise rand readline readlines remove_instance_variable require require_relative respond_to? respond_to_missing? select send set_trace_func singleton_class singleton_method sleep spawn sprintf srand syscall system taint tap test then throw to_enum to_json to_s to_str to_path to_proc to_ary to_yaml trace_var trap untrace_var using warn y yield_self sub gsub chomp chop",
);

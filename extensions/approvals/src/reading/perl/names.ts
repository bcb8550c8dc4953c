const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Functions that take a list. After them a slash starts a regular expression. */
export const LIST_FUNCTIONS = words(
  "die index join printf print push reverse rindex splice split sprintf substr unshift warn atan2",
);

/** Functions that take one value, or `$_`. */
export const UNARY_FUNCTIONS = words(
  "abs chomp chop chr cos defined delete each exists exit exp gmtime hex int keys lc lcfirst length localtime log oct ord pop quotemeta ref scalar shift sin sqrt uc ucfirst undef values",
);

/** Functions that Perl knows only where a program asks for them; elsewhere a slash after them divides. */
export const FEATURES = words("fc say");

/** Functions that take a block, or a value, and a list. */
export const BLOCK_FUNCTIONS = words("grep map");

/** Functions without arguments. */
export const PLAIN_FUNCTIONS = words("time wantarray");

/** Functions that a program may import from a module of the language. */
export const MODULES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["strict", words("refs vars subs")],
  ["warnings", words("")],
  ["utf8", words("")],
  ["feature", FEATURES],
  ["List::Util", words("sum sum0 product max min maxstr minstr uniq uniqnum first any all none")],
  ["POSIX", words("strftime floor ceil fmod round")],
  ["JSON::PP", words("decode_json encode_json")],
  ["Data::Dumper", words("Dumper")],
]);

/** Functions that a module exports without being asked. */
export const EXPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ["JSON::PP", ["decode_json", "encode_json"]],
  ["Data::Dumper", ["Dumper"]],
]);

/** Imported functions that take a block and a list. */
export const IMPORTED_BLOCK_FUNCTIONS = words("first any all none");

/** Variables and handles through which a program reaches its environment, its modules, other files or its signals. */
const REACHING = /^(?:ENV|INC|SIG|ARGV|ARGVOUT|STDIN|STDOUT|STDERR|DATA|_)$/;

/**
 * Returns whether a program may use a list, a hash, an entry of them, or a handle with this name.
 * @param name - name without its sign
 */
export function isPlainName(name: string): boolean {
  return !REACHING.test(name);
}

import type { Words } from "../parsed-arguments.js";

/** Interpreters that can run code of one of their words. */
export const INLINE_CODE = /^(?:node|nodejs|python[\d.]*|perl|ruby)$/;

const CODE_OPTION: readonly (readonly [RegExp, RegExp])[] = [
  [/^node/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^python/, /^-c$/],
  [/^(?:perl|ruby)/, /^-[lanpws0F:,]*[eE]$/],
];
/** Words of code that writes, starts programs or uses the network, so that the sandbox would make it fail. */
const EFFECT =
  /\b(?:write|unlink|remove|rmdir|rmtree|rm|mkdir|rename|copy|copyfile|move|touch|truncate|chmod|chown|symlink|spawn|exec|fork|system|popen|subprocess|child_process|fetch|https?|net|sockets?|urllib|requests|connect|listen|serve|kill|append|save|to_csv|dump(?!s))(?:\w*)\s*[(.'"`]|`/i;
const WRITE_MODE = /\bopen\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]/i;
/** Options that load a module of the language, or choose how code is read. */
const HARMLESS_OPTION =
  /^(?:-r(?:json|csv|yaml|set|time|date|digest)|-M(?:List::Util|JSON::PP|Data::Dumper|strict|warnings)(?:=\w+)?|--input-type=(?:module|commonjs)|-[IBEsSu]+)$/;
const JSON_TOOL = ["-m", "json.tool"];

/**
 * Returns whether an interpreter runs code of its words that only reads and prints.
 * @param name - name of the interpreter
 * @param words - words after it; undefined where they are computed at run time
 * @param input - text of its standard input, which it runs without words; undefined when it is not known
 */
export function isReadingCode(name: string, words: Words, input?: string): boolean {
  if (name.startsWith("python") && JSON_TOOL.every((word, at) => words[at] === word)) {
    return words.length <= JSON_TOOL.length + 1;
  }
  if (input !== undefined && (words.length === 0 || (words.length === 1 && words[0] === "-"))) {
    return !hasEffect(input);
  }
  const start = words.findIndex((word) => word === undefined || !HARMLESS_OPTION.test(word));
  const [option = "", code] = words.slice(Math.max(start, 0));
  const isCode = CODE_OPTION.some(([program, form]) => program.test(name) && form.test(option));
  if (!isCode || code === undefined) return false;
  return !hasEffect(code);
}

function hasEffect(code: string): boolean {
  return WRITE_MODE.test(code) || EFFECT.test(code);
}

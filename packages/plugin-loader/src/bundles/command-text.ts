/** Note for the model about commands in a text, which the host does not run by itself. */
const NOT_RUN =
  "The text below marks shell commands with !`…`, ```! or !{…}. They were not run. Where you need the output, run the command with the tool exec before you continue.";

const VARIABLES = /\$\{?(?:CLAUDE_PLUGIN_ROOT|CURSOR_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\b\}?/;
const ARGUMENT = /\$ARGUMENTS\[(\d+)\]|\$ARGUMENTS\b|\{\{args\}\}|\$(\d)(?!\d)/;
const PLACEHOLDER = new RegExp(`${ARGUMENT.source}|${VARIABLES.source}`, "g");
const SHELL = /!`[^`]+`|^```!|!\{[^}]+\}/m;

/**
 * Returns the message of a slash command of a bundle: the arguments and the folder of the bundle are put in where the text
 * names them, and the arguments follow the text that does not name them (EXT-532). What is put in is not read again.
 * @param text - text of the command
 * @param args - arguments as they were written
 * @param root - folder of the bundle
 */
export function commandText(text: string, args: string, root: string): string {
  const words = wordsOf(args);
  // Where a text counts from 0, $1 is the second word.
  const first = /\$0(?!\d)|\$ARGUMENTS\[/.test(text) ? 0 : 1;
  let isUsed = false;
  const filled = text.replaceAll(PLACEHOLDER, (found, index?: string, digit?: string) => {
    if (VARIABLES.test(found)) return root;
    isUsed = true;
    if (index !== undefined) return words[Number(index)] ?? "";
    if (digit !== undefined) return words[Number(digit) - first] ?? "";
    return args;
  });
  const whole = isUsed || args === "" ? filled : `${filled}\n\nARGUMENTS: ${args}`;
  return SHELL.test(text) ? `${NOT_RUN}\n\n${whole}` : whole;
}

/** Divides arguments at spaces; quotation marks keep words together. */
function wordsOf(args: string): readonly string[] {
  const found = args.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...found].map(
    ([, double, single, bare]) => double?.replaceAll(/\\(.)/g, "$1") ?? single ?? bare ?? "",
  );
}

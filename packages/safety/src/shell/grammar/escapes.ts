const ESCAPE =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})|([abeEfnrtv\\"']))/g;
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);
const DIRECTIVE = /%(?:%|[-+ #0]*\d*(?:\.\d+)?([sbdiqc]))/g;
const LAST_CODE_POINT = 0x10_ff_ff;

/**
 * Decodes the escapes of `echo -e` and `printf`.
 * @param text - text that may contain backslashes
 */
export function decodeEscapes(text: string): string {
  return text.replace(
    ESCAPE,
    (
      written: string,
      hex?: string,
      short?: string,
      long?: string,
      octal?: string,
      letter?: string,
    ) => {
      if (letter !== undefined) return LETTERS.get(letter) ?? letter;
      const digits = hex ?? short ?? long;
      const code =
        digits === undefined ? Number.parseInt(`${octal}`, 8) : Number.parseInt(digits, 16);
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : written;
    },
  );
}

/**
 * Returns the output of `printf`: the format with its escapes decoded, repeated until no arguments
 * are left.
 * @param format - first word
 * @param args - other words
 */
export function formatText(format: string, args: readonly string[]): string {
  const pattern = decodeEscapes(format);
  const rest = [...args];
  let printed = "";
  let before = rest.length;
  do {
    before = rest.length;
    printed += pattern.replace(DIRECTIVE, (_directive: string, kind?: string) => {
      if (kind === undefined) return "%";
      const value = rest.shift() ?? "";
      return kind === "b" ? decodeEscapes(value) : value;
    });
  } while (rest.length > 0 && rest.length < before);
  return printed;
}

/** Printable ASCII without a space at its ends, which HTTP would remove. */
const PLAIN = /^[!-~]+(?: +[!-~]+)*$/;
const ENCODED = /^utf-8'[a-z0-9-]*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~\w-])*)$/i;

/**
 * Returns a text as the value of an HTTP header: as it is when it is printable ASCII, else as `UTF-8''` and its
 * percent-encoded bytes (RFC 8187). A header can carry neither letters outside Latin-1 nor control characters; `fetch`
 * and Node throw on them.
 * @param text - any text; a lone surrogate is replaced
 */
export function headerText(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `UTF-8''${percentEncoded(text)}`;
}

/**
 * Returns the reason for which HTTP cannot carry a text as the value of a header, without the text, which may be a
 * secret; undefined when it can. `fetch` and Node throw on such a value and do not say where it comes from.
 * @param value - for example an API key
 */
export function headerFault(value: string): string | undefined {
  const index = [...value].findIndex((character) => /[^\t\x20-\x7e\x80-\xff]/.test(character));
  if (index === -1) return undefined;
  const code = [...value][index]?.codePointAt(0) ?? 0;
  const name = code.toString(16).toUpperCase().padStart(4, "0");
  return `its character ${index + 1}, U+${name}, cannot be sent in an HTTP header`;
}

/**
 * Returns the text of the value of an HTTP header: of the form of {@link headerText}, of raw UTF-8 bytes as `curl`
 * sends them, and of Latin-1.
 * @param value - value as Node and `fetch` return it: one character for each byte
 */
export function textOfHeader(value: string): string {
  const [, encoded] = ENCODED.exec(value) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
    if (/^[\0-\x7f]*$/.test(value)) return value;
    return new TextDecoder("utf-8", { fatal: true }).decode(latin1Bytes(value));
  } catch {
    return value;
  }
}

/**
 * Returns the file name in the value of a header `Content-Disposition` (RFC 6266); `filename*` comes first.
 * @param value - value as Node and `fetch` return it
 * @returns undefined when the header has no name
 */
export function fileNameOfHeader(value: string): string | undefined {
  const [, extended] = /(?:^|;)\s*filename\*\s*=\s*"?([^";\s]+)"?/i.exec(value) ?? [];
  if (extended !== undefined && ENCODED.test(extended)) return textOfHeader(extended);
  const [, quoted, bare] =
    /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(value) ?? [];
  const name = quoted?.replace(/\\(.)/g, "$1") ?? bare;
  return name === undefined || name === "" ? undefined : textOfHeader(name);
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function latin1Bytes(value: string): Uint8Array {
  // A character above 255 did not come over HTTP; the text is then taken as it is.
  if (/[^\0-\xff]/.test(value)) throw new RangeError("not the value of a header");
  return Uint8Array.from(value, (character) => character.charCodeAt(0));
}

/*
 * Text from outside may contain NUL, which PostgreSQL's text type rejects, and lone surrogates, which
 * SQLite's UTF-8 would silently replace, so that two different keys would become one. Both are escaped, and
 * so is the escape character, which keeps the mapping one to one.
 */
const UNSAFE = /[\\\0]|\p{Surrogate}/gu;
const ESCAPED = /\\(?:\\|u[0-9a-f]{4})/g;

/**
 * Encodes any string as text that every supported database stores unchanged.
 * @param value - text from a caller
 */
export function encodeText(value: string): string {
  return value.replace(UNSAFE, (character) =>
    character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Decodes text that {@link encodeText} encoded.
 * @param stored - text as stored in the database
 */
export function decodeText(stored: string): string {
  if (!stored.includes("\\")) return stored;
  return stored.replace(ESCAPED, (sequence) =>
    sequence === "\\\\" ? "\\" : String.fromCharCode(Number.parseInt(sequence.slice(2), 16)),
  );
}

/** {@link decodeText} for a nullable column. */
export function decodeOptionalText(stored: string | null): string | undefined {
  return stored === null ? undefined : decodeText(stored);
}

/** {@link encodeText} for a nullable column. */
export function encodeOptionalText(value: string | undefined): string | null {
  return value === undefined ? null : encodeText(value);
}

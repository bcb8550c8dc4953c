const NAMED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Entity that may be decodable: decimal, hexadecimal, or one of the five names. */
export const HTML_ENTITY = /&(?:#(\d{1,10})|#[xX]([0-9A-Fa-f]{1,8})|(lt|gt|amp|quot|apos));/g;

/**
 * Returns the character that an entity represents, or undefined when its number is not a character.
 * @param decimal - digits after `&#`
 * @param hexadecimal - digits after `&#x`
 * @param name - one of the five names
 */
export function entityCharacter(
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
): string | undefined {
  if (name !== undefined) return NAMED.get(name);
  const code = decimal === undefined ? Number.parseInt(`${hexadecimal}`, 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** Decodes decimal, hexadecimal and the five XML entities once; other text is unchanged (SAFE-024). */
export function decodeHtmlEntities(text: string): string {
  return text.replace(
    HTML_ENTITY,
    (entity: string, decimal?: string, hexadecimal?: string, name?: string) =>
      entityCharacter(decimal, hexadecimal, name) ?? entity,
  );
}

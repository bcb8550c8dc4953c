/**
 * JSON in which equal values are equal texts, as RFC 8785 has it: no white space, the keys of every object
 * sorted by their UTF-16 code units.
 * @param value - plain JSON; fields that are undefined are left out
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  // Written by hand: an object would put keys that look like numbers in front, whatever their order.
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}

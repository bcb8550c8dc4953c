/** Returns the variables of a URI that a template or single URI names; undefined for another URI. */
export type UriMatch = (uri: string) => Readonly<Record<string, string>> | undefined;

const VARIABLE = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Returns the function that recognises the URIs of a template: `{name}` is text without a slash, `{+name}` any text.
 * @param template - single URI, or template
 * @returns undefined for a template with another expression, or with two variables of one name
 */
export function uriMatch(template: string): UriMatch | undefined {
  const names: string[] = [];
  let pattern = "";
  let end = 0;
  for (const { 0: whole, 1: plus, 2: name = "", index } of template.matchAll(VARIABLE)) {
    if (names.includes(name)) return undefined;
    names.push(name);
    pattern += literal(template.slice(end, index)) + (plus === "+" ? "(.+)" : "([^/]+)");
    end = index + whole.length;
  }
  const rest = template.slice(end);
  if (/[{}]/.test(template.replaceAll(VARIABLE, ""))) return undefined;
  const whole = new RegExp(`^${pattern}${literal(rest)}$`);
  return (uri) => {
    const [, ...values] = whole.exec(uri) ?? [];
    if (values.length === 0 && uri !== template) return undefined;
    const decoded = values.map(decode);
    return Object.fromEntries(names.map((name, index) => [name, decoded[index] ?? ""]));
  };
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** A value with an escape that is not one of UTF-8 stays as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** `{{payload}}` or a field of it; steps are keys of objects or indexes of lists. */
const PLACEHOLDER = /\{\{\s*payload((?:\.[A-Za-z0-9_-]+)*)\s*\}\}/g;

/**
 * Returns the placeholders of a template that are not fields of `payload`.
 * @param template - text with `{{payload.a.b}}`
 */
export function unknownPlaceholders(template: string): readonly string[] {
  return template.replaceAll(PLACEHOLDER, "").match(/\{\{[^}]*\}{0,2}/g) ?? [];
}

/**
 * Fills in a template. A missing field and null become empty, a string is used unchanged, and any other value is
 * written as JSON. Values are never read as templates.
 * @param template - text with `{{payload.a.b}}`
 * @param payload - parsed JSON
 * @param maximum - maximum size of the text in bytes
 * @returns undefined when the text would be larger
 */
export function renderTemplate(
  template: string,
  payload: unknown,
  maximum: number,
): string | undefined {
  let size = Buffer.byteLength(template);
  const parts: string[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [placeholder, path = ""] = match;
    const value = textOf(fieldOf(payload, path.split(".").slice(1)));
    size += Buffer.byteLength(value);
    // Checked for each value: a template may repeat a large one.
    if (size > maximum) return undefined;
    parts.push(template.slice(end, match.index), value);
    end = match.index + placeholder.length;
  }
  return parts.join("") + template.slice(end);
}

function fieldOf(payload: unknown, steps: readonly string[]): unknown {
  let value = payload;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

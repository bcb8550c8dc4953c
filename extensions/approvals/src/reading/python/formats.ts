import { type PythonToken, pythonTokens } from "./tokens.js";
import { NotReading } from "./values.js";

const SPECIFICATION = /^(?:[^{}\d]?[<>^])?[-+]?,?\d{0,3},?(?:\.\d{1,2})?[dfsxegn%]?$/;
const PLAIN_FORMAT = /^(?:[^%]|%%|%[-+]?\d{0,3}(?:\.\d{1,2})?[sdfirx])*$/s;

/**
 * Returns whether the `%` operator fills a text with little more than its values.
 * @param text - text before the operator
 */
export function isPlainFormat(text: string): boolean {
  return PLAIN_FORMAT.test(text);
}

/**
 * Returns the parts of each expression in a formatted string.
 * @param format - text between its quotes
 * @throws NotReading when one is not read here
 */
export function fieldsOf(format: string): readonly (readonly PythonToken[])[] {
  const fields: (readonly PythonToken[])[] = [];
  let rest = format.replaceAll(/\{\{|\}\}/g, "");
  for (let start = rest.indexOf("{"); start !== -1; start = rest.indexOf("{")) {
    const end = rest.indexOf("}", start);
    const inside = rest.slice(start + 1, end);
    const [, code = "", , specification = ""] =
      /^((?:[^:[\]]|\[[^\]]*\])+?)(=?)(?:![rsa])?(?::(.*))?$/s.exec(inside) ?? [];
    if (end === -1 || inside.includes("\\") || !SPECIFICATION.test(specification)) {
      throw new NotReading("a format");
    }
    const [line, ...tokens] = pythonTokens(code) ?? [];
    if (line === undefined || tokens.some(({ kind }) => kind === "line" || kind === "format")) {
      throw new NotReading("a format");
    }
    fields.push(tokens);
    rest = rest.slice(end + 1);
  }
  if (rest.includes("}")) throw new NotReading("a format");
  return fields;
}

/**
 * Checks the text of which `format` fills the fields.
 * @param template - text with fields such as `{:>5}`
 * @throws NotReading when a field shows more than its value
 */
export function checkTemplate(template: string): void {
  const fields = template.replaceAll(/\{\{|\}\}/g, "").matchAll(/\{([^{}]*)\}/g);
  for (const [, field = ""] of fields) {
    const [, specification = ""] = /^\w*(?::(.*))?$/.exec(field) ?? [undefined, "{"];
    if (!SPECIFICATION.test(specification)) throw new NotReading("format");
  }
}

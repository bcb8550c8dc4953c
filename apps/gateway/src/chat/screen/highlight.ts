import { createColors } from "picocolors";
import { refractor } from "refractor";

const { blue, cyan, dim, green, magenta, red, yellow } = createColors(true);

type Style = (text: string) => string;

/** Colours by the class of a token. */
const STYLES: ReadonlyMap<string, Style> = new Map([
  ...["keyword", "atrule", "rule", "important"].map((name) => [name, magenta] as const),
  ...["builtin", "class-name", "attr-name", "property"].map((name) => [name, cyan] as const),
  ...["boolean", "number", "constant", "variable"].map((name) => [name, yellow] as const),
  ...["string", "char", "regex", "attr-value", "inserted"].map((name) => [name, green] as const),
  ...["function", "tag", "title", "selector"].map((name) => [name, blue] as const),
  ...["comment", "prolog", "doctype"].map((name) => [name, dim] as const),
  ["deleted", red],
]);

/** Node of highlighted code, as far as it is read. */
interface CodeNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly CodeNode[];
}

/**
 * Returns the lines of a code block with colours.
 * @param code - code without the fence
 * @param language - as written after the fence; unknown or absent leaves the code as it is
 */
export function highlighted(code: string, language?: string): string[] {
  if (language === undefined || !refractor.registered(language)) return code.split("\n");
  return paint(refractor.highlight(code, language), (text) => text).split("\n");
}

/** Colours are applied line by line, because the screen resets them at the end of each line. */
function paint(node: CodeNode, style: Style): string {
  if (node.type === "text") {
    const lines = (node.value ?? "").split("\n");
    return lines.map((line) => (line === "" ? "" : style(line))).join("\n");
  }
  const own = styleOf(node) ?? style;
  return (node.children ?? []).map((child) => paint(child, own)).join("");
}

function styleOf({ properties }: CodeNode): Style | undefined {
  const names: unknown = properties?.className;
  if (!Array.isArray(names)) return undefined;
  const styles = names.map((name) => (typeof name === "string" ? STYLES.get(name) : undefined));
  return styles.find((style) => style !== undefined);
}

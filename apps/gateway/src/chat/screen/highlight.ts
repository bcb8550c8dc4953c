import { common, createLowlight } from "lowlight";
import { createColors } from "picocolors";

const lowlight = createLowlight(common);
const { blue, cyan, dim, green, magenta, red, yellow } = createColors(true);

type Style = (text: string) => string;

/** Colours by the class of a token. */
const STYLES: ReadonlyMap<string, Style> = new Map([
  ...["keyword", "selector-tag"].map((name) => [name, magenta] as const),
  ...["built_in", "type", "attr", "attribute", "params"].map((name) => [name, cyan] as const),
  ...["literal", "number", "variable", "symbol"].map((name) => [name, yellow] as const),
  ...["string", "regexp", "addition"].map((name) => [name, green] as const),
  ...["title", "name", "tag", "section"].map((name) => [name, blue] as const),
  ...["comment", "meta"].map((name) => [name, dim] as const),
  ["deletion", red],
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
  if (language === undefined || !lowlight.registered(language)) return code.split("\n");
  return paint(lowlight.highlight(language, code), (text) => text).split("\n");
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
  const names = Array.isArray(properties?.className) ? properties.className : [];
  const [first] = names.filter((name): name is string => typeof name === "string");
  return STYLES.get(first?.replace(/^hljs-/, "") ?? "");
}

/** A Markdown file with settings at its start, between two lines `---`. */
export interface FrontMatterDocument {
  /** The settings. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The text after them. */
  readonly body: string;
}

const FENCED =
  /^\uFEFF?---[ \t]*\r?\n(?<matter>[\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/;

/**
 * Reads the front matter of a Markdown file, which is YAML.
 * @param text - text of the file
 * @param fields - fields that the front matter has, for the message when it is missing
 * @returns the document, or the problem as a part of a sentence after the name of the file
 */
export async function readFrontMatter(
  text: string,
  fields: string,
): Promise<FrontMatterDocument | { readonly problem: string }> {
  const { matter, body } = FENCED.exec(text)?.groups ?? {};
  if (matter === undefined || body === undefined) {
    return { problem: `has no front matter; start it with --- , ${fields} and ---` };
  }
  // Imported on first use: most hosts have no such file.
  const { parse } = await import("./yaml.js");
  try {
    const values: unknown = parse(matter, { schema: "core", maxAliasCount: 0, logLevel: "error" });
    if (isRecord(values)) return { values, body };
    return { problem: `has front matter that is not a mapping, found ${describeSetting(values)}` };
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    return { problem: `has front matter that is not YAML: ${reason}` };
  }
}

/**
 * Returns a value of front matter for a message, shortened.
 * @param value - any value
 */
export function describeSetting(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * Returns true for an object that is not a list.
 * @param value - any value
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

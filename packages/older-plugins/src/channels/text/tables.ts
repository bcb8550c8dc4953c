/** Form of a table in Markdown on a platform without tables. */
export type TableMode = "off" | "bullets" | "code" | "block";

const RULE = /^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)*\|?\s*$/;

/**
 * Converts the tables of a text in Markdown into lists or aligned text.
 * @param text - text in Markdown
 * @param mode - `bullets` for lists, `code` for aligned text; any other mode keeps the tables
 */
export function convertMarkdownTables(text: string, mode: string): string {
  if ((mode !== "bullets" && mode !== "code") || !text.includes("|")) return text;
  const lines = text.split("\n");
  const converted: string[] = [];
  let isCode = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const isTable = !isCode && line.includes("|") && RULE.test(lines[index + 1] ?? "");
    if (!isTable) {
      converted.push(line);
      continue;
    }
    let end = index + 2;
    while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
    const rows = lines.slice(index + 2, end).map(cellsOf);
    converted.push(...(mode === "code" ? aligned : listed)(cellsOf(line), rows));
    index = end - 1;
  }
  return converted.join("\n");
}

function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function aligned(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_cell, column) =>
    Math.max(...all.map((row) => (row[column] ?? "").length)),
  );
  const lineOf = (row: readonly string[]) =>
    widths
      .map((width, column) => (row[column] ?? "").padEnd(width))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return ["```", lineOf(head), rule, ...rows.map(lineOf), "```"];
}

function listed(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap(([title = "", ...cells]) => [
    `- ${title}`,
    ...cells.map((cell, index) => `  - ${head[index + 1] ?? ""}: ${cell}`),
  ]);
}

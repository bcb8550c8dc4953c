import headless from "@xterm/headless";

const CELL = { width: 8.4, height: 19 };
const MARGIN = { x: 18, top: 46, bottom: 16 };
const COLORS = {
  background: "#14181f",
  frame: "#2b323d",
  title: "#8b96a5",
  text: "#dbe2ea",
  dim: "#8b96a5",
  palette: ["#3b4351", "#f2777a", "#8fd694", "#f0c674", "#7aa6f2", "#c99af0", "#6fcfd6", "#dbe2ea"],
};

/**
 * Draws what a terminal shows after it has read an output.
 * @param output - bytes for the terminal, as a string with escape sequences
 * @param options - the title of the picture, and the size of the terminal in cells
 * @returns the picture as SVG
 */
export async function drawTerminal(output, { title, columns, rows }) {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise((read) => terminal.write(output, read));
  const lines = Array.from({ length: rows }, (_, row) =>
    runsOf(terminal.buffer.active.getLine(row)),
  );
  while (lines.length > 0 && lines.at(-1).length === 0) lines.pop();
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN.x);
  const height = Math.ceil(lines.length * CELL.height + MARGIN.top + MARGIN.bottom);
  const dots = ["#f2777a", "#f0c674", "#8fd694"].map(
    (fill, index) => `<circle cx="${22 + index * 18}" cy="18" r="5.5" fill="${fill}"/>`,
  );
  const text = lines.flatMap((runs, row) =>
    runs.map(
      ({ column, style, text, isInverse }) =>
        (isInverse ? background(column, row, [...text].length) : "") +
        `<text x="${round(MARGIN.x + column * CELL.width)}" y="${MARGIN.top + row * CELL.height + 4}"` +
        ` textLength="${round([...text].length * CELL.width)}"${style}>${escapeXml(text)}</text>`,
    ),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${COLORS.background}" stroke="${COLORS.frame}"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${COLORS.text}">`,
    ...text,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function background(column, row, width) {
  const x = round(MARGIN.x + column * CELL.width);
  const y = round(MARGIN.top + (row - 0.5) * CELL.height);
  return `<rect x="${x}" y="${y}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${COLORS.text}"/>`;
}

/** Returns the runs of equally styled characters of a line, without the spaces around them that show nothing. */
function runsOf(line) {
  const runs = [];
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    const chars = cell.getChars();
    if (chars === "") continue;
    const style = styleOf(cell);
    const isInverse = cell.isInverse() !== 0;
    const last = runs.at(-1);
    if (last !== undefined && last.style === style && last.end === column) {
      last.text += chars;
      last.end += cell.getWidth();
    } else if (chars !== " " || isInverse) {
      runs.push({ column, end: column + cell.getWidth(), style, text: chars, isInverse });
    }
  }
  return runs.map((run) => (run.isInverse ? run : { ...run, text: run.text.trimEnd() }));
}

function styleOf(cell) {
  if (cell.isInverse()) return ` fill="${COLORS.background}"`;
  const color = cell.isFgPalette() ? COLORS.palette[cell.getFgColor() % 8] : undefined;
  const fill = color ?? (cell.isDim() ? COLORS.dim : undefined);
  return (
    (fill === undefined ? "" : ` fill="${fill}"`) + (cell.isBold() ? ' font-weight="bold"' : "")
  );
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escapeXml(text) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  // Viewers join several spaces into one.
  return escaped.replaceAll(" ", "\u00a0");
}

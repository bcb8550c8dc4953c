import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = "docs/examples/channel-guidance-cost.mjs";
const MODES = ["turn", "description", "skill"];

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const page = readFileSync(`${root}docs/use/channel-guidance.md`, "utf8");

/** Returns the tables of a page as rows of cells, without the lines below their headings. */
function tablesOf(text: string): string[][][] {
  const tables = text.match(/(?:^\|.*\|$\n?)+/gm) ?? [];
  return tables.map((table) =>
    table
      .trimEnd()
      .split("\n")
      .filter((line) => !/^\|[-:|]+\|$/.test(line))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

it("[EXT-006] the page has the modes with the tokens and cache hits that its script measures", async () => {
  const run = promisify(execFile)(process.execPath, [SCRIPT], { cwd: root });
  const { stdout } = await run;
  const [modes = [], ...documented] = tablesOf(page);
  const [perChannel = [], cache = []] = tablesOf(stdout);
  expect(documented, `copy the output of node ${SCRIPT} to the page`).toEqual([perChannel, cache]);

  expect(modes.slice(1).map(([mode]) => mode)).toEqual([
    "`turn` (default)",
    "`description`",
    "`skill`",
  ]);
  expect(perChannel[0]).toEqual(["channel", ...MODES, "call to it"]);
  expect(cache.slice(1).map(([mode]) => mode)).toEqual(["none", ...MODES]);
  // The default costs no cache hit in a conversation, and a guide costs as much as its text.
  const share = (row: string[] | undefined, column: number) =>
    Number.parseInt(row?.[column] ?? "", 10);
  const [none, turn, description] = cache.slice(1);
  expect(share(turn, 1)).toBeGreaterThanOrEqual(share(none, 1));
  expect(share(turn, 2)).toBeGreaterThan(share(description, 2));
});

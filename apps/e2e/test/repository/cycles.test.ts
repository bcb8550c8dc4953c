import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importCycles } from "../../src/repository/import-cycles.js";
import { importsOf } from "../../src/repository/imports.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

describe("relative imports", () => {
  it("stay inside their package", () => {
    const leaving = [...relativeImports("{src,test,bench}")].flatMap(([file, imported]) =>
      imported
        .filter((target) => packageOf(target) !== packageOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(leaving).toEqual([]);
  });

  it("in sources form no cycle, including type imports", () => {
    expect(importCycles(relativeImports("src"))).toEqual([]);
  });
});

describe("importCycles", () => {
  it("finds separate cycles and a file that imports itself, and no cycle in a diamond", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a", "d"]],
      ["d", ["e", "f"]],
      ["e", ["f"]],
      ["f", []],
      ["g", ["h"]],
      ["h", ["g", "a"]],
      ["i", ["i"]],
    ]);
    expect(importCycles(graph)).toEqual([["a", "b", "c"], ["g", "h"], ["i"]]);
  });
});

/** Returns the files of code with the files that they import by a relative path. */
function relativeImports(folders: string): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const file of globSync(`{packages,extensions,apps}/*/${folders}/**/*.{ts,mjs}`, {
    cwd: root,
    exclude: ["**/node_modules"],
  })) {
    const specifiers = importsOf(readFileSync(join(root, file), "utf8"));
    const relative = specifiers.filter((specifier) => specifier.startsWith("."));
    graph.set(
      file,
      relative.map((specifier) => fileAt(join(dirname(file), specifier))),
    );
  }
  return graph;
}

/** Returns the source file that a specifier ending in `.js` means. */
function fileAt(path: string): string {
  const source = path.replace(/\.js$/, ".ts");
  return existsSync(join(root, source)) ? source : path;
}

function packageOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

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

/** Pairs of folders of a package that import each other, as they were counted; a package that is not named has none. */
const MUTUAL_PAIRS: Readonly<Record<string, number>> = {
  "packages/agent": 6,
  "packages/client": 2,
  "packages/gateway": 10,
  "packages/hook-runner": 2,
  "packages/messaging": 3,
  "packages/models": 4,
  "packages/older-plugins": 1,
  "packages/plugin-loader": 3,
  "packages/plugin-runtime": 6,
  "packages/plugin-sdk": 2,
  "packages/protocol": 1,
  "packages/safety": 3,
  "packages/server": 9,
  "packages/store": 19,
  "extensions/approvals": 1,
  "extensions/chat-bridge": 2,
  "extensions/declarative-hooks": 3,
  "extensions/lobster": 1,
  "extensions/mcp": 2,
  "extensions/memory": 1,
  "apps/control-ui": 1,
  "apps/gateway": 1,
};

describe("folders of a package", () => {
  it("import each other in no more pairs than before", () => {
    const pairs = mutualFolders(relativeImports("src"));
    const more = [...pairs].filter(([name, found]) => found.length > (MUTUAL_PAIRS[name] ?? 0));
    expect(more).toEqual([]);
  });
});

describe("mutualFolders", () => {
  it("names two folders once, and not their package", () => {
    const graph = new Map([
      ["packages/one/src/a/x.ts", ["packages/one/src/b/y.ts"]],
      ["packages/one/src/b/y.ts", ["packages/one/src/a/z.ts", "packages/one/src/index.ts"]],
      ["packages/one/src/c/w.ts", ["packages/one/src/a/x.ts"]],
      ["packages/one/src/index.ts", ["packages/one/src/b/y.ts"]],
    ]);
    expect(mutualFolders(graph)).toEqual(new Map([["packages/one", ["a - b"]]]));
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

/** Returns for each package the pairs of its folders that import each other. */
function mutualFolders(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const arrows = new Set<string>();
  for (const [file, imported] of graph) {
    for (const target of imported) {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from !== undefined && to !== undefined && from !== to) {
        arrows.add(`${packageOf(file)} ${from} ${to}`);
      }
    }
  }
  const pairs = new Map<string, string[]>();
  for (const arrow of arrows) {
    const [name = "", from = "", to = ""] = arrow.split(" ");
    if (from > to || !arrows.has(`${name} ${to} ${from}`)) continue;
    pairs.set(name, [...(pairs.get(name) ?? []), `${from} - ${to}`]);
  }
  return pairs;
}

/** Returns the folder of `src` that a file is in; undefined for a file of `src` itself. */
function folderOf(file: string): string | undefined {
  const [, , , folder, ...rest] = file.split("/");
  return rest.length === 0 ? undefined : folder;
}

/** Returns the source file that a specifier ending in `.js` means. */
function fileAt(path: string): string {
  const source = path.replace(/\.js$/, ".ts");
  return existsSync(join(root, source)) ? source : path;
}

function packageOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

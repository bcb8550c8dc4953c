import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Manifest {
  readonly channels?: readonly string[];
  readonly providers?: readonly string[];
}

/** Names that the table uses for providers whose ID is another word. */
const NAMES: Readonly<Record<string, string>> = {
  google: "Gemini",
  nearai: "NEAR AI",
  "openai-compatible": "any compatible server",
};

/** Paths from the root of the repository in code spans; placeholders such as `<name>` and `*` are none. */
const PATH = /`((?:packages|extensions|apps|docs|scripts|tools|deployment)\/[\w./-]+)`/g;

/** Files that operators create. */
const CREATED = new Set(["deployment/.env"]);

/** Generated records, which name what other files were called. */
function isRecord(file: string): boolean {
  return /(?:^|\/)CHANGELOG\.md$|^packages\/plugin-sdk\/api\//.test(file);
}

/** Returns what a row of the comparison says of this project. */
function ownCell(row: string): string {
  const line = read("README.md")
    .split("\n")
    .find((each) => each.startsWith(`| ${row} |`));
  return line?.split("|")[2]?.trim().toLowerCase() ?? "";
}

const manifests = globSync("extensions/*/openclaw.plugin.json", { cwd: root }).map(
  (file): Manifest => JSON.parse(read(file)),
);

describe("The comparison of the README", () => {
  it("[GW-243] names each bundled channel and provider, and denies nothing that is bundled", () => {
    const channels = manifests.flatMap((manifest) => manifest.channels ?? []);
    const providers = manifests.flatMap((manifest) => manifest.providers ?? []);
    expect(channels.length).toBeGreaterThan(5);
    for (const id of channels) expect(ownCell("Chat channels, web console")).toContain(id);
    for (const id of providers) {
      expect(ownCell("Model providers")).toContain((NAMES[id] ?? id).toLowerCase());
    }
    expect(globSync("extensions/lobster/package.json", { cwd: root })).toHaveLength(1);
    expect(ownCell("Graphs and workflows")).toContain("lobster");
    expect(ownCell("Long-term memory, vector search")).toContain("yes");
  });
});

describe("Tables of the extensions", () => {
  it("[GW-580] follow from the manifests", () => {
    const script = join(root, "scripts/bundled-extensions.mjs");
    execFileSync(process.execPath, [script, "--check"], { cwd: root, stdio: "pipe" });
    const page = read("docs/author/plugins.md");
    for (const file of globSync("extensions/*/openclaw.plugin.json", { cwd: root })) {
      expect(page).toContain(`](../../${dirname(file)}/README.md)`);
    }
  });
});

describe("A page", () => {
  it("[GW-580] names only paths of this repository that exist", () => {
    const folders = new Set(files.map((file) => dirname(file)));
    const pages = files.filter(
      (file) =>
        /^(?:[A-Z]+\.md|(?:docs|packages|extensions|apps)\/.*\.md)$/.test(file) && !isRecord(file),
    );
    const missing: string[] = [];
    for (const page of pages) {
      const text = read(page).replace(/```[\s\S]*?```/g, "");
      for (const [, path = ""] of text.matchAll(PATH)) {
        const isThere =
          files.includes(path) || CREATED.has(path) || folders.has(path.replace(/\/$/, ""));
        if (!isThere && !/\/(?:dist|node_modules)(?:\/|$)/.test(path))
          missing.push(`${page}: ${path}`);
      }
    }
    expect(pages.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });
});

describe("README of a package", () => {
  it("[GW-243] names only files that exist", () => {
    const missing: string[] = [];
    for (const readme of files.filter((file) =>
      /^(?:packages|extensions|apps)\/[^/]+\/README\.md$/.test(file),
    )) {
      const folder = dirname(readme);
      const own = files.filter((file) => file.startsWith(`${folder}/`));
      const text = read(readme).replace(/```[\s\S]*?```/g, "");
      for (const [, name = ""] of text.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|cjs))`/g)) {
        const isThere = name.includes("/")
          ? own.some((file) => file.endsWith(`/${name}`)) || files.includes(name)
          : own.some((file) => basename(file) === name);
        if (!isThere) missing.push(`${readme}: ${name}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

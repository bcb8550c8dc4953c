import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = globSync("{*.md,docs/**/*.md,{packages,extensions,apps}/*/README.md}", { cwd: root });

/** Returns the anchors of the headings of a page, as GitHub makes them. */
function headingAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, heading = ""] of text.replace(/^```.*?^```/gms, "").matchAll(/^#{1,6}\s+(.*)$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  for (const [, id = ""] of text.matchAll(/(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

describe("documentation", () => {
  it("links to existing files only", () => {
    const broken: string[] = [];
    for (const page of pages) {
      // In code, parentheses after brackets are a call.
      const text = read(page)
        .replace(/^```.*?^```/gms, "")
        .replace(/`[^`]+`/g, "");
      for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        if (!existsSync(resolve(root, dirname(page), target))) broken.push(`${page}: ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("[SDK-461] links to existing headings only", () => {
    const anchors = new Map<string, ReadonlySet<string>>();
    const anchorsOf = (file: string) => {
      const known = anchors.get(file) ?? headingAnchors(read(file));
      anchors.set(file, known);
      return known;
    };
    const broken: string[] = [];
    for (const page of pages) {
      const text = read(page).replace(/^```.*?^```/gms, "");
      for (const [, path = "", anchor = ""] of text.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)) {
        const target = path === "" ? page : normalize(join(dirname(page), path));
        if (!target.endsWith(".md") || !existsSync(join(root, target))) continue;
        if (!anchorsOf(target).has(anchor)) broken.push(`${page}: ${path}#${anchor}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("[SDK-461] needs no optional program in the code that a reader copies", () => {
    const found = pages.filter((page) => {
      const fences = read(page).matchAll(/^```(?:sh|bash|js|ts|console)\n(.*?)^```/gms);
      return [...fences].some(([, code = ""]) =>
        /\buuidgen\b|\bwscat\b|\bwebsocat\b|from "ws"/.test(code),
      );
    });
    expect(found).toEqual([]);
  });

  it("[SDK-036] has a page for every topic of plugin authors, reachable from the first page", () => {
    const [start = "", docs = ""] = [read("docs/README.md"), join(root, "docs")];
    for (const [page, about] of [
      ["author/quick-start.md", "web_search"],
      ["author/manifest.md", "openclaw.plugin.json"],
      ["author/plugin-configuration.md", "configSchema"],
      ["author/testing.md", "createTestHost"],
      ["author/migrating.md", "clawdbot"],
      ["project/versioning.md", "version"],
      ["author/trust-model.md", "plugin"],
      ["operate/platforms.md", "Node.js"],
      ["use/unattended.md", "--approve-tool"],
      ["contract.md", "SDK-026"],
    ] as const) {
      expect(start, page).toContain(`](${page})`);
      expect(readFileSync(join(docs, page), "utf8"), page).toContain(about);
    }
  });

  it("has an entry for every error code", () => {
    const page = read("docs/reference/error-codes.md");
    const missing: string[] = [];
    const example = read("docs/examples/drop-folder/index.ts");
    expect(read("docs/operate/channels.md")).toContain(example);
    for (const file of globSync("{packages,extensions}/*/src/**/*.ts", { cwd: root })) {
      for (const [, code] of read(file).matchAll(
        /readonly code(?:: string)? = "([A-Z][A-Z_]+)"/g,
      )) {
        if (!page.includes(`\`${code}\``)) missing.push(`${code} of ${file}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("shows the example plugins unchanged", () => {
    expect(read("README.md")).toContain(read("docs/examples/tool-guard/index.ts"));
    for (const file of ["index.ts", "search-guard.test.ts"]) {
      expect(read("docs/author/quick-start.md")).toContain(
        read(`docs/examples/search-guard/${file}`),
      );
    }
  });
});

describe("example plugin", () => {
  it("blocks and reports in the terminal", async () => {
    using place = emptyPlace();
    const say = (text: string) =>
      openclawProcess(
        [
          "chat",
          "--plugin",
          join(root, "docs/examples/tool-guard"),
          "--approve-tool",
          "exec",
          "-m",
          text,
        ],
        place,
      );
    const blocked = await say("run `rm -rf build`");
    expect(blocked.stderr).toContain("Tool blocked: tool-guard allows no removals");
    expect(blocked.stderr).not.toContain("ended with");
    const ran = await say("run `echo fine`");
    expect(ran.stdout).toContain("fine");
    expect(ran.stderr).toContain("tool-guard: exec ended with ok");
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

interface Page {
  readonly file: string;
  readonly page: string;
  readonly text: string;
}
interface Documentation {
  readonly pages: readonly Page[];
  readonly pictures: readonly string[];
  readonly problems: readonly string[];
}
interface Section {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly page: string }[];
}

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const script = (name: string) =>
  new URL(`../../../../scripts/docs-site/${name}`, import.meta.url).href;
const { documentationPages } = (await import(script("pages.mjs"))) as {
  documentationPages: (root: string) => Documentation;
};
const { siteProblems } = (await import(script("checks.mjs"))) as {
  siteProblems: (site: string) => readonly string[];
};
const { tableOfContents } = (await import(script("contents.mjs"))) as {
  tableOfContents: (text: string) => readonly Section[];
};
const { llmsText } = (await import(script("llms.mjs"))) as {
  llmsText: (contents: readonly Section[], summary: string) => string;
};

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const place = join(folder, name);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}

const MANIFEST = JSON.stringify({ repository: { url: "git+https://code.example/claw.git" } });

describe("documentation site", () => {
  const documentation = documentationPages(root);
  const contents = tableOfContents(
    documentation.pages.find(({ page }) => page === "contents.md")?.text ?? "",
  );

  it("[SDK-528] finds no problem in the pages of the repository", () => {
    expect(documentation.problems).toEqual([]);
    expect(documentation.pages.length).toBeGreaterThan(150);
  });

  it("[SDK-528] has a section for each reader, which begins with a path of ten minutes, and the reference", () => {
    const [use, operate, author, contribute, reference] = contents.map(
      ({ entries }) => entries[0]?.page,
    );
    expect([use, operate, author, contribute]).toEqual([
      "use/ten-minutes.md",
      "operate/ten-minutes.md",
      "author/quick-start.md",
      "project/ten-minutes.md",
    ]);
    expect(reference).toBe("reference/configuration.md");
  });

  it("[SDK-528] keeps a link to a page, leads one to a file to the repository, and reports one to nothing", () => {
    using folder = temporaryFolder();
    writeFiles(folder.path, {
      "apps/gateway/package.json": MANIFEST,
      "docs/README.md":
        "[a](use/a.md#b) [b](../extensions/x/README.md) [c](../src/c.ts) ![d](pictures/d.svg)\n" +
        "[gone](use/gone.md) `[code](none.md)`\n```\n[fence](none.md)\n```\n",
      "docs/use/a.md": "# A",
      "docs/pictures/d.svg": "<svg/>",
      "extensions/x/README.md": "# X, and [back](../../docs/use/a.md)",
      "src/c.ts": "",
    });
    const { pages, problems, pictures } = documentationPages(folder.path);
    expect(pages.map(({ page }) => page)).toEqual(["contents.md", "use/a.md", "extensions/x.md"]);
    expect(pages[0]?.text).toContain(
      "[a](./use/a.md#b) [b](./extensions/x.md) [c](https://code.example/claw/blob/main/src/c.ts) ![d](./pictures/d.svg)",
    );
    expect(pages[2]?.text).toContain("[back](../use/a.md)");
    expect(pictures).toEqual(["docs/pictures/d.svg"]);
    expect(problems).toEqual(["docs/README.md: the link use/gone.md leads to nothing"]);
  });

  it("[SDK-529] reports a request to another host, a broken link and a heading that does not exist", () => {
    using site = temporaryFolder();
    writeFiles(site.path, {
      "index.html":
        '<a href="/use/a">a</a><a href="/use/a#b">b</a><a href="/use/a#c">c</a><a href="./none">d</a>' +
        '<a href="https://code.example">e</a><script src="/own.js"></script>' +
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/y.css">',
      "use/a.html": '<h2 id="b">B</h2>',
      "own.js": "",
      "style.css":
        "@import 'https://fonts.example/z.css'; a { background: url(/own.png) url(https://img.example/p.png) }",
    });
    expect(siteProblems(site.path).toSorted()).toEqual([
      "index.html: requests //fonts.example/y.css",
      "index.html: requests https://cdn.example/x.js",
      "index.html: the link ./none leads to nothing",
      "index.html: the link /use/a#c leads to a heading that does not exist",
      "style.css: requests https://fonts.example/z.css",
      "style.css: requests https://img.example/p.png",
    ]);
  });

  it("[SDK-530] lists the pages of the contents in llms.txt, as Markdown", () => {
    const text = llmsText(contents, "A gateway.");
    expect(text).toMatch(/^# OpenClaw\n\n> A gateway\.\n/);
    for (const { entries } of contents) {
      for (const { page, title } of entries) expect(text).toContain(`- [${title}](${page})`);
    }
  });
});

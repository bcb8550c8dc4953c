import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeBrowserPages } from "../../src/documentation/browser-pages.js";
import { Documentation } from "../../src/documentation/documentation.js";
import { DocumentationMissingError, TopicNotFoundError } from "../../src/documentation/errors.js";

const PAGES = {
  memory:
    "# Memory\n\nWhat agents remember.\n\n## Search\n\nWords and vectors.\n\n```sh\n# not a heading\n```\n",
  webhooks:
    "# Webhooks\n\nSee [memory](./memory.md#search). A `<tag>` is <b>text</b>.\n\n## A secret\n\nEach request is signed.\n",
};

function documentation() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const topics = Object.entries(PAGES).map(([topic, markdown]) => {
    writeFileSync(join(folder.path, `${topic}.md`), markdown);
    return {
      topic,
      section: "Use an agent",
      title: topic === "memory" ? "Memory" : "Webhooks",
      about: "",
    };
  });
  writeFileSync(join(folder.path, "topics.json"), JSON.stringify(topics));
  return { folder: folder.path, pages: new Documentation(folder.path) };
}

describe("Documentation", () => {
  it("[GW-515] finds a page by its path, title or file", () => {
    const { pages } = documentation();
    for (const name of ["memory", "Memory", "docs/memory.md"]) {
      expect(pages.find(name)?.topic, name).toBe("memory");
    }
    expect(pages.find("secret")).toBeUndefined();
  });

  it("[GW-516] searches all words, and lists headings with them first", () => {
    const { pages } = documentation();
    expect(pages.search(["SIGNED", "webhooks"])).toEqual([
      {
        topic: "webhooks",
        title: "Webhooks",
        heading: "A secret",
        text: "Each request is signed.",
      },
    ]);
    expect(pages.search(["memory"]).map(({ topic, heading }) => [topic, heading])).toEqual([
      ["memory", "Memory"],
      ["memory", "Search"],
      ["webhooks", "Webhooks"],
    ]);
    expect(pages.search(["not", "heading"])[0]?.heading).toBe("Search");
  });

  it("[GW-516] names similar pages when nothing has the words", () => {
    const { pages } = documentation();
    expect(() => pages.search(["memori"])).toThrow(
      new TopicNotFoundError("memori", ["memory"]).message,
    );
    expect(() => pages.search(["xyzzy"])).toThrow("`openclaw docs` lists the topics");
  });

  it("[GW-515] names the folder that lacks the documentation", () => {
    using folder = temporaryFolder();
    expect(() => new Documentation(folder.path)).toThrow(DocumentationMissingError);
  });

  it("[GW-517] writes pages whose links lead to pages and whose tags are text", () => {
    const { folder, pages } = documentation();
    const url = writeBrowserPages(pages, "webhooks", folder);
    const html = readFileSync(fileURLToPath(url), "utf8");
    expect(html).toContain('<a href="./memory.html#search">memory</a>');
    expect(html).toContain("&lt;b&gt;text&lt;/b&gt;");
    expect(html).not.toContain("<script");
    const list = readFileSync(fileURLToPath(writeBrowserPages(pages, undefined, folder)), "utf8");
    expect(list).toContain('<a href="webhooks.html">Webhooks</a>');
  });
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Marked } from "marked";
import { type Documentation, type Topic, topicsBySection } from "./documentation.js";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
pre, table { overflow-x: auto; display: block; }
pre { padding: 1rem; border: 1px solid light-dark(#ddd, #444); border-radius: 6px; }
code { font: 0.9em ui-monospace, monospace; }
td, th { padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; }
a { color: light-dark(#0060b0, #7db8ee); }
`;

/**
 * Writes the documentation as HTML pages without scripts, and returns the URL of a page.
 * @param documentation - documentation of this copy
 * @param topic - page to show; undefined for the list of topics
 * @param stateDir - state folder, whose folder `docs` is replaced
 */
export function writeBrowserPages(
  documentation: Documentation,
  topic: string | undefined,
  stateDir: string,
): string {
  const folder = join(stateDir, "docs");
  rmSync(folder, { recursive: true, force: true });
  for (const each of documentation.topics) {
    write(folder, each.topic, page(each.title, linked(documentation.markdown(each)), each.topic));
  }
  write(folder, "topics", page("OpenClaw documentation", topicList(documentation.topics), ""));
  return pathToFileURL(join(folder, `${topic ?? "topics"}.html`)).href;
}

function write(folder: string, topic: string, html: string): void {
  const file = join(folder, `${topic}.html`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, html, { mode: 0o600 });
}

const marked = new Marked({
  renderer: {
    // A tag in the documentation is text.
    html: ({ text }) => escaped(text),
  },
});

function page(title: string, markdown: string, topic: string): string {
  const home =
    topic === ""
      ? ""
      : `<p><a href="${"../".repeat(depthOf(topic))}topics.html">All topics</a></p>`;
  const body = marked.parse(markdown, { async: false });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style>${home}${body}</html>`;
}

function topicList(topics: readonly Topic[]): string {
  const sections = topicsBySection(topics);
  const lists = [...sections].map(([section, pages]) => {
    const items = pages.map(({ topic, title, about }) => {
      const text = about === "" ? "" : `: ${about}`;
      return `- [${title}](${topic}.html)${text}`;
    });
    return `## ${section}\n\n${items.join("\n")}`;
  });
  return `# OpenClaw documentation\n\n${lists.join("\n\n")}\n`;
}

/** Leads links between pages to their HTML. */
function linked(markdown: string): string {
  return markdown.replaceAll(/(\]\([^):\s]+)\.md([)#])/g, "$1.html$2");
}

function depthOf(topic: string): number {
  return topic.split("/").length - 1;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

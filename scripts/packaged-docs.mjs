// Writes the documentation into a package, as Markdown for `openclaw docs`. The build of `openclaw` runs it.
// usage: node scripts/packaged-docs.mjs <folder>
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv } from "node:process";
import { tableOfContents } from "./docs-site/contents.mjs";
import { documentationPages } from "./docs-site/pages.mjs";

/** Pages about the work on OpenClaw itself, which are read in the repository. */
const FOR_CONTRIBUTORS = /^(requirements|project)\/|^(contributing|contents)\.md$/;

const root = resolve(import.meta.dirname, "..");
const [, , folder = ""] = argv;
const { pages } = documentationPages(root);
const contents = tableOfContents(pages.find(({ page }) => page === "contents.md").text);
const entries = contents.flatMap(({ title, entries: some }) =>
  some.map((entry) => ({ ...entry, section: title })),
);
const byPage = new Map(pages.map((each) => [each.page, each]));
const shipped = pages.filter(({ page }) => !FOR_CONTRIBUTORS.test(page));
const listed = entries.filter(({ page }) => shipped.some((each) => each.page === page));
const topics = new Map(listed.map((entry) => [entry.page, entry]));
for (const { page } of shipped) {
  if (topics.has(page)) continue;
  const outer = topics.get(`${dirname(page)}.md`);
  topics.set(page, { page, section: outer?.section ?? "Packages and extensions", about: "" });
}

rmSync(folder, { recursive: true, force: true });
for (const { page, text } of shipped) {
  mkdirSync(dirname(join(folder, page)), { recursive: true });
  writeFileSync(join(folder, page), text);
}
const list = [...topics.values()].map(({ page, section, about }) => ({
  topic: page.slice(0, -".md".length),
  section,
  title: /^# (.*)$/m.exec(byPage.get(page).text)?.[1].replaceAll("`", "") ?? page,
  about,
}));
const order = [...new Set(list.map(({ section }) => section))];
list.sort((first, second) => order.indexOf(first.section) - order.indexOf(second.section));
writeFileSync(join(folder, "topics.json"), `${JSON.stringify(list)}\n`);

// Builds the documentation as a web site, a folder that any web server can serve, and checks it.
// usage: node scripts/docs-site.mjs [build|dev|preview] [--out folder]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv, env, execPath, exit, stdout } from "node:process";
import { parseArgs } from "node:util";
import { siteProblems } from "./docs-site/checks.mjs";
import { tableOfContents } from "./docs-site/contents.mjs";
import { llmsText } from "./docs-site/llms.mjs";
import { documentationPages, isForMaintainers } from "./docs-site/pages.mjs";

const root = resolve(import.meta.dirname, "..");
const tool = join(root, "tools/docs-site");
const staged = join(tool, ".pages");
const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { out: { type: "string", default: join(tool, ".site") } },
});
const [action = "build"] = positionals;
const out = resolve(values.out);

install();
stage();
if (action === "dev") {
  watch(join(root, "docs"), { recursive: true }, () => stage({ isQuiet: true }));
  const { createServer } = await vitepress();
  const server = await createServer(tool, { host: "127.0.0.1" });
  await server.listen();
  server.printUrls();
} else if (action === "preview") {
  const { serve } = await vitepress();
  await serve({ root: tool, port: 4173 });
} else {
  await build();
}

async function build() {
  const started = Date.now();
  const { build: buildSite } = await vitepress();
  await buildSite(tool, { outDir: out });
  const { pages } = documentationPages(root);
  for (const { page, text } of pages) write(join(out, page), text);
  const problems = siteProblems(out);
  report(problems);
  stdout.write(`${pages.length} pages in ${out}, ${Math.round((Date.now() - started) / 1000)} s\n`);
}

function vitepress() {
  return import(join(tool, "node_modules/vitepress/dist/node/index.js"));
}

/** Installs the generator, which the workspace does not need. */
function install() {
  const { status } = spawnSync(
    "npx",
    ["-y", "pnpm@12.21.0", "--dir", tool, "install", "--frozen-lockfile", "--loglevel=error"],
    { stdio: "inherit", env: { ...env, PATH: `${dirname(execPath)}:${env.PATH}` } },
  );
  if (status !== 0) exit(status ?? 1);
}

/** Writes the pages, the table of contents and llms.txt where the generator reads them. */
function stage({ isQuiet = false } = {}) {
  const { pages, pictures, problems } = documentationPages(root);
  const contents = tableOfContents(pages.find(({ page }) => page === "contents.md").text);
  const listed = new Set(contents.flatMap(({ entries }) => entries.map(({ page }) => page)));
  for (const { file, page } of pages) {
    // A page in a folder of a page belongs to it: operate/channels/slack.md to operate/channels.md.
    const isListed = listed.has(page) || listed.has(`${dirname(page)}.md`);
    if (/^(use|operate|author|project|reference)\//.test(page) && !isListed) {
      problems.push(`${file}: docs/README.md does not list the page`);
    }
  }
  if (!isQuiet) report(problems);
  rmSync(staged, { recursive: true, force: true });
  for (const { page, text } of pages) {
    const fields = isForMaintainers(page) ? "---\nsearch: false\n---\n\n" : "";
    write(join(staged, page), fields + text);
  }
  for (const picture of pictures) {
    const place = join(staged, picture.slice("docs/".length));
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(root, picture), place);
  }
  cpSync(join(tool, "home.md"), join(staged, "index.md"));
  cpSync(join(root, "apps/control-ui/src/public/icon.svg"), join(staged, "public/icon.svg"), {
    recursive: true,
  });
  write(join(staged, "public/llms.txt"), llmsText(contents, summary()));
  write(join(staged, "contents.json"), JSON.stringify(withInnerPages(contents, pages)));
}

/** Adds to each page the pages of its folder that the table of contents does not list. */
function withInnerPages(contents, pages) {
  const listed = new Set(contents.flatMap(({ entries }) => entries.map(({ page }) => page)));
  const innerPages = (outer) =>
    pages
      .filter(({ page }) => !listed.has(page) && `${dirname(page)}.md` === outer)
      .map(({ page, text }) => ({
        page,
        title: /^# (.*)$/m.exec(text)?.[1].replaceAll("`", "") ?? page,
      }));
  return contents.map(({ title, entries }) => ({
    title,
    entries: entries.map((entry) => ({ ...entry, inner: innerPages(entry.page) })),
  }));
}

/** Returns the first paragraph of the README. */
function summary() {
  const [, paragraph = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n\n");
  return paragraph.replaceAll("\n", " ");
}

function report(problems) {
  if (problems.length === 0) return;
  stdout.write(`${problems.join("\n")}\n${problems.length} problems\n`);
  exit(1);
}

function write(place, text) {
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

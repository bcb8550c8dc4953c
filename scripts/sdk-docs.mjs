// Puts the pages for plugin authors into the SDK's package, with llms.txt, the index that coding agents
// read first. Links among the pages hold; those that lead elsewhere become addresses on the web.
// The package's `prepack` and `postpack` run it, so a checkout holds each page once.
// usage: node scripts/sdk-docs.mjs [--remove]
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { argv } from "node:process";

const root = resolve(import.meta.dirname, "..");
const target = join(root, "packages/plugin-sdk");
const WEB = "https://github.com/openclaw/openclaw/blob/main/";

const GUIDES = [
  "author/quick-start.md",
  "author/plugins.md",
  "author/hooks.md",
  "author/manifest.md",
  "author/plugin-configuration.md",
  "author/plugin-store.md",
  "operate/oauth.md",
  "author/testing.md",
  "project/versioning.md",
  "author/trust-model.md",
  "author/migrating.md",
  "operate/tool-policy.md",
];
const pages = [
  ...GUIDES,
  ...globSync("reference/{error-codes,hooks,manifest,hooks/*}.md", {
    cwd: join(root, "docs"),
  }).sort(),
];

rmSync(join(target, "docs"), { recursive: true, force: true });
rmSync(join(target, "llms.txt"), { force: true });
if (!argv.includes("--remove")) {
  for (const page of pages) write(`docs/${page}`, withLinks(page, read(page)));
  write("llms.txt", index());
}

function index() {
  const { description } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
  const references = pages.filter((page) => /^reference\/[^/]+$/.test(page));
  const hooks = pages.filter((page) => page.startsWith("reference/hooks/"));
  return `# @openclaw/plugin-sdk

> ${description}

Types are the source of truth: every exported name has a one-sentence description in dist/*.d.ts, and
manifest.schema.json is the schema of openclaw.plugin.json.

A plugin is a folder with openclaw.plugin.json and a module whose default export is
\`definePluginEntry({ id, register(api) { … } })\` of @openclaw/plugin-sdk/plugin-entry. Import entry points
only; the host supplies the one copy of the SDK. Check your work with
\`openclaw plugins validate <folder> --conformance\`.

## Guides

${list(GUIDES)}

## Reference

${list(references)}

## Hooks

${list(hooks)}
`;
}

function list(names) {
  return names.map((page) => `- [${titleOf(page)}](docs/${page})${summaryOf(page)}`).join("\n");
}

function titleOf(page) {
  return /^# (.*)$/m.exec(read(page))?.[1] ?? page;
}

/** Returns the first sentence of a hook's page. */
function summaryOf(page) {
  if (!page.startsWith("reference/hooks/")) return "";
  return `: ${read(page).split("\n\n")[2]}`;
}

function withLinks(page, text) {
  return text.replaceAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g, (link, path, anchor = "") => {
    if (/^[a-z]+:/.test(path)) return link;
    const file = relative(root, resolve(root, "docs", dirname(page), path));
    if (pages.some((other) => `docs/${other}` === file)) return link;
    return `](${WEB}${file}${anchor})`;
  });
}

function read(page) {
  return readFileSync(join(root, "docs", page), "utf8");
}

function write(file, text) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), text);
}

// Writes what the pages say of the bundled extensions, from their manifests: the table of docs/author/plugins.md, and the channels
// and model providers in the comparison of README.md, and its table of what the package contains.
// usage: pnpm bundled [--check]   --check changes nothing and fails when a page is stale
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { argv, exit, stderr } from "node:process";

const root = resolve(import.meta.dirname, "..");

/** Names of channels and providers as people write them. */
const NAMES = {
  ...{ discord: "Discord", http: "HTTP", slack: "Slack", teams: "Teams", telegram: "Telegram" },
  ...{ whatsapp: "WhatsApp", anthropic: "Anthropic", bedrock: "Bedrock", google: "Gemini" },
  ...{ nearai: "NEAR AI", ollama: "Ollama", openai: "OpenAI", openrouter: "OpenRouter" },
  "openai-compatible": "any compatible server",
};
/** Order in which the comparison names them; a new one is added here. */
const CHANNELS = ["http", "telegram", "slack", "discord", "teams", "whatsapp"];
const PROVIDERS = [
  ...["openai", "anthropic", "google", "bedrock", "openrouter", "nearai", "ollama"],
  "openai-compatible",
];

const extensions = globSync("extensions/*/openclaw.plugin.json", { cwd: root })
  .sort()
  .map((file) => ({ folder: basename(dirname(file)), ...JSON.parse(read(file)) }));

const shipped = new Set(Object.keys(JSON.parse(read("apps/gateway/package.json")).dependencies));

const pages = {
  "docs/author/plugins.md": { extensions: table() },
  "README.md": {
    today: today(),
    channels: names("channels", CHANNELS),
    providers: names("providers", PROVIDERS),
  },
};

let isStale = false;
for (const [page, sections] of Object.entries(pages)) {
  const before = read(page);
  const after = Object.entries(sections).reduce(
    (text, [name, content]) => section(page, text, name, content),
    before,
  );
  if (before === after) continue;
  isStale = true;
  if (argv.includes("--check")) stderr.write(`${page} is stale; run pnpm bundled\n`);
  else writeFileSync(join(root, page), after);
}
if (isStale && argv.includes("--check")) exit(1);

/** Replaces the text between the markers of a section. */
function section(page, text, name, content) {
  const pattern = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`${page} has no section <!-- ${name} -->`);
  return text.replace(pattern, (_all, start, end) => `${start}${content}${end}`);
}

/** Returns one row for each extension. */
function table() {
  const rows = extensions.map(({ folder, description, channels = [], providers = [] }) => {
    const offered = [...channels, ...providers].map((id) => `\`${id}\``).join(", ");
    const isShipped = shipped.has(`@openclaw/${folder}`) ? "yes" : "no";
    const link = `[${folder}](../../extensions/${folder}/README.md)`;
    return `| ${link} | ${description} | ${offered} | ${isShipped} |\n`;
  });
  const head = "| extension | description | channels, providers | part of `openclaw` |";
  return `\n${head}\n|---|---|---|---|\n${rows.join("")}`;
}

/** Returns what the package contains: channels, models, tools, hooks, and a row for each other extension. */
function today() {
  const tools = listOf("packages/core-tools/src/core-tools.ts", "CORE_TOOL_NAMES");
  const hooks = globSync("docs/reference/hooks/*.md", { cwd: root });
  const others = extensions.filter(
    ({ folder, channels = [], providers = [] }) =>
      shipped.has(`@openclaw/${folder}`) && channels.length === 0 && providers.length === 0,
  );
  const rows = [
    ["Chat channels", `Terminal, web console, ${names("channels", CHANNELS)}`],
    ["Models", names("providers", PROVIDERS)],
    [
      "Tools of agents",
      `${tools.map((name) => `\`${name}\``).join(", ")}; with those of MCP servers and plugins`,
    ],
    ["Hooks of plugins", `${hooks.length}, each with a [page](docs/reference/hooks.md)`],
    ...others.map(({ folder, description }) => [
      `[${folder}](extensions/${folder}/README.md)`,
      description.replace(/\.$/, ""),
    ]),
  ];
  return `\n| | |\n|---|---|\n${rows.map(([name, text]) => `| ${name} | ${text} |\n`).join("")}`;
}

/** Returns the strings of a list in a source file. */
function listOf(file, name) {
  const [, list = ""] =
    new RegExp(`${name}[^=]*= (?:Object\\.freeze\\()?\\[([^\\]]*)\\]`).exec(read(file)) ?? [];
  const found = [...list.matchAll(/"([a-z_]+)"/g)].map(([, word]) => word);
  if (found.length === 0) throw new Error(`${file} has no list ${name}`);
  return found;
}

/** Returns the names of all channels, or of all providers. */
function names(kind, order) {
  const ids = new Set(extensions.flatMap((extension) => extension[kind] ?? []));
  const unknown = [...ids].filter((id) => !order.includes(id));
  if (unknown.length > 0) throw new Error(`add ${unknown} to scripts/bundled-extensions.mjs`);
  return order
    .filter((id) => ids.has(id))
    .map((id) => NAMES[id])
    .join(", ");
}

function read(file) {
  return readFileSync(join(root, file), "utf8");
}

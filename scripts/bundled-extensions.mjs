// Writes what the pages say of the bundled extensions, from their manifests: the table of docs/author/plugins.md, and the channels
// and model providers in the comparison of README.md.
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

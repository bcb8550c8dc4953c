import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { PluginLanguage } from "./plugin-kind.js";

/** The same folder from the sources and from the build. */
const TEMPLATES = fileURLToPath(new URL("../templates", import.meta.url));

/** Under their own names npm would leave these out of the package, or tools take them for its own. */
const RENAMED = new Map([
  ["biome-configuration.json", "biome.json"],
  ["gitignore", ".gitignore"],
  ["github/workflows/ci.yml", ".github/workflows/ci.yml"],
]);

const PLACEHOLDER = /\{\{([^}]+)\}\}/g;

/**
 * Fills in templates.
 * @param folders - folders of the templates; a later one adds to the earlier ones
 * @param language - language of the plugin
 * @param values - value of each `{{placeholder}}`
 * @returns contents by relative path
 * @throws Error for a placeholder without a value
 */
export function fillTemplate(
  folders: readonly string[],
  language: PluginLanguage,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (whole, key: string) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      if (value === undefined)
        throw new Error(`the template of ${folders.at(-1)} asks for ${whole}`);
      return value;
    });
  const files = new Map<string, string>();
  for (const folder of folders) {
    for (const [path, content] of filesBelow(join(TEMPLATES, folder))) {
      const target = localised(RENAMED.get(path) ?? path, language);
      files.set(target, joined(files.get(target), fill(content)));
    }
  }
  return files;
}

/** A kind adds to what all have in common; the only file of both is the package's manifest. */
function joined(common: string | undefined, own: string): string {
  if (common === undefined) return own;
  const manifest: Record<string, unknown> = JSON.parse(common);
  for (const [field, value] of Object.entries<Record<string, string>>(JSON.parse(own))) {
    const all = Object.entries({ ...(manifest[field] ?? {}), ...value });
    manifest[field] = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Templates hold no type annotations, so one text serves both languages. */
function localised(path: string, language: PluginLanguage): string {
  return language === "javascript" ? path.replace(/\.ts$/, ".js") : path;
}

function filesBelow(folder: string): [path: string, content: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [relative(folder, file).split(sep).join("/"), readFileSync(file, "utf8")];
    });
}

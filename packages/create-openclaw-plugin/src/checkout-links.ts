import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Files of a plugin whose dependencies are linked to a checkout; the same folder from the sources and from the build. */
const TEMPLATES = fileURLToPath(new URL("../templates/checkout", import.meta.url));

/** Folders of the packages of a checkout that new plugins depend on. */
const FOLDERS: Readonly<Record<string, string>> = {
  "@openclaw/platform-fakes": "packages/platform-fakes",
  "@openclaw/plugin-sdk": "packages/plugin-sdk",
  "@openclaw/plugin-testkit": "packages/plugin-testkit",
  openclaw: "apps/gateway",
};

/**
 * Replaces what would install the packages of OpenClaw from a registry, in which their names may belong to another
 * publisher, by links to a checkout (SDK-643).
 * @param files - contents of the new plugin by relative path
 * @param folder - absolute path of the plugin
 * @param checkout - root of the checkout
 */
export function withCheckoutLinks(
  files: ReadonlyMap<string, string>,
  folder: string,
  checkout: string,
): ReadonlyMap<string, string> {
  const linked = new Map(files);
  const manifest = JSON.parse(files.get("package.json") ?? "{}") as {
    devDependencies: Record<string, string>;
  };
  const published: Record<string, string | undefined> = {};
  for (const [name, place] of Object.entries(FOLDERS)) {
    const range = manifest.devDependencies[name];
    if (range === undefined) continue;
    published[name] = range;
    const path = relative(folder, join(checkout, place)).split(sep).join("/");
    manifest.devDependencies[name] = `link:${path}`;
  }
  linked.set("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  const later = template("README.md").replace("{{published}}", members(published));
  linked.set("README.md", `${files.get("README.md") ?? ""}${later}`);
  linked.set(".github/workflows/ci.yml", template("github/workflows/ci.yml"));
  return linked;
}

/** Returns the members of an object as they are in a `package.json`. */
function members(values: Readonly<Record<string, string | undefined>>): string {
  return JSON.stringify(values, null, 2)
    .split("\n")
    .slice(1, -1)
    .join("\n")
    .replaceAll(/^ {2}/gm, "")
    .replaceAll("\n", "\n   ");
}

function template(file: string): string {
  return readFileSync(join(TEMPLATES, file), "utf8");
}

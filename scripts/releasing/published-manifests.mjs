// Gives the packages the names that the publisher chose. In the workspace and in all imports their names stay: only
// their manifests and the commands of their README files change, while they are published.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  PUBLISH_NAMES,
  PublishNames,
  readPublishNames,
} from "../../packages/create-openclaw-plugin/src/publish-names.ts";

const DEPENDENCIES = [
  "dependencies",
  "optionalDependencies",
  "peerDependencies",
  "devDependencies",
];

/**
 * Returns the names in the registry that a workspace decides.
 * @param root - the workspace
 */
export function publishNames(root) {
  return readPublishNames(dirname(join(root, PUBLISH_NAMES)));
}

/**
 * Chooses a scope, in the only place that decides it.
 * @param root - the workspace
 * @param scope - for example `@acme`
 * @returns the names under it
 */
export function choosePublishScope(root, scope) {
  const names = new PublishNames(scope);
  writeFileSync(join(root, PUBLISH_NAMES), `${JSON.stringify({ scope }, null, 2)}\n`);
  return names;
}

/**
 * Gives every published package its name in the registry, and its dependencies of the workspace an alias.
 * @param root - the workspace
 * @returns a function that restores the files
 */
export function renamePackages(root, names) {
  const before = new Map();
  const change = (file, edit) => {
    const text = readFileSync(file, "utf8");
    const next = edit(text);
    if (next === text) return;
    before.set(file, text);
    writeFileSync(file, next);
  };
  const files = globSync("{packages,extensions,apps}/*/package.json", { cwd: root });
  const manifests = files.map((file) => ({
    file: join(root, file),
    manifest: JSON.parse(readFileSync(join(root, file), "utf8")),
  }));
  const versions = new Map(manifests.map(({ manifest }) => [manifest.name, manifest.version]));
  for (const { file, manifest } of manifests) {
    if (manifest.private === true) continue;
    change(file, (text) => {
      const renamed = renamedManifest(manifest, { names, versions });
      return renamed === undefined ? text : `${JSON.stringify(renamed, null, 2)}\n`;
    });
    const readme = join(dirname(file), "README.md");
    if (existsSync(readme)) change(readme, (text) => names.commandsIn(text));
  }
  return () => {
    for (const [file, text] of before) writeFileSync(file, text);
  };
}

/** Returns a manifest with the names of the registry; undefined when it is the same. */
function renamedManifest(manifest, { names, versions }) {
  const name = names.nameOf(manifest.name);
  if (name === manifest.name) return undefined;
  const renamed = { ...manifest, name, description: names.commandsIn(manifest.description ?? "") };
  for (const kind of DEPENDENCIES) {
    if (manifest[kind] === undefined) continue;
    const entries = Object.entries(manifest[kind]).map(([dependency, range]) => {
      if (!range.startsWith("workspace:") || !versions.has(dependency)) return [dependency, range];
      // As pnpm publishes it: `*` means the exact version, `^` and `~` stay.
      const prefix = range.slice("workspace:".length).replace("*", "");
      return [dependency, names.dependency(dependency, `${prefix}${versions.get(dependency)}`)];
    });
    renamed[kind] = Object.fromEntries(entries);
  }
  return renamed;
}

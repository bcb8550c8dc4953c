import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { create } from "tar";

/** A plugin as its author has it on disk. */
export interface PluginFiles {
  readonly manifest?: Partial<PluginManifest>;
  /** Body of `register(api)`. */
  readonly register?: string;
  /** `package.json`, when it has one. */
  readonly package?: Readonly<Record<string, unknown>>;
  /** Further files by relative path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Writes a plugin with the id `guard` into a folder.
 * @param dir - made where it is missing
 * @param plugin - how it differs from one that registers nothing
 * @returns the folder
 */
export function writePlugin(dir: string, plugin: PluginFiles = {}): string {
  const files = {
    "openclaw.plugin.json": JSON.stringify({
      id: "guard",
      version: "1.0.0",
      entry: "index.mjs",
      ...plugin.manifest,
    }),
    "index.mjs": `export function register(api) { ${plugin.register ?? ""} }\n`,
    ...(plugin.package === undefined ? {} : { "package.json": JSON.stringify(plugin.package) }),
    ...plugin.files,
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), content);
  }
  return dir;
}

/**
 * Packs a folder as `npm pack` does: everything below `package/`.
 * @param dir - the folder
 * @param file - the archive to write
 * @returns the archive
 */
export async function packFolder(dir: string, file: string): Promise<string> {
  await create({ cwd: dir, file, gzip: true, prefix: "package", portable: true }, ["."]);
  return file;
}

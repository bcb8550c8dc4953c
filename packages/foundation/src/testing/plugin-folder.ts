import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { create } from "tar";

/** Files of a plugin on disk. */
export interface PluginFiles {
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Body of `register(api)`. */
  readonly register?: string;
  /** Content of `package.json`, if it has one. */
  readonly package?: Readonly<Record<string, unknown>>;
  /** Further files by relative path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Writes a plugin with the ID `guard` to a folder.
 * @param dir - folder; created if it is missing
 * @param plugin - its files; by default it registers nothing
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
 * Packs a folder as `npm pack` does, with everything below `package/`.
 * @param dir - folder to pack
 * @param file - archive to write
 * @returns the archive
 */
export async function packFolder(dir: string, file: string): Promise<string> {
  await create({ cwd: dir, file, gzip: true, prefix: "package", portable: true }, ["."]);
  return file;
}

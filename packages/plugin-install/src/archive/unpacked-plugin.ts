import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDependencies } from "../dependencies.js";
import { PluginSourceError } from "../errors.js";
import { isFirstParty } from "../first-party.js";
import { readPackage } from "../package-manifest.js";
import { parsePluginSpecifier, type StageableSpecifier, stagePlugin } from "../source.js";

/** Plugin that can be loaded from a folder, without having been installed. */
export interface UnpackedPlugin extends AsyncDisposable {
  /** Absolute path of its folder or file. */
  readonly path: string;
}

/**
 * Makes a plugin loadable without installing it. A folder with all its dependencies and a file stay where they are;
 * everything else is unpacked, with its dependencies, into a temporary folder. Nothing of it is executed.
 * @param specifier - folder, file, archive, npm name or git URL
 * @param cwd - base folder of relative paths
 * @throws PluginSourceError, PluginInstallRefusedError
 */
export async function unpackPlugin(specifier: string, cwd: string): Promise<UnpackedPlugin> {
  const source = await parsePluginSpecifier(specifier, cwd);
  if (source.kind === "first-party") {
    throw new PluginSourceError(
      specifier,
      `"${source.name}" is a name of this project, and is not taken from a registry`,
      "name the folder of the plugin",
    );
  }
  if ("path" in source && (await isLoadable(source))) {
    return { path: source.path, [Symbol.asyncDispose]: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), "openclaw-plugin-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const staged = await stagePlugin(source, specifier, folder);
    await installDependencies(staged, { pluginId: staged.packageName ?? specifier, allowed: [] });
    return { path: staged.dir, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function isLoadable(source: StageableSpecifier): Promise<boolean> {
  if (source.kind === "plugin-file") return true;
  if (source.kind !== "plugin-dir") return false;
  const { dependencies = {} } = (await readPackage(source.path)) ?? {};
  return Object.keys(dependencies).every(
    (name) =>
      isFirstParty(name) || existsSync(join(source.path, "node_modules", name, "package.json")),
  );
}

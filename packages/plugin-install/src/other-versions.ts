import { errorMessage } from "@openclaw/foundation";
import { sdkPartsAt } from "@openclaw/plugin-loader";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import { prepareNpmFolder, runNpm } from "./npm.js";
import { discardStaged, type StagedPlugin, stagePlugin } from "./source.js";

/** Number of other versions that are fetched. */
const MOST_FETCHED = 4;
const RELEASE = /^\d+\.\d+\.\d+$/;

/** Version of a package, and whether it fits this host as far as its manifest and its imports show. */
interface CheckedVersion {
  readonly version: string;
  readonly fits: boolean;
}

/**
 * Looks for a version of a rejected plugin that fits this host, newer ones first. Versions are compared by their manifest
 * and their imports of the SDK; none of their code runs.
 * @param rejected - plugin from the npm registry that this host does not accept
 * @param options - existing folder for unpacked versions, and version of the host
 * @returns a sentence for the operator
 */
export async function adviseVersion(
  rejected: StagedPlugin,
  options: { readonly stagingDir: string; readonly hostVersion: string | undefined },
): Promise<string> {
  const { packageName: name, packageVersion: version } = rejected;
  if (name === undefined || version === undefined) return "";
  try {
    const versions = await publishedVersions(name, rejected);
    const checked: CheckedVersion[] = [];
    for (const candidate of candidates(versions, version)) {
      const fits = await fitsHost(`${name}@${candidate}`, rejected, options);
      if (fits)
        return `version ${candidate} fits this host: \`openclaw plugins install ${name}@${candidate}\``;
      checked.push({ version: candidate, fits });
    }
    if (checked.length === 0) return "no other version is published";
    const listed = checked.map((each) => each.version).join(", ");
    return `no other version is known to fit (checked: ${listed} of ${versions.length} published)`;
  } catch (error) {
    return `other versions could not be checked (${errorMessage(error)})`;
  }
}

async function publishedVersions(
  name: string,
  { dir, requested }: StagedPlugin,
): Promise<string[]> {
  const cwd = `${dir}-versions`;
  await prepareNpmFolder(cwd, { name: "plugin-versions" });
  const args = ["view", "--json", "--", name, "versions"];
  const found: unknown = JSON.parse(await runNpm(args, { cwd, requested, allowed: [] }));
  const versions: readonly unknown[] = Array.isArray(found) ? found : [found];
  return versions.filter((each) => typeof each === "string");
}

/** Returns the newest release first if it is newer, then older ones, each the last of its minor version. */
function candidates(versions: readonly string[], rejected: string): string[] {
  const releases = versions.filter((version) => RELEASE.test(version) || version === rejected);
  const at = releases.indexOf(rejected);
  const newest = releases.slice(at + 1).at(-1);
  const older = releases
    .slice(0, Math.max(0, at))
    .filter((version, index, all) => minorOf(version) !== minorOf(all[index + 1] ?? rejected))
    .reverse();
  return [...(newest === undefined ? [] : [newest]), ...older].slice(0, MOST_FETCHED);
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

async function fitsHost(
  specifier: string,
  { requested }: StagedPlugin,
  {
    stagingDir,
    hostVersion,
  }: { readonly stagingDir: string; readonly hostVersion: string | undefined },
): Promise<boolean> {
  const staged = await stagePlugin({ kind: "plugin-npm", specifier }, requested, stagingDir);
  try {
    const ignore = () => undefined;
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const runtime = createPluginRuntime({
      ...{ config: {}, logger, extraPaths: [staged.dir] },
      ...(hostVersion === undefined ? {} : { hostVersion }),
    });
    const { plugins } = await runtime.discover();
    const isPlanned = plugins.length > 0 && plugins.every(({ enabled }) => enabled);
    return isPlanned && (await sdkPartsAt(staged.dir)).every(({ offered }) => offered);
  } finally {
    await discardStaged(staged);
  }
}

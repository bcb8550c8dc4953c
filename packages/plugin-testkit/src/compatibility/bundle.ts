import { realpathSync, statSync } from "node:fs";
import { defined } from "@openclaw/foundation";
import { partsOf, readPluginFolder } from "@openclaw/plugin-discovery";
import type { CompatibilityReport } from "./report.js";

/**
 * Reports on a bundle of another tool, which contains files instead of code that registers. Nothing of it is executed.
 * @param path - absolute path of a file or folder
 * @returns undefined for anything but a bundle that this host reads
 */
export function inspectBundle(path: string): CompatibilityReport | undefined {
  if (!statSync(path).isDirectory()) return undefined;
  const root = realpathSync(path);
  const { bundle, manifest } = readPluginFolder(root) ?? {};
  if (bundle === undefined || manifest === undefined) return undefined;
  const { id, version } = manifest;
  const parts = partsOf(bundle, root, id);
  return { id, format: "bundle", loads: true, parts, ...defined({ version }) };
}

import { discoverPlugins } from "@openclaw/plugin-discovery";
import { findEntries } from "../loading/entry-files.js";
import { findSdkParts, type SdkPart } from "./sdk-use.js";

/**
 * Finds every part of the SDK that the plugin at a path imports, without running it.
 * @param path - absolute path of a plugin's folder or entry file
 * @returns the parts; none for a plugin without a usable entry, which a load reports
 */
export async function sdkPartsAt(path: string): Promise<readonly SdkPart[]> {
  const { candidates } = discoverPlugins({ extraPaths: [path] });
  const parts = await Promise.all(
    candidates.map(async (candidate) => {
      try {
        const files = findEntries(candidate).map(({ file }) => file);
        return await findSdkParts(files, candidate.rootDir);
      } catch {
        return [];
      }
    }),
  );
  return parts.flat();
}

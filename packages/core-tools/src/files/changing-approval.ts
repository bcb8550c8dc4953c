import { dirname, join, sep } from "node:path";
import type { FollowedBy } from "@openclaw/plugin-sdk/approvals";
import type { ScopedApproval } from "@openclaw/plugin-sdk/tools";
import { ToolRefusalError } from "../errors.js";
import { followedChange, followedText } from "./followed-change.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/**
 * Returns the approval that changing files requires, which a lasting approval gives for the folder of the files and those
 * below it (APPR-021). A call that changes a followed file asks each time, and a lasting approval covers exactly its files
 * (APPR-280). A path that is closed has no folder, because the tool itself rejects it: a lasting approval covers
 * only calls with such paths, not the whole tool.
 * @param paths - the boundary
 * @param given - returns the paths as the caller wrote them
 */
export async function changingApproval(
  paths: WorkspacePaths,
  given: () => readonly string[],
): Promise<ScopedApproval> {
  try {
    const changes = await Promise.all(given().map((path) => changedFile(paths, path)));
    if (changes.some(({ by }) => by !== undefined)) return followedApproval(changes);
    const folder = changes.map(({ file }) => dirname(file)).reduce(commonFolder);
    const covers = `in ${folder} and the folders below it`;
    return { need: "unless-granted", grantKey: folder, covers, coversBelow: true };
  } catch (error) {
    if (!ToolRefusalError.isInstance(error)) throw error;
    const description = `The tool will reject this call: ${error.message}`;
    const covers = "of paths that the tool rejects";
    return { need: "unless-granted", description, grantKey: "closed", covers };
  }
}

interface ChangedFile {
  /** A real path. */
  readonly file: string;
  readonly shown: string;
  /** Reader that follows the file. */
  readonly by: FollowedBy | undefined;
}

async function changedFile(paths: WorkspacePaths, given: string): Promise<ChangedFile> {
  const file = await paths.resolve(given);
  const by = await followedChange(paths, given, file);
  return { file, shown: await paths.display(file), by };
}

function followedApproval(changes: readonly ChangedFile[]): ScopedApproval {
  const files = [...new Set(changes.map(({ file }) => file))].sort();
  const named = changes.flatMap(({ shown, by }) =>
    by === undefined ? [] : [followedText(shown, by)],
  );
  return {
    need: "unless-granted",
    description: `Changes ${[...new Set(named)].join(", and ")}.`,
    grantKey: JSON.stringify(files),
    covers: `of exactly ${files.join(" and ")}`,
    asksEachTime: true,
  };
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (!`${other}${sep}`.startsWith(join(folder, sep))) folder = dirname(folder);
  return folder;
}

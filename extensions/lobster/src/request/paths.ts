import { realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { LobsterError } from "../errors.js";

const EXTENSIONS = [".lobster", ".yaml", ".yml", ".json"];
const MOST_FILE_BYTES = 256 * 1024;

/**
 * Returns the real path of the working folder of a run, which is inside the workspace (LOB-005).
 * @param workspaceDir - absolute path of the session's workspace
 * @param cwd - relative path
 * @throws LobsterError of type `parse_error`
 */
export async function resolveFolder(workspaceDir: string, cwd: string): Promise<string> {
  const found = await realPathInside(workspaceDir, workspaceDir, cwd, "cwd");
  if (!(await stat(found)).isDirectory()) {
    throw new LobsterError(
      "parse_error",
      `cwd: "${cwd}" is a file; give a folder of the workspace`,
    );
  }
  return found;
}

/**
 * Returns the real path of a workflow file, which is inside the workspace (LOB-005).
 * @param workspaceDir - absolute path of the session's workspace
 * @param base - absolute path of the folder that the path is relative to
 * @param filePath - relative path
 * @param field - name of the parameter or field, for messages
 * @throws LobsterError of type `parse_error`
 */
export async function resolveWorkflowFile(
  workspaceDir: string,
  base: string,
  filePath: string,
  field = "filePath",
): Promise<string> {
  if (!EXTENSIONS.includes(extname(filePath).toLowerCase())) {
    throw new LobsterError(
      "parse_error",
      `${field}: expected a file that ends in ${EXTENSIONS.join(", ")}, got "${filePath}"`,
    );
  }
  const found = await realPathInside(workspaceDir, base, filePath, field);
  const { size, ...info } = await stat(found).then((stats) => ({
    size: stats.size,
    isFile: stats.isFile(),
  }));
  if (!info.isFile) {
    throw new LobsterError("parse_error", `${field}: "${filePath}" is not a regular file`);
  }
  if (size > MOST_FILE_BYTES) {
    throw new LobsterError(
      "parse_error",
      `${field}: "${filePath}" has ${size} bytes; a workflow file has at most ${MOST_FILE_BYTES}`,
    );
  }
  return found;
}

/**
 * Returns the path of a file relative to the workspace, for messages.
 * @param workspaceDir - absolute path of the workspace
 * @param file - absolute path inside it
 */
export function shownPath(workspaceDir: string, file: string): string {
  return relative(workspaceDir, file) || ".";
}

async function realPathInside(
  workspaceDir: string,
  base: string,
  given: string,
  field: string,
): Promise<string> {
  const outside = new LobsterError(
    "parse_error",
    `${field}: "${given}" is not inside the workspace; give a relative path without ".."`,
  );
  if (given.includes("\0") || isAbsolute(given) || given.split(/[\\/]/).includes("..")) {
    throw outside;
  }
  const root = await realpath(workspaceDir);
  let found: string;
  try {
    found = await realpath(resolve(base, join(".", given)));
  } catch {
    throw new LobsterError(
      "parse_error",
      `${field}: "${given}" does not exist in the session's workspace ${root}`,
    );
  }
  if (found !== root && !found.startsWith(root + sep)) throw outside;
  return found;
}

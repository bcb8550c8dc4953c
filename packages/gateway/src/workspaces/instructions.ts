import { constants, existsSync, realpathSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** Names of the file with a project's instructions; the first one that exists in a folder is read. */
const NAMES = ["AGENTS.md", "CLAUDE.md"] as const;
/** Maximum size of the instructions of all files, in UTF-8 bytes. */
const MOST_BYTES = 64 * 1024;

/** File with instructions of a project. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  /** True when the text is only the beginning of the file. */
  readonly isCut: boolean;
}

/**
 * Reads the instructions of a workspace: `AGENTS.md`, else `CLAUDE.md`, of each folder from the root of the
 * repository down to the workspace, 64 KiB in all. Files that lead out of the repository are not read.
 * @param workspaceDir - real path of the workspace, which must be trusted
 */
export async function readInstructions(workspaceDir: string): Promise<readonly InstructionFile[]> {
  const folders = foldersOf(workspaceDir);
  const [root = workspaceDir] = folders;
  const files: InstructionFile[] = [];
  let left = MOST_BYTES;
  for (const folder of folders) {
    for (const name of NAMES) {
      const file = await readWorkspaceFile(join(folder, name), root, left);
      if (file === undefined) continue;
      files.push(file);
      left -= Buffer.byteLength(file.text);
      break;
    }
  }
  return files;
}

/**
 * Returns the instructions of a workspace as a part of the system prompt.
 * @param files - instruction files, outermost first
 * @returns undefined when there are none
 */
export function instructionsText(files: readonly InstructionFile[]): string | undefined {
  if (files.length === 0) return undefined;
  return files
    .map(({ path, text, isCut }) => {
      const end = isCut ? "\n(The file is longer; read the rest with the read tool.)" : "";
      return `Project instructions from ${path}:\n\n${text.trim()}${end}`;
    })
    .join("\n\n");
}

/** Returns the folders from the root of the repository to the workspace; only the workspace outside a repository. */
function foldersOf(workspaceDir: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = workspaceDir; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (existsSync(join(folder, ".git"))) return folders;
    if (folder === dirname(folder)) return [workspaceDir];
  }
}

/**
 * Reads the beginning of a text file of a workspace.
 * @param path - absolute path
 * @param root - real path of the folder that the file must not lead out of
 * @param most - maximum number of bytes
 * @returns undefined for a file that does not exist, cannot be read, or leads out of the folder
 */
export async function readWorkspaceFile(
  path: string,
  root: string,
  most: number,
): Promise<InstructionFile | undefined> {
  if (most <= 0) return undefined;
  let realPath: string;
  try {
    realPath = realpathSync(path);
  } catch {
    return undefined;
  }
  const below = relative(root, realPath);
  if (below === ".." || below.startsWith(`..${sep}`)) return undefined;
  const file = await open(realPath, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    // A character that was cut in half is left out.
    const text = new TextDecoder("utf-8", { ignoreBOM: false }).decode(
      buffer.subarray(0, bytesRead),
      {
        stream: true,
      },
    );
    return { path, text, isCut: size > bytesRead };
  } catch {
    // A folder or a device with this name has no instructions.
    return undefined;
  } finally {
    await file.close();
  }
}

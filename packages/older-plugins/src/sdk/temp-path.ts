import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, win32 } from "node:path";

/**
 * Returns a folder for temporary files that only this user can enter, and creates it if necessary.
 * @throws when the folder belongs to another user
 * @deprecated Use `fs.mkdtemp` in `os.tmpdir()`.
 */
export function resolvePreferredOpenClawTmpDir(): string {
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? "openclaw" : `openclaw-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || (user !== undefined && stats.uid !== user)) {
    throw new Error(
      `${folder} does not belong to this user; remove it, or set TMPDIR to another folder`,
    );
  }
  return folder;
}

/**
 * Returns a unique path for a temporary file.
 * @param options - prefix and extension of the name, and the folder
 * @deprecated Use `fs.mkdtemp` in `os.tmpdir()`.
 */
export function buildRandomTempFilePath(options: {
  prefix: string;
  extension?: string;
  tmpDir?: string;
}): string {
  const { prefix, extension = "", tmpDir = resolvePreferredOpenClawTmpDir() } = options;
  const ending = plain(extension.replace(/^\.+/, ""));
  const name = `${plain(prefix) || "tmp"}-${Date.now()}-${randomUUID()}`;
  return join(tmpDir, ending === "" ? name : `${name}.${ending}`);
}

/**
 * Creates a temporary path for a download, and removes it after the work.
 * @param options - prefix of the folder's name, file name, and parent folder
 * @param work - function that receives the path
 * @deprecated Use `fs.mkdtemp` in `os.tmpdir()`.
 */
export async function withTempDownloadPath<Result>(
  options: { prefix: string; fileName?: string; tmpDir?: string },
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const { prefix, fileName = "", tmpDir = resolvePreferredOpenClawTmpDir() } = options;
  const folder = await mkdtemp(join(tmpDir, `${plain(prefix) || "tmp"}-`));
  const name = plain(basename(win32.basename(fileName)));
  try {
    return await work(join(folder, name || "download.bin"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the characters of a name that could lead to another folder. */
function plain(text: string): string {
  return text.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|-+$/g, "");
}

/** System errors a caller can act on, in words; any other is a fault of ours and stays an exception. */
const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "the operating system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "a name in the path is too long",
  ENOTDIR: "a part of the path is a file, not a folder",
  ELOOP: "the path passes through too many symbolic links",
  E2BIG: "the command and its variables are too long together",
  EBUSY: "the file is in use",
  ETXTBSY: "the file is a program that is running",
};

/**
 * Returns the code of an operating system error, such as `ENOENT`.
 * @param error - anything that was thrown
 */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Returns a description of a system error that a model can act on.
 * @param error - anything that was thrown
 * @returns undefined for every error that is not such a condition of the machine
 */
export function systemProblem(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  return code !== undefined && Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
}

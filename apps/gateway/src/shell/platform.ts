import type { Terminal } from "./terminal.js";

const SUPPORTED: readonly string[] = ["linux", "darwin"];

/**
 * Prints a note when this platform is not supported, and lets the command continue (HOST-040).
 * @param terminal - terminal; notes go to standard error
 * @param platform - platform name as in Node.js
 */
export function notePlatform(
  { note }: Pick<Terminal, "note">,
  platform: string = process.platform,
): void {
  const notice = platformNotice(platform);
  if (notice !== undefined) note(`openclaw: ${notice}. Continuing.`);
}

/**
 * Returns a sentence about a platform that is not supported; undefined for the others.
 * @param platform - platform name as in Node.js
 */
export function platformNotice(platform: string): string | undefined {
  if (SUPPORTED.includes(platform)) return undefined;
  return `${platform} is not a supported platform; on Windows run OpenClaw in WSL`;
}

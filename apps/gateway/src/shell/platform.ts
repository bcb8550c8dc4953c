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
  if (SUPPORTED.includes(platform)) return;
  note(
    `openclaw: ${platform} is not a supported platform; on Windows run OpenClaw in WSL. Continuing.`,
  );
}

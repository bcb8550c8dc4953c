import type { Terminal } from "./terminal.js";

const SUPPORTED: readonly string[] = ["linux", "darwin"];

/**
 * Says once that this platform is not supported, and lets the command go on (HOST-040).
 * @param terminal - notes go to standard error
 * @param platform - as Node.js names it
 */
export function notePlatform(
  { note }: Pick<Terminal, "note">,
  platform: string = process.platform,
): void {
  if (SUPPORTED.includes(platform)) return;
  note(
    `openclaw: ${platform} is not a supported platform; on Windows run OpenClaw in WSL. Going on.`,
  );
}

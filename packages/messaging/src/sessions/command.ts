/** Command of a message to its session instead of its agent. */
export type SessionCommand =
  /** Starts a new conversation. */
  | { kind: "reset"; reason: "new" | "reset" }
  /** Interrupts the running turn. */
  | { kind: "interrupt" }
  | ElevateCommand;

/** Lets the session's tools run without approval for a limited time (SAFE-054). */
export interface ElevateCommand {
  readonly kind: "elevate";
  /** Duration in seconds; 0 ends the mode, absent means the default. */
  readonly seconds?: number | undefined;
}

const ELEVATED = /^\/elevated(?:\s+(?:(?<seconds>\d{1,9})|off))?$/;

const COMMANDS = new Map<string, SessionCommand>([
  ["/new", { kind: "reset", reason: "new" }],
  ["/reset", { kind: "reset", reason: "reset" }],
  ["/stop", { kind: "interrupt" }],
  ["/interrupt", { kind: "interrupt" }],
]);

/**
 * Reads a message as a session command, if its whole text is one.
 * @param text - text of the message
 */
export function readSessionCommand(text: string): SessionCommand | undefined {
  const written = text.trim().toLowerCase();
  const elevated = ELEVATED.exec(written);
  if (elevated === null) return COMMANDS.get(written);
  const { seconds } = elevated.groups ?? {};
  if (seconds !== undefined) return { kind: "elevate", seconds: Number(seconds) };
  return written.endsWith("off") ? { kind: "elevate", seconds: 0 } : { kind: "elevate" };
}

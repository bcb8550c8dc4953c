/** What a message asks of its session instead of its agent. */
export type SessionCommand =
  /** Starts a new conversation. */
  | { kind: "reset"; reason: "new" | "reset" }
  /** Interrupts the running turn. */
  | { kind: "interrupt" }
  | ElevateCommand;

/** Let the session's tools run without questions for a while (SAFE-054). */
export interface ElevateCommand {
  readonly kind: "elevate";
  /** How long; 0 ends it, the usual time when absent. */
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
 * The command a message is, if it is nothing else.
 * @param text - of the message
 */
export function readSessionCommand(text: string): SessionCommand | undefined {
  const written = text.trim().toLowerCase();
  const elevated = ELEVATED.exec(written);
  if (elevated === null) return COMMANDS.get(written);
  const { seconds } = elevated.groups ?? {};
  if (seconds !== undefined) return { kind: "elevate", seconds: Number(seconds) };
  return written.endsWith("off") ? { kind: "elevate", seconds: 0 } : { kind: "elevate" };
}

/** What a message asks of its session instead of its agent. */
export type SessionCommand =
  /** Begin a conversation anew. */
  | { kind: "reset"; reason: "new" | "reset" }
  /** End the turn that runs. */
  | { kind: "interrupt" };

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
  return COMMANDS.get(text.trim().toLowerCase());
}

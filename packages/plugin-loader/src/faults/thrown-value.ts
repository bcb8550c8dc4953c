/** A thrown value, as far as it can be read. */
export interface ThrownValue {
  readonly error: Error;
  /** Stack without the message, which may be long and may quote other stacks; empty when there is none. */
  readonly frames: string;
}

/**
 * Reads a thrown value. Reading may run code of the plugin that threw it, such as a getter that throws, so a value
 * that cannot be read is replaced by an error with a fixed message.
 * @param thrown - anything
 */
export function readThrown(thrown: unknown): ThrownValue {
  try {
    if (!(thrown instanceof Error)) return { error: new Error(String(thrown)), frames: "" };
    // The types say string, but both can be assigned.
    const stack: unknown = thrown.stack;
    const message: unknown = thrown.message;
    const text = String(message);
    return {
      error: typeof message === "string" ? thrown : new Error(text, { cause: thrown }),
      frames: typeof stack === "string" ? withoutMessage(stack, text) : "",
    };
  } catch {
    return { error: new Error("a value that cannot be shown"), frames: "" };
  }
}

function withoutMessage(stack: string, message: string): string {
  const at = stack.indexOf(message);
  return at === -1 ? stack : stack.slice(at + message.length);
}

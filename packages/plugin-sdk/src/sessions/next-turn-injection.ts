/** Text for the model that waits for the next turn of a session (PLUG-039). */
export interface NextTurnInjection {
  sessionKey: string;
  /** At most 16 KiB. */
  text: string;
  /** Ahead of the person's text or behind it; default `prepend_context`. */
  placement?: "prepend_context" | "append_context";
  /** The same plugin and key again adds nothing. */
  idempotencyKey?: string;
  /** After this time it is dropped unseen, in milliseconds. */
  ttlMs?: number;
  metadata?: Record<string, unknown>;
}

/** What became of an injection. */
export type NextTurnInjectionReceipt =
  | { readonly enqueued: true; readonly id: string; readonly sessionKey: string }
  | {
      readonly enqueued: false;
      readonly reason: "duplicate";
      /** Of the one that waits already. */
      readonly id: string;
      readonly sessionKey: string;
    }
  | {
      readonly enqueued: false;
      /** The operator does not let the plugin add to prompts. */
      readonly reason: "prompt-injection-off";
      readonly sessionKey: string;
    };

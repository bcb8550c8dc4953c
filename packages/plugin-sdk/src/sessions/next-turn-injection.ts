/** Text for the model in the next turn of a session (PLUG-039). */
export interface NextTurnInjection {
  sessionKey: string;
  /** Text of at most 16 KiB. */
  text: string;
  /** Position before or after the user's text; default `prepend_context`. */
  placement?: "prepend_context" | "append_context";
  /** Key that prevents a second injection of the same plugin. */
  idempotencyKey?: string;
  /** Time in milliseconds after which an unused injection is removed. */
  ttlMs?: number;
  metadata?: Record<string, unknown>;
}

/** Outcome of an injection. */
export type NextTurnInjectionReceipt =
  | { readonly enqueued: true; readonly id: string; readonly sessionKey: string }
  | {
      readonly enqueued: false;
      readonly reason: "duplicate";
      /** Id of the injection that is already queued. */
      readonly id: string;
      readonly sessionKey: string;
    }
  | {
      readonly enqueued: false;
      /** The operator does not allow the plugin to add to prompts. */
      readonly reason: "prompt-injection-off";
      readonly sessionKey: string;
    };

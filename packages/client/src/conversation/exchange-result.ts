import { defined } from "@openclaw/foundation/defined";
import type { ChatEnd } from "../chat/chat-event.js";

/** Tokens of a turn. */
export interface TurnUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly total?: number | undefined;
  /** Cost of the model calls, in US dollars. */
  readonly cost?: { readonly usd: string; readonly estimated: boolean } | undefined;
}

/** Result of an exchange. */
export type ExchangeResult =
  | {
      readonly ok: true;
      readonly text: string;
      readonly usage?: TurnUsage | undefined;
      /** Tools of which a call was denied because no approver decided about it (TURN-460). */
      readonly unapprovedTools?: readonly string[] | undefined;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly code?: string;
      /** True when the message did not reach the gateway. */
      readonly isUnsent?: boolean;
    };

/**
 * Returns the result of an exchange.
 * @param end - last event of a conversation
 */
export function resultOf(end: ChatEnd): ExchangeResult {
  if (end.type === "error") return { ok: false, problem: end.error.message };
  if (end.status === "interrupted") return { ok: false, problem: "interrupted" };
  if (end.status === "withheld" && end.text === "") {
    return { ok: false, problem: "a plugin cancelled the reply" };
  }
  const { text, usage, unapprovedTools } = end;
  return { ok: true, text, usage, ...defined({ unapprovedTools }) };
}

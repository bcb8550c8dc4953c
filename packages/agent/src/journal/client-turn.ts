import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { ClientCall } from "../context/client.js";
import { TurnRecordError } from "../errors.js";
import { loadResumeState } from "./resume-state.js";

/** An ended turn as its client continues it. */
export interface ClientTurn {
  /** Calls that the turn returned to its client; empty when it returned none. */
  readonly calls: readonly ClientCall[];
  /** Replies of the model and answers of the host's tools, as the transcript contains them. */
  readonly messages: readonly AgentMessage[];
}

/**
 * Loads what a client needs to continue an ended turn: the calls that it must answer, and the messages
 * between the client's input and the reply.
 * @param turn - the turn, and the incarnation of its session
 * @param store - journal and transcript
 * @returns undefined when the turn has no reply, or its messages or steps were removed
 * @throws JournalTooNewError when a newer version of the product wrote to the journal
 */
export async function loadClientTurn(
  turn: { readonly runId: string; readonly sessionId: string },
  store: Pick<Store, "turns" | "messages">,
): Promise<ClientTurn | undefined> {
  try {
    const state = await loadResumeState(turn, store);
    if (state.conclusion?.status !== "completed") return undefined;
    const { messages } = state;
    const first = messages.findIndex(({ role }) => role === "assistant");
    return {
      calls: state.conclusion.clientCalls ?? [],
      messages: first === -1 ? [] : messages.slice(first),
    };
  } catch (error) {
    if (TurnRecordError.isInstance(error)) return undefined;
    throw error;
  }
}

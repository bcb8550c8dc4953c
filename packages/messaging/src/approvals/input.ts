import type { OutboxRow, Store } from "@openclaw/store";
import { storeAnswer } from "../delivery/message-answer.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { WrittenAnswer } from "./answer.js";
import { type ApprovalReplyDependencies, answerByMessage } from "./reply.js";

/** Reply to a message that decided an approval request. */
export interface AppliedAnswer {
  readonly text: string;
  /** Reply as stored with the outcome of the message; undefined when nothing was decided. */
  readonly stored: { readonly reply: OutboxRow | undefined } | undefined;
}

/** Applies messages that decide approval requests. */
export class ApprovalAnswers {
  readonly #dependencies: ApprovalReplyDependencies;
  readonly #inbox: Pick<Store["messages"]["inbox"], "empty">;

  /**
   * @param dependencies - approval requests, their broker and their buttons
   * @param inbox - messages that were received
   */
  constructor(
    dependencies: ApprovalReplyDependencies,
    inbox: Pick<Store["messages"]["inbox"], "empty">,
  ) {
    this.#dependencies = dependencies;
    this.#inbox = inbox;
  }

  /** Returns true when an approval request is pending in a session. */
  async isPending(sessionKey: string): Promise<boolean> {
    return (await this.#dependencies.store.decisions.approvals.pending(sessionKey)).length > 0;
  }

  /**
   * Applies the decision of a message on an approval request (TURN-007). The outcome of the message is stored
   * with the decision, so that no later start applies it to another request.
   * @param written - the decision
   * @param routed - message after the inbound hooks
   * @returns text for the sender; undefined when the message is ordinary input
   */
  async answer(written: WrittenAnswer, routed: RoutedMessage): Promise<AppliedAnswer | undefined> {
    const { admitted, route } = routed;
    const { sessionKey } = route;
    let stored: AppliedAnswer["stored"];
    const storeText = async (unit: Store, text: string) => {
      stored = { reply: await storeAnswer(unit, routed, { state: "answered", text, sessionKey }) };
    };
    const dependencies = this.#dependencies;
    const text = await answerByMessage(written, admitted, sessionKey, dependencies, storeText);
    if (written.kind === "named" && written.input !== undefined) {
      // What a person tells a tool or a server is kept by nobody else.
      await this.#inbox.empty(routed.row.id);
    }
    return text === undefined ? undefined : { text, stored };
  }
}

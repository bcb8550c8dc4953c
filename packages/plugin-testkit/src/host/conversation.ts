import { logRejection, type TurnEvent } from "@openclaw/agent";
import { type Approver, putToApprover } from "@openclaw/approval-broker";
import type { ApprovalSummary, Host } from "@openclaw/gateway";
import {
  type Caller,
  directSessionKey,
  type InboundMessage,
  mainSessionKey,
  type ReplyOutcome,
  summarizeApproval,
} from "@openclaw/messaging";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import { QuestionUnclearError } from "../errors.js";

/** A message to the host; what is absent is as if the operator wrote it at the terminal. */
export type TestMessage = Pick<InboundMessage, "text"> & Partial<InboundMessage>;

/** What became of a message. */
export interface TestReply {
  readonly status: ReplyOutcome["status"];
  /** What was shown to the sender; empty when nothing was. */
  readonly text: string;
  readonly outcome: ReplyOutcome;
  /** What happened in the turn, in order: text, tool calls, its end. */
  readonly events: readonly TurnEvent[];
}

/** A text that reached its sender. */
export interface SentText {
  readonly channel: string;
  readonly conversationId: string;
  readonly text: string;
}

/**
 * Answers a question to a person, always in the same way or by the question. Without an answer it waits:
 * for `approve` and `deny`, or for its time to pass.
 */
export type TestAnswer =
  | ApprovalDecision
  | ((
      question: ApprovalSummary,
    ) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>);

/** The other side of the conversations. */
interface TestPeople {
  /** To every question; nobody can be asked when it is absent. */
  readonly answer?: TestAnswer;
  /** Takes the replies; they are only in the outcome when it is absent. */
  readonly surface?: NonNullable<Caller["surface"]>;
}

const OPERATOR = { channel: "terminal", senderId: "operator", isOwner: true };
const VIA = "test";

/** The side of a test host that talks with people. */
export class TestConversation {
  readonly sent: SentText[] = [];
  /** Questions that were put to a person, as they were asked. */
  readonly questions: ApprovalSummary[] = [];
  /** Who answers them; undefined where nobody can be asked. */
  readonly approver: Approver | undefined;
  readonly #host: Host;
  readonly #surface: Caller["surface"];
  /** Runs of single tool calls, which wait for their answers themselves. */
  readonly #calls = new Set<string>();
  readonly #ending = new AbortController();

  /**
   * @param host - that takes the messages
   * @param people - who answers questions, and takes replies
   */
  constructor(host: Host, { answer, surface }: TestPeople) {
    this.#host = host;
    this.#surface = surface;
    if (answer === undefined) return;
    const approver: Approver = {
      actor: OPERATOR,
      ask: async (approval) => {
        const question = await summarizeApproval(approval);
        this.questions.push(question);
        const decision = typeof answer === "function" ? await answer(question) : answer;
        return decision === undefined ? noAnswer() : { decision, via: VIA };
      },
    };
    this.approver = approver;
    host.attend({
      channel: "terminal",
      show: (question) => (this.#isToBePut(question) ? this.#put(question, approver) : undefined),
    });
  }

  /** Aborts when the host is disposed of. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Takes a message through the host.
   * @param message - its text, and what else is to differ from the operator's own at the terminal
   */
  async receive(message: TestMessage): Promise<TestReply> {
    const inbound = completeMessage(message);
    const events: TurnEvent[] = [];
    const outcome = await this.#host.receive(inbound, {
      signal: this.signal,
      onEvent: (event) => events.push(event),
      surface: this.#surface,
    });
    const text = "text" in outcome ? outcome.text : "";
    const { channel, conversationId } = inbound;
    if (text !== "") this.sent.push({ channel, conversationId, text });
    return { status: outcome.status, text, outcome, events };
  }

  /**
   * Notes a tool call outside a conversation, which puts its questions to the approver itself.
   * @param runId - of the call
   */
  notesCall(runId: string): void {
    this.#calls.add(runId);
  }

  /**
   * Answers a question that waits.
   * @param decision - what is decided
   * @param idOrCode - which; the only one that waits when absent
   * @throws QuestionUnclearError when none or several wait
   */
  async decide(decision: ApprovalDecision, idOrCode?: string): Promise<void> {
    const { services, approvals } = this.#host;
    const answer = { decision, via: VIA };
    if (idOrCode !== undefined) {
      await approvals.decide(idOrCode, answer, OPERATOR);
      return;
    }
    const waiting = await services.store.decisions.approvals.list({ state: "pending" });
    const [only, ...others] = waiting;
    if (only === undefined || others.length > 0) {
      throw new QuestionUnclearError(waiting.map(({ code, title }) => `${code} (${title})`));
    }
    await approvals.decide(only.id, answer, OPERATOR);
  }

  /** Cuts off every turn that still runs. */
  end(): void {
    this.#ending.abort(new Error("the test host is disposed of"));
  }

  #isToBePut({ state, runId }: ApprovalSummary): boolean {
    return state === "pending" && (runId === undefined || !this.#calls.has(runId));
  }

  /** What waits without an answer is not waited for by whoever shows it. */
  async #put({ id }: ApprovalSummary, approver: Approver): Promise<void> {
    const { services, approvals } = this.#host;
    const approval = await services.store.decisions.approvals.get(id);
    if (approval === undefined) return;
    logRejection(
      putToApprover(approval, approver, approvals, this.signal, services.logger),
      services.logger,
    );
  }
}

/** Nobody answers until somebody else, or the time, does. */
function noAnswer(): Promise<never> {
  return new Promise(() => undefined);
}

function completeMessage(message: TestMessage): InboundMessage {
  const { channel = "terminal", agentId = "main", conversationId = channel } = message;
  const atTerminal = channel === "terminal";
  const senderId = message.senderId ?? (atTerminal ? "operator" : "sender");
  const sessionKey = atTerminal
    ? mainSessionKey(agentId)
    : directSessionKey({ agentId, channel, peer: senderId });
  return {
    senderIsOwner: atTerminal,
    sessionKey,
    ...message,
    channel,
    agentId,
    conversationId,
    senderId,
  };
}

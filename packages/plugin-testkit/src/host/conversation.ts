import { logRejection, type TurnEvent } from "@openclaw/agent";
import { type Approver, requestDecision } from "@openclaw/approval-broker";
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
import { QuestionUnclearError, TestCommandNotFoundError } from "../errors.js";

/** A message to the host; absent fields are those of the operator at the terminal. */
export type TestMessage = Pick<InboundMessage, "text"> & Partial<InboundMessage>;

/** Outcome of a message. */
export interface TestReply {
  readonly status: ReplyOutcome["status"];
  /** Text shown to the sender; empty when there was none. */
  readonly text: string;
  readonly outcome: ReplyOutcome;
  /** Events of the turn, in order: text, tool calls, its end. */
  readonly events: readonly TurnEvent[];
}

/** A text that reached its sender. */
export interface SentText {
  readonly channel: string;
  readonly conversationId: string;
  readonly text: string;
}

/**
 * Decides approval requests, always in the same way or by request. A request without a decision
 * stays pending until `approve`, `deny` or its timeout.
 */
export type TestAnswer =
  | ApprovalDecision
  | ((
      question: ApprovalSummary,
    ) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>);

/** The users in the conversations. */
interface TestPeople {
  /** Decides every approval request; when absent there is no approver. */
  readonly answer?: TestAnswer;
  /** Receives the replies; they are only in the outcome when it is absent. */
  readonly surface?: NonNullable<Caller["surface"]>;
}

const OPERATOR = { channel: "terminal", senderId: "operator", isOwner: true };
const VIA = "test";

/** The user side of a test host. */
export class TestConversation {
  readonly sent: SentText[] = [];
  /** Approval requests, as they were sent to the approver. */
  readonly questions: ApprovalSummary[] = [];
  /** The approver; undefined when there is none. */
  readonly approver: Approver | undefined;
  readonly #host: Host;
  readonly #surface: Caller["surface"];
  /** Runs of single tool calls, which wait for their decisions themselves. */
  readonly #calls = new Set<string>();
  readonly #ending = new AbortController();

  /**
   * @param host - receives the messages
   * @param people - decide approval requests, and receive replies
   */
  constructor(host: Host, { answer, surface }: TestPeople) {
    this.#host = host;
    this.#surface = surface;
    if (answer === undefined) return;
    const approver: Approver = {
      actor: OPERATOR,
      ask: async (approval) => {
        const question = await summarizeApproval(approval, host.approvals);
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
   * Sends a message through the host.
   * @param message - its text, and fields that differ from the operator's own at the terminal
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
   * Sends a command through the host.
   * @param text - name and arguments; the slash may be absent
   * @param sender - fields that differ from the operator's own at the terminal
   * @throws TestCommandNotFoundError
   */
  async command(text: string, sender: Omit<Partial<TestMessage>, "text"> = {}): Promise<TestReply> {
    const command = text.replace(/^\/?/, "/");
    const [name = ""] = command.slice(1).split(/\s/, 1);
    const known = this.#host.commands.list().flatMap((each) => [each.name, ...each.aliases]);
    if (!known.includes(name.toLowerCase())) throw new TestCommandNotFoundError(name, known);
    return this.receive({ ...sender, text: command });
  }

  /**
   * Records a tool call outside a conversation, which sends its approval requests to the approver
   * itself.
   */
  notesCall(runId: string): void {
    this.#calls.add(runId);
  }

  /**
   * Decides a pending approval request.
   * @param idOrCode - id or code of the request; the only pending one when absent
   * @throws QuestionUnclearError when none or several are pending
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

  /** Interrupts every turn that still runs. */
  end(): void {
    this.#ending.abort(new Error("the test host has been disposed"));
  }

  #isToBePut({ state, runId }: ApprovalSummary): boolean {
    return state === "pending" && (runId === undefined || !this.#calls.has(runId));
  }

  /** The code that shows a request does not wait for a decision that stays open. */
  async #put({ id }: ApprovalSummary, approver: Approver): Promise<void> {
    const { services, approvals } = this.#host;
    const approval = await services.store.decisions.approvals.get(id);
    if (approval === undefined) return;
    logRejection(
      requestDecision(approval, approver, approvals, this.signal, services.logger),
      services.logger,
    );
  }
}

/** Leaves the decision to a later call or the timeout. */
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

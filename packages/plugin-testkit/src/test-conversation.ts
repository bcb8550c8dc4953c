import type { ApprovalAnswer, ApprovalQuestion, Approver, TurnEvent } from "@openclaw/agent";
import {
  type Caller,
  directSessionKey,
  type Host,
  type InboundMessage,
  mainSessionKey,
  type ReplyOutcome,
} from "@openclaw/gateway";

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

/** Answers a question to a person, always in the same way or by the question. */
export type TestAnswer =
  | ApprovalAnswer
  | ((question: ApprovalQuestion) => ApprovalAnswer | Promise<ApprovalAnswer>);

/** The other side of the conversations. */
interface TestPeople {
  /** To every question; nobody can be asked when it is absent. */
  readonly answer?: TestAnswer;
  /** Takes the replies; they are only in the outcome when it is absent. */
  readonly surface?: NonNullable<Caller["surface"]>;
}

/** The side of a test host that talks with people. */
export class TestConversation {
  readonly sent: SentText[] = [];
  /** Questions that were put to a person. */
  readonly questions: ApprovalQuestion[] = [];
  /** Who answers them; undefined where nobody can be asked. */
  readonly approver: Approver | undefined;
  readonly #host: Host;
  readonly #surface: Caller["surface"];
  readonly #ending = new AbortController();

  /**
   * @param host - that takes the messages
   * @param people - who answers questions, and takes replies
   */
  constructor(host: Host, { answer, surface }: TestPeople) {
    this.#host = host;
    this.#surface = surface;
    if (answer === undefined) return;
    this.approver = {
      ask: async (question) => {
        this.questions.push(question);
        return typeof answer === "function" ? answer(question) : answer;
      },
    };
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
      ...(this.approver === undefined ? {} : { approver: this.approver }),
      ...(this.#surface === undefined ? {} : { surface: this.#surface }),
    });
    const text = "text" in outcome ? outcome.text : "";
    const { channel, conversationId } = inbound;
    if (text !== "") this.sent.push({ channel, conversationId, text });
    return { status: outcome.status, text, outcome, events };
  }

  /** Cuts off every turn that still runs. */
  end(): void {
    this.#ending.abort(new Error("the test host is disposed of"));
  }
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

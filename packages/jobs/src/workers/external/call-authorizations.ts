import { canonicalJson } from "@openclaw/foundation";
import type { AgentHarnessAttempt } from "@openclaw/plugin-sdk/plugin-entry";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { AgentCall, AgentCallDecision } from "../api/requests.js";
import { digestOfCall } from "./gate-tools.js";

const CHANGED: AgentCallDecision = {
  allowed: false,
  reason: "a plugin changed its arguments, which a call of an external agent cannot take over",
};

/** Dependencies of {@link CallAuthorizations}. */
export interface AuthorizationContext {
  /** Called when the first of several decisions is waited for, and when the last one is there. */
  waiting(isWaiting: boolean): void;
}

/**
 * Decides about the calls of an external agent: each takes the path of every call of this host, with policy, hooks and
 * approvals, to a tool that only tells that it was allowed (JOB-532). A decision outlives the process: a turn that resumes
 * has the calls that were allowed before, and the agent that asks again gets the same answer once.
 */
export class CallAuthorizations {
  readonly #attempt: Pick<AgentHarnessAttempt, "tools">;
  readonly #context: AuthorizationContext;
  readonly #decisions = new Map<string, Promise<AgentCallDecision>>();
  /** Calls that were allowed before a restart, and that the agent has not asked about again. */
  readonly #allowed: string[];
  #waiting = 0;

  /**
   * @param attempt - tools of the turn, and its messages before a restart
   * @param context - is told about waits
   */
  constructor(
    attempt: Pick<AgentHarnessAttempt, "progress" | "tools">,
    context: AuthorizationContext,
  ) {
    this.#attempt = attempt;
    this.#context = context;
    this.#allowed = allowedCalls(attempt.progress);
  }

  /**
   * Returns the decision about a call; the same one for a call that is asked about twice.
   * @param call - call in the names of the host
   */
  async decide(call: AgentCall): Promise<AgentCallDecision> {
    const known = this.#decisions.get(call.id);
    if (known !== undefined) return await known;
    const decision = this.#decide(call);
    this.#decisions.set(call.id, decision);
    return await decision;
  }

  async #decide({ id, tool: name, params }: AgentCall): Promise<AgentCallDecision> {
    const earlier = this.#allowed.indexOf(keyOf(name, params));
    if (earlier >= 0) {
      this.#allowed.splice(earlier, 1);
      return { allowed: true };
    }
    const tool = this.#attempt.tools.find((each) => each.name === name);
    if (tool === undefined) {
      return { allowed: false, reason: `the tool policy of the host does not allow ${name}` };
    }
    this.#waiting += 1;
    if (this.#waiting === 1) this.#context.waiting(true);
    try {
      const { content, details, isError } = await tool.execute(id, params);
      if (isError !== true) return isSame(details, params) ? { allowed: true } : CHANGED;
      const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      return { allowed: false, reason: texts.join("\n") };
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#context.waiting(false);
    }
  }
}

/** Returns true when the call that passed is the one that was asked about. */
function isSame(details: unknown, params: unknown): boolean {
  const passed = typeof details === "object" && details !== null && "digest" in details;
  return passed && details.digest === digestOfCall(params);
}

function allowedCalls(messages: readonly AgentMessage[]): string[] {
  const keys = new Map<string, string>();
  const allowed: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "toolCall") {
          keys.set(part.toolCallId, keyOf(part.toolName, part.params));
        }
      }
    } else if (message.role === "toolResult" && message.isError !== true) {
      const key = keys.get(message.toolCallId);
      if (key !== undefined) allowed.push(key);
    }
  }
  return allowed;
}

function keyOf(tool: string, params: unknown): string {
  return canonicalJson([tool, params]);
}

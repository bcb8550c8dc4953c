import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import { waitUnlessAborted } from "./abortable-wait.js";
import { errorMessage } from "./error-message.js";

/** A question to a person about one tool call. */
export interface ApprovalQuestion {
  readonly runId: string;
  readonly sessionKey: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly description: string;
  readonly severity: "info" | "warning" | "critical";
  /** Who wants a person's word: the tool or a setting for it, a rule of policy or safety, or a plugin. */
  readonly kind: "tool" | "policy" | "safety" | "plugin";
  /** The plugin, where it is one that asks. */
  readonly pluginId?: string | undefined;
}

/** A person's answer; `allow-session` also covers later calls of the tool in the same session. */
export type ApprovalAnswer = "allow-once" | "allow-session" | "deny";

/** Someone who can be asked while a turn runs. */
export interface Approver {
  /**
   * Puts a question and waits for its answer.
   * @param question - what would run
   * @param signal - aborts when the turn is interrupted
   */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** What the operator has settled beforehand (APPR-046). */
export interface ApprovalSettings {
  /** `tools.approval.<name>`, by canonical tool name. */
  readonly needs?: Readonly<Record<string, ApprovalNeed>>;
  /** `--approve-tool`: tools whose need `unless-granted` is met for this process. */
  readonly approvedTools?: Iterable<string>;
}

/** Whether a call may run, and if not, the reason the model is given. */
export type ApprovalVerdict =
  | { allowed: true }
  /** `cancelled`: the turn was interrupted before anybody had answered. */
  | { allowed: false; reason: string; cancelled: boolean };

/** Decides whether calls need a person's word, asks for it, and remembers grants of a session. */
export interface Approvals {
  /**
   * The need of a tool after the operator's settings.
   * @param toolName - canonical name
   * @param declared - what the tool itself declares for this call
   */
  need(toolName: string, declared: ApprovalNeed): ApprovalNeed;
  /**
   * Gets a verdict for a call of a given need, asking where it must. It never throws: a question that
   * fails or is answered with something else than an answer is a denial (D5).
   * @param question - what would run
   * @param need - `always` asks even when a grant exists
   * @param approver - who can be asked; undefined where nobody can
   * @param signal - aborts when the turn is interrupted
   */
  decide(
    question: ApprovalQuestion,
    need: ApprovalNeed,
    approver: Approver | undefined,
    signal: AbortSignal,
  ): Promise<ApprovalVerdict>;
}

/**
 * Makes the approvals of one host process; grants last as long as it does.
 * @param settings - what the operator has settled
 */
export function createApprovals(settings: ApprovalSettings = {}): Approvals {
  const needs = new Map(Object.entries(settings.needs ?? {}));
  const approvedTools = new Set(settings.approvedTools);
  const grantedTools = new Map<string, Set<string>>();

  const isGranted = ({ sessionKey, toolName }: ApprovalQuestion) =>
    approvedTools.has(toolName) || grantedTools.get(sessionKey)?.has(toolName) === true;

  return {
    need: (toolName, declared) => needs.get(toolName) ?? declared,

    async decide(question, need, approver, signal) {
      if (need === "never" || (need === "unless-granted" && isGranted(question))) {
        return { allowed: true };
      }
      if (approver === undefined) return denied(unattended(question, need));
      let answer: ApprovalAnswer;
      try {
        answer = await waitUnlessAborted(signal, () => approver.ask(question, signal));
      } catch (error) {
        if (signal.aborted) return denied("the turn was interrupted before an answer came", true);
        return denied(`nobody could be asked: ${errorMessage(error)}`);
      }
      switch (answer) {
        case "allow-session": {
          const tools = grantedTools.get(question.sessionKey) ?? new Set();
          grantedTools.set(question.sessionKey, tools.add(question.toolName));
          return { allowed: true };
        }
        case "allow-once":
          return { allowed: true };
        case "deny":
          return denied("the user did not allow this call");
        default:
          return denied("the question was answered with something that is no answer");
      }
    },
  };
}

function denied(reason: string, cancelled = false): ApprovalVerdict {
  return { allowed: false, reason, cancelled };
}

function unattended({ kind, pluginId, toolName }: ApprovalQuestion, need: ApprovalNeed): string {
  const wants = {
    tool: "it needs a person's approval",
    policy: "a rule of the tool policy wants a person's approval",
    safety: "a safety rule wants a person's approval",
    plugin: `plugin "${pluginId}" wants a person's approval`,
  };
  const reason = `no approver reachable: ${wants[kind]} and nobody can be asked here`;
  // No setting takes the place of the answer that a rule or a plugin wants.
  if (kind !== "tool") return `${reason}. Send the message from where a person can answer`;
  const setting = `"tools": { "approval": { "${toolName}": "never" } } in openclaw.json`;
  return need === "always"
    ? `${reason}. The operator can allow it with ${setting}`
    : `${reason}. The operator can allow it with --approve-tool ${toolName}, or with ${setting}`;
}

import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";

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
export type ApprovalVerdict = { allowed: true } | { allowed: false; reason: string };

/** Decides whether calls need a person's word, asks for it, and remembers grants of a session. */
export interface Approvals {
  /**
   * The need of a tool after the operator's settings.
   * @param toolName - canonical name
   * @param declared - what the tool itself declares for this call
   */
  need(toolName: string, declared: ApprovalNeed): ApprovalNeed;
  /**
   * Gets a verdict for a call of a given need, asking where it must.
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
      if (approver === undefined) return { allowed: false, reason: unattended(question, need) };
      const answer = await approver.ask(question, signal);
      if (answer === "deny") return { allowed: false, reason: "the user did not allow this call" };
      if (answer === "allow-session") {
        const tools = grantedTools.get(question.sessionKey) ?? new Set();
        grantedTools.set(question.sessionKey, tools.add(question.toolName));
      }
      return { allowed: true };
    },
  };
}

function unattended({ toolName }: ApprovalQuestion, need: ApprovalNeed): string {
  const reason = "no approver reachable: it needs a person's approval and nobody can be asked here";
  const setting = `"tools": { "approval": { "${toolName}": "never" } } in openclaw.json`;
  return need === "always"
    ? `${reason}. The operator can allow it with ${setting}`
    : `${reason}. The operator can allow it with --approve-tool ${toolName}, or with ${setting}`;
}

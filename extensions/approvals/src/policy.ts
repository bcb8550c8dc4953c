import type { TrustedToolAnswer, TrustedToolVerdict } from "@openclaw/plugin-sdk/approvals";
import type { BeforeToolCallResult, HookContext, HookEvent } from "@openclaw/plugin-sdk/hooks";
import type { CommandEvaluator, CommandVerdict } from "./command-evaluator.js";

/** Longest text that a question may have (APPR-002). */
const LONGEST_DESCRIPTION = 512;
const LONGEST_TITLE = 80;

/** A call of `exec` as the host shows it to those who evaluate it. */
type Call = HookEvent<"before_tool_call">;
type Context = HookContext<"before_tool_call">;

/**
 * Judges a call, for a host that trusts the extension to meet the tool's own need (D25).
 * @param evaluator - evaluates a command by the configured rules
 * @param call - with the parsed command
 * @param context - workspace and agent
 */
export async function answerAsPolicy(
  evaluator: CommandEvaluator,
  call: Call,
  context: Context,
): Promise<TrustedToolAnswer> {
  const verdict = await verdictOn(evaluator, call, context);
  if (verdict === undefined) return undefined;
  if (verdict.decision === "deny") return { allow: false, reason: verdict.reason };
  if (verdict.decision === "run") return metNeed(verdict);
  if (verdict.decision === "ask" && verdict.grantable !== undefined) {
    return { approval: "grantable", reason: verdict.reason, ...verdict.grantable };
  }
  const asked = question(call, verdict);
  // Where no answer in time means yes, this says what runs then.
  return asked?.requireApproval?.timeoutBehavior === "allow"
    ? { ...asked, ...metNeed(verdict) }
    : asked;
}

function metNeed({ reason, run, readsOnly, inSandbox }: CommandVerdict): TrustedToolVerdict {
  const access = readsOnly ? "read-only" : inSandbox ? "workspace" : undefined;
  return {
    approval: "satisfied",
    reason,
    ...(run === undefined ? {} : { command: run }),
    ...(access === undefined ? {} : { access }),
  };
}

/**
 * Judges a call, as any plugin may: it can refuse and ask, and what it has nothing against is left to the
 * tool's own need.
 * @param evaluator - evaluates a command by the configured rules
 * @param call - with the parsed command
 * @param context - workspace and agent
 */
export async function answerAsHook(
  evaluator: CommandEvaluator,
  call: Call,
  context: Context,
): Promise<BeforeToolCallResult | undefined> {
  const verdict = await verdictOn(evaluator, call, context);
  if (verdict === undefined) return undefined;
  return verdict.decision === "deny"
    ? { block: true, blockReason: verdict.reason }
    : question(call, verdict);
}

async function verdictOn(
  evaluator: CommandEvaluator,
  { command, params }: Call,
  { workspaceDir, agentId }: Context,
): Promise<CommandVerdict | undefined> {
  // Without them nothing can be said in favour of the call, and its tool asks by itself.
  if (command === undefined || workspaceDir === undefined) return undefined;
  const { workdir, env } = params;
  return evaluator.evaluate(command, {
    workspaceDir,
    agentId,
    ...(typeof workdir === "string" ? { workdir } : {}),
    ...(typeof env === "object" && env !== null ? { environment: { ...env } } : {}),
  });
}

function question(
  { command }: Call,
  { decision, reason, listed, isDoubt, rules }: CommandVerdict,
): BeforeToolCallResult | undefined {
  if (decision !== "ask-each-time" && decision !== "ask-critical") return undefined;
  const isCritical = decision === "ask-critical";
  const runsUnanswered =
    decision === "ask-each-time" && listed && rules.askFallback === "allowlist";
  const start = isCritical ? (isDoubt ? "Unclear command" : "Destructive command") : "Run";
  return {
    requireApproval: {
      title: cut(`${start}: ${command?.source ?? ""}`.replaceAll(/\s+/g, " "), LONGEST_TITLE),
      description: cut(reason, LONGEST_DESCRIPTION),
      severity: isCritical ? "critical" : "warning",
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: runsUnanswered ? "allow" : "deny",
      ...(isDoubt ? { cause: "doubt" as const } : {}),
    },
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

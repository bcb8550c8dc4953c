import type { TrustedToolAnswer, TrustedToolVerdict } from "@openclaw/plugin-sdk/approvals";
import type { BeforeToolCallResult, HookContext, HookEvent } from "@openclaw/plugin-sdk/hooks";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { CommandEvaluator, CommandVerdict } from "./command-verdict.js";

/** Maximum length of the description of an approval request (APPR-002). */
const LONGEST_DESCRIPTION = 512;
const LONGEST_TITLE = 80;

/** Call of `exec`, as the host passes it to policies and handlers. */
type Call = HookEvent<"before_tool_call">;
type Context = HookContext<"before_tool_call">;

/**
 * Evaluates a call for a host that accepts the evaluation instead of the tool's own need for
 * approval (D25).
 * @param evaluator - evaluates a command by the configured rules
 * @param call - call with the parsed command
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
  if (verdict.decision === "run") return satisfied(verdict);
  if (verdict.contained !== undefined) {
    const { grantable, contained } = verdict;
    const { command, reason } = contained;
    return {
      approval: "contained",
      reason,
      ...(command === undefined ? {} : { command }),
      ...(grantable === undefined
        ? {}
        : {
            grantableCommand: grantable.command,
            uncovered: grantable.uncovered,
            reach: grantable.reach,
          }),
    };
  }
  if (verdict.decision === "ask" && verdict.grantable !== undefined) {
    return { approval: "grantable", reason: verdict.reason, ...verdict.grantable };
  }
  const requested = approvalRequest(call, verdict);
  // If the request allows on timeout, the verdict also contains the command that runs then.
  return requested?.requireApproval?.timeoutBehavior === "allow"
    ? { ...requested, ...satisfied(verdict) }
    : requested;
}

function satisfied({ reason, run, readsOnly, inSandbox }: CommandVerdict): TrustedToolVerdict {
  const access = readsOnly ? "read-only" : inSandbox ? "workspace" : undefined;
  return {
    approval: "satisfied",
    reason,
    ...(run === undefined ? {} : { command: run }),
    ...(access === undefined ? {} : { access }),
  };
}

/**
 * Evaluates a call as an ordinary plugin: it can deny the call or request approval; otherwise the
 * tool's own need for approval decides.
 * @param evaluator - evaluates a command by the configured rules
 * @param call - call with the parsed command
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
    : approvalRequest(call, verdict);
}

async function verdictOn(
  evaluator: CommandEvaluator,
  { command, params }: Call,
  { workspaceDir, agentId }: Context,
): Promise<CommandVerdict | undefined> {
  // Without them the command cannot be evaluated, so the tool requests approval itself.
  if (command === undefined || workspaceDir === undefined) return undefined;
  const { workdir, env } = params;
  return evaluator.evaluate(command, {
    workspaceDir,
    agentId,
    ...(typeof workdir === "string" ? { workdir } : {}),
    ...(typeof env === "object" && env !== null ? { environment: { ...env } } : {}),
  });
}

function approvalRequest(
  { command }: Call,
  { decision, reason, rule, listed, isDoubt, commands, rules }: CommandVerdict,
): BeforeToolCallResult | undefined {
  if (decision !== "ask-each-time" && decision !== "ask-critical") return undefined;
  const isCritical = decision === "ask-critical";
  const runsUnanswered =
    decision === "ask-each-time" && listed && rules.askFallback === "allowlist";
  const isDestructive = commands.some(
    ({ finding, isUncertain = false }) => finding === "destructive" && !isUncertain,
  );
  const start = isCritical ? (isDestructive ? "Destructive command" : "Unclear command") : "Run";
  return {
    requireApproval: {
      title: cut(`${start}: ${command?.source ?? ""}`.replaceAll(/\s+/g, " "), LONGEST_TITLE),
      description: cut(reason, LONGEST_DESCRIPTION),
      severity: isCritical ? "critical" : "warning",
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: runsUnanswered ? "allow" : "deny",
      ...(isDoubt ? { cause: "doubt" as const } : {}),
      ...(rule === undefined ? {} : { rule }),
    },
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${startOfText(text, length - 1)}…` : text;
}

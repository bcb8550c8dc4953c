import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { EffectiveRules } from "./config.js";

/** Finding on one command. */
export interface EvaluatedCommand {
  /** Command as it was parsed, in one line. */
  readonly text: string;
  /**
   * `listed` runs without approval, `unlisted` needs approval unless it is granted, `asked` and
   * `doubtful` need it each time, and so do `hidden` and `destructive`, as critical; `denied` does
   * not run.
   */
  readonly finding:
    | "listed"
    | "unlisted"
    | "asked"
    | "doubtful"
    | "hidden"
    | "destructive"
    | "denied";
  /**
   * Rule that produced the finding, for example `safeBins`, `rules[2]` or `destructive:removal`.
   */
  readonly rule: string;
  /** Index of the operator's rule in the configuration; undefined when no such rule decides. */
  readonly ruleIndex?: number | undefined;
  /** True when it is destructive only for some values of words that are known at run time. */
  readonly isUncertain?: true;
  readonly reason: string;
}

/** Decision about a call. */
export type Decision =
  /** The call runs; the tool's own need for approval is met. */
  | "run"
  /** The tool's own need for approval decides, with grants and settings. */
  | "ask"
  /** The call needs approval, regardless of grants. */
  | "ask-each-time"
  /** The call needs critical approval, regardless of grants. */
  | "ask-critical"
  | "deny";

/** Rule or setting that decides about a call. */
export interface DecidingRule {
  readonly id: string;
  /** Path in the configuration of the extension; absent for a built-in rule. */
  readonly configPath?: (string | number)[];
}

/** Decision about a call, without the command that runs. */
export interface Settled {
  readonly decision: Decision;
  /** Reason in one sentence, for display. */
  readonly reason: string;
  /** Rule or setting that decides; absent when every program is on a list. */
  readonly rule?: DecidingRule | undefined;
  /** True when every program is on a list. */
  readonly listed: boolean;
}

const UNREAD: ReadonlySet<string> = new Set(["doubt:too-long", "doubt:unreadable"]);

/**
 * Returns the decision about a call: the strictest of the findings on its commands and the
 * settings.
 * @param commands - commands with their findings
 * @param rules - settings in force for the agent
 * @param isLiteral - true when the command could run without a shell
 */
export function decide(
  commands: readonly EvaluatedCommand[],
  { security, ask, askFallback }: EffectiveRules,
  isLiteral: boolean,
): Settled {
  const worst = (finding: EvaluatedCommand["finding"]) =>
    commands.find((command) => command.finding === finding);
  const critical = worst("destructive") ?? worst("hidden");
  const eachTime = worst("asked") ?? worst("doubtful");
  const found = worst("denied") ?? critical ?? eachTime ?? worst("unlisted");
  const listed = found === undefined;
  const because = found === undefined ? "every command is on a list" : reasonFor(found, commands);
  const settle = (decision: Decision, reason = because, rule = found && ruleOf(found)) => ({
    decision,
    reason,
    rule,
    listed,
  });

  if (security === "deny") return settle("deny", "commands are not allowed here (security: deny)");
  if (found?.finding === "denied") return settle("deny");
  if (critical !== undefined) return settle("ask-critical");
  if (eachTime !== undefined) return settle("ask-each-time");
  if (ask === "always") {
    const fallback = listed && askFallback === "allowlist" ? "; on timeout it runs" : "";
    const reason = `every command needs approval (ask: always)${fallback}`;
    return settle("ask-each-time", reason, { id: "ask", configPath: ["ask"] });
  }
  if (listed) return settle("run");
  if (security === "full" && isLiteral)
    return settle("run", "commands are allowed here (security: full)");
  return ask === "off"
    ? settle("deny", `${because}, and no approval is requested (ask: off)`)
    : settle("ask");
}

/**
 * Returns whether approval is needed only because the effect of the command is unclear. A command
 * that the grammar could not read may be destructive, so no approval given in advance covers it.
 * @param commands - commands with their findings
 */
export function isOnlyAmbiguous(commands: readonly EvaluatedCommand[]): boolean {
  const counted = commands.filter(({ finding }) => finding !== "listed" && finding !== "unlisted");
  return (
    counted.length > 0 &&
    counted.every(({ rule }) => rule.startsWith("doubt:") && !UNREAD.has(rule))
  );
}

/**
 * Returns whether approval is needed only because a program reads the output of others as a file. The parts of such a
 * command are known, and a sandbox bounds each of them.
 */
export function isOnlySubstitution(commands: readonly EvaluatedCommand[]): boolean {
  const doubts = commands.filter(({ finding }) => finding !== "listed" && finding !== "unlisted");
  return doubts.length > 0 && doubts.every(({ rule }) => rule === "doubt:process-substitution");
}

function ruleOf({ rule, ruleIndex }: EvaluatedCommand): DecidingRule {
  return ruleIndex === undefined ? { id: rule } : { id: rule, configPath: ["rules", ruleIndex] };
}

/** Returns the reasons of the strictest finding and of the other commands that need approval. */
function reasonFor(found: EvaluatedCommand, commands: readonly EvaluatedCommand[]): string {
  const others = commands.filter(
    (command) => command !== found && command.finding !== "listed" && found.finding !== "denied",
  );
  return [...new Set([found, ...others].map(sentence))].join("; ");
}

function sentence({ text, reason }: EvaluatedCommand): string {
  const shown = text.length > 160 ? `${startOfText(text, 159)}…` : text;
  return `${shown}: ${reason}`;
}

import type { EffectiveRules } from "./config.js";

/** What the rules say of one command. */
export interface EvaluatedCommand {
  /** As it was understood, in one line. */
  readonly text: string;
  /**
   * `listed` runs unasked, `unlisted` is asked about, `asked` and `doubtful` each time, and so are `hidden` and
   * `destructive`, as critical; `denied` does not run.
   */
  readonly finding:
    | "listed"
    | "unlisted"
    | "asked"
    | "doubtful"
    | "hidden"
    | "destructive"
    | "denied";
  /** Which rule found it, for example `safeBins`, `rules[2]` or `destructive:removal`. */
  readonly rule: string;
  /** Index of the operator's rule in the configuration; undefined where none decides. */
  readonly ruleIndex?: number | undefined;
  readonly reason: string;
}

/** What becomes of a call. */
export type Decision =
  /** It runs; the tool's own need for approval is met. */
  | "run"
  /** The tool's own need for approval counts, and with it grants and settings. */
  | "ask"
  /** A person is asked, whatever was granted. */
  | "ask-each-time"
  /** The same, as critical. */
  | "ask-critical"
  | "deny";

/** What becomes of a call, without what would run. */
export interface Settled {
  readonly decision: Decision;
  /** In one sentence, for people. */
  readonly reason: string;
  /** Whether every program is one that a list names. */
  readonly listed: boolean;
}

const UNREAD: ReadonlySet<string> = new Set(["doubt:too-long", "doubt:unreadable"]);

/**
 * Returns what becomes of a call: the strictest of what was found on its commands and what the settings say.
 * @param commands - with their findings
 * @param rules - that hold for the agent
 * @param isLiteral - whether it could run without a shell
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
  const because = found === undefined ? "every command is on a list" : sentence(found);
  const settle = (decision: Decision, reason = because) => ({ decision, reason, listed });

  if (security === "deny") return settle("deny", "commands are not allowed here (security: deny)");
  if (found?.finding === "denied") return settle("deny");
  if (critical !== undefined) return settle("ask-critical");
  if (eachTime !== undefined) return settle("ask-each-time");
  if (ask === "always") {
    const fallback = listed && askFallback === "allowlist" ? "; without an answer it runs" : "";
    return settle("ask-each-time", `every command is asked about (ask: always)${fallback}`);
  }
  if (listed) return settle("run");
  if (security === "full" && isLiteral)
    return settle("run", "commands are allowed here (security: full)");
  return ask === "off"
    ? settle("deny", `${because}, and nobody is asked (ask: off)`)
    : settle("ask");
}

/**
 * Returns whether a person is asked only because nobody can tell what the command does. A command that the grammar
 * could not read may be destructive, which nothing given in advance covers.
 * @param commands - with their findings
 */
export function isOnlyAmbiguous(commands: readonly EvaluatedCommand[]): boolean {
  const counted = commands.filter(({ finding }) => finding !== "listed" && finding !== "unlisted");
  return (
    counted.length > 0 &&
    counted.every(({ rule }) => rule.startsWith("doubt:") && !UNREAD.has(rule))
  );
}

function sentence({ text, reason }: EvaluatedCommand): string {
  const shown = text.length > 160 ? `${text.slice(0, 159)}…` : text;
  return `${shown}: ${reason}`;
}

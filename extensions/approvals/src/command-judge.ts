import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import { findEntry } from "./allowlist.js";
import { whatStandsAround } from "./allowlist-exclusion.js";
import { type CallPlace, type CommandPlace, placeOf } from "./command-place.js";
import { commandText } from "./command-text.js";
import { type ApprovalsConfig, type EffectiveRules, effectiveRules } from "./config.js";
import { destructionBy, nameOf } from "./destructive-command.js";
import { ExecutableSearch } from "./executable.js";
import { moreThanReading } from "./reading-program.js";
import { isHidden, reachOf } from "./redirection.js";
import { type Doubt, doubtOf, doubtOfAll } from "./unreadable-command.js";
import { DECIDING_VARIABLE, isHarmlessVariable } from "./variable.js";

/** A call of a shell tool. */
export interface ShellCall extends CallPlace {
  readonly agentId?: string | undefined;
  /** Variables the call sets. */
  readonly environment?: Readonly<Record<string, unknown>> | undefined;
}

/** What the rules say of one command. */
export interface JudgedCommand {
  /** As it was understood, in one line. */
  readonly text: string;
  /**
   * `listed` runs unasked, `unlisted` is asked about, `doubtful` each time, and so are `hidden` and
   * `destructive`, as critical.
   */
  readonly finding: "listed" | "unlisted" | "doubtful" | "hidden" | "destructive";
  /** Which rule found it, for example `safeBins`, `allowlist[2]` or `destructive:removal`. */
  readonly rule: string;
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

/** The judgement on a call. */
export interface CommandVerdict {
  readonly decision: Decision;
  /** In one sentence, for people. */
  readonly reason: string;
  readonly commands: readonly JudgedCommand[];
  /** Whether every command is one that a list names. */
  readonly listed: boolean;
  readonly rules: Pick<EffectiveRules, "security" | "ask" | "askFallback">;
}

/** Judges calls of shell tools by the tree of their command; runs and parses nothing (APPR-038). */
export interface CommandJudge {
  /**
   * @param parsed - the command as the host's grammar read it
   * @param call - where and for whom it would run
   */
  judge(parsed: ParsedCommand, call: ShellCall): Promise<CommandVerdict>;
}

/**
 * Makes the judge of a configuration.
 * @param config - the extension's configuration
 * @param path - the PATH that commands run with
 */
export function createCommandJudge(config: ApprovalsConfig, path: string): CommandJudge {
  return {
    async judge(parsed, call) {
      const search = new ExecutableSearch(path);
      const rules = effectiveRules(config, call.agentId);
      const place = await placeOf(parsed, call, search);
      const variable = unsafeVariable(call.environment);
      const commands: JudgedCommand[] = [];
      for (const [index, command] of parsed.commands.entries()) {
        commands.push(await judgeOne(parsed, command, index, place, rules));
      }
      const all = doubtOfAll(parsed);
      if (all !== undefined) {
        commands.push(judgedDoubt(parsed.source, all));
      } else if (variable !== undefined) {
        commands.push(judgedVariable(parsed.source, variable));
      } else if (commands.length === 0) {
        commands.push(judged(parsed.source, "unlisted", "none", "it names no program"));
      }
      return { ...decide(commands, rules), commands, rules };
    },
  };
}

async function judgeOne(
  parsed: ParsedCommand,
  command: SimpleCommand,
  index: number,
  place: CommandPlace,
  rules: EffectiveRules,
): Promise<JudgedCommand> {
  const text = commandText(command);
  const destruction = await destructionBy(parsed, index, place);
  if (destruction !== undefined) {
    const { id, reason } = destruction;
    return judged(text, "destructive", `destructive:${id}`, `it ${reason}`);
  }
  const doubt = await doubtOf(command, place, index);
  if (doubt !== undefined) return judgedDoubt(text, doubt);
  const around = await whatStandsAround(parsed, command, place);
  if (around !== undefined) return judged(text, "unlisted", "none", around);
  return judgeListed(text, command, index, place, rules);
}

async function judgeListed(
  text: string,
  command: SimpleCommand,
  index: number,
  place: CommandPlace,
  rules: EffectiveRules,
): Promise<JudgedCommand> {
  const { workspace, search } = place;
  const folders = place.folders[index];
  const writes = await writtenFile(command, place, index);
  const { program = "" } = command;
  if (program === "") {
    return writes === undefined
      ? judged(text, "listed", "assignment", "it only sets variables of the shell")
      : judged(text, "unlisted", "none", `it writes ${writes}`);
  }
  if (writes === undefined || !isHidden(writes)) {
    const entry = await findEntry(rules.allowlist, command, place, folders);
    if (entry !== undefined) return judged(text, "listed", `allowlist[${entry.index}]`, entry.note);
  }
  if (writes !== undefined) return judged(text, "unlisted", "none", `it writes ${writes}`);
  const name = nameOf(program);
  if (!rules.safeBins.has(name))
    return judged(text, "unlisted", "none", `no list names ${program}`);
  if (!(await search.means(program, name, workspace))) {
    const reason = `${program} is not a ${name} that PATH has outside the workspace`;
    return judged(text, "unlisted", "none", reason);
  }
  const more = await moreThanReading(name, command, workspace, folders);
  return more === undefined
    ? judged(text, "listed", "safeBins", `${name} only reads the workspace`)
    : judged(text, "unlisted", "none", more);
}

/** The file of the workspace that a redirection writes, if one does. */
async function writtenFile(
  { redirections }: SimpleCommand,
  { workspace, folders }: CommandPlace,
  index: number,
): Promise<string | undefined> {
  for (const redirection of redirections) {
    const reach = await reachOf(redirection, workspace, folders[index]);
    if (reach === "writes-workspace") return redirection.target;
  }
  return undefined;
}

function decide(
  commands: readonly JudgedCommand[],
  { security, ask, askFallback }: EffectiveRules,
): Pick<CommandVerdict, "decision" | "reason" | "listed"> {
  const worst = (finding: JudgedCommand["finding"]) =>
    commands.find((command) => command.finding === finding);
  const critical = worst("destructive") ?? worst("hidden");
  const found = critical ?? worst("doubtful") ?? worst("unlisted");
  const listed = found === undefined;
  const because = found === undefined ? "every command is on a list" : sentence(found);
  const settle = (decision: Decision, reason = because) => ({ decision, reason, listed });

  if (security === "deny") return settle("deny", "commands are not allowed here (security: deny)");
  if (critical !== undefined) return settle("ask-critical");
  if (found?.finding === "doubtful") return settle("ask-each-time");
  if (ask === "always") {
    const fallback = listed && askFallback === "allowlist" ? "; without an answer it runs" : "";
    return settle("ask-each-time", `every command is asked about (ask: always)${fallback}`);
  }
  if (listed) return settle("run");
  if (security === "full") return settle("run", "commands are allowed here (security: full)");
  return ask === "off"
    ? settle("deny", `${because}, and nobody is asked (ask: off)`)
    : settle("ask");
}

function sentence({ text, reason }: JudgedCommand): string {
  const shown = text.length > 160 ? `${text.slice(0, 159)}…` : text;
  return `${shown}: ${reason}`;
}

function judged(
  text: string,
  finding: JudgedCommand["finding"],
  rule: string,
  reason: string,
): JudgedCommand {
  return { text, finding, rule, reason };
}

function judgedDoubt(text: string, { id, reason, hides }: Doubt): JudgedCommand {
  return judged(text, hides === true ? "hidden" : "doubtful", `doubt:${id}`, reason);
}

function judgedVariable(text: string, name: string): JudgedCommand {
  return DECIDING_VARIABLE.test(name)
    ? judged(
        text,
        "hidden",
        "doubt:deciding-variable",
        `the call sets ${name}, which decides what runs`,
      )
    : judged(text, "unlisted", "none", `the call sets ${name}`);
}

function unsafeVariable(environment: ShellCall["environment"] = {}): string | undefined {
  return Object.entries(environment).find(
    ([name, value]) => !isHarmlessVariable(name, typeof value === "string" ? value : undefined),
  )?.[0];
}

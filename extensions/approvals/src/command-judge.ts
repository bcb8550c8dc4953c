import type {
  LiteralCommand,
  LiteralPipeline,
  LiteralProgram,
  ParsedCommand,
} from "@openclaw/plugin-sdk/hooks";
import { type CallPlace, type CommandPlace, placeOf } from "./command-place.js";
import { commandText, literalText } from "./command-text.js";
import { type ApprovalsConfig, type EffectiveRules, effectiveRules } from "./config.js";
import { type Decision, decide, isOnlyDoubt, type JudgedCommand } from "./decision.js";
import { destructionBy } from "./destructive-command.js";
import { nameOf } from "./destructive-rule.js";
import { ExecutableSearch } from "./executable.js";
import { pipelineFolders } from "./literal-folders.js";
import { readingArguments } from "./reading/reading-program.js";
import { allowingRule, type MatchingRule, restrictingRule } from "./rules/matching.js";
import { ruleName } from "./rules/rule.js";
import { type Doubt, doubtOf, doubtOfAll } from "./unreadable-command.js";
import { DECIDING_VARIABLE, isHarmlessVariable } from "./variable.js";
import type { Folders } from "./workspace.js";

export type { JudgedCommand } from "./decision.js";
export { type RuleProblem, ruleProblems } from "./rules/examples.js";

/** A call of a shell tool. */
export interface ShellCall extends CallPlace {
  readonly agentId?: string | undefined;
  /** Variables the call sets. */
  readonly environment?: Readonly<Record<string, unknown>> | undefined;
}

/** The judgement on a call. */
export interface CommandVerdict {
  readonly decision: Decision;
  /** In one sentence, for people. */
  readonly reason: string;
  readonly commands: readonly JudgedCommand[];
  /** Whether every program is one that a list names. */
  readonly listed: boolean;
  /** What runs without approval: the literal command with resolved programs; absent where nothing does. */
  readonly run?: LiteralCommand | undefined;
  /**
   * Where only programs that no list names keep a literal command from running: the command with resolved
   * programs, and the positions of those that need approval.
   */
  readonly grantable?: GrantableCommand | undefined;
  /** Whether all of it is only known to read the workspace, so that a read-only sandbox loses nothing. */
  readonly readsOnly: boolean;
  /** Whether a person is asked only because nobody can tell what the command does, though all of it was read. */
  readonly isDoubt: boolean;
  /** Whether a rule that covers a program asks for the workspace-writable sandbox. */
  readonly inSandbox: boolean;
  readonly rules: Pick<EffectiveRules, "security" | "ask" | "askFallback">;
}

/** A literal command that may run once some of its programs are granted. */
export interface GrantableCommand {
  readonly command: LiteralCommand;
  /** Positions of the programs that need a grant, counted through all pipelines from 0. */
  readonly uncovered: readonly number[];
}

/** Judges calls of shell tools by what the host parsed; runs and parses nothing (APPR-038). */
export interface CommandJudge {
  /**
   * @param parsed - the command as the host's grammar read it
   * @param call - where and for whom it would run
   */
  judge(parsed: ParsedCommand, call: ShellCall): Promise<CommandVerdict>;
}

/** A program of a literal command, and how it runs when a list names it. */
interface ListedProgram {
  readonly judged: JudgedCommand;
  /** As it runs when every list names its whole command. */
  readonly program?: LiteralProgram;
  /** The same program where no list names it, only found. */
  readonly resolved?: LiteralProgram;
  /** Whether the rule that covers it asks for the sandbox. */
  readonly inSandbox?: boolean;
}

/** The findings on a literal command, and what runs when a list names all of it. */
interface JudgedLiteral {
  readonly commands: readonly JudgedCommand[];
  readonly run: LiteralCommand | undefined;
  /** The command with the files of its programs, whatever lists say; undefined where one has none. */
  readonly resolved: LiteralCommand | undefined;
  /** Positions of the programs that no list names. */
  readonly uncovered: readonly number[];
  readonly inSandbox: boolean;
}

const TABLE_RULE = "safeBins";
const NOT_LITERAL =
  "it is more than programs with literal words, which is all that runs without approval";

/**
 * Makes the judge of a configuration.
 * @param config - the extension's configuration
 * @param path - the PATH that commands run with
 * @param stateDir - the host's state folder, absolute, which is private; undefined where it is not known
 */
export function createCommandJudge(
  config: ApprovalsConfig,
  path: string,
  stateDir?: string,
): CommandJudge {
  return {
    async judge(parsed, call) {
      const search = new ExecutableSearch(path);
      const rules = effectiveRules(config, call.agentId);
      const place = await placeOf(parsed, { stateDir, ...call }, search);
      const findings = await findingsOn(parsed, place, rules);
      const literal = await judgeLiteral(parsed, place, rules);
      const commands = [
        ...findings,
        // Where something worse was found, that no list names the same program says nothing more.
        ...(literal?.commands ?? unlistedCommands(parsed)).filter(
          ({ finding, text }) =>
            findings.length === 0 ||
            (finding === "listed" && findings.every((found) => found.text !== text)),
        ),
      ];
      const variable = unsafeVariable(call.environment);
      if (variable !== undefined) commands.push(judgedVariable(parsed.source, variable));
      const resolved = variable === undefined ? literal?.resolved : undefined;
      const decided = decide(commands, rules, resolved !== undefined);
      const isDoubt = rules.ask !== "always" && isOnlyDoubt(commands);
      const readsOnly = commands.every(({ rule }) => rule === TABLE_RULE);
      const run = decided.listed ? literal?.run : resolved;
      const inSandbox = literal?.inSandbox === true;
      const grantable =
        decided.decision === "ask" && resolved !== undefined && !inSandbox
          ? { command: resolved, uncovered: literal?.uncovered ?? [] }
          : undefined;
      return { ...decided, commands, run, grantable, readsOnly, isDoubt, inSandbox, rules };
    },
  };
}

/** What no list outweighs: what destroys, what cannot be read, and what reaches beyond the workspace. */
async function findingsOn(
  parsed: ParsedCommand,
  place: CommandPlace,
  { rules }: EffectiveRules,
): Promise<JudgedCommand[]> {
  const found: JudgedCommand[] = [];
  for (const [index, command] of parsed.commands.entries()) {
    const matching = await restrictingRule(rules, command, place, place.folders[index]);
    if (matching !== undefined) found.push(judgedByRule(commandText(command), matching));
    const destruction = await destructionBy(parsed, index, place);
    if (destruction !== undefined) {
      const { id, reason } = destruction;
      found.push(judged(commandText(command), "destructive", `destructive:${id}`, `it ${reason}`));
      continue;
    }
    const doubt = await doubtOf(command, place, index);
    if (doubt !== undefined) found.push(judgedDoubt(commandText(command), doubt));
  }
  const all = doubtOfAll(parsed);
  if (all !== undefined) found.push(judgedDoubt(parsed.source, all));
  return found;
}

function judgedByRule(text: string, { rule, isCertain }: MatchingRule): JudgedCommand {
  const name = ruleName(rule);
  const is = { ruleIndex: rule.index };
  if (!isCertain) {
    const reason = `which words it has is decided when it runs, and ${name} may apply: ${rule.note}`;
    return { ...judged(text, "asked", name, reason), ...is };
  }
  return rule.decision === "deny"
    ? { ...judged(text, "denied", name, `${name} denies it: ${rule.note}`), ...is }
    : { ...judged(text, "asked", name, `${name} asks each time: ${rule.note}`), ...is };
}

/** A text that a shell has to run is judged as a whole. */
function unlistedCommands(parsed: ParsedCommand): JudgedCommand[] {
  return [judged(parsed.source, "unlisted", "none", NOT_LITERAL)];
}

async function judgeLiteral(
  parsed: ParsedCommand,
  place: CommandPlace,
  rules: EffectiveRules,
): Promise<JudgedLiteral | undefined> {
  const { literal } = parsed;
  if (literal === undefined || place.start === undefined) return undefined;
  const wrappers = new Set(parsed.commands.flatMap((command) => command.wrappers.map(nameOf)));
  const folders = await pipelineFolders(literal, place.start, place.workspace);
  const commands: JudgedCommand[] = [];
  const pipelines: LiteralPipeline[] = [];
  const resolved: LiteralPipeline[] = [];
  const uncovered: number[] = [];
  let isResolved = true;
  let inSandbox = false;
  for (const [index, { after, programs }] of literal.pipelines.entries()) {
    const { folders: here, problem } = folders[index] ?? { folders: undefined };
    const listed: LiteralProgram[] = [];
    const found: LiteralProgram[] = [];
    for (const program of programs) {
      const judgement: ListedProgram =
        problem === undefined
          ? await judgeProgram(program, { ...place, here, wrappers }, rules)
          : { judged: judged(literalText(program), "unlisted", "none", problem) };
      if (judgement.program === undefined) uncovered.push(commands.length);
      commands.push(judgement.judged);
      if (judgement.inSandbox === true) inSandbox = true;
      if (judgement.program !== undefined) listed.push(judgement.program);
      const own = judgement.program ?? judgement.resolved;
      if (own === undefined) isResolved = false;
      else found.push(own);
    }
    pipelines.push({ after, programs: listed });
    resolved.push({ after, programs: found });
  }
  return {
    commands,
    uncovered,
    run: uncovered.length === 0 ? { pipelines } : undefined,
    resolved: isResolved ? { pipelines: resolved } : undefined,
    inSandbox,
  };
}

async function judgeProgram(
  program: LiteralProgram,
  place: CommandPlace & { readonly here: Folders; readonly wrappers: ReadonlySet<string> },
  rules: EffectiveRules,
): Promise<ListedProgram> {
  const { workspace, search, here, wrappers } = place;
  const text = literalText(program);
  const unlisted = (reason: string, resolved?: LiteralProgram): ListedProgram => ({
    judged: judged(text, "unlisted", "none", reason),
    ...(resolved === undefined ? {} : { resolved }),
  });
  const name = nameOf(program.program);
  if (program.program === "cd") {
    return rules.safeBins.has("cd")
      ? { judged: judged(text, "listed", TABLE_RULE, "cd stays in the workspace"), program }
      : unlisted("no list names cd", program);
  }
  const found = await search.find(program.program, workspace);
  if (found === undefined) {
    return unlisted(`${program.program} is not a program that PATH has outside the workspace`);
  }
  const resolved = { ...program, program: found.path };
  const file = program.redirections.find(
    ({ operator, target }) => operator !== ">&" && target !== "/dev/null",
  );
  if (file !== undefined) return unlisted(`it redirects to or from ${file.target}`, resolved);
  const rule = await allowingRule(rules.rules, program, place, here, wrappers);
  if (rule !== undefined) {
    const { index: ruleIndex, note, sandbox } = rule;
    return {
      judged: { ...judged(text, "listed", ruleName(rule), note), ruleIndex },
      program: resolved,
      inSandbox: sandbox === "workspace",
    };
  }
  if (!rules.safeBins.has(name)) return unlisted(`no list names ${program.program}`, resolved);
  if (!(await search.means(program.program, name, workspace))) {
    return unlisted(`${program.program} is not the ${name} that PATH has`, resolved);
  }
  const reading = await readingArguments(name, program, workspace, here);
  if ("problem" in reading) return unlisted(reading.problem, resolved);
  return {
    judged: judged(text, "listed", TABLE_RULE, `${name} only reads the workspace`),
    program: { ...resolved, ...reading },
  };
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

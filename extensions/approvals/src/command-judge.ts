import type {
  LiteralCommand,
  LiteralPipeline,
  LiteralProgram,
  ParsedCommand,
} from "@openclaw/plugin-sdk/hooks";
import { findEntry } from "./allowlist.js";
import { type CallPlace, type CommandPlace, placeOf } from "./command-place.js";
import { commandText, literalText } from "./command-text.js";
import { type ApprovalsConfig, type EffectiveRules, effectiveRules } from "./config.js";
import { destructionBy } from "./destructive-command.js";
import { nameOf } from "./destructive-rule.js";
import { ExecutableSearch } from "./executable.js";
import { pipelineFolders } from "./literal-folders.js";
import { readingArguments } from "./reading/reading-program.js";
import { type Doubt, doubtOf, doubtOfAll } from "./unreadable-command.js";
import { DECIDING_VARIABLE, isHarmlessVariable } from "./variable.js";
import type { Folders } from "./workspace.js";

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
  /** Whether every program is one that a list names. */
  readonly listed: boolean;
  /** What runs without approval: the literal command with resolved programs; absent where nothing does. */
  readonly run?: LiteralCommand | undefined;
  /** Whether all of it is only known to read the workspace, so that a read-only sandbox loses nothing. */
  readonly readsOnly: boolean;
  /** Whether an entry of the allowlist that covers a program asks for the workspace-writable sandbox. */
  readonly inSandbox: boolean;
  readonly rules: Pick<EffectiveRules, "security" | "ask" | "askFallback">;
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
  /** Whether the entry that names it asks for the sandbox. */
  readonly inSandbox?: boolean;
}

/** The findings on a literal command, and what runs when a list names all of it. */
interface JudgedLiteral {
  readonly commands: readonly JudgedCommand[];
  readonly run: LiteralCommand | undefined;
  /** The command with the files of its programs, whatever lists say; undefined where one has none. */
  readonly resolved: LiteralCommand | undefined;
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
      const findings = await findingsOn(parsed, place);
      const literal = await judgeLiteral(parsed, place, rules);
      const commands = [
        ...findings,
        // Where something worse was found, that no list names the same program says nothing more.
        ...(literal?.commands ?? unlistedCommands(parsed)).filter(
          ({ finding }) => findings.length === 0 || finding === "listed",
        ),
      ];
      const variable = unsafeVariable(call.environment);
      if (variable !== undefined) commands.push(judgedVariable(parsed.source, variable));
      const resolved = variable === undefined ? literal?.resolved : undefined;
      const decided = decide(commands, rules, resolved !== undefined);
      const readsOnly = commands.every(({ rule }) => rule === TABLE_RULE);
      const run = decided.listed ? literal?.run : resolved;
      const inSandbox = literal?.inSandbox === true;
      return { ...decided, commands, run, readsOnly, inSandbox, rules };
    },
  };
}

/** What no list outweighs: what destroys, what cannot be read, and what reaches beyond the workspace. */
async function findingsOn(parsed: ParsedCommand, place: CommandPlace): Promise<JudgedCommand[]> {
  const found: JudgedCommand[] = [];
  for (const [index, command] of parsed.commands.entries()) {
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
  let isListed = true;
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
      commands.push(judgement.judged);
      if (judgement.inSandbox === true) inSandbox = true;
      if (judgement.program === undefined) isListed = false;
      else listed.push(judgement.program);
      const own = judgement.program ?? judgement.resolved;
      if (own === undefined) isResolved = false;
      else found.push(own);
    }
    pipelines.push({ after, programs: listed });
    resolved.push({ after, programs: found });
  }
  return {
    commands,
    run: isListed ? { pipelines } : undefined,
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
  const entry = await findEntry(rules.allowlist, program, place, here, wrappers);
  if (entry !== undefined) {
    return {
      judged: judged(text, "listed", `allowlist[${entry.index}]`, entry.note),
      program: resolved,
      inSandbox: entry.sandbox === "workspace",
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

function decide(
  commands: readonly JudgedCommand[],
  { security, ask, askFallback }: EffectiveRules,
  isLiteral: boolean,
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
  if (security === "full" && isLiteral)
    return settle("run", "commands are allowed here (security: full)");
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

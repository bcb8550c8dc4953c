import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import type {
  LiteralCommand,
  LiteralPipeline,
  LiteralProgram,
  ParsedCommand,
} from "@openclaw/plugin-sdk/hooks";
import { type CommandPlace, placeOf } from "./command-place.js";
import { literalText } from "./command-text.js";
import type { CommandEvaluator } from "./command-verdict.js";
import { type ApprovalsConfig, type EffectiveRules, effectiveRules } from "./config.js";
import { containedCommand, isBoundedByWords } from "./contained/command.js";
import { decide, type EvaluatedCommand, isOnlyAmbiguous, isOnlySubstitution } from "./decision.js";
import { nameOf } from "./destructive-rule.js";
import { ExecutableSearch } from "./executable.js";
import { evaluated, findingsOn } from "./findings.js";
import { grantReach } from "./grant-reach.js";
import { placeholders, withManyNames, withPlaces } from "./late-words.js";
import { pipelineFolders } from "./literal-folders.js";
import { programProblem } from "./program-problem.js";
import { boundedReading, readingArguments } from "./reading/reading-program.js";
import { allowingRule } from "./rules/matching.js";
import { ruleName } from "./rules/rule.js";
import { DECIDING_VARIABLE, unsafeVariable } from "./variable.js";
import type { Folders } from "./workspace.js";

export type {
  CommandEvaluator,
  CommandVerdict,
  GrantableCommand,
  ShellCall,
} from "./command-verdict.js";
export type { EvaluatedCommand } from "./decision.js";
export { type RuleProblem, ruleProblems } from "./rules/examples.js";

/** Program of a literal command, and how it runs when it is on a list. */
interface ListedProgram {
  readonly evaluated: EvaluatedCommand;
  /** Program as it runs when all programs of the command are on a list. */
  readonly program?: LiteralProgram;
  /** Program with its resolved file, when it is on no list. */
  readonly resolved?: LiteralProgram;
  /** Program as it only reads where the read-only sandbox bounds it, when its table needs that. */
  readonly bounded?: LiteralProgram;
  /** True when the rule that covers it requires the sandbox. */
  readonly inSandbox?: boolean;
}

/**
 * Findings on a literal command, and the command that runs when all of its programs are on a list.
 */
interface EvaluatedLiteral {
  readonly commands: readonly EvaluatedCommand[];
  readonly run: LiteralCommand | undefined;
  /**
   * Command with the files of its programs, regardless of lists; undefined when a program has no
   * file.
   */
  readonly resolved: LiteralCommand | undefined;
  /** Positions of the programs that are on no list. */
  readonly uncovered: readonly number[];
  /** For each of them, how far a grant can reach. */
  readonly reach: readonly GrantReach[];
  /**
   * Command as it runs where the read-only sandbox bounds the programs that are on no list; undefined when git or a
   * redirection needs more.
   */
  readonly bounded: LiteralCommand | undefined;
  readonly inSandbox: boolean;
}

const TABLE_RULE = "safeBins";
const NOT_LITERAL = "it is not literal, and only literal commands run without approval";

/**
 * Creates the evaluator of a configuration.
 * @param config - configuration of the extension
 * @param path - `PATH` that commands run with
 * @param stateDir - absolute path of the host's state folder, which is private; undefined when it
 *   is not known
 */
export function createCommandEvaluator(
  config: ApprovalsConfig,
  path: string,
  stateDir?: string,
): CommandEvaluator {
  return {
    async evaluate(parsed, call) {
      const search = new ExecutableSearch(path);
      const rules = effectiveRules(config, call.agentId);
      const place = await placeOf(parsed, { stateDir, ...call }, search);
      const { found, late } = await findingsOn(parsed, place, rules);
      const asWritten = await evaluateLiteral(parsed, parsed.literal, place, rules);
      const isWritten = asWritten?.run !== undefined;
      const expanded = isWritten ? undefined : await evaluateExpanded(parsed, place, rules);
      // What the host can expand matters only where all of it is on a list.
      const isExpanded = expanded?.run !== undefined;
      const literal = isExpanded ? expanded : asWritten;
      const findings = isExpanded ? found : [...found, ...late];
      const commands = [
        ...findings,
        // After a stricter finding, an unlisted program is not reported as well.
        ...(literal?.commands ?? expanded?.commands ?? unlistedCommands(parsed)).filter(
          ({ finding, text }) =>
            findings.length === 0 ||
            (finding === "listed" && findings.every((found) => found.text !== text)),
        ),
      ];
      const variable = unsafeVariable(call.environment);
      if (variable !== undefined) commands.push(evaluatedVariable(parsed.source, variable));
      const resolved = variable === undefined ? asWritten?.resolved : undefined;
      const decided = decide(commands, rules, resolved !== undefined);
      const isDoubt = rules.ask !== "always" && isOnlyAmbiguous(commands);
      const readsOnly = commands.every(({ rule }) => rule === TABLE_RULE);
      const run = decided.listed ? literal?.run : resolved;
      const inSandbox = literal?.inSandbox === true;
      const grantable =
        decided.decision === "ask" && resolved !== undefined && !inSandbox
          ? {
              command: resolved,
              uncovered: asWritten?.uncovered ?? [],
              reach: asWritten?.reach ?? [],
            }
          : undefined;
      const isBoundable =
        decided.decision === "ask" || (rules.ask !== "always" && isOnlySubstitution(commands));
      const contained =
        isBoundable && variable === undefined && !inSandbox
          ? await containedCommand(parsed, place, asWritten?.bounded)
          : undefined;
      return {
        ...decided,
        commands,
        run,
        grantable,
        contained,
        readsOnly,
        isDoubt,
        inSandbox,
        rules,
      };
    },
  };
}

/** Returns one finding for a command that needs a shell, which is evaluated as a whole. */
function unlistedCommands(parsed: ParsedCommand): EvaluatedCommand[] {
  return [evaluated(parsed.source, "unlisted", "none", NOT_LITERAL)];
}

/** Evaluates a command after its expansion, and what the host computed for it instead of running it. */
async function evaluateExpanded(
  parsed: ParsedCommand,
  place: CommandPlace,
  rules: EffectiveRules,
): Promise<EvaluatedLiteral | undefined> {
  const { expanded } = parsed;
  if (expanded === undefined) return undefined;
  const literal = await evaluateLiteral(parsed, expanded.command, place, rules);
  if (literal === undefined) return undefined;
  const computed: EvaluatedCommand[] = [];
  let isListed = true;
  for (const { program, folder } of expanded.computed) {
    const here = { ...place, here: [folder], wrappers: new Set<string>() };
    const evaluation = await evaluateProgram(program, here, rules);
    computed.push(evaluation.evaluated);
    isListed &&= evaluation.program !== undefined && evaluation.inSandbox !== true;
  }
  return {
    ...literal,
    commands: [...computed, ...literal.commands],
    run: isListed ? literal.run : undefined,
  };
}

async function evaluateLiteral(
  parsed: ParsedCommand,
  literal: LiteralCommand | undefined,
  place: CommandPlace,
  rules: EffectiveRules,
): Promise<EvaluatedLiteral | undefined> {
  if (literal === undefined || place.start === undefined) return undefined;
  const wrappers = new Set(parsed.commands.flatMap((command) => command.wrappers.map(nameOf)));
  const folders = await pipelineFolders(literal, place.start, place.workspace);
  const commands: EvaluatedCommand[] = [];
  const pipelines: LiteralPipeline[] = [];
  const resolved: LiteralPipeline[] = [];
  const uncovered: number[] = [];
  const reach: GrantReach[] = [];
  let isResolved = true;
  let isBounded = true;
  const bounded: LiteralPipeline[] = [];
  let inSandbox = false;
  for (const [index, { programs, ...pipeline }] of literal.pipelines.entries()) {
    const { folders: here, problem } = folders[index] ?? { folders: undefined };
    const listed: LiteralProgram[] = [];
    const found: LiteralProgram[] = [];
    const within: LiteralProgram[] = [];
    for (const program of programs) {
      const evaluation: ListedProgram =
        problem === undefined
          ? await evaluateProgram(program, { ...place, here, wrappers }, rules)
          : { evaluated: evaluated(literalText(program), "unlisted", "none", problem) };
      if (evaluation.program === undefined) {
        uncovered.push(commands.length);
        reach.push(grantReach(nameOf(program.program), program.arguments));
        isBounded &&= evaluation.bounded !== undefined || isBoundedByWords(program);
      }
      commands.push(evaluation.evaluated);
      if (evaluation.inSandbox === true) inSandbox = true;
      if (evaluation.program !== undefined) listed.push(evaluation.program);
      const own = evaluation.program ?? evaluation.resolved;
      if (own === undefined) isResolved = false;
      else {
        found.push(own);
        within.push(evaluation.bounded ?? own);
      }
    }
    pipelines.push({ ...pipeline, programs: listed });
    resolved.push({ ...pipeline, programs: found });
    bounded.push({ ...pipeline, programs: within });
  }
  return {
    commands,
    uncovered,
    reach,
    bounded: isResolved && isBounded ? { pipelines: bounded } : undefined,
    run: uncovered.length === 0 ? { pipelines } : undefined,
    resolved: isResolved ? { pipelines: resolved } : undefined,
    inSandbox,
  };
}

async function evaluateProgram(
  program: LiteralProgram,
  place: CommandPlace & { readonly here: Folders; readonly wrappers: ReadonlySet<string> },
  rules: EffectiveRules,
): Promise<ListedProgram> {
  const { workspace, search, here, wrappers } = place;
  const text = literalText(program);
  const unlisted = (reason: string, resolved?: LiteralProgram): ListedProgram => ({
    evaluated: evaluated(text, "unlisted", "none", reason),
    ...(resolved === undefined ? {} : { resolved }),
  });
  const name = nameOf(program.program);
  if (program.program === "cd") {
    return rules.safeBins.has("cd")
      ? { evaluated: evaluated(text, "listed", TABLE_RULE, "cd stays in the workspace"), program }
      : unlisted("no rule allows cd", program);
  }
  const found = await search.find(program.program, workspace);
  if (found === undefined) {
    return unlisted(`${program.program} was not found in PATH outside the workspace`);
  }
  const resolved = { ...program, program: found.path };
  const problem = await programProblem(program, workspace, here);
  if (problem !== undefined) return unlisted(problem, resolved);
  // A rule decides about words, and placeholders stand for others.
  const rule =
    placeholders(program).size > 0
      ? undefined
      : await allowingRule(rules.rules, program, place, here, wrappers);
  if (rule !== undefined) {
    const { index: ruleIndex, note, sandbox } = rule;
    return {
      evaluated: { ...evaluated(text, "listed", ruleName(rule), note), ruleIndex },
      program: resolved,
      inSandbox: sandbox === "workspace",
    };
  }
  if (!rules.safeBins.has(name)) return unlisted(`no rule allows ${program.program}`, resolved);
  if (!(await search.means(program.program, name, workspace))) {
    return unlisted(`${program.program} is not the ${name} in PATH`, resolved);
  }
  const reading = await readingArguments(name, withManyNames(program), workspace, here);
  if ("problem" in reading) {
    const bounded = await boundedReading(name, program, workspace, here);
    return {
      ...unlisted(reading.problem, resolved),
      ...(bounded === undefined ? {} : { bounded: { ...resolved, ...bounded } }),
    };
  }
  const placed = withPlaces(program, reading.arguments);
  if (placed === undefined)
    return unlisted(`${name} would get output of others as more than a file`);
  return {
    evaluated: evaluated(text, "listed", TABLE_RULE, `${name} only reads the workspace`),
    program: { ...resolved, ...reading, ...placed },
  };
}

function evaluatedVariable(text: string, name: string): EvaluatedCommand {
  return DECIDING_VARIABLE.test(name)
    ? evaluated(
        text,
        "hidden",
        "doubt:deciding-variable",
        `the call sets ${name}, which decides which code runs`,
      )
    : evaluated(text, "unlisted", "none", `the call sets ${name}`);
}

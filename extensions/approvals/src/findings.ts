import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import { commandText } from "./command-text.js";
import type { EffectiveRules } from "./config.js";
import type { EvaluatedCommand } from "./decision.js";
import { type Destruction, destructionBy } from "./destructive-command.js";
import { followedTarget } from "./followed-target.js";
import { type MatchingRule, restrictingRule } from "./rules/matching.js";
import { ruleName } from "./rules/rule.js";
import { type Ambiguity, ambiguityOf, doubtOfAll } from "./unreadable-command.js";

/** Findings on the commands of a call. */
export interface Findings {
  readonly found: readonly EvaluatedCommand[];
  /** Doubts about words that are known only after an expansion. */
  readonly late: readonly EvaluatedCommand[];
}

/**
 * Returns the findings that override every list: destructive commands, commands that cannot be
 * read, and effects outside the workspace.
 */
export async function findingsOn(
  parsed: ParsedCommand,
  place: CommandPlace,
  { rules }: EffectiveRules,
): Promise<Findings> {
  const found: EvaluatedCommand[] = [];
  const late: EvaluatedCommand[] = [];
  for (const [index, command] of parsed.commands.entries()) {
    const matching = await restrictingRule(rules, command, place, place.folders[index]);
    if (matching !== undefined) found.push(evaluatedByRule(commandText(command), matching));
    const destruction = await destructionBy(parsed, index, place);
    if (destruction !== undefined) {
      // Where all words are known after an expansion, the resulting programs decide.
      const list = destruction.isCertain ? found : late;
      list.push(evaluatedDestruction(commandText(command), destruction));
      continue;
    }
    const followed = await followedTarget(
      command,
      place.workspace,
      place.folders[index],
      parsed.commands.length > 1,
    );
    if (followed?.pattern !== undefined) {
      const { pattern, reason } = followed;
      found.push(evaluated(commandText(command), "asked", `followed:${pattern}`, reason));
    }
    const doubt = await ambiguityOf(command, place, index);
    if (doubt?.isLate === true) late.push(evaluatedAmbiguity(commandText(command), doubt));
    else if (doubt !== undefined) found.push(evaluatedAmbiguity(commandText(command), doubt));
    else if (followed !== undefined && followed.pattern === undefined) {
      const { reason } = followed;
      found.push(evaluatedAmbiguity(commandText(command), { id: "written-files", reason }));
    }
  }
  const all = doubtOfAll(parsed);
  if (all?.isLate === true) late.push(evaluatedAmbiguity(parsed.source, all));
  else if (all !== undefined) found.push(evaluatedAmbiguity(parsed.source, all));
  return { found, late };
}

function evaluatedDestruction(
  text: string,
  { rule: { id, reason }, isCertain }: Destruction,
): EvaluatedCommand {
  const rule = `destructive:${id}`;
  if (isCertain) return evaluated(text, "destructive", rule, `it ${reason}`);
  const doubt = `a word is known only when it runs, so that it may be a command that ${reason}`;
  return { ...evaluated(text, "destructive", rule, doubt), isUncertain: true };
}

function evaluatedByRule(text: string, { rule, isCertain }: MatchingRule): EvaluatedCommand {
  const name = ruleName(rule);
  const is = { ruleIndex: rule.index };
  if (!isCertain) {
    const reason = `its words are computed when it runs, so ${name} may apply: ${rule.note}`;
    return { ...evaluated(text, "asked", name, reason), ...is };
  }
  return rule.decision === "deny"
    ? { ...evaluated(text, "denied", name, `${name} denies it: ${rule.note}`), ...is }
    : {
        ...evaluated(text, "asked", name, `${name} requires approval each time: ${rule.note}`),
        ...is,
      };
}

/**
 * Returns the finding on a command.
 * @param text - command in one line
 * @param finding - kind of the finding
 * @param rule - rule that produced it
 * @param reason - reason in one sentence
 */
export function evaluated(
  text: string,
  finding: EvaluatedCommand["finding"],
  rule: string,
  reason: string,
): EvaluatedCommand {
  return { text, finding, rule, reason };
}

function evaluatedAmbiguity(text: string, { id, reason, hides }: Ambiguity): EvaluatedCommand {
  return evaluated(text, hides === true ? "hidden" : "doubtful", `doubt:${id}`, reason);
}

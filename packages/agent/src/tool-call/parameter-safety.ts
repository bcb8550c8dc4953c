import { expandInWorkspace } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import {
  inspectParameters,
  type ParameterInspection,
  type SafetySettings,
  usesOnlyBinaries,
} from "@openclaw/safety";

/** Safety rule that requires approval. */
export interface SafetyRisk {
  readonly rule: string;
  /** Sentence for the approver. */
  readonly reason: string;
}

/** Result of the safety engine for the arguments of a call. */
export interface EvaluatedParameters {
  /** Reason why the call must not run; undefined when it may run. */
  readonly refusal: string | undefined;
  /**
   * Rule that requires approval of each such call regardless of grants (SAFE-044); undefined when none does.
   */
  readonly risk: SafetyRisk | undefined;
  /** The shell command among the arguments, parsed once for all checks (D28). */
  readonly command: ParsedCommand | undefined;
}

/** Longest text of an argument. It is above the limits of all core tools, which give clearer errors. */
const LONGEST_TEXT = 4 * 1024 * 1024;

/**
 * Evaluates the arguments of a call by the roles of its parameters and the shell grammar (SAFE-036 to
 * SAFE-045).
 * @param params - plain JSON
 * @param schema - schema of the tool's parameters
 * @param safety - rules of the host
 * @param workspaceDir - workspace in which a command is expanded; it is not expanded when absent
 */
export async function evaluateParameters(
  params: Record<string, unknown>,
  schema: JsonSchema,
  { rules, forbidden, binaries }: SafetySettings,
  workspaceDir?: string,
): Promise<EvaluatedParameters> {
  const inspection = await inspectParameters(params, {
    schema,
    validation: { maxLength: LONGEST_TEXT, forbidden },
    ...defined({ rules }),
  });
  const refusal = inspection.blocked
    ? reasonToRefuse(inspection)
    : binaries && unlistedProgram(inspection, binaries);
  const command = inspection.commands[0]?.command;
  const { workdir, env } = params;
  const expanded =
    command === undefined || workspaceDir === undefined
      ? undefined
      : await expandInWorkspace(command, { workspaceDir, workdir, env });
  return {
    refusal,
    risk: inspection.needsReview ? riskOf(inspection) : undefined,
    command: command && { ...command, ...defined({ expanded }) },
  };
}

/** Names the first program that is not on the operator's list (SAFE-048). */
function unlistedProgram(
  { commands }: ParameterInspection,
  binaries: readonly string[],
): string | undefined {
  for (const { command } of commands) {
    if (usesOnlyBinaries(command, binaries)) continue;
    const unlisted = command.commands.find(
      (each) => !usesOnlyBinaries({ ...command, complete: true, commands: [each] }, binaries),
    );
    if (unlisted?.program === undefined) {
      return "safety.binaries: the programs of the command cannot be determined";
    }
    return usesOnlyBinaries(
      { ...command, complete: true, commands: [{ ...unlisted, assignments: [], arguments: [] }] },
      binaries,
    )
      ? "safety.binaries: a variable of the command decides which code runs"
      : `safety.binaries: ${JSON.stringify(unlisted.program)} is not on the list of programs`;
  }
  return undefined;
}

function reasonToRefuse({ errors, findings, commands }: ParameterInspection): string {
  const [error] = errors;
  if (error !== undefined) return `safety: ${error.message}`;
  const command = commands.flatMap(({ evaluation }) => evaluation.reasons)[0];
  if (command?.class === "blocked") return `safety rule ${command.rule}: ${command.reason}`;
  const finding = findings.find(({ action }) => action === "block");
  return finding === undefined
    ? "safety: it could not be evaluated"
    : `safety rule ${finding.rule} for "${finding.field}"`;
}

function riskOf({ findings, commands }: ParameterInspection): SafetyRisk {
  const command = commands.flatMap(({ evaluation }) => evaluation.reasons)[0];
  if (command !== undefined) {
    return { rule: command.rule, reason: `${command.title}: ${command.reason}` };
  }
  const rule = findings.find(({ action }) => action === "review")?.rule ?? "unknown";
  return { rule, reason: `Safety rule ${rule} requires approval.` };
}

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { formatProblem } from "@openclaw/configuration";
import { defined, errorMessage } from "@openclaw/foundation";
import {
  formatDecider,
  formatExplanation,
  readPolicyCaseFile,
  writeExpectations,
} from "@openclaw/gateway";
import type { PolicyCaseOutcome, PolicyComparison } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { withProgress } from "../shell/progress.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";

/** Options of `policy explain`: the circumstances to evaluate. */
export interface ExplainOptions {
  /** ID of a recorded decision, which already includes its circumstances. */
  id?: string;
  session?: string;
  agent?: string;
  provider?: string;
  model?: string;
  channel?: string;
  group?: string;
  sender?: string;
  sandboxed?: boolean;
  subagentDepth?: number;
  json?: boolean;
}

/**
 * Runs `openclaw policy explain`: explains why a tool is allowed or denied, or why a recorded call was.
 * @param tool - name or alias of a tool; undefined for a recorded call
 * @param options - circumstances and format
 * @param context - terminal and environment
 */
export async function explainCommand(
  tool: string | undefined,
  options: ExplainOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { id, session, agent, group, sender, json, ...same } = options;
  if ((tool === undefined) === (id === undefined)) {
    throw new UsageError("name either a tool or, with --id, a recorded decision");
  }
  const circumstances = {
    ...same,
    ...defined({ sessionKey: session, agentId: agent, groupId: group }),
    ...(sender === undefined ? {} : { senderId: sender, senderIsOwner: false }),
  };
  if (id !== undefined && Object.keys(circumstances).length > 0) {
    throw new UsageError(
      "a recorded decision already includes its circumstances; use --id without other options",
    );
  }
  const question = tool === undefined ? { decisionId: id ?? "" } : { tool, ...circumstances };
  const explanation = await withGatewayMethods(
    context,
    (call) => call("policy.explain", question),
    "reads",
  );
  const { terminal } = context;
  const { occasion } = explanation;
  if (occasion !== undefined && json !== true) {
    const { runId, toolCallId, at } = occasion;
    terminal.print(`call ${toolCallId} of run ${runId}, ${new Date(at).toISOString()}`);
  }
  terminal.print(
    json === true
      ? JSON.stringify(explanation)
      : formatExplanation(explanation, { color: terminal.colors.isColorSupported }),
  );
  return explanation.allowed ? EXIT.ok : EXIT.negative;
}

/**
 * Runs `openclaw policy test`: compares files of cases with the decisions of policy (POL-033).
 * @param paths - paths of the case files
 * @param options - `update` writes the decisions of policy into the failing cases
 * @param context - terminal and environment
 */
export async function testPolicyCommand(
  paths: readonly string[],
  { json = false, update = false }: { json?: boolean; update?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const files = paths.map((file) => {
    const text = readInput(file, "the cases");
    return { file, text, document: readPolicyCaseFile(text, file) };
  });
  const { passed, cases } = await withGatewayMethods(
    context,
    (call) =>
      call("policy.test", { files: files.map(({ file, document }) => ({ file, document })) }),
    "reads",
  );
  if (update) {
    for (const { file, text } of files) {
      const own = cases.filter((each) => each.file === file);
      writeFileSync(resolve(file), writeExpectations(text, newExpectations(own)));
    }
  }
  if (json) terminal.print(JSON.stringify({ passed, updated: update && !passed, cases }));
  else printResults(cases, update, terminal);
  return passed || update ? EXIT.ok : EXIT.negative;
}

/** Options of `policy what-if`. */
export interface WhatIfOptions {
  config: string;
  /** Milliseconds since the epoch. */
  since?: number;
  session?: string;
  agent?: string;
  json?: boolean;
}

/**
 * Runs `openclaw policy what-if`: lists the recorded calls that a changed configuration would decide
 * differently (POL-034).
 * @param options - configuration, and selection of the calls
 * @param context - terminal and environment
 */
export async function whatIfCommand(
  { config, since, session, agent, json = false }: WhatIfOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const text = readInput(config, "the configuration");
  const configuration = await withoutReferences(config, text, context.environment);
  const comparison = await withProgress("Comparing recorded decisions", context.terminal, () =>
    withGatewayMethods(
      context,
      (call) =>
        call("policy.whatIf", {
          configuration,
          ...defined({ since, sessionKey: session, agentId: agent }),
        }),
      "reads",
    ),
  );
  if (json) context.terminal.print(JSON.stringify(comparison));
  else printComparison(comparison, context.terminal);
  return comparison.tools.length === 0 ? EXIT.ok : EXIT.negative;
}

/**
 * Joins included files and substitutes variables here, because the gateway does neither for a text from a
 * client. Without them the text stays as it is, so that problems have the lines of the file.
 */
async function withoutReferences(file: string, text: string, environment: NodeJS.ProcessEnv) {
  if (!text.includes("$")) return { file, text };
  const { composeConfiguration } = await import("@openclaw/configuration");
  const { value, problems, sources } = await composeConfiguration(text, file, environment);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(formatProblem(problem));
  const isPlain = sources.length === 1 && !text.includes("${");
  return { file, text: isPlain ? text : JSON.stringify(value) };
}

function printComparison(
  { calls, from, allowed, denied, allowToDeny, denyToAllow, tools }: PolicyComparison,
  { print, colors }: Terminal,
): void {
  if (from === undefined) {
    print("No recorded calls match; nothing to compare.");
    return;
  }
  print(
    `${calls} ${calls === 1 ? "call" : "calls"} since ${new Date(from).toISOString()}: ${allowed} allowed, ${denied} denied.`,
  );
  if (tools.length === 0) print("No decision would change.");
  else print(`Would change: ${allowToDeny} to denied, ${denyToAllow} to allowed.`);
  for (const { tool, samples, ...flips } of tools) {
    const counts = [
      flips.allowToDeny === 0 ? "" : colors.red(`${flips.allowToDeny} to denied`),
      flips.denyToAllow === 0 ? "" : colors.green(`${flips.denyToAllow} to allowed`),
    ];
    print(`${colors.bold(tool)}: ${counts.filter((count) => count !== "").join(", ")}`);
    for (const { runId, at, before, after } of samples) {
      print(`  ${new Date(at).toISOString()} run ${runId}`);
      print(colors.red(`    - ${formatDecider(before)}`));
      print(colors.green(`    + ${formatDecider(after)}`));
    }
  }
}

function readInput(file: string, what: string): string {
  try {
    return readFileSync(resolve(file), "utf8");
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`cannot read ${what} ${file}: ${reason}`);
  }
}

function newExpectations(cases: readonly PolicyCaseOutcome[]) {
  return cases.flatMap(({ passed, actual, explanation: { allowed } }, index) => {
    const [, by = ""] = actual.split(" by ");
    return passed ? [] : [{ index, expect: allowed ? ("allow" as const) : ("deny" as const), by }];
  });
}

function printResults(
  cases: readonly PolicyCaseOutcome[],
  updated: boolean,
  { print, colors }: Terminal,
): void {
  const failed = cases.filter(({ passed }) => !passed);
  for (const { file, name, expected, actual, explanation } of failed) {
    print(`${colors.red("✗")} ${file}: ${name} (${explanation.tool})`);
    print(colors.red(`  - ${expected}`));
    print(colors.green(`  + ${actual}`));
  }
  const count = `${cases.length - failed.length} of ${cases.length} cases pass`;
  print(updated && failed.length > 0 ? `${count}; the failing cases were rewritten.` : `${count}.`);
}

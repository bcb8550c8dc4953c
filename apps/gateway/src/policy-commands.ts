import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PolicyCaseOutcome } from "@openclaw/client";
import { formatExplanation, readPolicyCaseFile, writeExpectations } from "@openclaw/gateway";
import type { CommandContext } from "./command-line.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { withGatewayMethods } from "./gateway-methods.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

/** Circumstances in which `policy explain` judges. */
export interface ExplainOptions {
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
 * `openclaw policy explain`: why a tool is allowed or denied.
 * @param tool - name or alias of a tool
 * @param options - circumstances
 * @param context - terminal and environment
 */
export async function explainCommand(
  tool: string,
  options: ExplainOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { session, agent, group, sender, json, ...same } = options;
  const question = {
    tool,
    ...same,
    ...(session === undefined ? {} : { sessionKey: session }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(group === undefined ? {} : { groupId: group }),
    ...(sender === undefined ? {} : { senderId: sender, senderIsOwner: false }),
  };
  const explanation = await withGatewayMethods(context, (call) => call("policy.explain", question));
  const { terminal } = context;
  terminal.print(
    json === true
      ? JSON.stringify(explanation)
      : formatExplanation(explanation, { color: terminal.colors.isColorSupported }),
  );
  return explanation.allowed ? EXIT.ok : EXIT.negative;
}

/**
 * `openclaw policy test`: compares files of cases with what policy decides (POL-033).
 * @param paths - of the files
 * @param options - `update` writes what policy decides into the cases that fail
 * @param context - terminal and environment
 */
export async function testPolicyCommand(
  paths: readonly string[],
  { json = false, update = false }: { json?: boolean; update?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const files = paths.map((file) => {
    const text = readCaseFile(file);
    return { file, text, document: readPolicyCaseFile(text, file) };
  });
  const { passed, cases } = await withGatewayMethods(context, (call) =>
    call("policy.test", { files: files.map(({ file, document }) => ({ file, document })) }),
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

function readCaseFile(file: string): string {
  try {
    return readFileSync(resolve(file), "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the cases in ${file} cannot be read: ${reason}`);
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
  print(updated && failed.length > 0 ? `${count}; the others were rewritten.` : `${count}.`);
}

import type { CommandVerdict, EvaluatedCommand } from "@openclaw/approvals/command-evaluator";
import type { LoadedConfiguration } from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import {
  type CheckedCommand,
  checkCommand,
  formatDecider,
  inspectPlugins,
  probeSandbox,
} from "@openclaw/gateway";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { loadOperatorConfiguration } from "../configuration.js";
import { withGatewayMethods } from "../host/methods.js";
import { bundledExtensions, installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

const EXTENSION = "approvals";

/** Options of `approvals check`. */
export interface CheckOptions {
  agent?: string;
  json?: boolean;
}

type Policy = GatewayMethodResult<"policy.explain">;

/** Predicted outcome of a call, with the reason. */
interface Outcome {
  readonly outcome: "runs" | "asks" | "refused";
  readonly reason: string;
}

/**
 * Runs `openclaw approvals check`: predicts whether a shell command of the agent would run in this folder
 * without approval (APPR-044). Grants are not considered, because they depend on the session and the
 * requester.
 * @param command - shell command, as the model would pass it
 * @param options - agent and format
 * @param context - terminal and environment
 */
export async function checkCommandCommand(
  command: string,
  { agent = "main", json = false }: CheckOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const configuration = await loadOperatorConfiguration(environment);
  const { dir } = workspaceFolderOf(environment, configuration, agent);
  const checked = await checkCommand(command, dir, configuration, environment);
  const { plugins } = await inspectPlugins({
    version: installation.version,
    configuration,
    stateDir: stateDirOf(environment),
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
  });
  const evaluates = plugins.some(
    ({ id, origin, enabled }) => id === EXTENSION && origin === "bundled" && enabled,
  );
  const verdict = evaluates
    ? await evaluate(checked, configuration, agent, environment)
    : undefined;
  const policy = await withGatewayMethods(
    context,
    (call) => call("policy.explain", { tool: "exec", agentId: agent }),
    "reads",
  );
  const isSandboxed =
    verdict?.contained !== undefined && (await isSandboxActive(configuration, context));
  const { outcome, reason } = outcomeOf(checked, verdict, policy, isSandboxed);
  if (json) {
    const { class: safety, reasons } = checked.safety;
    const commands = (verdict?.commands ?? []).map(({ ruleIndex, ...evaluated }) => ({
      ...evaluated,
      ...defined({ place: placeOf({ ...evaluated, ruleIndex }, configuration) }),
    }));
    terminal.print(JSON.stringify({ command, agent, outcome, reason, commands, safety, reasons }));
  } else {
    printRows((verdict?.commands ?? []).map(rowOf), terminal);
    for (const line of placeLines(verdict?.commands ?? [], configuration)) terminal.print(line);
    const shown = {
      runs: terminal.colors.green("runs"),
      asks: terminal.colors.yellow("needs approval"),
      refused: terminal.colors.red("denied"),
    };
    terminal.print(`${shown[outcome]}: ${reason}`);
  }
  return outcome === "runs" ? EXIT.ok : EXIT.negative;
}

async function evaluate(
  { parsed }: CheckedCommand,
  configuration: LoadedConfiguration,
  agentId: string,
  environment: NodeJS.ProcessEnv,
): Promise<CommandVerdict> {
  const { createCommandEvaluator } = await import("@openclaw/approvals/command-evaluator");
  const config = configuration.value.plugins?.entries?.[EXTENSION]?.config ?? {};
  return createCommandEvaluator(config, environment.PATH ?? "").evaluate(parsed, {
    workspaceDir: workspaceFolderOf(environment, configuration, agentId).dir,
    agentId,
  });
}

/** Returns whether the sandbox is active in which a command that no table covers runs without approval. */
async function isSandboxActive(
  configuration: LoadedConfiguration,
  { environment }: CommandContext,
): Promise<boolean> {
  if ((configuration.value.tools?.exec?.sandbox ?? "auto") !== "auto") return false;
  const { dir } = workspaceFolderOf(environment, configuration);
  return (await probeSandbox(configuration, dir, stateDirOf(environment))).active;
}

/** Combines policy, safety rules, command rules and the tool's own requirement; the strictest one decides. */
function outcomeOf(
  { safety, need }: CheckedCommand,
  verdict: CommandVerdict | undefined,
  policy: Policy,
  isSandboxed: boolean,
): Outcome {
  const [risk] = safety.reasons;
  if (!policy.allowed) return refused(`policy denies exec, ${formatDecider(policy.decidedBy)}`);
  if (risk?.class === "blocked") return refused(`safety rule ${risk.rule}: ${risk.reason}`);
  if (verdict?.decision === "deny") return refused(verdict.reason);
  if (verdict?.decision === "ask-critical") return asks(`each time (critical): ${verdict.reason}`);
  if (risk !== undefined) {
    return asks(`each time (critical): safety rule ${risk.rule}: ${risk.reason}`);
  }
  if (verdict?.decision === "ask-each-time") return asks(`each time: ${verdict.reason}`);
  if (policy.approval === "always") return asks("each time: policy requires approval");
  if (need === "always") return asks("each time: tools.approval.exec is always");
  if (verdict?.decision === "run") return { outcome: "runs", reason: verdict.reason };
  if (isSandboxed && verdict?.contained !== undefined && policy.approval === undefined) {
    return { outcome: "runs", reason: verdict.contained.reason };
  }
  if (need === "never") return { outcome: "runs", reason: "tools.approval.exec is never" };
  const reason =
    verdict?.reason ?? "the bundled plugin approvals is off, and the tool requires approval";
  return asks(`unless already granted: ${reason}`);
}

function refused(reason: string): Outcome {
  return { outcome: "refused", reason };
}

function asks(reason: string): Outcome {
  return { outcome: "asks", reason };
}

function rowOf({ finding, text, rule, reason }: EvaluatedCommand): string[] {
  return [finding, text, rule === "none" ? "-" : rule, reason];
}

/** Returns one line, with file and line number, for each operator's rule that decided. */
function placeLines(
  commands: readonly EvaluatedCommand[],
  configuration: LoadedConfiguration,
): readonly string[] {
  const lines = commands.flatMap((evaluated) => {
    const place = placeOf(evaluated, configuration);
    return place === undefined ? [] : [`${evaluated.rule} is at ${place.file}:${place.line}`];
  });
  return [...new Set(lines)];
}

/** Locates the operator's rule that decided a command. */
function placeOf({ ruleIndex }: EvaluatedCommand, { locate }: LoadedConfiguration) {
  if (ruleIndex === undefined) return undefined;
  return locate(["plugins", "entries", EXTENSION, "config", "rules", ruleIndex]);
}

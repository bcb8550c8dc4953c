import type { DoctorRepair } from "@openclaw/gateway";
import { findRunningGateway } from "../host/running-gateway.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { withProgress } from "../shell/progress.js";
import { widthOf, wrapped } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import type { CheckResult } from "./checks/check.js";
import { examineInstallation } from "./examination.js";

/** Options of `openclaw doctor`. */
export interface DoctorOptions {
  readonly fix?: boolean;
  readonly deep?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `openclaw doctor`: checks this installation and its gateway (HOST-036).
 * @param options - repairs, model call and format
 * @param context - terminal and environment
 */
export async function doctorCommand(
  { fix = false, deep = false, json = false }: DoctorOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const check = () => withProgress("Checking", terminal, () => examineInstallation(context, deep));
  let checks = await check();
  const repairs = fix ? checks.flatMap(({ repair }) => repair ?? []) : [];
  for (const repair of repairs) await make(repair, context);
  if (repairs.length > 0) checks = await check();
  const repaired = repairs.map(({ description }) => description);
  const isHealthy = !checks.some(({ status }) => status === "fail");
  if (json) {
    const results = checks.map(({ repair, ...result }) => ({
      ...result,
      isRepairable: repair !== undefined,
    }));
    terminal.print(JSON.stringify({ passed: isHealthy, repaired, checks: results }));
  } else {
    for (const description of repaired) terminal.print(`fixed: ${description}`);
    for (const result of checks) printResult(result, terminal);
    printConclusion(checks, terminal);
  }
  return isHealthy ? EXIT.ok : EXIT.negative;
}

/** Makes a repair with the method of a running gateway, whose audit log then has it (GW-760). */
async function make(
  repair: DoctorRepair,
  { environment }: Pick<CommandContext, "environment">,
): Promise<void> {
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) repair.apply();
  else await running.http.client.call("doctor.repair", { repair: repair.id });
}

function printResult({ name, status, message, hint }: CheckResult, terminal: Terminal): void {
  const { colors, print } = terminal;
  const colour = { ok: colors.green, warn: colors.yellow, fail: colors.red }[status];
  const [first = "", ...more] = wrapped(`${name}: ${message}`, widthOf(terminal) - INDENT);
  print(`${colour(status.padEnd(INDENT))}${first}`);
  const fixes = hint === undefined ? [] : wrapped(`fix: ${hint}`, widthOf(terminal) - INDENT);
  for (const line of more) print(`${" ".repeat(INDENT)}${line}`);
  for (const line of fixes) print(`${" ".repeat(INDENT)}${colors.dim(line)}`);
}

const INDENT = 5;

function printConclusion(checks: readonly CheckResult[], { print }: Terminal): void {
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
  const repairable = checks.filter(({ repair }) => repair !== undefined).length;
  const more = repairable === 0 ? "" : `; ${repairable} can be fixed with --fix`;
  print(`${count("ok")} ok, ${count("warn")} warnings, ${count("fail")} failures${more}`);
}

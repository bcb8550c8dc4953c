import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CONFORMANCE_CHECKS, concluded } from "./conformance/checks.js";
import type { CheckNews, CheckOrder } from "./conformance/process.js";
import type {
  ConformanceCheck,
  ConformanceCheckId,
  ConformanceReport,
} from "./conformance/report.js";
import type { ConformanceSubject } from "./conformance/subject.js";
import { ConformanceUnavailableError, PluginMissingError } from "./errors.js";

/** Options of a conformance check. */
export interface ConformanceOptions {
  /** The plugin's configuration, `plugins.entries.<id>.config`. */
  readonly pluginConfig?: Record<string, unknown> | undefined;
  /**
   * The only version of the plugin API that the host claims to support; every supported version
   * when absent.
   */
  readonly api?: string | undefined;
  /**
   * Modules that hosts offer below `openclaw/plugin-sdk` in addition to the SDK, such as those of older API
   * versions: URL by specifier.
   */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** The checks to run; all of them when absent. */
  readonly checks?: readonly ConformanceCheckId[];
  /** Time for each check, in milliseconds; 60 000 when absent. */
  readonly checkDeadlineMs?: number;
}

const CHECK_DEADLINE_MS = 60_000;
const OUTPUT_KEPT = 2000;

/**
 * The same file from the sources and from the build: a plugin is checked by the code that would
 * load it.
 */
const PROCESS = fileURLToPath(new URL("../dist/conformance/process.js", import.meta.url));

/**
 * Checks the general requirements for plugins. The checks run in a separate process.
 * @param plugin - path or URL of its folder or entry file
 * @param options - configuration and deadline
 * @throws PluginMissingError when the path does not exist
 */
export async function checkConformance(
  plugin: string | URL,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const { pluginConfig, api, sdkModules, checkDeadlineMs = CHECK_DEADLINE_MS } = options;
  const path = resolve(plugin instanceof URL ? fileURLToPath(plugin) : plugin);
  if (!existsSync(path)) throw new PluginMissingError(path);
  if (!existsSync(PROCESS)) throw new ConformanceUnavailableError(PROCESS);
  const subject = { path, pluginConfig, api, sdkModules };
  const checks: ConformanceCheck[] = [];
  let left = options.checks ?? CONFORMANCE_CHECKS;
  while (left.length > 0) {
    const done = await runInProcess(subject, left, checkDeadlineMs);
    checks.push(...done);
    left = left.slice(done.length);
  }
  return { path, passed: checks.every(({ status }) => status !== "failed"), checks };
}

/**
 * Runs checks until the process ends; the check in which it ended has failed, the others are left.
 */
async function runInProcess(
  subject: ConformanceSubject,
  checks: readonly ConformanceCheckId[],
  deadlineMs: number,
): Promise<ConformanceCheck[]> {
  const child = fork(PROCESS, { silent: true, execArgv: [], serialization: "advanced" });
  const output = keepOutput(child);
  const done: ConformanceCheck[] = [];
  let current = checks[0];
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const watchTime = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, deadlineMs);
  };
  child.on("message", (news: CheckNews) => {
    if ("begins" in news) {
      current = news.begins;
      watchTime();
    } else {
      done.push(news.ended);
      // A plugin that left something behind would keep the process from ending by itself.
      if (done.length === checks.length) child.kill("SIGKILL");
    }
  });
  watchTime();
  const order: CheckOrder = { subject, checks };
  child.send(order);
  const ending = await new Promise<string>((end) => {
    child.once("close", (code, signal) =>
      end(signal === null ? `with exit code ${code}` : `by ${signal}`),
    );
  });
  clearTimeout(timer);
  if (done.length === checks.length || current === undefined) return done;
  const message = isLate
    ? `the check did not finish within ${deadlineMs} ms; the plugin blocks the process or never settles`
    : `the process ended ${ending} while the check ran${output()}`;
  const hint = "a plugin runs in its host's process and must neither end nor block it";
  return [...done, concluded(current, [{ level: "error", message, hint }])];
}

/** Returns the end of the process output, for a report of its exit. */
function keepOutput(child: ChildProcess): () => string {
  let kept = "";
  const keep = (text: string) => {
    kept = (kept + text).slice(-OUTPUT_KEPT);
  };
  child.stdout?.setEncoding("utf8").on("data", keep);
  child.stderr?.setEncoding("utf8").on("data", keep);
  return () => (kept.trim() === "" ? "" : `:\n${kept.trim()}`);
}

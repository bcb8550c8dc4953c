import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
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
 * Process in which plugins are checked one after another, which takes a third of the time of a process for each. Where a
 * plugin ends it, blocks it or fails a check, the next one gets a new process.
 */
export class ConformanceProcess implements AsyncDisposable {
  #child: ChildProcess | undefined;

  /**
   * Checks the general requirements for plugins.
   * @param plugin - path or URL of its folder or entry file
   * @param options - configuration and deadline
   * @throws PluginMissingError when the path does not exist
   */
  async check(plugin: string | URL, options: ConformanceOptions = {}): Promise<ConformanceReport> {
    const { pluginConfig, api, sdkModules, checkDeadlineMs = CHECK_DEADLINE_MS } = options;
    const path = resolve(plugin instanceof URL ? fileURLToPath(plugin) : plugin);
    if (!existsSync(path)) throw new PluginMissingError(path);
    if (!existsSync(PROCESS)) throw new ConformanceUnavailableError(PROCESS);
    const subject = { path, pluginConfig, api, sdkModules };
    const checks: ConformanceCheck[] = [];
    let left = options.checks ?? CONFORMANCE_CHECKS;
    while (left.length > 0) {
      const done = await this.#run(subject, left, checkDeadlineMs);
      checks.push(...done);
      left = left.slice(done.length);
    }
    const passed = checks.every(({ status }) => status !== "failed");
    // What the plugin left behind must not disturb the next one.
    if (!passed) await this[Symbol.asyncDispose]();
    return { path, passed, checks };
  }

  /** Runs checks until the process ends; the check in which it ended has failed, the others are left. */
  async #run(
    subject: ConformanceSubject,
    checks: readonly ConformanceCheckId[],
    deadlineMs: number,
  ): Promise<ConformanceCheck[]> {
    this.#child ??= fork(PROCESS, { silent: true, execArgv: [], serialization: "advanced" });
    const child = this.#child;
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
    watchTime();
    const ending = await new Promise<string | undefined>((end) => {
      const hear = (news: CheckNews) => {
        if ("begins" in news) {
          current = news.begins;
          watchTime();
          return;
        }
        done.push(news.ended);
        if (done.length < checks.length) return;
        child.off("message", hear).off("close", onClose);
        end(undefined);
      };
      const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
        end(signal === null ? `with exit code ${code}` : `by ${signal}`);
      child.on("message", hear).once("close", onClose);
      const order: CheckOrder = { subject, checks };
      child.send(order);
    });
    clearTimeout(timer);
    output.end();
    if (ending === undefined) return done;
    this.#child = undefined;
    if (current === undefined) return done;
    const message = isLate
      ? `the check did not finish within ${deadlineMs} ms; the plugin blocks the process or never settles`
      : `the process ended ${ending} while the check ran${output.text()}`;
    const hint = "a plugin runs in its host's process and must neither end nor block it";
    return [...done, concluded(current, [{ level: "error", message, hint }])];
  }

  /** Ends the process. A plugin that left something behind would keep it from ending by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }
}

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
  await using process = new ConformanceProcess();
  return await process.check(plugin, options);
}

/** Keeps the end of the process output, for a report of its exit. */
function keepOutput(child: ChildProcess): { text(): string; end(): void } {
  let kept = "";
  const keep = (text: string) => {
    kept = (kept + text).slice(-OUTPUT_KEPT);
  };
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream?.setEncoding("utf8").on("data", keep);
  return {
    text: () => (kept.trim() === "" ? "" : `:\n${kept.trim()}`),
    end: () => {
      for (const stream of streams) stream?.off("data", keep).resume();
    },
  };
}

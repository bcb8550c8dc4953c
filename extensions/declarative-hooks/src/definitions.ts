import type { DeclarativeHooksConfig } from "./config.js";
import type { ReadContext } from "./definition/read-context.js";
import { readEachHook } from "./definition/reader.js";

/** Problem in the configuration of the extension. */
export interface HookConfigProblem {
  /** Keys and indexes from `plugins.entries.declarative-hooks.config`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion: string;
}

/**
 * Returns what is wrong with the hooks of a configuration, for a check before it is written (DHOOK-440). No hook runs.
 * @param config - configuration of the extension
 * @param context - compiler of patterns, and check of URLs
 */
export function hookProblems(
  config: DeclarativeHooksConfig,
  context: Pick<ReadContext, "compile" | "checkUrl">,
): readonly HookConfigProblem[] {
  const { rules = [], outbound_webhooks = [], hooks = [], secrets = {} } = config;
  const { problems } = readEachHook({ rules, outbound_webhooks, hooks }, "config", {
    ...context,
    secrets,
  });
  return problems.map(({ hook, path, message }) => ({
    path: path.split(/[.[\]]+/).flatMap((step) => (step === "" ? [] : [stepOf(step)])),
    message: hook === undefined ? message : `hook "${hook}": ${message}`,
    suggestion: "correct it; `openclaw hooks list` shows the hooks in force",
  }));
}

function stepOf(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}

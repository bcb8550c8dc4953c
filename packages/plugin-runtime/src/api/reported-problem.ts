import { startOfText, textOf } from "@openclaw/foundation";
import { PluginRegistrationError } from "../errors.js";
import type { PluginInstance } from "../instances/instance.js";

/** Longest sentence that is kept, in UTF-16 code units. */
const LONGEST = 1000;
/** Maximum number of problems of one plugin, so that a report for each event does not fill the memory. */
const MOST_PROBLEMS = 100;

/** Number of the reported problems of each plugin. */
const counts = new WeakMap<PluginInstance, number>();

/**
 * Adds a problem that a plugin reports about itself to its diagnostics, each sentence once (SDK-065).
 * @param problem - argument of `api.diagnose`
 * @throws PluginRegistrationError for an argument of a wrong type
 * @throws PluginDisposedError after the plugin's generation has ended
 */
export function reportProblem(instance: PluginInstance, problem: unknown): void {
  instance.assertUsable("diagnose");
  const { level, message, hint } = fieldsOf(instance, problem);
  if (level !== "warn" && level !== "error") {
    throw wrong(instance, "level", `expected "warn" or "error", got ${textOf(level)}`);
  }
  if (typeof message !== "string" || message === "") {
    throw wrong(instance, "message", `expected a sentence, got ${textOf(message)}`);
  }
  if (typeof hint !== "string" || hint === "") {
    throw wrong(instance, "hint", `expected the next step of the operator, got ${textOf(hint)}`);
  }
  const count = counts.get(instance) ?? 0;
  if (count >= MOST_PROBLEMS) return;
  counts.set(instance, count + 1);
  const diagnostic = { message: startOfText(message, LONGEST), hint: startOfText(hint, LONGEST) };
  instance.diagnoseOnce(`reported:${message}`, { level, code: "plugin-reported", ...diagnostic });
}

function fieldsOf(
  instance: PluginInstance,
  problem: unknown,
): { readonly level?: unknown; readonly message?: unknown; readonly hint?: unknown } {
  if (typeof problem === "object" && problem !== null) return problem;
  throw wrong(instance, "problem", `expected { level, message, hint }, got ${textOf(problem)}`);
}

function wrong(instance: PluginInstance, argument: string, problem: string) {
  return new PluginRegistrationError(instance.id, "diagnose", argument, problem);
}

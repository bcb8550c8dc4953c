import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { DECLARABLE_KINDS, type RegisteredNames, registeredNames } from "./registered-names.js";
import type { CheckOutcome, ConformanceFinding } from "./report.js";
import { type ConformanceSubject, inHost } from "./subject.js";

const GENERATIONS = 3;

/** Checks that the plugin registers the same things each time it is loaded. */
export async function checkRepeatedRegistration(
  subject: ConformanceSubject,
): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, async ({ parts }) => {
    const { plugins } = parts.host;
    const first = registeredNames(plugins.current, parts.pluginId);
    const findings: ConformanceFinding[] = [];
    for (let number = 2; number <= GENERATIONS; number++) {
      const generation = await plugins.load();
      findings.push(
        ...keptOld(generation),
        ...differences(first, registeredNames(generation, parts.pluginId), number),
      );
    }
    // A fault of each load is reported once.
    return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
  });
  return result;
}

/** Checks that nothing of the plugin remains after it was loaded, reloaded and unloaded. */
export async function checkUnloading(subject: ConformanceSubject): Promise<CheckOutcome> {
  const globals = new Set(Reflect.ownKeys(globalThis));
  const { leftovers } = await inHost(subject, {}, ({ parts }) => parts.host.plugins.load());
  const added = Reflect.ownKeys(globalThis).filter((key) => !globals.has(key));
  return [
    ...leftovers.map(
      ({ kind, place }): ConformanceFinding => ({
        level: "error",
        message: `${kind}, made at ${place}, continues after the plugin was unloaded`,
        hint: "release it in api.lifecycle.onDispose, or in the stop of the service that made it",
      }),
    ),
    ...added.map(
      (key): ConformanceFinding => ({
        level: "warn",
        message: `the global variable ${String(key)} was added and not removed`,
        hint: "keep state in modules or in api.store",
      }),
    ),
  ];
}

/** A plugin that fails to reload continues to serve unchanged, and the host reports it. */
function keptOld({ diagnostics }: PluginGeneration): ConformanceFinding[] {
  return diagnostics
    .filter(({ level }) => level === "error")
    .map(({ message, hint }) => ({
      level: "error",
      message: `loading it again failed: ${message}`,
      hint,
    }));
}

function differences(
  first: RegisteredNames,
  later: RegisteredNames,
  number: number,
): ConformanceFinding[] {
  return DECLARABLE_KINDS.flatMap((kind): ConformanceFinding[] => {
    const before = first[kind].join(", ");
    const now = later[kind].join(", ");
    if (before === now) return [];
    return [
      {
        level: "error",
        message: `${kind} registered the first time: ${before || "none"}; in generation ${number}: ${now || "none"}`,
        hint: "register everything each time register is called, and keep no state that prevents it",
      },
    ];
  });
}

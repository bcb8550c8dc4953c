import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { belongsTo } from "../host/tested-plugin.js";
import type { CheckOutcome, ConformanceFinding } from "./report.js";
import {
  type CheckedHost,
  type ConformanceSubject,
  fireSample,
  handledHooks,
  inHost,
} from "./subject.js";

/**
 * Checks that a step guarded by the plugin stays closed when the plugin times out. A handler
 * registered as fail-open fails the check for a hook that can only deny; for a hook that can also
 * change the event, failing open may be intended, and the handler is only named.
 */
export async function checkGates(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, async (host) => {
    const gates = handledHooks(host).filter((hook) => HOOK_CATALOG[hook].failure === "closed");
    if (gates.length === 0) return { skipped: "it guards no step" };
    hangEveryHandler(host);
    const findings: ConformanceFinding[] = [];
    for (const gate of gates) {
      const { trace, handlers } = await fireSample(host, gate, 0);
      if (trace.outcome === "denied" || trace.outcome === "failed") continue;
      if (!handlers.some(({ outcome }) => outcome === "timeout")) continue;
      findings.push({
        level: mayChangeWhatPasses(gate) ? "warn" : "error",
        message: `the gate "${gate}" opens when its handler does not answer in time, because it is registered with onTimeout or mode "fail-open"`,
        hint: "remove the option, unless the step should pass on timeout",
      });
    }
    return findings;
  });
  return result;
}

function mayChangeWhatPasses(gate: CataloguedHookName): boolean {
  const entry = HOOK_CATALOG[gate];
  return "result" in entry && Object.hasOwn(entry.result, "params");
}

function hangEveryHandler({ parts }: CheckedHost): void {
  const { inspection } = parts.host.plugins;
  const owners = new Set(inspection.registrations().map(({ owner }) => owner));
  for (const owner of owners) {
    if (belongsTo(parts.pluginId, owner)) {
      inspection.intercept(owner, () => new Promise(() => undefined));
    }
  }
}

import type { RunContext } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginInstance } from "../instances/instance.js";
import { expectText } from "../registration/check.js";

/** Number of runs whose values are kept. */
const MOST_RUNS = 1000;

/** Creates the values that a plugin keeps for runs of agents. They are JSON and end with the process. */
export function createRunContext(instance: PluginInstance): RunContext {
  const runs = new Map<string, Map<string, unknown>>();
  const { origin } = instance;
  return {
    setRunContext({ runId, namespace, value, unset }) {
      const call = { origin, member: "runContext.setRunContext" };
      instance.assertAlive(call.member);
      const run = expectText(call, "runId", runId);
      const name = expectText(call, "namespace", namespace);
      if (unset === true) return runs.get(run)?.delete(name) === true;
      const text = JSON.stringify(value);
      if (text === undefined) return false;
      const values = runs.get(run) ?? new Map<string, unknown>();
      values.set(name, JSON.parse(text));
      runs.delete(run);
      runs.set(run, values);
      const [oldest] = runs.keys();
      if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest);
      return true;
    },
    getRunContext: ({ runId, namespace }) => structuredClone(runs.get(runId)?.get(namespace)),
    clearRunContext({ runId, namespace }) {
      if (namespace === undefined) runs.delete(runId);
      else runs.get(runId)?.delete(namespace);
    },
  };
}

import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { type Gate, gate } from "../../../support/gate.js";

/** Plugin with tools that a test holds and watches. */
export interface ProbeTools {
  readonly plugin: PluginDefinition;
  /** Passed when `probe_slow` runs. */
  started: Gate<void>;
  /** `probe_slow` ends when it is passed. */
  opened: Gate<void>;
  /** Runs of `probe_guarded`. */
  guardedRuns: number;
}

/**
 * Returns a plugin whose tools are `probe_guarded`, which a hook lets a person approve, `probe_launch`, which asks for
 * approval itself, `probe_form`, which asks for a city, and `probe_slow`, which waits for the test.
 */
export function createProbeTools(): ProbeTools {
  const parameters = { type: "object", properties: {} } as const;
  const done = { content: [{ type: "text" as const, text: "done" }], details: {} };
  const probe = { started: gate(), opened: gate(), guardedRuns: 0 };
  const plugin: PluginDefinition = {
    id: "probe",
    register(api) {
      api.registerTool({
        ...{ name: "probe_guarded", label: "Guarded", description: "Needs approval.", parameters },
        async execute() {
          probe.guardedRuns += 1;
          return done;
        },
      });
      api.registerTool({
        ...{ name: "probe_launch", label: "Launch", description: "Launches.", parameters },
        approval: "unless-granted",
        execute: async () => done,
      });
      api.registerTool({
        ...{ name: "probe_form", label: "Form", description: "Asks.", parameters },
        async execute(_id, _params, _signal, _onUpdate, input) {
          if (input !== undefined) return done;
          const schema = {
            type: "object",
            properties: { city: { type: "string" } },
            required: ["city"],
          } as const;
          return { content: [], input: { name: "place", message: "Which city?", schema } };
        },
      });
      api.registerTool({
        ...{ name: "probe_slow", label: "Slow", description: "Waits.", parameters },
        async execute(_id, _params, signal) {
          probe.started.pass();
          signal?.addEventListener("abort", () => probe.opened.pass());
          await probe.opened.passed;
          return done;
        },
      });
      api.on("before_tool_call", ({ toolName }) =>
        toolName === "probe_guarded"
          ? { requireApproval: { title: "Run it?", description: "It is guarded." } }
          : undefined,
      );
    },
  };
  return Object.assign(probe, { plugin });
}

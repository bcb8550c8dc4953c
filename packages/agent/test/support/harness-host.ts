import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { AgentHarness, AgentHarnessAttempt } from "@openclaw/plugin-sdk/plugin-entry";
import { plugin, type TurnHostOptions, turnHost } from "./turn-host.js";

/** Runs an attempt of a test. */
export type RunAttempt = (attempt: AgentHarnessAttempt) => Promise<unknown> | unknown;

/**
 * Makes a harness of untyped parts, as plugins in JavaScript do.
 * @param changes - fields that differ
 */
export function harnessOf(runAttempt: RunAttempt, changes: Partial<AgentHarness> = {}) {
  const harness = {
    id: "fixture",
    supports: () => ({ supported: true as const }),
    runAttempt,
    ...changes,
  };
  // Results that the types forbid are what the tests are about.
  return harness as AgentHarness;
}

/**
 * Makes a host whose turns the harness of a plugin runs, selected by its ID.
 * @param options - differences from an empty host; `register`: further registrations of the plugin
 */
export async function harnessHost(
  runAttempt: RunAttempt,
  {
    plugins = [],
    register,
    timeoutMs,
    ...options
  }: TurnHostOptions & {
    readonly register?: (api: OpenClawPluginApi) => void;
    readonly timeoutMs?: number;
  } = {},
) {
  const setting = "agents.defaults.agentRuntime.id";
  return await turnHost({
    agentRuntimeOf: () => ({ id: "fixture", timeoutMs, setting }),
    plugins: [
      plugin("harness", (api) => {
        api.registerAgentHarness(harnessOf(runAttempt));
        register?.(api);
      }),
      ...plugins,
    ],
    ...options,
  });
}

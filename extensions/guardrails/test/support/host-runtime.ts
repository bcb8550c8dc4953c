import type { HostRuntime } from "@openclaw/plugin-sdk";
import { createTestHost } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";

/** Returns the capabilities that a host gives a plugin, for parts of guards that are tested without a guard. */
export async function hostRuntime(): Promise<HostRuntime> {
  let runtime: HostRuntime | undefined;
  const host = await createTestHost({
    plugin: {
      id: "probe",
      register(api) {
        runtime = api.runtime;
      },
    },
  });
  onTestFinished(() => host.dispose());
  if (runtime === undefined) throw new Error("the plugin was not registered");
  return runtime;
}

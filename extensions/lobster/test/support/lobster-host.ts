import { fileURLToPath } from "node:url";
import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import type { Envelope } from "../../src/envelope/envelope.js";

/** Folder of the built plugin; its child process is a file of it. */
export const PLUGIN = fileURLToPath(new URL("../..", import.meta.url));

/** Host with the tool, and with helpers for its calls. */
export interface LobsterHost {
  readonly host: TestHost;
  /** Calls the tool and returns its envelope. */
  call(params: Record<string, unknown>): Promise<Envelope>;
  /** Runs a pipeline. */
  run(pipeline: string, more?: Record<string, unknown>): Promise<Envelope>;
}

/**
 * Opens a host in which the tool is allowed.
 * @param options - further options of the host
 */
export async function lobsterHost(
  options: Partial<TestHostOptions> & { readonly tools?: Record<string, unknown> } = {},
): Promise<LobsterHost> {
  const { tools = {}, config, ...rest } = options;
  const host = await createTestHost({
    plugin: PLUGIN,
    config: { ...config, tools: { alsoAllow: ["plugin:lobster"], ...tools } } as never,
    ...rest,
  });
  onTestFinished(() => host.dispose());
  const call = async (params: Record<string, unknown>) => {
    const { text } = await host.callTool("lobster", params as never);
    return JSON.parse(text) as Envelope;
  };
  return {
    host,
    call,
    run: (pipeline, more = {}) => call({ action: "run", pipeline, ...more }),
  };
}

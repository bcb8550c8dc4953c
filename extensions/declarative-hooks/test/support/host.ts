import type { HookSet } from "@openclaw/plugin-sdk/hooks";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import manifest from "../../openclaw.plugin.json" with { type: "json" };
import type { DeclarativeHooksConfig } from "../../src/config.js";
import plugin from "../../src/index.js";

type Options = Parameters<typeof createTestHost<DeclarativeHooksConfig>>[0];

/** A host with the plugin, and the plugin's set of hooks. */
export interface HookHost {
  readonly host: TestHost;
  readonly set: HookSet;
}

/** Options of a host; `allowHosts` names servers of the test. */
type HookHostOptions = Partial<Options> & { readonly allowHosts?: readonly string[] };

/**
 * Starts a host with hooks, which the caller disposes of.
 * @param options - further options of the host
 */
export async function openHost(
  pluginConfig: DeclarativeHooksConfig,
  { allowHosts = [], ...options }: HookHostOptions = {},
): Promise<HookHost> {
  const host = await createTestHost<DeclarativeHooksConfig>({
    ...{ plugin, manifest, pluginConfig },
    config: { tools: { http: { allowHosts: [...allowHosts] } } },
    ...options,
  });
  return { host, set: setOf(host) };
}

/**
 * Starts a host with hooks for one test.
 * @param options - further options of the host
 */
export async function hostWith(
  pluginConfig: DeclarativeHooksConfig,
  options: HookHostOptions = {},
): Promise<HookHost> {
  const opened = await openHost(pluginConfig, options);
  onTestFinished(() => opened.host.dispose());
  return opened;
}

/** Returns the hooks of a host. */
function setOf(host: TestHost): HookSet {
  const [registration] = host.registrations.hookSets;
  if (registration === undefined) throw new Error("the plugin registered no hooks");
  return registration.set;
}

/** An inbound message, as `message_receiving` fires. */
export function inbound(content: string, senderId = "ada") {
  return { content, from: senderId, senderId, channel: "telegram", isGroup: false };
}

import { createTestHost } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import manifest from "../../openclaw.plugin.json" with { type: "json" };
import plugin from "../../src/index.js";

type HostOptions = Omit<
  Parameters<typeof createTestHost>[0],
  "plugin" | "manifest" | "pluginConfig"
>;

/** Configuration of the guards by name. */
export type GuardsConfig = Readonly<Record<string, unknown>>;

/**
 * Opens a host with the guards.
 * @param options - further options of the host
 */
export async function guardedHost(pluginConfig: GuardsConfig, options: HostOptions = {}) {
  const host = await createTestHost({ plugin, manifest, pluginConfig, ...options });
  onTestFinished(() => host.dispose());
  return host;
}

/** Message of a user who is not the owner. */
export const GUEST = { channel: "telegram", senderId: "guest-1", senderIsOwner: false } as const;

/** Context of a hook for that user. */
export const GUEST_CONTEXT = {
  messageProvider: "telegram",
  channelId: "chat-1",
  senderId: "guest-1",
  senderIsOwner: false,
  sessionKey: "agent:main:telegram:direct:guest-1",
  sessionId: "session-1",
} as const;

import { errorMessage, withDeadline } from "@openclaw/foundation";
import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";
import type { PermissionGate } from "../instances/permission-gate.js";
import { REGISTRY_KINDS } from "../registration/registry.js";
import { ToolParametersCheck } from "../tool-schema/parameters-check.js";

/** Time of one factory, in milliseconds. */
const DEADLINE_MS = 5_000;

/** A session of the owner, which factories give most of their tools. */
const SAMPLE: Omit<ToolSessionContext, "workspaceDir"> = {
  sessionKey: "agent:main:main",
  sessionId: "sample",
  agentId: "main",
  messageChannel: "terminal",
  requesterSenderId: "operator",
  senderIsOwner: true,
  sandboxed: false,
  activeModel: "",
  deliveryContext: { channel: "terminal", to: "terminal" },
};

/**
 * Asks each tool factory for the tools of a sample session, so that inspection, permissions and policy know the names
 * of those that declared none (PLUG-106), and tools that no turn can offer are named when the plugin is loaded.
 * Nothing of these tools is used; a factory that fails declares none.
 * @param instance - the plugin, after its `register`
 * @param gate - checks the names against the manifest
 * @param workspaceDir - workspace of the host; the plugin's folder when there is none
 * @throws PluginPermissionError under strict permissions, for a name that the manifest does not declare
 */
export async function sampleFactories(
  instance: PluginInstance,
  gate: PermissionGate,
  workspaceDir = instance.identity.rootDir,
): Promise<void> {
  const context = { ...SAMPLE, workspaceDir };
  const check = new ToolParametersCheck(instance);
  for (const { tool: factory, names, learn } of instance.registered("tools")) {
    if (typeof factory !== "function") continue;
    const made = await withDeadline(DEADLINE_MS, async () => factory(context)).catch(
      (error: unknown) => {
        const reason = errorMessage(error);
        instance.logger.debug(`a tool factory of plugin "${instance.id}" has no sample: ${reason}`);
        return null;
      },
    );
    const found = [made].flat().filter((tool) => typeof tool?.name === "string");
    const usable = found.filter((tool) => tool !== null && check.accepts(tool));
    if (names.length > 0) continue;
    learn(usable.flatMap((tool) => tool?.name ?? []));
    gate.register("tools", names, REGISTRY_KINDS.tools.label);
  }
}

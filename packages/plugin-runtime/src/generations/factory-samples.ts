import { errorMessage, withDeadline } from "@openclaw/foundation";
import type {
  AnyAgentTool,
  SessionToolFactory,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
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
  const check = new ToolParametersCheck(instance);
  for (const { tool: factory, names, learn } of instance.registered("tools")) {
    if (typeof factory !== "function") continue;
    const found = await sampleTools(factory, workspaceDir, (reason) =>
      instance.logger.debug(`a tool factory of plugin "${instance.id}" has no sample: ${reason}`),
    );
    const usable = found.filter((tool) => check.accepts(tool));
    if (names.length > 0) continue;
    learn(usable.map((tool) => tool.name));
    gate.register("tools", names, REGISTRY_KINDS.tools.label);
  }
}

/**
 * Returns the tools that a factory makes for a session of the owner; none when it fails.
 * @param factory - as the plugin registered it
 * @param failed - is told why it failed
 */
export async function sampleTools(
  factory: SessionToolFactory,
  workspaceDir: string,
  failed: (reason: string) => void,
): Promise<readonly AnyAgentTool[]> {
  const context = { ...SAMPLE, workspaceDir };
  const made = await withDeadline(DEADLINE_MS, async () => factory(context)).catch(
    (error: unknown) => {
      failed(errorMessage(error));
      return null;
    },
  );
  return [made]
    .flat()
    .flatMap((tool) => (tool !== null && typeof tool?.name === "string" ? [tool] : []));
}

import { WEB_SEARCH } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import { mainSessionKey } from "@openclaw/messaging";
import { type PluginGeneration, sampleTools } from "@openclaw/plugin-runtime";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { PolicyTool } from "@openclaw/tool-policy";
import type { Host } from "../host/running-host.js";

type Catalog = GatewayMethodResult<"tools.catalog">;
type CatalogTool = Catalog["tools"][number];

/**
 * Returns the tools of the core and of the plugins, whether or not policy allows them. Plugins that make tools for a
 * session are asked for those of the owner, so that the tool of a component that was installed since is among them.
 * @param host - plugins and services
 */
export async function toolCatalog(
  host: Pick<Host, "plugins" | "services" | "router" | "webSearchProblem">,
): Promise<Catalog> {
  const { policy } = host.services;
  const tools = new Map<string, CatalogTool>();
  for (const { name, origin, pluginId, optional } of policy.tools) {
    tools.set(name, {
      name,
      source: origin === "plugin" ? ("plugin" as const) : ("core" as const),
      ...defined({ pluginId, optional: optional ? true : undefined }),
      ...metadataOf(name, pluginId, host.plugins.current.toolMetadata),
    });
  }
  for (const [pluginId, tool] of await madeTools(host)) {
    const known = tools.get(tool.name);
    // The name of another one: the host drops it.
    if (known !== undefined && known.pluginId !== pluginId) continue;
    const { name, mcpServer, wasmComponent, capabilities } = tool;
    if (known === undefined && wasmComponent === undefined) continue;
    const own = wasmComponent === undefined ? undefined : ("wasm" as const);
    const kind = mcpServer === undefined ? own : ("mcp" as const);
    tools.set(name, {
      ...(known ?? { name, source: "plugin", pluginId }),
      ...defined({ kind, capabilities: capabilities && [...capabilities] }),
    });
  }
  if (!tools.has(WEB_SEARCH)) {
    const unavailable = host.webSearchProblem;
    tools.set(WEB_SEARCH, { name: WEB_SEARCH, source: "core", ...defined({ unavailable }) });
  }
  return { tools: [...tools.values()] };
}

/**
 * Returns the tools of WebAssembly components as policies see them. They are known only to their plugin, which installs and
 * removes them while the host runs.
 * @param host - plugins
 */
export async function componentTools(
  host: Pick<Host, "plugins" | "router">,
): Promise<readonly PolicyTool[]> {
  const made = await madeTools(host);
  return made.flatMap(([pluginId, { name, wasmComponent, optional = false }]) =>
    wasmComponent === undefined ? [] : [{ name, pluginId, optional, origin: "wasm", aliases: [] }],
  );
}

/** Returns the tools that factories make, with their plugins. */
async function madeTools({
  plugins,
  router,
}: Pick<Host, "plugins" | "router">): Promise<readonly (readonly [string, AnyAgentTool])[]> {
  const [agentId = "main"] = router.agentIds;
  const { workspaceDir } = router.route({
    ...{ channel: "terminal", conversationId: "terminal", senderId: "operator" },
    ...{ senderIsOwner: true, text: "", sessionKey: mainSessionKey(agentId), agentId },
  });
  const pin = plugins.pin();
  try {
    const made = await Promise.all(
      pin.generation.tools.map(async ({ tool, pluginId }) => {
        if (typeof tool !== "function") return [[pluginId, tool] as const];
        const found = await sampleTools(tool, workspaceDir, () => undefined);
        return found.map((each) => [pluginId, each] as const);
      }),
    );
    return made.flat();
  } finally {
    pin.release();
  }
}

/** Returns the metadata that a plugin registered for its tool (PLUG-111). */
function metadataOf(
  name: string,
  pluginId: string | undefined,
  registered: PluginGeneration["toolMetadata"],
) {
  const found = registered.find(
    (each) => each.pluginId === pluginId && each.metadata.toolName === name,
  );
  if (found === undefined) return {};
  const { displayName, description, risk, tags } = found.metadata;
  return defined({ displayName, description, risk, tags: tags && [...tags] });
}

import { commandName } from "@openclaw/plugin-discovery";
import { hostTool } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { lineOf, type PromptFile } from "./prompt-file.js";

/** Longest description of an agent in the description of the tool. */
const LONGEST_DESCRIPTION = 300;
const SPAWN = "sessions_spawn";

/**
 * Offers the agents of a bundle as kinds of subagents: a subagent whose label is `bundle:agent` has the prompt of the agent
 * and at most its tools (EXT-533).
 * @param api - `api` of the bundle's plugin
 * @param id - ID of the bundle as a plugin
 * @param agents - descriptions of the agents
 */
export function registerAgents(
  api: OpenClawPluginApi,
  id: string,
  agents: readonly PromptFile[],
): void {
  const byLabel = new Map(agents.map((agent) => [`${commandName(id)}:${agent.name}`, agent]));
  const list = [...byLabel].map(([label, { settings }]) => {
    const description = lineOf(settings.description)?.slice(0, LONGEST_DESCRIPTION) ?? "";
    return `- ${label}: ${description}`;
  });
  const text = `Kinds of subagents, chosen by the label:\n${list.join("\n")}`;
  api.registerToolMetadata({ toolName: SPAWN, modelDescription: () => text });
  api.on("subagent_spawning", async ({ childSessionKey, label = "" }) => {
    // The session outlasts the process.
    if (byLabel.has(label)) await api.store.kv.set(keyOf(childSessionKey), label);
    return undefined;
  });
  api.on("before_prompt_build", async (_event, { sessionKey = "", trigger }) => {
    if (trigger !== "subagent" && !sessionKey.includes(":subagent:")) return undefined;
    const label = await api.store.kv.get(keyOf(sessionKey));
    const agent = typeof label === "string" ? byLabel.get(label) : undefined;
    if (agent === undefined) return undefined;
    const tools = toolsOf(agent.settings.tools);
    return {
      prependSystemContext: agent.text,
      ...(tools === undefined ? {} : { toolsAllow: tools }),
    };
  });
}

function keyOf(sessionKey: string): string {
  return `bundle-agent/${sessionKey}`.slice(0, 512);
}

/** Returns undefined for an agent with all tools. */
function toolsOf(value: unknown): string[] | undefined {
  const names = Array.isArray(value) ? value.map(String) : String(value ?? "").split(",");
  const tools = names.map((name) => name.trim()).filter((name) => name !== "");
  return tools.length === 0 || tools.includes("*") ? undefined : [...new Set(tools.map(hostTool))];
}

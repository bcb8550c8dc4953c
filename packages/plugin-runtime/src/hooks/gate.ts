import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { PluginEntryConfiguration } from "../configuration/plugins-configuration.js";
import type { PluginCandidate } from "../discovery/discovery.js";
import type { PluginGrants } from "../instances/instance.js";

/** Hooks whose events hold whole conversations (HOOK-045). */
const CONVERSATION_HOOKS = new Set<CataloguedHookName>([
  "before_model_resolve",
  "before_agent_reply",
  "llm_input",
  "llm_output",
  "before_agent_finalize",
  "agent_end",
  "before_agent_run",
]);

/** Hooks that do nothing but add to prompts (HOOK-046). */
const PROMPT_HOOKS = new Set<CataloguedHookName>([
  "agent_turn_prepare",
  "before_prompt_build",
  "heartbeat_prompt_contribution",
]);

/** Why the handlers of a hook are inactive. */
export interface HookGate {
  readonly reason: string;
  /** The line of the configuration that would make them active. */
  readonly hint: string;
  /** True for a gate of the operator that would not guard: silence about it would be dangerous. */
  readonly grave: boolean;
}

/**
 * Whether handlers of a hook see whole conversations, so that the operator is asked first (D29).
 * @param hook - a hook's name
 */
export function seesConversations(hook: string): boolean {
  const hooks: ReadonlySet<string> = CONVERSATION_HOOKS;
  return hooks.has(hook);
}

/**
 * Whether a plugin's handlers may see whole conversations: what came with the host, was named for
 * this process, or has the operator's recorded consent (D29).
 * @param plugin - where it was found
 * @param entry - what the configuration says of it
 */
export function hasConversationAccess(
  plugin: Pick<PluginCandidate, "origin" | "consented">,
  entry: PluginEntryConfiguration | undefined,
): boolean {
  return (
    plugin.origin === "bundled" ||
    plugin.consented ||
    entry?.hooks?.allowConversationAccess === true
  );
}

/**
 * The gate in front of a plugin's handlers of a hook; undefined where it is open.
 * @param hook - the hook
 * @param pluginId - the plugin
 * @param grants - what the operator gives the plugin
 */
export function gateOf(
  hook: CataloguedHookName,
  pluginId: string,
  { consented, entry }: Pick<PluginGrants, "consented" | "entry">,
): HookGate | undefined {
  return conversationGate(hook, pluginId, consented) ?? promptGate(hook, pluginId, entry);
}

/** The gate in front of hooks that see conversations (HOOK-045). */
function conversationGate(
  hook: CataloguedHookName,
  pluginId: string,
  consented: boolean,
): HookGate | undefined {
  if (consented || !CONVERSATION_HOOKS.has(hook)) return undefined;
  return {
    reason: "the operator has not let it see conversations",
    hint: `set plugins.entries.${pluginId}.hooks.allowConversationAccess to true`,
    grave: hook === "before_agent_run",
  };
}

/** The gate in front of hooks that add to prompts (HOOK-046). */
function promptGate(
  hook: CataloguedHookName,
  pluginId: string,
  entry: PluginEntryConfiguration | undefined,
): HookGate | undefined {
  if (entry?.hooks?.allowPromptInjection !== false || !PROMPT_HOOKS.has(hook)) return undefined;
  return {
    reason: "the operator does not let it add to prompts",
    hint: `remove plugins.entries.${pluginId}.hooks.allowPromptInjection or set it to true`,
    grave: false,
  };
}

import type { PluginCandidate, PluginEntryConfiguration } from "@openclaw/plugin-discovery";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
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

/** Hooks that only add to prompts (HOOK-046). */
const PROMPT_HOOKS = new Set<CataloguedHookName>([
  "agent_turn_prepare",
  "before_prompt_build",
  "heartbeat_prompt_contribution",
]);

/** Reason that the handlers of a hook are inactive. */
export interface HookGate {
  readonly reason: string;
  /** The line of the configuration that would make them active. */
  readonly hint: string;
  /** True for a guard of the operator that would not run: it must be reported. */
  readonly grave: boolean;
}

/**
 * Returns true for hooks whose handlers see whole conversations, which need the operator's consent
 * (D29).
 * @param hook - a hook's name
 */
export function seesConversations(hook: string): boolean {
  const hooks: ReadonlySet<string> = CONVERSATION_HOOKS;
  return hooks.has(hook);
}

/**
 * Returns true when a plugin's handlers may see whole conversations: it is bundled, was named for
 * this process, or has the operator's recorded consent (D29).
 * @param plugin - with its origin
 * @param entry - the plugin's entry in the configuration
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
 * Returns the gate for a plugin's handlers of a hook; undefined where it is open.
 * @param grants - the operator's settings for the plugin
 */
export function gateOf(
  hook: CataloguedHookName,
  pluginId: string,
  { consented, entry }: Pick<PluginGrants, "consented" | "entry">,
): HookGate | undefined {
  return conversationGate(hook, pluginId, consented) ?? promptGate(hook, pluginId, entry);
}

/** Returns the gate for hooks that see conversations (HOOK-045). */
function conversationGate(
  hook: CataloguedHookName,
  pluginId: string,
  consented: boolean,
): HookGate | undefined {
  if (consented || !CONVERSATION_HOOKS.has(hook)) return undefined;
  return {
    reason: "the operator has not allowed it to read conversations",
    hint: `set plugins.entries.${pluginId}.hooks.allowConversationAccess to true`,
    grave: hook === "before_agent_run",
  };
}

/** Returns the gate for hooks that add to prompts (HOOK-046). */
function promptGate(
  hook: CataloguedHookName,
  pluginId: string,
  entry: PluginEntryConfiguration | undefined,
): HookGate | undefined {
  if (entry?.hooks?.allowPromptInjection !== false || !PROMPT_HOOKS.has(hook)) return undefined;
  return {
    reason: "the operator does not allow it to add to prompts",
    hint: `remove plugins.entries.${pluginId}.hooks.allowPromptInjection or set it to true`,
    grave: false,
  };
}

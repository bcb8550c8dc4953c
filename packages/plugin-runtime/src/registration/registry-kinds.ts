import type { PluginPanelRegistration } from "../offers/panel.js";
import type { PluginPromptRegistration } from "../offers/prompt.js";
import type { PluginResourceRegistration } from "../offers/resource.js";
import type { PluginApprovalHandlerRegistration } from "./approval-handler.js";
import type { PluginChannelRegistration } from "./channel.js";
import type { PluginCliRegistration } from "./cli-command.js";
import type { PluginCommandRegistration } from "./command.js";
import type { PluginContextEngineRegistration } from "./context-engine.js";
import type { PluginGatewayMethodRegistration } from "./gateway-method.js";
import type { PluginHookRegistration } from "./hook.js";
import type { PluginHookSetRegistration } from "./hook-set.js";
import type { PluginHttpHandlerRegistration, PluginHttpRouteRegistration } from "./http-route.js";
import type { PluginInteractiveRegistration } from "./interactive-handler.js";
import type { PluginLifecycleRegistration } from "./lifecycle.js";
import type { PluginMemoryRegistration } from "./memory/registrars.js";
import type { PluginOAuthRegistration } from "./oauth-credential.js";
import type { PluginProviderRegistration } from "./provider.js";
import type { PluginAgentHarnessRegistration } from "./providers/agent-harness.js";
import type { PluginCompactionProviderRegistration } from "./providers/compaction.js";
import type { PluginSpeechRegistration } from "./providers/speech.js";
import type { PluginWebSearchRegistration } from "./providers/web-search.js";
import type { PluginReloadRulesRegistration } from "./reload-rules.js";
import type { PluginSafetyRuleRegistration } from "./safety-rule.js";
import type { PluginServiceRegistration } from "./service.js";
import type { PluginSessionExtensionRegistration } from "./session-extension.js";
import type { PluginToolRegistration } from "./tool.js";
import type { PluginToolMetadataRegistration } from "./tool-metadata.js";
import type { PluginToolResultRegistration } from "./tool-result.js";
import type { PluginTrustedPolicyRegistration } from "./trusted-policy.js";

/**
 * Every kind of registration: its list in the registry, and the field of the plugin's record that
 * names it, or null (PLUG-026, PLUG-027). A new kind is one entry here and one in
 * `REGISTRY_KINDS`.
 */
export interface RegistryKinds {
  tools: { item: PluginToolRegistration; recordField: "toolNames" };
  providers: { item: PluginProviderRegistration; recordField: "providerIds" };
  hooks: { item: PluginHookRegistration; recordField: "hookNames" };
  hookSets: { item: PluginHookSetRegistration; recordField: null };
  commands: { item: PluginCommandRegistration; recordField: "commandNames" };
  prompts: { item: PluginPromptRegistration; recordField: null };
  resources: { item: PluginResourceRegistration; recordField: null };
  channels: { item: PluginChannelRegistration; recordField: "channelIds" };
  httpRoutes: { item: PluginHttpRouteRegistration; recordField: "httpRoutes" };
  httpHandlers: { item: PluginHttpHandlerRegistration; recordField: null };
  panels: { item: PluginPanelRegistration; recordField: "panelIds" };
  gatewayHandlers: { item: PluginGatewayMethodRegistration; recordField: "gatewayMethods" };
  services: { item: PluginServiceRegistration; recordField: "serviceIds" };
  cliRegistrars: { item: PluginCliRegistration; recordField: "cliCommands" };
  trustedToolPolicies: { item: PluginTrustedPolicyRegistration; recordField: null };
  safetyRules: { item: PluginSafetyRuleRegistration; recordField: null };
  sessionExtensions: { item: PluginSessionExtensionRegistration; recordField: null };
  approvalHandlers: { item: PluginApprovalHandlerRegistration; recordField: null };
  memory: { item: PluginMemoryRegistration; recordField: null };
  contextEngines: { item: PluginContextEngineRegistration; recordField: null };
  compactionProviders: { item: PluginCompactionProviderRegistration; recordField: null };
  agentHarnesses: { item: PluginAgentHarnessRegistration; recordField: null };
  webSearchProviders: { item: PluginWebSearchRegistration; recordField: null };
  speechProviders: { item: PluginSpeechRegistration; recordField: null };
  oauthCredentials: { item: PluginOAuthRegistration; recordField: "oauthCredentials" };
  toolResultMiddlewares: { item: PluginToolResultRegistration; recordField: null };
  toolMetadata: { item: PluginToolMetadataRegistration; recordField: null };
  reloadRules: { item: PluginReloadRulesRegistration; recordField: null };
  interactiveHandlers: { item: PluginInteractiveRegistration; recordField: null };
  runtimeLifecycles: { item: PluginLifecycleRegistration; recordField: null };
}

/** Name of a list of the registry. */
export type RegistryKind = keyof RegistryKinds;

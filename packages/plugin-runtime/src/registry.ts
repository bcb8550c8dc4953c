import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { AnyAgentTool, ToolFactory } from "@openclaw/plugin-sdk/tools";
import type { HookDoor } from "./hook-name.js";

/** Who registered something, and in which file. */
export interface RegistrationOrigin {
  readonly pluginId: string;
  readonly source: string;
}

/** A tool or tool factory that a plugin offers. */
export interface PluginToolRegistration extends RegistrationOrigin {
  /** The tool, or the function that makes the tools of one session. */
  readonly tool: AnyAgentTool | ToolFactory;
  /** The tool's name, or the names a factory was declared with; empty when it declared none. */
  readonly names: readonly string[];
  /** True when it is offered only where an allow list names it. */
  readonly optional: boolean;
}

/** A source of language models that a plugin offers. */
export interface PluginProviderRegistration extends RegistrationOrigin {
  readonly provider: ModelProvider;
}

/** A handler of any hook, as a registry holds it. */
export type AnyHandler = (event: never, context: never) => unknown;

/** One call of `api.on`, `api.lifecycle.on` or `api.registerHook` (LIFE-045). */
export interface PluginHookRegistration extends RegistrationOrigin {
  /** Names of the hooks; those of a phase or alias when `api.lifecycle.on` was called. */
  readonly events: readonly string[];
  readonly handler: AnyHandler;
  readonly priority?: number;
  /** The method that was called. */
  readonly door: HookDoor;
  /** The phase or alias it was registered by. */
  readonly alias?: string;
  /** Shown in traces and listings. */
  readonly name?: string;
  readonly description?: string;
  /** False for a handler that is listed only, `register: false`. */
  readonly active: boolean;
}

/**
 * Everything a plugin may register: the list of the registry it stands in, and the field of the
 * plugin's record that names it (PLUG-026, PLUG-027). A new kind is one entry here and one below.
 */
export interface RegistryKinds {
  tools: { item: PluginToolRegistration; recordField: "toolNames" };
  providers: { item: PluginProviderRegistration; recordField: "providerIds" };
  hooks: { item: PluginHookRegistration; recordField: "hookNames" };
}

/** Name of a list of the registry. */
export type RegistryKind = keyof RegistryKinds;

/** What the registry knows of one kind. */
export interface KindRules<Kind extends RegistryKind> {
  /** What one of them is called in a message. */
  readonly label: string;
  readonly recordField: RegistryKinds[Kind]["recordField"];
  /** True when no two may have the same name, whatever the case. */
  readonly unique: boolean;
  /** The names by which one is known. */
  names(item: RegistryKinds[Kind]["item"]): readonly string[];
}

/** How each kind is named, listed and kept apart. */
export const REGISTRY_KINDS: { readonly [Kind in RegistryKind]: KindRules<Kind> } = {
  tools: { label: "tool", recordField: "toolNames", unique: true, names: ({ names }) => names },
  providers: {
    label: "provider",
    recordField: "providerIds",
    unique: true,
    names: ({ provider }) => [provider.id],
  },
  hooks: { label: "hook", recordField: "hookNames", unique: false, names: ({ events }) => events },
};

/** The lists of a registry, each in the order of registration. */
export type RegistryLists = {
  readonly [Kind in RegistryKind]: readonly RegistryKinds[Kind]["item"][];
};

/** The fields of a plugin's record that list what it registered, for example `toolNames`. */
export type RegisteredNames = {
  readonly [Kind in RegistryKind as RegistryKinds[Kind]["recordField"]]: readonly string[];
};

/** One thing that a plugin registered. */
export type Registration<Kind extends RegistryKind = RegistryKind> = {
  [Each in Kind]: {
    readonly kind: Each;
    readonly item: RegistryKinds[Each]["item"];
    /** Position among all registrations of the runtime; the smaller one was there first. */
    readonly sequence: number;
  };
}[Kind];

/**
 * The names by which a registration is known.
 * @param registration - of any kind
 */
export function registeredNames<Kind extends RegistryKind>(
  registration: Registration<Kind>,
): readonly string[] {
  return REGISTRY_KINDS[registration.kind].names(registration.item);
}

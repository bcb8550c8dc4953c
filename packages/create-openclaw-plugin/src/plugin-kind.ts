/** Kind of a new plugin. */
export type PluginKind = "tool" | "hook" | "provider" | "channel" | "service";

/** Programming language of a new plugin. */
export type PluginLanguage = "typescript" | "javascript";

/** Description of each kind. */
export const PLUGIN_KINDS: Readonly<Record<PluginKind, string>> = Object.freeze({
  tool: "a tool for agents",
  hook: "handlers that observe, change or block actions of the host",
  provider: "a provider of language models",
  channel: "a channel to a chat network",
  service: "a service that runs while the host runs",
});

/** Display name of each language. */
export const PLUGIN_LANGUAGES: Readonly<Record<PluginLanguage, string>> = Object.freeze({
  typescript: "TypeScript, loaded without a build",
  javascript: "JavaScript",
});

/**
 * Returns true for the name of a kind.
 * @param text - any string
 */
export function isPluginKind(text: string): text is PluginKind {
  return Object.hasOwn(PLUGIN_KINDS, text);
}

/**
 * Returns true for the name of a language.
 * @param text - any string
 */
export function isPluginLanguage(text: string): text is PluginLanguage {
  return Object.hasOwn(PLUGIN_LANGUAGES, text);
}

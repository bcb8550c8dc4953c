/** What a new plugin does. */
export type PluginKind = "tool" | "hook" | "channel" | "provider" | "service";

/** What a new plugin is written in. */
export type PluginLanguage = "typescript" | "javascript";

/** Every kind, with what it is for. */
export const PLUGIN_KINDS: Readonly<Record<PluginKind, string>> = Object.freeze({
  tool: "a tool that agents may call",
  hook: "handlers that watch, change or refuse what the host does",
  channel: "a surface that people write on",
  provider: "a source of language models",
  service: "something that runs as long as the host does",
});

/** Every language, with its name. */
export const PLUGIN_LANGUAGES: Readonly<Record<PluginLanguage, string>> = Object.freeze({
  typescript: "TypeScript, loaded as it is",
  javascript: "JavaScript",
});

/**
 * Whether a text names a kind.
 * @param text - any text
 */
export function isPluginKind(text: string): text is PluginKind {
  return Object.hasOwn(PLUGIN_KINDS, text);
}

/**
 * Whether a text names a language.
 * @param text - any text
 */
export function isPluginLanguage(text: string): text is PluginLanguage {
  return Object.hasOwn(PLUGIN_LANGUAGES, text);
}

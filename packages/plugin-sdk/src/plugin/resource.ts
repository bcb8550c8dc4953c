/** Content of a resource: text, or bytes as Base64 in `data`. Its type is that of the resource when absent. */
export type PluginResourceContent =
  | string
  | { readonly text: string; readonly mimeType?: string }
  | { readonly data: string; readonly mimeType?: string };

/** Resource in a list. */
export interface PluginResourceEntry {
  readonly uri: string;
  /** Name for people. */
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Request of the content of a resource. */
export interface ResourceRequest {
  readonly uri: string;
  /** Values of the variables of a template; none for a single URI. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Document that agents and clients read by its URI (PLUG-351). */
export interface PluginResource {
  /**
   * URI, for example `acme://roadmap`, or a template of URIs: `{name}` stands for text without a slash, `{+name}` for any
   * text. The schemes `openclaw`, `http`, `https` and `file` are not for plugins.
   */
  readonly uri: string;
  /** Name for people. */
  readonly name: string;
  readonly description?: string;
  /** For example `text/markdown`; `text/plain` when absent. */
  readonly mimeType?: string;
  /**
   * Returns the resources of a template.
   * @param signal - aborts when the list is no longer needed
   */
  list?(
    signal: AbortSignal,
  ): readonly PluginResourceEntry[] | Promise<readonly PluginResourceEntry[]>;
  /**
   * Returns values for a variable of a template that a person is writing.
   * @param value - value as far as it is written
   */
  complete?(variable: string, value: string): readonly string[] | Promise<readonly string[]>;
  /**
   * Returns the content; undefined when there is none at this URI.
   * @param request - URI and variables
   */
  read(
    request: ResourceRequest,
  ): PluginResourceContent | undefined | Promise<PluginResourceContent | undefined>;
}

/**
 * Defines a typed resource outside the plugin that registers it.
 * @returns the same object, for `api.registerResource`
 * @example
 * ```ts
 * import { defineResource } from "@openclaw/plugin-sdk/plugin-entry";
 *
 * const notes = new Map([["1", "Call Ann."]]);
 * export const note = defineResource({
 *   uri: "acme://notes/{id}",
 *   name: "note",
 *   list: () => [...notes.keys()].map((id) => ({ uri: `acme://notes/${id}`, name: `Note ${id}` })),
 *   read: ({ variables: { id = "" } }) => notes.get(id),
 * });
 * ```
 */
export function defineResource(resource: PluginResource): PluginResource {
  return resource;
}

import { textOf } from "@openclaw/foundation";
import type {
  PluginResource,
  PluginResourceContent,
  PluginResourceEntry,
} from "@openclaw/plugin-sdk/plugin-entry";
import { resourcePart } from "@openclaw/plugin-sdk/tool-results";
import type { TextPart } from "@openclaw/plugin-sdk/tools";
import {
  expectFunction,
  expectName,
  expectObject,
  expectOptionalFunction,
  expectText,
  type NameRule,
  wrongArgument,
} from "../registration/check.js";
import type { RegistrationOrigin } from "../registration/origin.js";
import { type UriMatch, uriMatch } from "./uri-template.js";

/** A resource of a plugin. */
export interface PluginResourceRegistration extends RegistrationOrigin {
  readonly resource: PluginResource;
  readonly match: UriMatch;
  readonly isTemplate: boolean;
}

const URI: NameRule = {
  pattern: /^(?!openclaw:|https?:|file:)[a-z][a-z0-9+.-]*:[^\s\p{Cc}]{1,2000}$/u,
  expected:
    "a URI of a scheme of the plugin, for example acme://notes/{id}, and not openclaw, http, https or file",
};

/**
 * Checks the argument of `api.registerResource` (PLUG-351).
 * @throws PluginRegistrationError naming the field
 */
export function readResource(
  origin: RegistrationOrigin,
  resource: PluginResource,
): PluginResourceRegistration {
  const call = { origin, member: "registerResource" };
  expectObject(call, "resource", resource);
  const uri = expectName(call, "uri", resource.uri, URI);
  expectText(call, `name of resource "${uri}"`, resource.name);
  expectFunction(call, `read of resource "${uri}"`, resource.read);
  expectOptionalFunction(call, `list of resource "${uri}"`, resource.list);
  expectOptionalFunction(call, `complete of resource "${uri}"`, resource.complete);
  const match = uriMatch(uri);
  if (match === undefined) {
    throw wrongArgument(call, "uri", `expected variables {name} or {+name}, each once, got ${uri}`);
  }
  return { ...origin, resource, match, isTemplate: uri.includes("{") };
}

/**
 * Lists what a resource of a plugin stands for: itself, or the resources of a template.
 * @param registration - resource of a plugin
 * @param signal - aborts when the answer is no longer needed
 */
export async function listedResources(
  { resource, isTemplate, match }: PluginResourceRegistration,
  signal: AbortSignal,
): Promise<readonly PluginResourceEntry[]> {
  const { uri, name, description, mimeType } = resource;
  if (!isTemplate) return [entryOf({ uri, name, description, mimeType })];
  const listed: unknown = (await resource.list?.(signal)) ?? [];
  if (!Array.isArray(listed)) {
    throw new TypeError(`list of resource "${uri}" returned ${textOf(listed)}; expected a list`);
  }
  return listed.flatMap((each: Partial<PluginResourceEntry> | null) =>
    typeof each?.uri === "string" && typeof each.name === "string" && match(each.uri) !== undefined
      ? [
          entryOf({
            uri: each.uri,
            name: each.name,
            description: each.description,
            mimeType: each.mimeType ?? mimeType,
          }),
        ]
      : [],
  );
}

function entryOf({
  uri,
  name,
  description,
  mimeType,
}: { uri: string; name: string } & {
  description: string | undefined;
  mimeType: string | undefined;
}): PluginResourceEntry {
  return {
    uri,
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof mimeType === "string" ? { mimeType } : {}),
  };
}

/**
 * Reads a resource of a plugin.
 * @param registration - resource of a plugin
 * @param signal - aborts when the answer is no longer needed
 * @returns part with the content; undefined when there is none at the URI
 * @throws what the plugin throws; TypeError for a content that is none
 */
export async function resourceContent(
  { resource, match }: PluginResourceRegistration,
  uri: string,
  signal: AbortSignal,
): Promise<TextPart | undefined> {
  const variables = match(uri);
  if (variables === undefined) return undefined;
  const read: unknown = await resource.read({ uri, variables, signal });
  if (read === undefined) return undefined;
  const content = contentOf(read);
  if (content === undefined) {
    throw new TypeError(
      `read of resource "${resource.uri}" returned ${textOf(read)}; expected text, { text } or { data }`,
    );
  }
  const { mimeType = resource.mimeType ?? "text/plain" } = content;
  return resourcePart({ uri, mimeType }, content);
}

function contentOf(read: unknown): Exclude<PluginResourceContent, string> | undefined {
  if (typeof read === "string") return { text: read };
  if (typeof read !== "object" || read === null) return undefined;
  const mimeType = "mimeType" in read && typeof read.mimeType === "string" ? read.mimeType : "";
  const type = mimeType === "" ? {} : { mimeType };
  if ("text" in read && typeof read.text === "string") return { text: read.text, ...type };
  if ("data" in read && typeof read.data === "string") return { data: read.data, ...type };
  return undefined;
}

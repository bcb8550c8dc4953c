import { loginLines } from "./auth.js";
import type { Capabilities, CredentialLocation, EndpointPattern } from "./capabilities.js";

/**
 * Returns what capabilities allow, one line for each permission, for the person who consents (WASM-014).
 * @param capabilities - capabilities of a component
 */
export function capabilityLines({
  http,
  secretNames,
  toolInvoke,
  workspacePrefixes,
  channel,
  auth,
}: Capabilities): readonly string[] {
  return [
    ...(http?.allowlist ?? []).map((pattern) => `requests: ${endpointText(pattern)}`),
    ...(http?.credentials ?? []).map(
      ({ secretName, location, hostPatterns }) =>
        `secret ${secretName}: sent as ${locationText(location)} to ${hostPatterns.join(", ") || "no host"}`,
    ),
    ...loginLines(auth),
    ...secretNames.map((name) => `secret ${name}: may ask whether it exists`),
    ...Object.entries(toolInvoke?.aliases ?? {}).map(
      ([alias, tool]) => `tool ${tool}: may call it, as ${alias}`,
    ),
    ...workspacePrefixes.map((prefix) => `files of the workspace: may read ${prefix || "all"}`),
    ...(channel === undefined ? [] : channelLines(channel)),
  ];
}

/**
 * Returns the lines of permissions that new capabilities have and the accepted ones do not.
 * @param next - capabilities of the new version
 * @param accepted - lines that were accepted
 */
export function widenedLines(next: Capabilities, accepted: readonly string[]): readonly string[] {
  return capabilityLines(next).filter((line) => !accepted.includes(line));
}

function channelLines({
  allowedPaths,
  allowPolling,
  workspacePrefix,
}: NonNullable<Capabilities["channel"]>): readonly string[] {
  return [
    ...allowedPaths.map((path) => `requests from others: receives them at ${path}`),
    ...(allowPolling ? ["polling: runs by itself"] : []),
    `files of the workspace: may write ${workspacePrefix}`,
  ];
}

function endpointText({ host, pathPrefix, methods }: EndpointPattern): string {
  return `${methods.join(", ") || "any method"} https://${host}${pathPrefix ?? "/"}`;
}

function locationText(location: CredentialLocation): string {
  switch (location.type) {
    case "bearer":
      return "bearer token";
    case "basic":
      return `password of ${location.username}`;
    case "header":
      return `header ${location.name}`;
    case "query_param":
      return `parameter ${location.name}`;
    case "url_path":
      return `a part of the path`;
  }
}

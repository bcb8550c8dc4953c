import type { ServerEvent } from "@modelcontextprotocol/server";
import type { PortEvent } from "./gateway-port.js";
import { memoryUri, sessionUri } from "./resource-uri.js";

/**
 * Returns what an event of the gateway changes for MCP clients.
 * @param event - event of the gateway
 */
export function changesOf({ name, payload }: PortEvent): readonly ServerEvent[] {
  switch (name) {
    case "sessions.changed": {
      const updated = updatedUri(sessionUri(payload.sessionKey));
      const isListed = payload.change === "created" || payload.change === "deleted";
      return isListed ? [{ kind: "resources_list_changed" }, updated] : [updated];
    }
    case "chat.started":
    case "chat.final":
    case "chat.error":
      return [updatedUri(sessionUri(payload.sessionKey))];
    case "plugins.changed":
    case "config.changed":
      return [{ kind: "tools_list_changed" }, { kind: "prompts_list_changed" }];
    case "tool.result":
      return payload.toolName === "memory_write" ? writtenDocument(payload.details) : [];
    default:
      return [];
  }
}

function writtenDocument(details: unknown): readonly ServerEvent[] {
  if (typeof details !== "object" || details === null || !("path" in details)) return [];
  const { path } = details;
  if (typeof path !== "string") return [];
  const isNew = "created" in details && details.created === true;
  const updated = updatedUri(memoryUri(path));
  return isNew ? [{ kind: "resources_list_changed" }, updated] : [updated];
}

function updatedUri(uri: string): ServerEvent {
  return { kind: "resource_updated", uri };
}

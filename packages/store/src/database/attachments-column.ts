import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { isJsonObject } from "./json-column.js";

/** Returns true for a list of attachments. */
export function isAttachmentList(value: unknown): value is AttachmentMeta[] {
  return Array.isArray(value) && value.every(isAttachment);
}

function isAttachment(value: unknown): boolean {
  return (
    isJsonObject(value) && typeof value.mimeType === "string" && typeof value.bytes === "number"
  );
}

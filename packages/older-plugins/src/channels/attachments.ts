import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { defined } from "@openclaw/foundation";
import type { OlderInboundContext, ReceivedFile } from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { mimeTypeOf } from "./media-type.js";

/**
 * Stores the files of a message where those of every channel are, because a plugin deletes its own after the reply.
 * Files that are only on the platform keep their URL.
 * @param context - message of an older plugin
 * @param save - stores a file
 */
export async function contextAttachments(
  context: OlderInboundContext,
  save: (file: ReceivedFile) => Promise<AttachmentMeta>,
): Promise<readonly AttachmentMeta[]> {
  const paths = listOf(context.MediaPaths, context.MediaPath);
  const urls = listOf(context.MediaUrls, context.MediaUrl);
  const types = listOf(context.MediaTypes, context.MediaType);
  const attachments: AttachmentMeta[] = [];
  for (const [index, path] of paths.entries()) {
    const mimeType = types[index] ?? mimeTypeOf(path);
    attachments.push(
      await save({ name: basename(path), mimeType, content: createReadStream(path) }),
    );
  }
  if (paths.length > 0) return attachments;
  return urls.map((url, index) =>
    defined({ url, mimeType: types[index] ?? mimeTypeOf(url), bytes: 0, name: nameOf(url) }),
  );
}

function listOf(many: unknown, one: unknown): readonly string[] {
  const listed = Array.isArray(many) ? many : [one];
  return listed.filter((value) => typeof value === "string" && value !== "");
}

function nameOf(url: string): string | undefined {
  const path = URL.parse(url)?.pathname ?? "";
  return path.endsWith("/") || path === "" ? undefined : basename(path);
}

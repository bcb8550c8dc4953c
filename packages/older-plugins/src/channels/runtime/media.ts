import { basename } from "node:path";
import { fileNameOfHeader } from "@openclaw/foundation";
import type { ReceivedFiles } from "@openclaw/messaging";
import { ChannelInvalidMessageError } from "@openclaw/plugin-sdk/channel-core";
import { extensionOf, mimeTypeOf } from "../media-type.js";

/** Maximum size of a file in bytes when the plugin gives none. */
const MOST_BYTES = 20 * 1024 * 1024;

/** File that a plugin saved. */
export interface SavedMedia {
  readonly id: string;
  /** Absolute path. */
  readonly path: string;
  readonly size: number;
  readonly contentType?: string;
}

/** File on the platform. */
export interface RemoteMedia {
  readonly url: string;
  readonly fetchImpl?: (input: string, init?: RequestInit) => Promise<Response>;
  readonly requestInit?: RequestInit;
  readonly filePathHint?: string;
  readonly maxBytes?: number;
  readonly originalFilename?: string;
}

/** Dependencies of {@link createMediaGroup}. */
export interface MediaDependencies {
  readonly files: Pick<ReceivedFiles, "save">;
  /** Fetches within the permissions of the plugin. */
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
}

/**
 * Creates `runtime.channel.media`, which stores files where those of every channel are.
 * @param dependencies - files and network
 */
export function createMediaGroup({ files, fetch }: MediaDependencies) {
  const fetchRemoteMedia = async (remote: RemoteMedia) => {
    const { url, fetchImpl, requestInit, filePathHint, maxBytes = MOST_BYTES } = remote;
    const response = await (fetchImpl ?? fetch)(url, requestInit);
    if (!response.ok) {
      await response.body?.cancel();
      throw failure(`the file ${withoutQuery(url)} could not be read: HTTP ${response.status}`);
    }
    const buffer = await bufferOf(response, maxBytes);
    const contentType = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    const named =
      nameIn(response.headers.get("content-disposition")) ?? nameOf(filePathHint ?? url);
    return {
      buffer,
      contentType: contentType === "" ? mimeTypeOf(named) : contentType,
      fileName: named,
    };
  };
  const saveMediaBuffer = async (
    buffer: Uint8Array,
    contentType?: string,
    _folder?: string,
    maxBytes: number = MOST_BYTES,
    originalFilename?: string,
  ): Promise<SavedMedia> => {
    if (buffer.byteLength > maxBytes) {
      throw failure(`a file has more than ${maxBytes} bytes; send a smaller one`);
    }
    const mimeType = contentType ?? mimeTypeOf(originalFilename ?? "");
    const name = originalFilename ?? `file${extensionOf(mimeType) ?? ""}`;
    const { path = "", bytes } = await files.save("media", { name, mimeType, content: buffer });
    return { id: basename(path), path, size: bytes, contentType: mimeType };
  };
  return {
    fetchRemoteMedia,
    saveMediaBuffer,
    async saveRemoteMedia(
      remote: RemoteMedia,
    ): Promise<SavedMedia & { readonly fileName: string }> {
      const { buffer, contentType, fileName } = await fetchRemoteMedia(remote);
      const name = remote.originalFilename ?? fileName;
      const saved = await saveMediaBuffer(buffer, contentType, "inbound", remote.maxBytes, name);
      return { ...saved, fileName: name };
    },
  };
}

async function bufferOf(response: Response, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes)
      throw failure(`a file has more than ${maxBytes} bytes; send a smaller one`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function nameIn(disposition: string | null): string | undefined {
  const name = fileNameOfHeader(disposition ?? "");
  return name === undefined ? undefined : basename(name);
}

function nameOf(url: string): string {
  return basename(URL.parse(url)?.pathname ?? url);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}

function failure(problem: string): Error {
  return new ChannelInvalidMessageError("media", problem);
}

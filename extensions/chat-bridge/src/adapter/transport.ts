import type { IncomingMessage } from "node:http";

/** Downloads a URL; the transport of adapters of the Chat SDK. */
export type FileTransport = (url: URL, signal: AbortSignal) => Promise<IncomingMessage>;

const DOWNLOAD_MS = 30_000;
const MAXIMUM_BYTES = 20 * 1024 * 1024;

/**
 * Returns true for a transport.
 * @param value - option of an adapter
 */
export function isTransport(value: unknown): value is FileTransport {
  return typeof value === "function";
}

/**
 * Downloads a file of at most 20 MiB with a transport.
 * @param url - https URL of the file
 * @param hosts - hosts that have files of the platform
 * @throws Error when the URL is not one of the platform, or the download fails
 */
export async function downloadWith(
  transport: FileTransport,
  url: URL,
  hosts: ReadonlySet<string>,
): Promise<Buffer> {
  if (url.protocol !== "https:" || !hosts.has(url.hostname)) {
    throw new Error(`${url.hostname} is not a host of files of the platform`);
  }
  const response = await transport(url, AbortSignal.timeout(DOWNLOAD_MS));
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`the platform answered with HTTP ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > MAXIMUM_BYTES) throw new Error(`the file is larger than ${MAXIMUM_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}

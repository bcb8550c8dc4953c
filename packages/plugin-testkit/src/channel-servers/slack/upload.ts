import type { PlatformRequest } from "../platform-server.js";

/**
 * Returns the content of an upload.
 * @param request - the content itself, or a form with one file
 */
export async function uploadedBytes({ headers, body }: PlatformRequest): Promise<Uint8Array> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return body;
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const [file] = form.values();
  return file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
}

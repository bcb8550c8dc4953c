import type { PlatformAnswer, PlatformRequest } from "../platform-server.js";
import { type SlackFile, TEAM } from "./workspace.js";

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

/**
 * Answers a download. Slack answers one without a right token with its login page.
 * @param request - request for `/files-pri/<team>-<file>/<name>`
 * @param files - files by their ID
 * @param token - token that may read files; undefined when none may
 */
export function downloaded(
  { path, headers }: PlatformRequest,
  files: ReadonlyMap<string, SlackFile>,
  token: string | undefined,
): PlatformAnswer {
  const [, , place = "", name = ""] = path.split("/");
  if (token === undefined || headers.authorization !== `Bearer ${token}`) {
    return {
      headers: { "content-type": "text/html" },
      body: Buffer.from("<html>Sign in</html>"),
    };
  }
  const file = files.get(place.slice(TEAM.length + 1));
  if (file === undefined || encodeURIComponent(file.name) !== name)
    return { status: 404, body: {} };
  return { headers: { "content-type": file.mimetype }, body: file.content };
}

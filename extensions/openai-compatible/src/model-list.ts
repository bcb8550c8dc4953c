import { boundedFetch } from "@openclaw/plugin-sdk/provider-entry";
import { ModelListFailedError } from "./errors.js";

const DEADLINE_MS = 5000;
const readBounded = boundedFetch({ replyBytes: 4 * 1024 * 1024 });

/**
 * Requests the IDs of a server's models, `GET <base URL>/models`.
 * @param baseURL - URL up to and including `/v1`
 * @param apiKey - sent when it is set
 * @throws ModelListFailedError when no usable list arrived within five seconds
 */
export async function listServerModels(
  baseURL: string,
  apiKey: string | undefined,
): Promise<string[]> {
  const url = `${baseURL.replace(/\/+$/, "")}/models`;
  const body = await readList(url, apiKey);
  if (!hasData(body)) {
    throw new ModelListFailedError(url, 'expected an object with an array "data"');
  }
  return body.data.flatMap((model: unknown) => (hasId(model) ? [model.id] : []));
}

async function readList(url: string, apiKey: string | undefined): Promise<unknown> {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  try {
    const response = await readBounded(url, {
      headers,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    throw new ModelListFailedError(url, `the server responded with HTTP ${response.status}`);
  } catch (error) {
    if (ModelListFailedError.isInstance(error)) throw error;
    throw new ModelListFailedError(url, reason(error), error);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function hasData(body: unknown): body is { data: unknown[] } {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
}

function hasId(model: unknown): model is { id: string } {
  return (
    typeof model === "object" && model !== null && "id" in model && typeof model.id === "string"
  );
}

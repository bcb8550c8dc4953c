import { boundedFetch } from "@openclaw/plugin-sdk/provider-entry";
import { ModelListFailedError } from "./errors.js";

const DEADLINE_MS = 5000;
const readBounded = boundedFetch({ replyBytes: 4 * 1024 * 1024 });

/**
 * Asks a server for the ids of its models, `GET <base URL>/models`.
 * @param baseURL - up to and with `/v1`
 * @param apiKey - sent when there is one
 * @throws ModelListFailedError when no usable list came within five seconds
 */
export async function listServerModels(
  baseURL: string,
  apiKey: string | undefined,
): Promise<string[]> {
  const address = `${baseURL.replace(/\/+$/, "")}/models`;
  const body = await readList(address, apiKey);
  if (!hasData(body)) {
    throw new ModelListFailedError(address, 'expected an object with an array "data"');
  }
  return body.data.flatMap((model: unknown) => (hasId(model) ? [model.id] : []));
}

async function readList(address: string, apiKey: string | undefined): Promise<unknown> {
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  try {
    const response = await readBounded(address, {
      headers,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    throw new ModelListFailedError(address, `it answered HTTP ${response.status}`);
  } catch (error) {
    if (ModelListFailedError.isInstance(error)) throw error;
    throw new ModelListFailedError(address, reason(error), error);
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

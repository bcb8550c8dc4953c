import { ProviderListFailedError } from "../errors.js";
import { boundedFetch } from "./bounded-fetch.js";

const DEADLINE_MS = 5000;
const readBounded = boundedFetch({ replyBytes: 4 * 1024 * 1024 });

/** Request for the list of a provider's models. */
export interface ModelListRequest {
  /** Base URL of the API; `/models` is appended to its path. */
  readonly baseURL: string;
  /** Headers, for example with the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Key, sent as `Authorization: Bearer <key>`. */
  readonly apiKey?: string | undefined;
  /** Fields of an entry that may hold the ID, in order of preference; default `id`. */
  readonly idFields?: readonly string[];
  /** Sends the request; the default limits the size of the reply. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Returns true for an entry to list; all are listed by default.
   * @param entry - entry of the list
   */
  accepts?(entry: Readonly<Record<string, unknown>>): boolean;
}

/**
 * Requests the model IDs of a provider. Sends `GET <base URL>/models`, and reads the array `data` or `models` of the
 * response.
 * @param request - URL and key
 * @throws ProviderListFailedError when no usable list arrived within five seconds
 */
export function listProviderModels(request: ModelListRequest): Promise<string[]> {
  return readModels(request);
}

async function readModels(request: ModelListRequest): Promise<string[]> {
  const { baseURL, idFields = ["id"], accepts = () => true } = request;
  const url = `${baseURL.replace(/\/+$/, "")}/models`;
  const entries = entriesOf(await readList(url, request));
  if (entries === undefined) {
    const problem = 'expected an object with an array "data" or "models"';
    throw new ProviderListFailedError(url, problem, NO_LIST);
  }
  return entries.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !accepts(entry)) return [];
    const id = idFields.map((field) => entry[field]).find((found) => typeof found === "string");
    return typeof id === "string" ? [id] : [];
  });
}

const NO_LIST = "check that the server runs and that its API is at this URL";
const NO_KEY = "check the API key";

async function readList(
  url: string,
  { apiKey, headers, fetch = readBounded }: ModelListRequest,
): Promise<unknown> {
  const key: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  try {
    const response = await fetch(url, {
      headers: { ...key, ...headers },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    const isKey = response.status === 401 || response.status === 403;
    throw new ProviderListFailedError(
      url,
      `the server responded with HTTP ${response.status}`,
      isKey ? NO_KEY : NO_LIST,
    );
  } catch (error) {
    if (ProviderListFailedError.isInstance(error)) throw error;
    throw new ProviderListFailedError(url, reason(error), NO_LIST, error);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function entriesOf(body: unknown): unknown[] | undefined {
  if (!isRecord(body)) return undefined;
  const list = body.data ?? body.models;
  return Array.isArray(list) ? list : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

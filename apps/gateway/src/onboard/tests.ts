import { errorMessage } from "@openclaw/foundation";
import { stateFolderAt } from "@openclaw/gateway";
import { hostDatabaseStatus } from "@openclaw/gateway/upkeep";
import { stateDirOf } from "../installation.js";
import type { Answers } from "./answers.js";
import { providerOf } from "./provider.js";
import { urlOf } from "./server-url.js";

const DEADLINE_MS = 10_000;

/** Outcome of a test; without a network nothing can be said about a key. */
export type TestOutcome =
  | { readonly kind: "works"; readonly models: readonly string[] }
  | { readonly kind: "unreachable"; readonly problem: string }
  | { readonly kind: "rejected"; readonly problem: string };

/**
 * Tests key and URL of a provider by listing its models, which costs nothing.
 * @param answers - provider and URL
 * @param apiKey - key, if any
 * @param environment - environment variables of the command
 */
export async function testProvider(
  answers: Answers,
  apiKey: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<TestOutcome> {
  const provider = providerOf(answers.provider);
  if (provider.plugin === undefined) return { kind: "works", models: [provider.defaultModel] };
  let url = "";
  try {
    const request = provider.listRequest(urlOf(answers, environment), apiKey);
    url = request.url;
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, { headers: request.headers, signal, redirect: "error" });
    if (response.ok) return { kind: "works", models: modelsIn(await response.json()) };
    await response.body?.cancel();
    const isKey = (provider.wrongKeyStatuses ?? [401, 403]).includes(response.status);
    const what = isKey ? "rejects the key" : "does not list its models";
    return { kind: "rejected", problem: `${url} ${what} (HTTP ${response.status})` };
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const reason = cause instanceof Error ? errorMessage(cause) : errorMessage(error);
    return { kind: "unreachable", problem: `${url} is not reachable (${reason})` };
  }
}

/**
 * Tests that a database can be opened.
 * @param url - `store.url`; undefined for the file of the state folder
 * @param environment - environment variables of the command
 * @returns the problem; undefined when it works
 */
export async function testDatabase(
  url: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (url === undefined) return undefined;
  try {
    const state = stateFolderAt(stateDirOf(environment));
    await hostDatabaseStatus({ state, configuration: { url } });
    return undefined;
  } catch (error) {
    return `the database cannot be used (${errorMessage(error)})`;
  }
}

function modelsIn(body: unknown): readonly string[] {
  const { data, models = data } = Object(body);
  if (!Array.isArray(models)) return [];
  return models.flatMap((model: unknown) => {
    const { id, modelId, name } = Object(model);
    const found: unknown = id ?? modelId ?? name;
    // Gemini lists `models/<id>`.
    return typeof found === "string" ? found.replace(/^models\//, "") : [];
  });
}

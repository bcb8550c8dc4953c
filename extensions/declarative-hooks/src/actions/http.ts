import type { HostRuntime } from "@openclaw/plugin-sdk/services";
import type { HttpAction } from "../definition/definition.js";
import type { Outcome } from "../definition/outcome.js";
import { readOutput } from "../definition/output.js";
import { HookActionError } from "../errors.js";
import { eventJson } from "../points/input.js";
import type { ActionRun } from "./shell.js";

/** Largest response, in bytes (DHOOK-024). */
const LARGEST_RESPONSE = 256 * 1024;

/**
 * Sends the event of a hook to a server, and reads the response as the output of a program (DHOOK-024). Redirects are
 * not followed.
 * @param action - the request
 * @param run - hook, event and deadline
 * @param runtime - sends requests within the network check
 * @throws HookActionError when the server cannot be reached, responds with an error, or with no outcome
 */
export async function runHttp(
  action: HttpAction,
  run: ActionRun,
  { fetch }: Pick<HostRuntime, "fetch">,
): Promise<Outcome> {
  const { hook, input } = run;
  const tries = action.idempotent ? 2 : 1;
  let failure: { readonly problem: string; readonly cause?: unknown } | undefined;
  for (let count = 0; count < tries; count += 1) {
    const answer = await request(action, run, fetch);
    if ("text" in answer) {
      const forParams = input.content === undefined && input.params !== undefined;
      const outcome = readOutput(answer.text, forParams);
      if ("problem" in outcome) throw new HookActionError(hook, outcome.problem);
      return outcome;
    }
    failure = answer;
    if (!answer.isTemporary || run.signal.aborted) break;
  }
  throw new HookActionError(hook, failure?.problem ?? "the request failed", {
    cause: failure?.cause,
  });
}

type Answer =
  | { readonly text: string }
  | { readonly problem: string; readonly isTemporary: boolean; readonly cause?: unknown };

/**
 * Posts the event of a hook of a bundle, and returns the body of the response.
 * @param url - URL within the network check
 * @param headers - headers of the request
 * @param run - name of the hook, and its deadline
 * @param input - the event
 * @param fetch - sends requests within the network check
 * @throws HookActionError when the server cannot be reached or responds with an error
 */
export async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { hook, signal }: Pick<ActionRun, "hook" | "signal">,
  input: Readonly<Record<string, unknown>>,
  fetch: HostRuntime["fetch"],
): Promise<string> {
  const body = JSON.stringify(input);
  const answer = await send({ url, method: "POST", headers }, body, signal, fetch);
  if ("text" in answer) return answer.text;
  throw new HookActionError(hook, answer.problem, { cause: answer.cause });
}

async function request(
  action: HttpAction,
  { hook, input, signal }: ActionRun,
  fetch: HostRuntime["fetch"],
): Promise<Answer> {
  return await send(action, eventJson(input, hook), signal, fetch);
}

async function send(
  { url, method, headers }: Pick<HttpAction, "url" | "method" | "headers">,
  body: string,
  signal: AbortSignal,
  fetch: HostRuntime["fetch"],
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...{ method, signal, redirect: "manual" },
      headers: { ...headers, ...(method === "GET" ? {} : { "Content-Type": "application/json" }) },
      ...(method === "GET" ? {} : { body }),
    });
    const { status } = response;
    if (status >= 200 && status < 300) return await bodyOf(response);
    response.body?.cancel().catch(() => undefined);
    return { problem: `the server responded with ${status}`, isTemporary: status >= 500 };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
    const isDenied = error instanceof Error && "code" in error && error.code === "NETWORK_DENIED";
    const problem = name === "TimeoutError" ? "the server did not respond in time" : message;
    return { problem: `the request failed: ${problem}`, isTemporary: !isDenied, cause: error };
  }
}

async function bodyOf(response: Response): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST_RESPONSE) {
      return {
        problem: `the response is larger than ${LARGEST_RESPONSE} bytes`,
        isTemporary: false,
      };
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8") };
}

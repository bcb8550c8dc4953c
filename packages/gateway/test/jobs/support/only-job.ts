import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { Job, Store } from "@openclaw/store";
import { expect } from "vitest";
import { eventually } from "../../support/eventually.js";
import { message, SESSION, type TestHost } from "../../support/host.js";

/** Viewer who may see all jobs. */
export const OPERATOR = { isOperator: true, owner: "" };

/** Text of the last message that a model was asked. */
export function lastOf({ prompt }: { readonly prompt: readonly { readonly content: unknown }[] }) {
  return JSON.stringify(prompt.at(-1)?.content);
}

/** Returns the job of a host that has one. */
export async function onlyJob(store: Store): Promise<Job> {
  const [job, ...others] = await store.jobs.list({ limit: 10 });
  expect(others).toEqual([]);
  if (job === undefined) throw new Error("there is no job");
  return job;
}

/** Resolves with a job once it has a state. */
export async function inState(store: Store, state: Job["state"], id?: string): Promise<Job> {
  return await eventually(async () => {
    const job = id === undefined ? await onlyJob(store) : await store.jobs.get(id);
    return job?.state === state ? job : undefined;
  });
}

/** Returns the messages of a session as text. */
export async function historyOf(store: Store, sessionKey = SESSION): Promise<readonly string[]> {
  const session = await store.sessions.get(sessionKey);
  const entries = await store.messages.transcript.load(session?.sessionId ?? "");
  return entries.map(({ message: { role, content } }) => {
    const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return `${role}: ${texts.join()}`;
  });
}

/** Sends a message, and returns the reply. */
export const say = async (host: TestHost, text: string, rest = {}) => {
  const outcome = await host.flow.receive(message(text, rest), {});
  return "text" in outcome ? outcome.text : outcome.status;
};

/** Registers a tool that needs no approval. */
export function look(api: OpenClawPluginApi) {
  api.registerTool({
    name: "look",
    description: "Looks.",
    parameters: { type: "object" },
    execute: () => "a room",
  });
}

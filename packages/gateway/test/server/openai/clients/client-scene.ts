import type { ModelScript } from "@openclaw/models";
import { createTestHost, gate, serve, type TestHost, TOKEN } from "../../../support/host.js";

/** A gateway for a client that knows only its URL and its token. */
export interface ClientScene {
  readonly host: TestHost;
  readonly baseURL: string;
  readonly apiKey: string;
}

/**
 * Serves a host with a scripted model.
 * @param script - replies of the model
 */
export async function clientScene(script: ModelScript): Promise<ClientScene> {
  const host = await createTestHost({ script });
  const { url } = await serve(host);
  return { host, baseURL: `${url}/v1`, apiKey: TOKEN };
}

/** A red pixel as a data URL. */
export const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** JSON Schema of a person, and a person. */
export const PERSON_SCHEMA = {
  type: "object" as const,
  properties: { name: { type: "string" as const }, age: { type: "number" as const } },
  required: ["name", "age"],
  additionalProperties: false,
};
export const PERSON = { name: "Ada", age: 36 };

/** Reply of a model that calls a tool of the client. */
export const WEATHER_CALL = {
  text: "Wait.",
  toolCalls: [{ toolName: "get_weather", params: { city: "Oslo" }, toolCallId: "provider-1" }],
};

/** Script of a model that never answers, and a promise of its request. */
export function silentModel(): { readonly script: ModelScript; readonly asked: Promise<void> } {
  const asked = gate();
  return {
    asked: asked.passed,
    script: () => {
      asked.pass();
      return { text: "never", waitFor: new Promise(() => {}) };
    },
  };
}

/**
 * Resolves when no turn of a host is left.
 * @param host - host whose client has disconnected
 * @returns states of its turns
 */
export async function endedTurns({ host }: ClientScene): Promise<readonly unknown[]> {
  await host.queue.idle();
  return await host.store.turns.unfinished();
}

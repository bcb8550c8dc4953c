import OpenAI, { NotFoundError } from "openai";
import { expect, it } from "vitest";
import { createTestHost, serve, TOKEN } from "../../support/host.js";

async function clientOf(models: readonly string[]) {
  const host = await createTestHost();
  const { url } = await serve(host, { agentIds: ["main", "helper"], models: () => models });
  return { host, client: new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN }) };
}

it("[GW-037] lists the agents and the permitted models", async () => {
  const { client } = await clientOf(["acme/large", "scripted/script"]);
  const ids: string[] = [];
  for await (const model of client.models.list()) ids.push(model.id);
  expect(ids).toEqual([
    "openclaw",
    "openclaw/main",
    "openclaw/helper",
    "acme/large",
    "scripted/script",
  ]);
});

it("[GW-037] returns one model, also with a slash in its ID", async () => {
  const { client } = await clientOf(["acme/large"]);
  expect(await client.models.retrieve("openclaw/helper")).toMatchObject({
    id: "openclaw/helper",
    object: "model",
    owned_by: "openclaw",
  });
  expect(await client.models.retrieve("acme/large")).toMatchObject({ owned_by: "acme" });
  await expect(client.models.retrieve("acme/other")).rejects.toThrow(NotFoundError);
});

it("[GW-035] uses a permitted model that a request names, and no other", async () => {
  const { client, host } = await clientOf(["scripted/script"]);
  const say = (model: string) =>
    client.chat.completions.create({ model, messages: [{ role: "user", content: "hello" }] });
  expect((await say("scripted/script")).model).toBe("scripted/script");
  await expect(say("scripted/other")).rejects.toMatchObject({ status: 404, param: "model" });
  expect(host.asked()).toHaveLength(1);
});

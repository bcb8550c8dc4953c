import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bedrock from "@openclaw/bedrock";
import { createModelCatalog, type ModelRequest, streamModel } from "@openclaw/models";
import nearai from "@openclaw/nearai";
import openrouter from "@openclaw/openrouter";
import { startBedrockServer, startChatServer, startNearAiServer } from "@openclaw/platform-fakes";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { describe, expect, it, onTestFinished } from "vitest";

const REQUEST: ModelRequest = {
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }], timestamp: 0 }],
  tools: [],
};

async function textOf(providers: readonly ModelProvider[], ref: string): Promise<string> {
  const { model } = await createModelCatalog(providers).resolve(ref);
  let text = "";
  for await (const event of streamModel(model, REQUEST)) {
    if (event.type === "text") text += event.delta;
  }
  return text;
}

describe("credentials of bedrock", () => {
  const credentials = {
    region: "eu-central-1",
    accessKeyId: "AKIATEST",
    secretAccessKey: "right",
    sessionToken: "token/with+characters==",
  };

  it("[LLM-012] signs Converse calls with key, region and session token, also for IDs with special characters", async () => {
    await using server = await startBedrockServer([{ text: "hello" }], credentials);
    const config = { ...credentials, baseURL: server.baseURL };
    const ref = "bedrock/eu.amazon.nova-lite-v1:0";
    expect(await textOf(await registeredProviders(bedrock, config), ref)).toBe("hello");
    expect(server.requests[0]?.path).toBe("/model/eu.amazon.nova-lite-v1%3A0/converse-stream");
  });

  it.each([
    [{ secretAccessKey: "wrong" }, "does not match the signature"],
    [{ region: "us-east-1" }, "does not match the signature"],
    [{ sessionToken: "expired" }, "The security token"],
    [{ accessKeyId: "AKIAOTHER" }, "The security token"],
  ])("rejects %j with one request and the next step", async (wrong, problem) => {
    await using server = await startBedrockServer([], credentials);
    const config = { ...credentials, baseURL: server.baseURL, ...wrong };
    const providers = await registeredProviders(bedrock, config);
    await expect(textOf(providers, "bedrock/m")).rejects.toMatchObject({
      code: "MODEL_AUTHENTICATION_FAILED",
      message: expect.stringMatching(
        new RegExp(`${problem}.*; check the API key of provider bedrock`),
      ),
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("session of nearai", () => {
  it("[LLM-010] sends the token of the session to the Responses API, and continues after a new sign-in", async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "nearai-"));
    onTestFinished(() => rmSync(stateDir, { recursive: true }));
    await using server = await startNearAiServer([{ text: "one" }, { text: "two" }]);
    const file = join(stateDir, "nearai-session.json");
    const signIn = () => writeFileSync(file, JSON.stringify({ session_token: server.signIn() }));
    signIn();
    const providers = await registeredProviders(nearai, { baseURL: server.origin }, stateDir);
    expect(await textOf(providers, "nearai/m")).toBe("one");
    server.expireSessions();
    await expect(textOf(providers, "nearai/m")).rejects.toMatchObject({
      code: "MODEL_SESSION_RENEWAL_FAILED",
      message: expect.stringMatching(
        /the NEAR AI session expired.*sign in again with `openclaw nearai login`/,
      ),
    });
    signIn();
    expect(await textOf(providers, "nearai/m")).toBe("two");
    expect(server.requests.map(({ path }) => path)).toEqual(Array(4).fill("/v1/responses"));
  });
});

describe("referer of openrouter", () => {
  it("[LLM-013] is sent with each request", async () => {
    await using server = await startChatServer([{ text: "hello" }], { basePath: "/api/v1" });
    const config = {
      baseURL: server.baseURL,
      apiKey: "test-key",
      referer: "https://bot.example.com",
    };
    expect(await textOf(await registeredProviders(openrouter, config), "openrouter/a/b")).toBe(
      "hello",
    );
    expect(server.requests[0]).toMatchObject({
      headers: { "http-referer": "https://bot.example.com" },
      body: { model: "a/b" },
    });
  });
});

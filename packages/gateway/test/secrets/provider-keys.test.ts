import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStoredSecrets } from "../../src/methods/stored-secrets.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";

// Files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const EXTENSIONS = join(import.meta.dirname, "../../../../extensions");
const KEY = "stored-key-of-the-provider-0123";
const REFERENCE = ["$", "{secret:PROVIDER_KEY}"].join("");

/** Settings of each provider beside its base URL; without a key for one that needs none. */
const PROVIDERS: Readonly<Record<string, object>> = {
  anthropic: { apiKey: REFERENCE },
  bedrock: { region: "eu-west-1", accessKeyId: REFERENCE, secretAccessKey: REFERENCE },
  google: { apiKey: REFERENCE },
  nearai: { apiKey: REFERENCE },
  ollama: {},
  openai: { apiKey: REFERENCE },
  "openai-compatible": { apiKey: REFERENCE },
  openrouter: { apiKey: REFERENCE },
};

it("[LLM-015] every provider sends to its configured base URL with a key that is a stored secret", async () => {
  const seen = new Map<string, string>();
  const fake = createServer((request, response) => {
    const { url = "", rawHeaders } = request;
    const provider = url.split("/")[1] ?? "";
    seen.set(provider, `${seen.get(provider) ?? ""}${url} ${rawHeaders.join(" ")}\n`);
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":{}}');
  });
  await new Promise<void>((resolve) => fake.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void fake.close());
  const { port } = fake.address() as AddressInfo;

  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const names = Object.keys(PROVIDERS);
  const entries = names.map((name) => {
    const baseURL = `http://127.0.0.1:${port}/${name}`;
    return [name, { config: { ...PROVIDERS[name], baseURL } }] as const;
  });
  const agents = names.map((name) => [name, { model: `${name}/some-model` }] as const);
  folder.write({
    "openclaw.json": JSON.stringify({
      agents: Object.fromEntries(agents),
      plugins: { entries: Object.fromEntries(entries) },
    }),
  });
  const stateDir = join(folder.path, "state");
  const stored = await openStoredSecrets({ stateDir, store: undefined, environment: {} });
  await stored.methods.call("secrets.set", { name: "PROVIDER_KEY", value: KEY });
  await stored.close();
  const gateway = await startTestGateway(folder, {
    bundledExtensions: names.map((name) => join(EXTENSIONS, name)),
  });
  onTestFinished(() => gateway.stop("command"));
  for (const agentId of names) {
    await gateway.receive(message("hello", { agentId, sessionKey: `agent:${agentId}:main` }));
  }

  expect([...seen.keys()].toSorted()).toEqual(names);
  for (const [name, requests] of seen) {
    expect(requests.includes(KEY), `${name}: ${requests.replaceAll(KEY, "KEY")}`).toBe(
      name !== "ollama",
    );
    expect(requests).not.toContain("secret:");
  }
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpCredentials } from "../../src/host/http-credentials.js";
import { openStoredSecrets } from "../../src/methods/stored/secrets.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const SECRET = "kj4h5-value-kept-by-the-host-0981";

/** A server that answers with the request's headers, or redirects to another one. */
async function api(seen: (string | undefined)[], redirectTo?: string): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (redirectTo === undefined) response.end(JSON.stringify(request.headers));
    else response.writeHead(302, { location: `http://${redirectTo}/` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("credentials of tools.http.credentials", () => {
  it("[TURN-062] reach the named host only, and neither the model nor a host of a redirect", async () => {
    const own: (string | undefined)[] = [];
    const other: (string | undefined)[] = [];
    const moved: (string | undefined)[] = [];
    const [named, unnamed] = [await api(own), await api(other)];
    const moving = await api(moved, unnamed);
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const headers = { Authorization: ["Bearer $", "{secret:API_KEY}"].join("") };
    const http = {
      allowHosts: [named, unnamed, moving],
      credentials: [named, moving].map((host) => ({ host, headers })),
    };
    const model = { model: "scripted/script" };
    folder.write({
      "openclaw.json": JSON.stringify({ agents: { defaults: model }, tools: { http } }),
    });
    const stateDir = join(folder.path, "state");
    const stored = await openStoredSecrets({ stateDir, store: undefined, environment: {} });
    await stored.methods.call("secrets.set", { name: "API_KEY", value: SECRET });
    await stored.close();
    const calls = [named, unnamed, moving].map((host) => ({
      toolCalls: [{ toolName: "web_fetch", params: { url: `http://${host}/` } }],
    }));
    const scripted = createScriptedModel([...calls, { text: "done" }]);
    const gateway = await startTestGateway(folder, {
      inlinePlugins: [
        { id: "scripted", register: (host) => host.registerProvider(scriptedProvider(scripted)) },
      ],
    });
    onTestFinished(() => gateway.stop("command"));
    await gateway.receive(message("read"));

    expect(own).toEqual([`Bearer ${SECRET}`]);
    expect(moved).toEqual([`Bearer ${SECRET}`]);
    expect(other).toEqual([undefined, undefined]);
    const prompts = JSON.stringify(scripted.requests.map(({ prompt }) => prompt));
    expect(prompts).toContain("[REDACTED]");
    expect(prompts).not.toContain(SECRET);
  });

  it("[TURN-062] belong to https and the usual port without a port, and in any case of letters", async () => {
    const credentials = [
      { host: "API.example.com", headers: { Authorization: "Bearer one" } },
      { host: "api.example.com:8443", headers: { "X-Key": "two" } },
      { host: "api.example.com", headers: { "X-Other": "three" } },
    ];
    const find = httpCredentials(() => ({ tools: { http: { credentials } } }));
    const of = (url: string) => find(new URL(url));
    const usual = { Authorization: "Bearer one", "X-Other": "three" };
    expect(await of("https://api.example.com/a?b")).toEqual(usual);
    expect(await of("https://Api.Example.com:443")).toEqual(usual);
    expect(await of("https://api.example.com:8443")).toEqual({ "X-Key": "two" });
    for (const url of [
      ...["http://api.example.com", "http://api.example.com:443", "https://example.com"],
      ...["https://api.example.com.evil.net", "https://evil-api.example.com"],
      ...["https://api.example.com:444", "https://api.example.com@evil.net"],
    ]) {
      expect(await of(url), url).toEqual({});
    }
    expect(await httpCredentials(() => ({}))(new URL("https://api.example.com"))).toEqual({});
  });
});

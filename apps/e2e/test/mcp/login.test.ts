import { connectGateway } from "@openclaw/client";
import { folderContents } from "@openclaw/foundation/testing";
import { startOAuthServer, startTestServer } from "@openclaw/platform-fakes";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startWatchingProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Starts an MCP server whose requests need a token. */
async function protectedServer(
  tokens: readonly { readonly accessToken: string }[],
  issuer: string,
) {
  const server = await startTestServer(({ path, method, headers, body }) => {
    const url = `${server.origin}/mcp`;
    if (path.startsWith("/.well-known/oauth-protected-resource")) {
      return { body: JSON.stringify({ resource: url, authorization_servers: [issuer] }) };
    }
    const token = headers.authorization?.replace("Bearer ", "");
    if (!tokens.some(({ accessToken }) => accessToken === token))
      return { status: 401, body: "{}" };
    if (method !== "POST") return { status: 405, body: "{}" };
    const { id, method: asked } = body as { readonly id?: number; readonly method: string };
    if (id === undefined) return { status: 202, body: "" };
    const tool = { name: "triage", inputSchema: { type: "object" } };
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "linear", version: "1" },
      },
      "tools/list": { tools: [tool] },
    };
    const error = { code: -32601, message: "Method not found" };
    const result = results[asked];
    const answer = result === undefined ? { error } : { result };
    return { body: JSON.stringify({ jsonrpc: "2.0", id, ...answer }) };
  });
  onTestFinished(() => server.close());
  return server;
}

it("[EXT-014] [HOST-033] logs in to an MCP server by browser, and by a pasted URL without one", async () => {
  const oauth = await startOAuthServer({ registersClients: true });
  onTestFinished(() => oauth.close());
  const server = await protectedServer(oauth.tokens, oauth.issuer);
  using place = emptyPlace();
  const allowHosts = [oauth.host, new URL(server.origin).host];
  place.writeState({ "openclaw.json": JSON.stringify({ tools: { http: { allowHosts } } }) });
  const added = await openclaw(["mcp", "add", "linear", `${server.origin}/mcp`], place);
  expect([added.exitCode, added.stderr]).toEqual([
    1,
    expect.stringContaining("run `openclaw mcp auth linear`"),
  ]);
  await using gateway = await startGateway(place);
  expect(gateway.url).toMatch(/^http/);

  await using browser = startWatchingProcess(place, ["mcp", "auth", "linear"]);
  await browser.says(/Then wait/);
  const [url = ""] = /^http\S+$/m.exec(browser.output().stdout) ?? [];
  const redirect = new URL(url).searchParams.get("redirect_uri") ?? "";
  const foreign = await fetch(`${redirect}?state=${"A".repeat(32)}&code=x`);
  expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining("no open")]);
  expect((await fetch(await oauth.login(url))).status).toBe(200);
  expect(await browser.ended).toBe(0);
  expect(browser.output().stdout).toMatch(/Logged in to MCP server linear[\s\S]*1 tool/);

  const [issued] = oauth.tokens;
  const written = folderContents(place.state).filter(({ content }) =>
    content.includes(String(issued?.accessToken)),
  );
  expect([issued?.accessToken, written]).toEqual([expect.any(String), []]);

  const removed = await openclaw(["mcp", "auth", "linear", "--remove"], place);
  expect(removed.stdout).toContain("revoked its tokens");
  await using terminal = startWatchingProcess(place, ["mcp", "auth", "linear"], { hasInput: true });
  await terminal.says(/Then wait/);
  const [page = ""] = /^http\S+$/m.exec(terminal.output().stdout) ?? [];
  terminal.tell("what?");
  terminal.tell(await oauth.login(page));
  expect(await terminal.ended).toBe(0);
  expect(terminal.output().stderr).toContain("Expected a URL that begins with http://127.0.0.1");
  const status = await openclaw(["mcp", "list"], place);
  expect(status.stdout).toMatch(/linear +ready, 1 tool/);
});

it("[TURN-067] [EXT-014] logs in from a turn with tool_auth, once a person has allowed it", async () => {
  const redirectUris: string[] = [];
  const oauth = await startOAuthServer({ registersClients: true, redirectUris });
  onTestFinished(() => oauth.close());
  const server = await protectedServer(oauth.tokens, oauth.issuer);
  using place = emptyPlace();
  const allowHosts = [oauth.host, new URL(server.origin).host];
  const mcpServers = { linear: { url: `${server.origin}/mcp` } };
  const configuration = { tools: { http: { allowHosts } }, mcpServers };
  place.writeState({ "openclaw.json": JSON.stringify(configuration) });
  await using gateway = await startGateway(place);
  const { url, token } = gateway;
  redirectUris.push(`${url}/plugins/mcp/login/callback`);
  const about = { id: "login-test", version: "1", mode: "automation" } as const;
  const client = connectGateway({ url, token, client: about, approver: true });
  onTestFinished(() => client.close());
  await client.ready();
  const requested = client.events({ names: ["approval.requested"] });
  const ends = client.events({ names: ["chat.final", "chat.error"] });
  const text = 'use tool_auth {"name": "linear"}';
  const { sessionKey } = await client.call("chat.send", { sessionKey: "main", text });
  const { value: asked } = await requested.next();
  expect(asked?.payload).toMatchObject({
    tool: "tool_auth",
    description: expect.stringContaining("Starts a login of the extension linear"),
  });
  // The page is asked for only after the decision.
  expect(oauth.tokens).toEqual([]);
  const { id = "", digest = "" } = asked?.payload ?? {};
  await client.call("approvals.resolve", { id, digest, decision: "allow-once" });
  await ends.next();
  const history = JSON.stringify(await client.call("chat.history", { sessionKey }));
  const [page = ""] = /http[^\s"\\]+code_challenge[^\s"\\]+/.exec(history) ?? [];
  expect((await fetch(await oauth.login(page))).status).toBe(200);
  expect(oauth.tokens).toHaveLength(1);
  const status = await openclaw(["mcp", "test", "linear"], place);
  expect(status.stdout).toContain("1 tool");
});

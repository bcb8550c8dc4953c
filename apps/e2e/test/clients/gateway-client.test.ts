import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectGateway, createGatewayClient } from "@openclaw/client";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../../src/browser.js";
import type { GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Path of the page, below the mount of a plugin of the gateway. */
const PATH = "/plugins/page/index";

/** Another server than the gateway with the page, whose origin the operator allows. */
let allowed: Server;
/** Another server than the gateway with the page. */
let foreign: Server;
let browser: Browser;
let gateway: GatewayProcess;
let place: Place;
let page: Page;

/** Program of the page, in the form in which an author of a page would bundle it. */
const PROGRAM = `
  import { connectGateway } from "@openclaw/client";
  window.openclaw = { connectGateway };
`;

const HTML = "<!doctype html><title>page</title><script src=program.js></script>";

async function bundle(): Promise<string> {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve("@openclaw/client"))));
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: join(folder, "../../apps/e2e") },
    bundle: true,
    platform: "browser",
    format: "iife",
    minify: true,
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Plugin with the page, which the gateway then serves itself. */
const plugin = (program: string) => `
  const routes = { index: ["text/html", ${JSON.stringify(HTML)}],
    "program.js": ["text/javascript", ${JSON.stringify(program)}] };
  export default (api) => {
    for (const [name, [type, text]] of Object.entries(routes)) {
      const fetch = () => new Response(text, { headers: { "content-type": type } });
      api.registerHttpRoute({ path: "/" + name, auth: "plugin", methods: ["GET"], fetch });
    }
  };
`;

/** Serves the page; a page that only the driver of the browser answers may not connect to this machine. */
async function servePage(program: string): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const isProgram = url?.endsWith("/program.js");
    response.setHeader("content-type", isProgram ? "text/javascript" : "text/html");
    response.end(isProgram ? program : HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  const program = await bundle();
  [allowed, foreign] = await Promise.all([servePage(program), servePage(program)]);
  place = emptyPlace();
  place.installPlugin("page", plugin(program), {
    id: "page",
    permissions: { routes: ["/index", "/program.js"] },
  });
  place.writeState({
    "openclaw.json": JSON.stringify({ gateway: { allowedOrigins: [originOf(allowed)] } }),
  });
  place.writeWorkspace({ "package.json": '{ "version": "9.9.9" }' });
  [browser, gateway] = await Promise.all([startBrowser(), startGateway(place)]);
  page = await (await browser.newContext()).newPage();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  for (const server of [allowed, foreign]) server?.close();
  await gateway?.end("SIGTERM");
  place?.[Symbol.dispose]();
});

describe("@openclaw/client in Node.js", () => {
  it("[SDK-039] reads one conversation over a WebSocket, as server-sent events, and by single calls", async () => {
    const { url, token } = gateway;
    const http = createGatewayClient({ url, token });
    const client = { id: "node", version: "1.0.0", mode: "automation" } as const;
    const connection = connectGateway({ url, token, client, subscribe: ["main"] });
    await connection.ready();
    const names = ["chat.final"] as const;
    const streamed = http.events({ sessions: ["main"], names, cursor: connection.cursor });
    const received = connection.events({ names });
    const { messageId } = await http.call("chat.send", { sessionKey: "main", text: "hello" });
    const [first, second] = [(await streamed.next()).value, (await received.next()).value];
    expect(first).toMatchObject({ name: "chat.final", payload: { messageId, status: "replied" } });
    expect(second).toEqual(first);
    connection.close();
    await streamed.return();
  });
});

describe("@openclaw/client in a browser", () => {
  it.each([
    ["of the gateway itself", () => gateway.url],
    ["that the operator allows", () => originOf(allowed)],
  ])(
    "[SDK-039] has a conversation with a gateway from a page of the origin %s",
    async (_, origin) => {
      await page.goto(origin() + PATH);
      const seen = await page.evaluate(
        async ({ url, token }) => {
          const { connectGateway } = Reflect.get(
            globalThis,
            "openclaw",
          ) as typeof import("@openclaw/client");
          const client = { id: "page", version: "1.0.0", mode: "ui" } as const;
          const connection = connectGateway({ url, token, client });
          const states: string[] = [];
          connection.onState(({ status }) => states.push(status));
          const types: string[] = [];
          let text = "";
          for await (const event of connection.chat({
            sessionKey: "main",
            text: "read package.json",
          })) {
            types.push(event.type);
            if (event.type === "final") text = event.text;
          }
          const { messages } = await connection.call("chat.history", { sessionKey: "main" });
          connection.close();
          return { types: [...new Set(types)], text, states, count: messages.length };
        },
        { url: gateway.url, token: gateway.token },
      );
      expect(seen).toEqual({
        types: ["sent", "started", "tool-started", "tool-result", "text", "final"],
        text: expect.stringContaining("9.9.9"),
        states: ["live", "closed"],
        count: expect.any(Number),
      });
      expect(seen.count).toBeGreaterThanOrEqual(4);
    },
  );

  it("does not reach a gateway from a page of another origin", async () => {
    await page.goto(originOf(foreign) + PATH);
    const code = await page.evaluate(
      async ({ url, token }) => {
        const { connectGateway } = Reflect.get(
          globalThis,
          "openclaw",
        ) as typeof import("@openclaw/client");
        const client = { id: "page", version: "1.0.0", mode: "ui" } as const;
        const connection = connectGateway({ url, token, client });
        const failed = await connection.ready({ attempts: 1 }).catch((error) => error.code);
        connection.close();
        return failed;
      },
      { url: gateway.url, token: gateway.token },
    );
    expect(code).toBe("GATEWAY_UNREACHABLE");
  });

  it("is rejected for good with a wrong token", async () => {
    await page.goto(gateway.url + PATH);
    const state = await page.evaluate(async (url) => {
      const { connectGateway } = Reflect.get(
        globalThis,
        "openclaw",
      ) as typeof import("@openclaw/client");
      const client = { id: "page", version: "1.0.0", mode: "ui" } as const;
      const connection = connectGateway({ url, token: "another-token-of-24-chars", client });
      await connection.ready().catch(() => undefined);
      const { state } = connection;
      return state.status === "refused" ? state.error.code : state.status;
    }, gateway.url);
    expect(state).toBe("GATEWAY_UNAUTHORIZED");
  });
});

import { createPluginRuntime } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { HOST_PATHS } from "@openclaw/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, type ServedHost, serve } from "../../support/host.js";

async function site(register: (api: OpenClawPluginApi) => void): Promise<ServedHost> {
  const host = await createTestHost();
  const plugins = createPluginRuntime({
    config: {},
    logger: host.logger,
    inline: [{ id: "guard", register }],
    hostServices: { hosts: ["httpRoutes"], names: { httpPaths: HOST_PATHS } },
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  return serve(host, { plugins });
}

describe("every response", () => {
  it("[CHAN-030] allows no frame and no inline script, except frames of panels in the own pages", async () => {
    const { url, headers } = await site((api) => {
      const page = () => new Response("<p>", { headers: { "content-type": "text/html" } });
      const open = { auth: "plugin", fetch: page } as const;
      api.registerHttpRoute({ path: "/ui", match: "prefix", ...open });
      for (const path of ["/uix", "/other/ui/page"]) api.registerHttpRoute({ path, ...open });
      api.registerHttpRoute({
        path: "/own",
        auth: "plugin",
        handler: (_, response) => {
          response.setHeader("X-Frame-Options", "ALLOWALL");
          response.writeHead(200, { "Content-Security-Policy": "default-src 'none'" }).end();
        },
      });
    });
    const shown = async (path: string) => {
      const response = await fetch(url + path, { headers });
      const policy = response.headers.get("content-security-policy") ?? "";
      const [, ancestors] = /frame-ancestors ([^;]+)/.exec(policy) ?? [];
      await response.body?.cancel();
      expect(policy).toMatch(/default-src 'self'|default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|script-src/);
      return [response.headers.get("x-frame-options"), ancestors];
    };
    const paths = ["/", "/healthz", "/v1/models", "/nowhere", "/plugins/guard/uix"];
    for (const path of [...paths, "/plugins/guard/other/ui/page", "/plugins/guard/nothing"]) {
      expect([path, ...(await shown(path))]).toEqual([path, "DENY", "'none'"]);
    }
    for (const path of [
      "/plugins/guard/ui",
      "/plugins/guard/ui/",
      "/plugins/guard/ui/a.html?b=1",
    ]) {
      expect([path, ...(await shown(path))]).toEqual([path, "SAMEORIGIN", "'self'"]);
    }
    expect(await shown("/plugins/guard/own")).toEqual(["DENY", undefined]);
  });

  it("[GW-042] has nosniff, no-referrer and a request ID; JSON is not stored", async () => {
    const { url, headers } = await site((api) => {
      const open = { auth: "plugin" } as const;
      api.registerHttpRoute({ path: "/fetch", ...open, fetch: () => Response.json({ a: 1 }) });
      api.registerHttpRoute({
        ...{ path: "/stream", ...open },
        fetch: () =>
          new Response(new Blob(["a", "b"]).stream(), {
            headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
          }),
      });
      api.registerHttpRoute({
        ...{ path: "/node", ...open },
        handler: (_, response) => {
          response.removeHeader("X-Content-Type-Options");
          response.setHeader("Referrer-Policy", "unsafe-url");
          response.setHeader("Access-Control-Allow-Origin", "*");
          response.setHeader("Access-Control-Allow-Credentials", "true");
          response.writeHead(200, [
            ...["Content-Type", "application/problem+json; charset=utf-8"],
            ...["Cache-Control", "public, max-age=60", "X-Request-Id", "chosen"],
            ...["Set-Cookie", "a=1", "Set-Cookie", "b=2"],
          ]);
          response.end("{}");
        },
      });
      api.registerHttpRoute({
        ...{ path: "/implicit", ...open },
        handler: (_, response) => void response.end("text"),
      });
      api.registerHttpRoute({
        ...{ path: "/page", ...open },
        fetch: () =>
          new Response("<p>", {
            headers: {
              "content-type": "text/html",
              "cache-control": "max-age=60",
              "access-control-allow-origin": "*",
            },
          }),
      });
      api.registerHttpRoute({
        ...{ path: "/broken", ...open },
        fetch: () => Promise.reject(new Error("it is broken")),
      });
      api.registerHttpRoute({
        ...{ path: "/injected", ...open },
        handler: (_, response) => {
          response.writeHead(200, { "X-A": "b\r\nX-Injected: 1" }).end();
        },
      });
    });
    const expected: Readonly<Record<string, readonly [number, string]>> = {
      "/healthz": [200, "no-store"],
      "/v1/models": [200, "no-store"],
      "/nowhere": [404, "no-store"],
      "/plugins/guard/fetch": [200, "no-store"],
      "/plugins/guard/stream": [200, "no-cache"],
      "/plugins/guard/node": [200, "no-store"],
      "/plugins/guard/implicit": [200, "no-store"],
      "/plugins/guard/page": [200, "max-age=60"],
      "/plugins/guard/broken": [500, "no-store"],
      "/plugins/guard/injected": [500, "no-store"],
    };
    const ids = new Set<string | null>();
    for (const [path, [status, stored]] of Object.entries(expected)) {
      const response = await fetch(url + path, { headers });
      const header = (name: string) => response.headers.get(name);
      expect({
        ...{ path, status: response.status, stored: header("cache-control") },
        sniff: header("x-content-type-options"),
        referrer: header("referrer-policy"),
        origin: header("access-control-allow-origin"),
        injected: header("x-injected"),
      }).toEqual({
        ...{ path, status, stored, sniff: "nosniff", referrer: "no-referrer" },
        ...{ origin: null, injected: null },
      });
      expect(header("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      ids.add(header("x-request-id"));
      if (path.endsWith("/node")) expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      await response.body?.cancel();
    }
    expect(ids.size).toBe(Object.keys(expected).length);
  });
});

import { request } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { gate } from "../../support/host.js";
import { pluginSite } from "../../support/plugin-site.js";

const fetchAll = (text: string) => () => new Response(text);

describe("plugin route", () => {
  it("[GW-039, GW-040] is served below the plugin's own prefix, in either style", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({
        path: "/fetch",
        auth: "plugin",
        fetch: async (request) => Response.json({ got: await request.text() }, { status: 201 }),
      });
      api.registerHttpRoute({
        path: "/node",
        auth: "plugin",
        handler: (request, response) => {
          response.writeHead(202, { "x-mine": "1" }).end(`${request.method} ${request.url}`);
        },
      });
    });
    const fetched = await get("/plugins/guard/fetch", { method: "POST", body: "hello" });
    expect(fetched.status).toBe(201);
    expect(await fetched.json()).toEqual({ got: "hello" });
    const answered = await get("/plugins/guard/node?a=1");
    expect(answered.status).toBe(202);
    expect(answered.headers.get("x-mine")).toBe("1");
    expect(await answered.text()).toBe("GET /plugins/guard/node?a=1");
    for (const response of [fetched, answered]) {
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    }
    expect((await get("/fetch")).status).toBe(401);
  });

  it("[GW-039, PLUG-034] requires the gateway's token unless the plugin checks requests itself", async () => {
    const { get, headers } = await pluginSite((api) => {
      api.registerHttpRoute({ path: "/a", auth: "gateway", fetch: fetchAll("secret") });
      api.registerHttpRoute({ path: "/b", fetch: fetchAll("secret") });
    });
    for (const path of ["/plugins/guard/a", "/plugins/guard/b"]) {
      const refused = await get(path);
      expect(refused.status).toBe(401);
      expect(await refused.text()).not.toContain("secret");
      expect(await (await get(path, { headers })).text()).toBe("secret");
    }
  });

  it("[PLUG-034] responds only to its methods", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({
        path: "/a",
        auth: "plugin",
        methods: ["post", "PUT"],
        fetch: fetchAll("a"),
      });
    });
    expect((await get("/plugins/guard/a", { method: "PUT" })).status).toBe(200);
    const refused = await get("/plugins/guard/a");
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("POST, PUT");
    expect(await refused.json()).toMatchObject({ error: { code: "method_not_allowed" } });
  });

  it("[GW-039] is chosen by exact path before prefix, and by the longest prefix before others", async () => {
    const { get } = await pluginSite((api) => {
      const route = { auth: "plugin", match: "prefix" } as const;
      api.registerHttpRoute({ ...route, path: "/a", fetch: fetchAll("short") });
      api.registerHttpRoute({ ...route, path: "/a/b", fetch: fetchAll("long") });
      api.registerHttpRoute({ ...route, path: "/a/b/c", match: "exact", fetch: fetchAll("exact") });
    });
    const text = async (path: string) => (await get(`/plugins/guard${path}`)).text();
    expect(await text("/a")).toBe("short");
    expect(await text("/a/x/y")).toBe("short");
    expect(await text("/a/b")).toBe("long");
    expect(await text("/a/b/x")).toBe("long");
    expect(await text("/a/b/c")).toBe("exact");
    expect((await get("/plugins/guard/ab")).status).toBe(401);
  });

  it("[GW-039] never overrides a path of the host", async () => {
    const asked: string[] = [];
    const { get, headers } = await pluginSite((api) => {
      api.registerHttpHandler(({ url = "" }, response) => {
        asked.push(url);
        response.end("mine");
      });
    });
    for (const path of ["/healthz", "/v1/models", "/api/v1/plugins/list", "/v1", "/hooks/x"]) {
      await get(path, { headers });
    }
    expect(asked).toEqual([]);
    expect(await (await get("/v10", { headers })).text()).toBe("mine");
  });

  it("can decline a request", async () => {
    const { get, headers } = await pluginSite((api) => {
      api.registerHttpRoute({ path: "/a", auth: "plugin", handler: () => false });
    });
    expect((await get("/plugins/guard/a", { headers })).status).toBe(404);
  });

  it.each([
    ["that throws", () => Promise.reject(new Error("no luck"))],
    [
      "that throws at once",
      () => {
        throw new Error("no luck");
      },
    ],
    ["that answers with something else", () => undefined as unknown as Response],
  ])(
    "[GW-040] %s responds with an error that the log attributes to the plugin",
    async (_, fetchHandler) => {
      const { get, errors, diagnostics } = await pluginSite((api) => {
        api.registerHttpRoute({ path: "/a", auth: "plugin", fetch: fetchHandler });
      });
      const response = await get("/plugins/guard/a");
      expect(response.status).toBe(500);
      const body = await response.text();
      expect(body).toContain("internal_error");
      expect(body).not.toContain("no luck");
      expect(errors).toEqual([
        { pluginId: "guard", errorId: expect.any(String), error: expect.any(Error) },
      ]);
      expect(diagnostics("request-failed")).toEqual([
        'HTTP route "/a" of plugin "guard" threw an error',
      ]);
    },
  );

  it("[GW-040] in Node's style responds with an error when it throws, before and during its response", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({
        path: "/before",
        auth: "plugin",
        handler: async () => {
          throw new Error("no luck");
        },
      });
      api.registerHttpRoute({
        path: "/within",
        auth: "plugin",
        handler: (_request, response) => {
          response.writeHead(200).write("half");
          throw new Error("no luck");
        },
      });
    });
    const before = await get("/plugins/guard/before");
    expect(before.status).toBe(500);
    expect(await before.json()).toMatchObject({ error: { code: "internal_error" } });
    await expect(
      get("/plugins/guard/within").then((response) => response.text()),
    ).rejects.toThrow();
  });

  it("[GW-039] receives no more of a body than the host's limit", async () => {
    const asked: string[] = [];
    const { get, headers } = await pluginSite((api) => {
      const fetchHandler = async (request: Request) => {
        asked.push("fetch");
        return new Response(`${(await request.text()).length}`);
      };
      api.registerHttpRoute({ path: "/fetch", auth: "plugin", fetch: fetchHandler });
      api.registerHttpRoute({
        path: "/node",
        auth: "plugin",
        handler: () => void asked.push("node"),
      });
      api.registerHttpHandler(() => void asked.push("handler"));
    });
    const megabyte = "x".repeat(1024 * 1024);
    const post = (path: string, body: string | ReadableStream) =>
      get(path, { method: "POST", body, headers, duplex: "half" } as RequestInit);
    const whole = await post("/plugins/guard/fetch", megabyte);
    expect(await whole.text()).toBe(`${1024 * 1024}`);
    const pieces = new Blob([megabyte, "x"]).stream();
    for (const response of [
      await post("/plugins/guard/fetch", `${megabyte}x`),
      await post("/plugins/guard/fetch", pieces),
      await post("/plugins/guard/node", `${megabyte}x`),
      await post("/elsewhere", `${megabyte}x`),
    ]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
    }
    expect(asked).toEqual(["fetch"]);
  });

  it("[GW-040, PLUG-034] [CHAN-040] completes its response with the plugins that it started with", async () => {
    const asked = gate();
    const answer = gate<Response>();
    const { get, plugins } = await pluginSite((api) => {
      api.registerHttpRoute({
        path: "/slow",
        auth: "plugin",
        fetch: () => {
          asked.pass();
          return answer.passed;
        },
      });
    });
    const first = get("/plugins/guard/slow");
    await asked.passed;
    const { retired } = await plugins.reload();
    let isRetired = false;
    void retired.then(() => {
      isRetired = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isRetired).toBe(false);
    answer.pass(new Response("whole"));
    expect(await (await first).text()).toBe("whole");
    await retired;
  });

  it("releases its plugins when the client disconnects", async () => {
    const asked = gate();
    const { url, plugins } = await pluginSite((api) => {
      api.registerHttpRoute({
        path: "/never",
        auth: "plugin",
        handler: () => {
          asked.pass();
          return new Promise(() => {});
        },
      });
    });
    const outgoing = request(`${url}/plugins/guard/never`)
      .on("error", () => {})
      .end();
    await asked.passed;
    const { retired } = await plugins.reload();
    outgoing.destroy();
    await retired;
  });
});

describe("plugin request handler", () => {
  it("[PLUG-034, GW-040] is called in order for requests without a route, until one responds", async () => {
    const asked: string[] = [];
    const { get, headers } = await pluginSite((api) => {
      api.registerHttpRoute({ path: "/a", auth: "plugin", fetch: fetchAll("route") });
      api.registerHttpHandler(({ url = "" }) => {
        asked.push(`first ${url}`);
        return false;
      });
      api.registerHttpHandler(({ url = "" }, response) => {
        asked.push(`second ${url}`);
        if (url === "/nobody") return false;
        response.end("handler");
        return true;
      });
    });
    expect(await (await get("/plugins/guard/a")).text()).toBe("route");
    expect((await get("/elsewhere")).status).toBe(401);
    expect(asked).toEqual([]);
    expect(await (await get("/elsewhere", { headers })).text()).toBe("handler");
    expect((await get("/nobody", { headers })).status).toBe(404);
    expect(asked).toEqual([
      "first /elsewhere",
      "second /elsewhere",
      "first /nobody",
      "second /nobody",
    ]);
  });
});

describe("response that does not start", () => {
  afterEach(() => vi.useRealTimers());

  it.each(["fetch", "node"] as const)(
    "[GW-040] is aborted after 30 seconds with a diagnostic, in the style %s",
    async (style) => {
      const asked = gate();
      const { get, diagnostics } = await pluginSite((api) => {
        const wait = () => {
          asked.pass();
          return new Promise<never>(() => {});
        };
        const answer = style === "fetch" ? { fetch: wait } : { handler: wait };
        api.registerHttpRoute({ path: "/never", auth: "plugin", ...answer });
      });
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const response = get("/plugins/guard/never");
      await asked.passed;
      await vi.advanceTimersByTimeAsync(29_999);
      await vi.advanceTimersByTimeAsync(1);
      vi.useRealTimers();
      const { status } = await response;
      expect(status).toBe(504);
      expect(await (await response).json()).toMatchObject({
        error: { code: "plugin_timeout", message: expect.stringContaining('"guard"') },
      });
      expect(diagnostics("request-failed")).toEqual([
        'HTTP route "/never" of plugin "guard" did not start its response within 30000 ms',
      ]);
    },
  );
});

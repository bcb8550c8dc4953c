import { Agent, request } from "node:http";
import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import { guardProcess, type PluginFault, PluginFaults } from "@openclaw/plugin-loader";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HttpNodeHandler } from "@openclaw/plugin-sdk/http";
import { HOST_PATHS } from "@openclaw/server";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Gate, gate } from "../../support/host.js";
import { pluginSite } from "../../support/plugin-site.js";

const OPEN = { auth: "plugin" } as const;
const say = (text: string) => () => new Response(text);

describe("path of a plugin route", () => {
  it("[GW-039, PLUG-034] with the plugin's own prefix is also served as written", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({ ...OPEN, path: "/plugin/guard/old", fetch: say("old") });
      api.registerHttpRoute({ ...OPEN, path: "/plugins/guard/new", fetch: say("new") });
    });
    for (const [path, text] of [
      ["/plugin/guard/old", "old"],
      ["/plugins/guard/old", "old"],
      ["/plugins/guard/new", "new"],
    ] as const) {
      expect(await (await get(path)).text()).toBe(text);
    }
    expect((await get("/plugin/guard/new")).status).toBe(401);
  });

  it("[GW-039, PLUG-034] of the host or of another plugin is rejected with a diagnostic", async () => {
    const foreign = ["/plugin/other/a", "/plugins/other", "/plugins/guard2/a"];
    const paths = [...HOST_PATHS, ...HOST_PATHS.map((path) => `${path}/a`), ...foreign];
    const { plugins, diagnostics } = await pluginSite((api) => {
      for (const path of paths) api.registerHttpRoute({ ...OPEN, path, fetch: say("mine") });
    });
    expect(plugins.current.httpRoutes).toEqual([]);
    expect(diagnostics("name-taken")).toEqual(
      paths.map((path) => {
        const owner = foreign.includes(path) ? "another plugin" : "the host";
        return `HTTP route "${path}" of plugin "guard" is left out: the path belongs to ${owner}`;
      }),
    );
  });

  it("[GW-039] [CHAN-039] is registered once, unless the same plugin replaces it", async () => {
    const { get, diagnostics } = await pluginSite((api) => {
      api.registerHttpRoute({ ...OPEN, path: "/a", fetch: say("first") });
      api.registerHttpRoute({ ...OPEN, path: "/a", fetch: say("second") });
      api.registerHttpRoute({ ...OPEN, path: "/b", fetch: say("first") });
      api.registerHttpRoute({ ...OPEN, path: "/b", replaceExisting: true, fetch: say("second") });
    });
    expect(await (await get("/plugins/guard/a")).text()).toBe("first");
    expect(await (await get("/plugins/guard/b")).text()).toBe("second");
    expect(diagnostics("name-taken")).toEqual([
      expect.stringContaining('HTTP route "/plugins/guard/a" of plugin "guard" is left out'),
    ]);
  });

  it("[GW-039] [CHAN-040] is replaced while running, and only by its own plugin", async () => {
    const apis = new Map<string, OpenClawPluginApi>();
    const { get, plugins } = await pluginSite(
      (api) => {
        apis.set("guard", api);
        api.registerHttpRoute({ ...OPEN, path: "/a", fetch: say("first") });
      },
      { others: [{ id: "other", register: (api) => void apis.set("other", api) }] },
    );
    const route = { ...OPEN, path: "/plugins/guard/a", replaceExisting: true };
    apis.get("other")?.registerHttpRoute({ ...route, fetch: say("other") });
    expect(await (await get("/plugins/guard/a")).text()).toBe("first");
    apis.get("guard")?.registerHttpRoute({ ...route, fetch: say("replaced") });
    expect(await (await get("/plugins/guard/a")).text()).toBe("replaced");
    expect(plugins.current.httpRoutes).toHaveLength(1);
  });
});

describe("authentication of a plugin route", () => {
  const register = (api: OpenClawPluginApi) => {
    api.registerHttpRoute("/old", (_request, response) => void response.end("old"));
    api.registerHttpRoute({ path: "/new", fetch: say("new") });
    api.registerHttpHandler((_request, response) => void response.end("handler"));
  };

  it("[GW-039, PLUG-034] is the gateway's by default, and a diagnostic names the setting that opens it", async () => {
    const { get, diagnostics, headers } = await pluginSite(register);
    for (const [path, text] of [
      ["/plugins/guard/old", "old"],
      ["/plugins/guard/new", "new"],
      ["/elsewhere", "handler"],
    ] as const) {
      expect((await get(path)).status).toBe(401);
      expect(await (await get(path, { headers })).text()).toBe(text);
    }
    expect(diagnostics("route-behind-gateway")).toHaveLength(3);
  });

  it("[GW-039, PLUG-034] is the plugin's with plugins.entries.<id>.http.auth, for old routes as well", async () => {
    const entries = { guard: { http: { auth: "plugin" } } } as const;
    const { get, diagnostics, plugins } = await pluginSite(register, {
      configuration: { entries },
    });
    for (const path of ["/plugins/guard/old", "/plugins/guard/new", "/elsewhere"]) {
      expect((await get(path)).status).toBe(200);
    }
    expect(diagnostics("route-behind-gateway")).toEqual([]);
    const closed = { plugins: { entries: {} } };
    await (await plugins.reload("guard", { config: closed })).retired;
    expect((await get("/plugins/guard/old")).status).toBe(401);
    const [told] = plugins.current.diagnostics.filter(
      ({ code }) => code === "route-behind-gateway",
    );
    expect(told?.hint).toContain('plugins.entries.guard.http.auth: "plugin"');
  });
});

describe("HTTP method of a plugin route", () => {
  it("[PLUG-034] HEAD is served where GET is, without a body", async () => {
    const { get } = await pluginSite((api) => {
      const route = { ...OPEN, methods: ["GET"] };
      api.registerHttpRoute({ ...route, path: "/fetch", fetch: say("whole body") });
      api.registerHttpRoute({
        ...route,
        path: "/node",
        handler: (_request, response) => void response.end("whole body"),
      });
    });
    const printed = vi.spyOn(console, "error");
    onTestFinished(() => printed.mockRestore());
    for (const path of ["/plugins/guard/fetch", "/plugins/guard/node"]) {
      const head = await get(path, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(await (await get(path)).text()).toBe("whole body");
    }
    expect(printed).not.toHaveBeenCalled();
  });

  it("[PLUG-034] OPTIONS lists the methods, unless the route serves it", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({ ...OPEN, path: "/a", methods: ["GET", "POST"], fetch: say("a") });
      api.registerHttpRoute({ ...OPEN, path: "/b", fetch: say("b") });
    });
    const listed = await get("/plugins/guard/a", { method: "OPTIONS" });
    expect([listed.status, listed.headers.get("allow")]).toEqual([204, "GET, POST, HEAD"]);
    expect(await (await get("/plugins/guard/b", { method: "OPTIONS" })).text()).toBe("b");
  });
});

describe("plugin route that responds twice", () => {
  const TWICE = 'HTTP route "/a" of plugin "guard" sent a response twice, or wrote after its end';

  it.each<[string, readonly string[], HttpNodeHandler]>([
    [
      "with a second head",
      [TWICE],
      (_request, response) => {
        response.end("first");
        response.writeHead(500).end("second");
      },
    ],
    [
      "by writing after the end",
      [TWICE],
      (_request, response) => {
        response.end("first");
        response.write("second");
      },
    ],
    [
      // Node drops it without an error.
      "by writing after the response was sent",
      [],
      (_request, response) => {
        response.end("first");
        setImmediate(() => response.write("second"));
      },
    ],
  ])(
    "[GW-040] sends the first response, and has a diagnostic if the second one fails: %s",
    async (_, told, handler) => {
      const { get, diagnostics } = await pluginSite((api) => {
        api.registerHttpRoute({ ...OPEN, path: "/a", handler });
        api.registerHttpRoute({ ...OPEN, path: "/b", fetch: say("b") });
      });
      const response = await get("/plugins/guard/a");
      expect([response.status, await response.text()]).toEqual([200, "first"]);
      await vi.waitFor(() => expect(diagnostics("request-failed")).toEqual(told));
      expect(await (await get("/plugins/guard/b")).text()).toBe("b");
    },
  );

  it("[GW-040] is not passed on when it responded and declines the request", async () => {
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({
        ...OPEN,
        path: "/a",
        handler: (_request, response) => {
          response.end("mine");
          return false;
        },
      });
    });
    expect(await (await get("/plugins/guard/a")).text()).toBe("mine");
  });

  it("[GW-040] responds with an error when it returns a Response whose body was read", async () => {
    const once = new Response("once");
    const { get, diagnostics } = await pluginSite((api) => {
      api.registerHttpRoute({ ...OPEN, path: "/a", fetch: () => once });
    });
    expect(await (await get("/plugins/guard/a")).text()).toBe("once");
    expect((await get("/plugins/guard/a")).status).toBe(500);
    expect(diagnostics("request-failed")).toHaveLength(1);
  });
});

describe("plugin route that streams", () => {
  it.each(["fetch", "node"] as const)(
    "[GW-040] sends each part before the response is complete, in the style %s",
    async (style) => {
      const next = gate();
      const { get } = await pluginSite((api) => {
        const bytes = (text: string) => new TextEncoder().encode(text);
        const stream = () =>
          new ReadableStream<Uint8Array>({
            async start(controller) {
              controller.enqueue(bytes("first "));
              await next.passed;
              controller.enqueue(bytes("second"));
              controller.close();
            },
          });
        const handler: HttpNodeHandler = async (_request, response) => {
          response.writeHead(200).write("first ");
          await next.passed;
          response.end("second");
        };
        const answer = style === "fetch" ? { fetch: () => new Response(stream()) } : { handler };
        api.registerHttpRoute({ ...OPEN, path: "/a", ...answer });
      });
      const reader = (await get("/plugins/guard/a")).body?.pipeThrough(new TextDecoderStream());
      const parts = reader?.getReader();
      expect((await parts?.read())?.value).toBe("first ");
      next.pass();
      expect((await parts?.read())?.value).toBe("second");
      expect((await parts?.read())?.done).toBe(true);
    },
  );

  it("[GW-040] aborts a response whose stream fails, and continues to serve", async () => {
    const { get, diagnostics } = await pluginSite((api) => {
      const stream = () =>
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new TextEncoder().encode("half"));
            controller.error(new Error("no luck"));
          },
        });
      api.registerHttpRoute({ ...OPEN, path: "/a", fetch: () => new Response(stream()) });
      api.registerHttpRoute({ ...OPEN, path: "/b", fetch: say("b") });
    });
    await expect(get("/plugins/guard/a").then((response) => response.text())).rejects.toThrow();
    expect(diagnostics("request-failed")).toEqual([
      'HTTP route "/a" of plugin "guard" failed while it sent its response',
    ]);
    expect(await (await get("/plugins/guard/b")).text()).toBe("b");
  });
});

describe("body of a request to a plugin route", () => {
  it("[GW-039] without a declared size reaches a handler of the Node style up to the limit", async () => {
    let received = 0;
    const { get } = await pluginSite((api) => {
      api.registerHttpRoute({
        ...OPEN,
        path: "/a",
        handler: (incoming, response) => {
          incoming.on("data", (part: Buffer) => {
            received += part.length;
          });
          incoming.on("end", () => response.end(`${received}`));
        },
      });
    });
    const post = (size: number) => {
      const body = new Blob(["x".repeat(size)]).stream();
      return get("/plugins/guard/a", { method: "POST", body, duplex: "half" } as RequestInit);
    };
    const limit = 1024 * 1024;
    expect(await (await post(limit)).text()).toBe(`${limit}`);
    received = 0;
    const refused = await post(limit + 1);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
    expect(received).toBeLessThanOrEqual(limit);
  });
});

describe("late response of a plugin route", () => {
  afterEach(() => vi.useRealTimers());

  it("[GW-040] is dropped, and its body is cancelled", async () => {
    const [asked, cancelled] = [gate(), gate()];
    const answer = gate<Response>();
    const { get } = await pluginSite((api) => {
      const wait = () => {
        asked.pass();
        return answer.passed;
      };
      api.registerHttpRoute({ ...OPEN, path: "/a", fetch: wait });
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const response = get("/plugins/guard/a");
    await asked.passed;
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect((await response).status).toBe(504);
    answer.pass(new Response(new ReadableStream({ cancel: () => cancelled.pass() })));
    await cancelled.passed;
  });

  it("[GW-040] has no diagnostic when the client disconnected first", async () => {
    const [asked, ended] = [gate(), gate()];
    const { url, diagnostics, plugins } = await pluginSite((api) => {
      api.registerHttpRoute({
        ...OPEN,
        path: "/a",
        fetch: async (incoming) => {
          asked.pass();
          await incoming.text().finally(() => ended.pass());
          return new Response("late");
        },
      });
    });
    const outgoing = request(`${url}/plugins/guard/a`, {
      method: "POST",
      headers: { "content-length": "10" },
    }).on("error", () => {});
    outgoing.write("half");
    await asked.passed;
    outgoing.destroy();
    await ended.passed;
    await (await plugins.reload()).retired;
    expect(diagnostics("request-failed")).toEqual([]);
  });
});

describe("what a plugin route leaves to the process", () => {
  it("[PLUG-071, GW-040] is attributed to the plugin, without a stack as well", async () => {
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      const listeners = process.rawListeners(event);
      process.removeAllListeners(event);
      onTestFinished(() => {
        for (const each of listeners)
          process.on(event, (...args) => Reflect.apply(each, process, args));
      });
    }
    const reported: PluginFault[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const faults = new PluginFaults({ logger, onFault: (fault) => void reported.push(fault) });
    onTestFinished(guardProcess(faults));
    const leave = () => {
      setImmediate(() => void Promise.reject("no stack"));
    };
    const { get, headers } = await pluginSite(
      (api) => {
        api.registerHttpRoute({
          ...OPEN,
          path: "/fetch",
          fetch: () => {
            leave();
            return new Response("");
          },
        });
        api.registerHttpRoute({
          ...OPEN,
          path: "/node",
          handler: (_request, response) => {
            leave();
            response.end();
          },
        });
        api.registerHttpHandler((_request, response) => {
          leave();
          response.end();
        });
      },
      { faults },
    );
    for (const path of ["/plugins/guard/fetch", "/plugins/guard/node", "/elsewhere"]) {
      await get(path, { headers });
    }
    await vi.waitFor(() => expect(reported).toHaveLength(3));
    expect(reported.map(({ pluginId, kind }) => [pluginId, kind])).toEqual(
      Array(3).fill(["guard", "rejection"]),
    );
  });
});

const { numRuns: reloads } = generatedCases(25);

describe("reload under constant requests", () => {
  it(
    "[GW-040] serves every request over its kept connection, on the generation that it began with",
    async () => {
      let generation = 0;
      const slow: { readonly began: number; readonly answer: Gate<void> }[] = [];
      const { url, get, plugins } = await pluginSite((api) => {
        generation += 1;
        const own = generation;
        api.registerHttpRoute({ ...OPEN, path: "/fetch", fetch: say(`${own}`) });
        api.registerHttpRoute({
          ...OPEN,
          path: "/node",
          handler: (_request, response) => void response.end(`${own}`),
        });
        api.registerHttpRoute({
          ...OPEN,
          path: "/slow",
          fetch: async () => {
            const answer = gate();
            slow.push({ began: own, answer });
            await answer.passed;
            return new Response(`${own}`);
          },
        });
      });
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      onTestFinished(() => agent.destroy());
      const sockets = new Set<unknown>();
      let isOver = false;
      const statuses = new Map<number, number>();
      const ask = (path: string) =>
        new Promise<number>((resolve, reject) => {
          const outgoing = request(`${url}/plugins/guard/${path}`, { agent }, (incoming) => {
            const { statusCode = 0 } = incoming;
            statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
            let text = "";
            incoming.setEncoding("utf8").on("data", (part: string) => {
              text += part;
            });
            incoming.on("end", () => resolve(Number(text)));
          });
          outgoing.on("socket", (socket) => sockets.add(socket));
          outgoing.on("error", reject).end();
        });
      const loop = async (path: string) => {
        let last = 0;
        while (!isOver) {
          const active = generation;
          const served = await ask(path);
          // A generation may register before it is active, and never comes back.
          expect(served).toBeGreaterThanOrEqual(Math.max(last, active - 1));
          last = served;
        }
      };
      const loops = ["fetch", "node", "fetch", "node"].map(loop);
      const inFlight: { readonly began: number; readonly served: Promise<string> }[] = [];
      for (let count = 0; count < reloads; count += 1) {
        const served = get("/plugins/guard/slow").then((response) => response.text());
        await vi.waitFor(() => expect(slow).toHaveLength(1));
        const [{ began, answer } = { began: 0, answer: gate() }] = slow.splice(0);
        inFlight.push({ began, served });
        await plugins.reload();
        answer.pass();
        expect(await served).toBe(`${began}`);
      }
      isOver = true;
      await Promise.all(loops);
      expect([...statuses.keys()]).toEqual([200]);
      expect(sockets.size).toBe(4);
      expect(inFlight.map(({ began }) => began)).toEqual(
        Array.from({ length: reloads }, (_, index) => index + 1),
      );
      expect(plugins.current.number).toBe(reloads + 1);
    },
    generatedTimeout(30_000),
  );
});

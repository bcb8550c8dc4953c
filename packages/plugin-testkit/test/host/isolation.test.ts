import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostOf } from "../support/isolated-plugin.js";

const TIERS = ["worker", "process"] as const;

const textOf = (result: unknown) => JSON.stringify(result);

describe.each(TIERS)("a plugin in a %s", (isolation) => {
  it("[PLUG-052] offers tools, hooks, commands, routes, services and its store behind the same api", async () => {
    const host = await hostOf(
      `api.registerTool(tool("where", async (id, params, signal, onUpdate) => {
         onUpdate("half");
         return { pid: process.pid, threadId, ...params, aborted: signal.aborted, tier: api.isolation.tier };
       }));
       api.registerTool(tool("count", async () => {
         const seen = ((await api.store.kv.get("seen")) ?? 0) + 1;
         await api.store.kv.set("seen", seen);
         return String(seen);
       }));
       api.on("before_tool_call", (event, ctx) => {
         if (event.toolName === "exec") return { block: true, blockReason: "no commands from " + ctx.pluginId };
       });
       api.registerCommand({ name: "greet", description: "Greets.", acceptsArgs: true,
         handler: (ctx) => ({ text: "hello " + ctx.args }) });
       api.registerHttpRoute({ path: "/echo", methods: ["POST"],
         fetch: async (request) => new Response("got " + (await request.text()), { status: 201 }) });
       api.registerService({ id: "keeper", start: async (ctx) => { await api.store.kv.set("started", true); } });`,
      { isolation, proposals: ["isolation-tier"] },
    );
    expect(host.plugin).toMatchObject({ status: "loaded", isolation: { tier: isolation } });
    const where = JSON.parse((await host.callTool("where")).text);
    expect(where).toMatchObject({ tier: isolation, aborted: false });
    expect(where.pid === process.pid).toBe(isolation === "worker");
    expect([where.pid, where.threadId]).not.toEqual([process.pid, threadId]);
    await host.callTool("count");
    expect(textOf(await host.callTool("count"))).toContain("2");
    expect(await host.fire("before_tool_call", { toolName: "exec", params: {} })).toMatchObject({
      block: true,
      blockReason: "no commands from guest",
    });
    expect(textOf(await host.runCommand("/greet Ada"))).toContain("hello Ada");
    const response = await host.request("/plugins/guest/echo", { method: "POST", body: "bytes" });
    expect([response.status, await response.text()]).toEqual([201, "got bytes"]);
  });

  it("[PLUG-052] reports the error of a call, and a result that cannot cross", async () => {
    const host = await hostOf(
      `api.registerTool(tool("fails", () => { throw Object.assign(new Error("no luck"), { code: "LUCK" }); }));
       api.registerTool(tool("odd", () => ({ content: [], details: { call() {} } })));
       api.registerTool(tool("fine", () => "fine"));`,
      { isolation },
    );
    expect(textOf(await host.callTool("fails"))).toContain("no luck");
    expect(textOf(await host.callTool("odd"))).toContain("its result cannot cross to the host");
    expect(textOf(await host.callTool("fine"))).toContain("fine");
  });

  it.each([
    ["a tool factory", 'api.registerTool(() => tool("x", () => "x"))', "argument 1 is a function"],
    [
      "a description that is a function",
      'api.registerTool(tool("x", () => "x", { description: () => "x" }))',
      "description is a function",
    ],
    [
      "a handler in the style of node:http",
      'api.registerHttpRoute({ path: "/x", handler() {} })',
      "handler is a function",
    ],
    [
      "a hook that must return at once",
      'api.on("tool_result_persist", () => undefined)',
      'handlers of "tool_result_persist" must return at once',
    ],
    ["a channel", 'api.registerChannel({ id: "x" })', "api.registerChannel"],
    ["a part of the runtime", "api.runtime.system.runCommandWithTimeout()", "api.runtime.system"],
  ])("[PLUG-052] rejects %s by name", async (_case, body, message) => {
    await expect(hostOf(body, { isolation })).rejects.toThrow(message);
  });

  it.each([
    ["spins", "for (;;);", "did not answer"],
    ["exits", "process.exit(3);", "exited with 3"],
    [
      "exhausts its memory",
      "const all = []; for (;;) all.push(new Array(1e5).fill(all.length));",
      "",
    ],
    ["floods the host", 'for (;;) api.logger.debug("x");', ""],
  ])(
    "[PLUG-052] [SCALE-039] fails the call of a plugin that %s, starts it again, and disables it after the third time",
    async (_case, deed, reason) => {
      const host = await hostOf(
        `api.registerTool(tool("harm", () => { ${deed} }));
       api.registerTool(tool("fine", () => "fine"));`,
        { isolation },
      );
      const isQuick = deed.startsWith("process.exit");
      for (let time = 0; time < (isQuick ? 3 : 1); time += 1) {
        const failed = textOf(await host.callTool("harm"));
        expect(failed).toContain('plugin \\"guest\\" stopped');
        expect(failed).toContain(reason);
        expect(textOf(await host.callTool("fine"))).toContain("fine");
      }
      if (!isQuick) return;
      await host.callTool("harm");
      expect(textOf(await host.callTool("fine"))).toContain("fourth time in five minutes");
      expect(host.diagnostics).toMatchObject([
        {
          level: "error",
          pluginId: "guest",
          message: expect.stringContaining("not started again"),
        },
      ]);
    },
  );
});

describe("the process of a plugin", () => {
  it("[PLUG-045] [PLUG-052] sees only the files and the network that its manifest declares", async () => {
    const folder = mkdtempSync(join(tmpdir(), "isolated-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ["read", "written", "hidden"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "file"), "content");
    }
    const at = (name: string) => JSON.stringify(join(folder, name, "file"));
    const host = await hostOf(
      `const attempt = (work) => { try { return work(); } catch (error) { return error.code; } };
       api.registerTool(tool("look", async () => ({
         read: attempt(() => readFileSync(${at("read")}, "utf8")),
         write: attempt(() => writeFileSync(${at("read")}, "changed")),
         written: attempt(() => writeFileSync(${at("written")}, "changed")),
         hidden: existsSync(${at("hidden")}),
         network: await fetch("http://127.0.0.1:9/").catch((error) => error.cause?.code ?? "none"),
         interfaces: Object.keys((await import("node:os")).networkInterfaces()),
         variables: Object.keys(process.env).filter((name) => name.startsWith("VITEST")),
       })));`,
      {
        isolation: "process",
        permissions: {
          tools: ["look"],
          fs: { read: [join(folder, "read")], write: [join(folder, "written")] },
        },
      },
    );
    const { isolation } = host.plugin;
    const looked = JSON.parse((await host.callTool("look")).text);
    if (isolation?.enforced.length === 0) {
      // A machine without bubblewrap says what is not enforced.
      expect(host.diagnostics).toMatchObject([{ code: "isolation-unconfined" }]);
      return;
    }
    expect(isolation).toEqual({
      tier: "process",
      enforced: ["network.hosts", "fs.read", "fs.write"],
    });
    expect(looked).toEqual({
      ...{ read: "content", write: "EROFS", hidden: false },
      ...{ network: "none", interfaces: ["lo"], variables: [] },
    });
    expect(readFileSync(join(folder, "written", "file"), "utf8")).toBe("changed");
  });

  it("[PLUG-052] has no access through its own link to what its manifest does not name", async () => {
    const outside = mkdtempSync(join(tmpdir(), "outside-plugin-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, "file"), "private");
    const host = await hostOf(
      `api.registerTool(tool("look", async () => JSON.stringify(
         ["data", ${JSON.stringify(outside)}].map((folder) => existsSync(folder + "/file")))));`,
      { isolation: "process", permissions: { tools: ["look"], fs: { write: ["data"] } } },
      (folder) => symlinkSync(outside, join(folder, "data")),
    );
    if (host.plugin.isolation?.enforced.length === 0) return;
    expect(JSON.parse((await host.callTool("look")).text)).toEqual([false, false]);
  });
});

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { ToolDefinition } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { inHost } from "../../src/conformance/subject.js";
import { hostOf, pluginOf } from "../support/isolated-plugin.js";

const TIERS = ["worker", "process"] as const;
const PATIENCE_MS = 40_000;

const eventually = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, PATIENCE_MS);

describe.each(TIERS)("faults of a plugin in a %s", (isolation) => {
  it("[PLUG-540] gives each call its own answer when they come out of order", async () => {
    const host = await hostOf(
      `let answer;
       const answered = new Promise((resolve) => { answer = resolve; });
       api.registerTool(tool("early", async () => { api.logger.info("early waits"); await answered; return "early"; }));
       api.registerTool(tool("late", () => { answer(); return "late"; }));`,
      { isolation },
    );
    const early = host.callTool("early");
    await eventually(() => expect(JSON.stringify(host.logs)).toContain("early waits"));
    expect((await host.callTool("late")).text).toBe("late");
    expect((await early).text).toBe("early");
  });

  it("[PLUG-540] ends a call that is never answered at its deadline, and other calls continue", async () => {
    const host = await hostOf(
      `api.registerTool(tool("hang", (id, params, signal) => {
         api.logger.info("hang waits");
         signal.addEventListener("abort", () => api.logger.info("hang was aborted"));
         return new Promise(() => {});
       }, { timeoutMs: 600_000 }));
       api.registerTool(tool("fine", () => "fine"));`,
      { isolation },
    );
    const call = host.callTool("hang");
    await eventually(() => expect(JSON.stringify(host.logs)).toContain("hang waits"));
    await host.advance(600_000);
    expect((await call).text).toBe("Tool timed out after 600000 ms");
    await eventually(() => expect(JSON.stringify(host.logs)).toContain("hang was aborted"));
    expect((await host.callTool("fine")).text).toBe("fine");
    expect(JSON.stringify(host.logs)).not.toContain("PLUGIN_STOPPED");
  });

  it("[PLUG-540] denies the call whose hook exits", async () => {
    const host = await hostOf(
      `api.on("before_tool_call", (event) => { if (event.toolName === "exec") process.exit(5); });
       api.registerTool(tool("fine", () => "fine"));`,
      { isolation },
    );
    expect(await host.fire("before_tool_call", { toolName: "exec", params: {} })).toMatchObject({
      block: true,
    });
    expect(JSON.stringify(host.logs)).toContain("exited with 5");
    expect((await host.callTool("fine")).text).toBe("fine");
  });

  it("[PLUG-540] leaves out functions of events, and fails a call with another value that cannot cross", async () => {
    const host = await hostOf(
      `api.on("before_tool_call", (event) => {
         if (event.toolName === "exec") return { block: true, blockReason: Object.keys(event.params).join() };
         if (event.toolName === "read") return { params: { call() {} } };
       });
       api.registerTool(tool("keep", async () => { await api.store.kv.set("it", () => 1); return "kept"; }));`,
      { isolation },
    );
    const params = { path: "notes.md", call: () => 1 };
    expect(await host.fire("before_tool_call", { toolName: "exec", params })).toMatchObject({
      block: true,
      blockReason: "path",
    });
    expect(await host.fire("before_tool_call", { toolName: "read", params: {} })).toMatchObject({
      block: true,
    });
    expect((await host.callTool("keep")).text).toContain("could not be cloned");
  });

  it("[PLUG-540] closes the sockets of a plugin that keeps them open, when it is ended and when it is unloaded", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const host = await hostOf(
      `const connect = async () => {
         const { createConnection } = await import("node:net");
         globalThis.kept = createConnection(${port}, "127.0.0.1");
         await new Promise((resolve) => globalThis.kept.once("connect", resolve));
         return "connected";
       };
       api.registerTool(tool("connect", connect));
       api.registerTool(tool("leave", () => process.exit(2)));`,
      { isolation, permissions: { tools: ["*"], network: { hosts: ["*"] } } },
    );
    for (const end of [() => host.callTool("leave"), () => host.dispose()]) {
      const connected = once(server, "connection");
      expect((await host.callTool("connect")).text).toBe("connected");
      const [socket] = await connected;
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.on("error", () => undefined).resume();
      await end();
      await closed;
    }
  });

  it.each([
    ["null", "null"],
    ["an answer without its error", "{ kind: 'answer', id: 1, error: null }"],
  ])("[PLUG-540] ends a plugin that sends %s", async (_case, message) => {
    const host = await hostOf(
      `api.registerTool(tool("harm", async () => {
         const { parentPort } = await import("node:worker_threads");
         const { serialize } = await import("node:v8");
         const { writeSync } = await import("node:fs");
         if (parentPort !== null) parentPort.postMessage(${message});
         else {
           const body = serialize(${message});
           const header = Buffer.alloc(4);
           header.writeUInt32LE(body.length);
           writeSync(3, Buffer.concat([header, body]));
         }
         return new Promise(() => {});
       }));
       api.registerTool(tool("fine", () => "fine"));`,
      { isolation },
    );
    expect((await host.callTool("harm")).text).toContain(
      "it sent a message that the host cannot read",
    );
    expect((await host.callTool("fine")).text).toBe("fine");
  });

  it("[PLUG-540] lets a call end in the previous version when the plugin is reloaded", async () => {
    const path = pluginOf(
      `let answer;
       const answered = new Promise((resolve) => { answer = resolve; });
       api.registerTool(tool("wait", async () => { api.logger.info("it waits"); await answered; return "previous"; }));
       api.registerTool(tool("answer", () => { answer(); return "answered"; }));`,
      { isolation },
    );
    await inHost({ path }, {}, async ({ parts }) => {
      const { plugins } = parts.host;
      const previous = plugins.pin();
      const call = (name: string) =>
        previous.generation.tools
          .flatMap(({ tool }) => (typeof tool === "function" ? [] : [tool as ToolDefinition]))
          .find((tool) => tool.name === name)
          ?.execute("call", {}, new AbortController().signal, () => undefined);
      const waiting = call("wait");
      await eventually(() => expect(JSON.stringify(parts.log.lines)).toContain("it waits"));
      await plugins.reload("guest");
      expect(plugins.current.number).toBeGreaterThan(previous.generation.number);
      await call("answer");
      expect(await waiting).toBe("previous");
      previous.release();
    });
  });
});

it("[PLUG-540] ends a plugin whose process writes anything but messages", async () => {
  const host = await hostOf(
    `api.registerTool(tool("harm", async (id, { size }) => {
       const { writeSync } = await import("node:fs");
       const header = Buffer.alloc(4);
       header.writeUInt32LE(size);
       writeSync(3, Buffer.concat([header, Buffer.from("deadbeef", "hex")]));
       return new Promise(() => {});
     }));
     api.registerTool(tool("fine", () => "fine"));`,
    { isolation: "process" },
  );
  for (const size of [4, 0xffffffff]) {
    const { text } = await host.callTool("harm", { size });
    expect(text).toContain("it sent bytes that are not a message");
    expect((await host.callTool("fine")).text).toBe("fine");
  }
});

/** A program that opens the pipe, and stays. */
const DAEMON = `const fs = require("node:fs");
  fs.writeSync(fs.openSync(process.argv[1], "w"), "up");
  setInterval(() => {}, 1e6);`;

const startDaemon = (pipe: string, isDetached: boolean) => `async () => {
  const { spawn } = await import("node:child_process");
  const options = { detached: ${isDetached}, stdio: "ignore" };
  const child = spawn(process.execPath, ["-e", ${JSON.stringify(DAEMON)}, ${JSON.stringify(pipe)}], options);
  child.unref();
  return String(child.pid);
}`;

describe("programs that a plugin starts", () => {
  it("[PLUG-540] end with its process, also those that left its group where a sandbox holds them", async () => {
    const folder = pluginOf("");
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { isConfined, host } = await sandboxedHost(pipe, folder);
    const stream = createReadStream(pipe);
    const [began] = await Promise.all([once(stream, "data"), host.callTool("fork")]);
    expect(String(began[0])).toBe("up");
    const ended = once(stream, "end");
    stream.resume();
    expect(JSON.stringify(await host.callTool("leave"))).toContain("exited with 0");
    await ended;
    expect(host.plugin.isolation?.enforced.length).toBe(isConfined ? 3 : 0);
  });

  it("[PLUG-540] stay when a thread ends, because they belong to the gateway", async () => {
    const folder = pluginOf("");
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const host = await hostOf(`api.registerTool(tool("fork", ${startDaemon(pipe, true)}));`, {
      isolation: "worker",
    });
    const stream = createReadStream(pipe);
    const [began, { text }] = await Promise.all([once(stream, "data"), host.callTool("fork")]);
    expect(String(began[0])).toBe("up");
    const pid = Number(text);
    await host.dispose();
    expect(process.kill(pid, 0)).toBe(true);
    const ended = once(stream, "end");
    stream.resume();
    process.kill(pid, "SIGKILL");
    await ended;
  });
});

async function sandboxedHost(pipe: string, folder: string) {
  const body = (isDetached: boolean) =>
    `api.registerTool(tool("fork", ${startDaemon(pipe, isDetached)}));
     api.registerTool(tool("leave", () => process.exit(0)));`;
  const manifest: Partial<PluginManifest> = {
    isolation: "process",
    permissions: { tools: ["*"], fs: { write: [folder] } },
  };
  const host = await hostOf(body(true), manifest);
  if (host.plugin.isolation?.enforced.length !== 0) return { isConfined: true, host };
  return { isConfined: false, host: await hostOf(body(false), manifest) };
}

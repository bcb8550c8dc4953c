import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ComponentList } from "../src/methods.js";
import {
  channelImport,
  eventually,
  health,
  inState,
  line,
  logged,
  post,
} from "./support/channels.js";
import { ComponentFolder, method } from "./support/fixture.js";

const ENDPOINT = { endpoints: [{ path: "/webhook/letters" }] };
const OPEN = { config: { channels: { letters: { dmPolicy: "open" } } } } as const;

describe("channels of components", () => {
  it("[WASM-004] [WASM-034] [WASM-036] [WASM-037] bring messages of both paths to the agent, and replies with their metadata back", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel("letters", ENDPOINT);
    const received: unknown[] = [];
    const host = await folder.channelHost({
      ...OPEN,
      neighbours: [
        {
          id: "reader",
          register: (api) =>
            void api.on("message_received", ({ content, metadata }) => {
              received.push([content, metadata?.chat]);
            }),
        },
      ],
    });
    await inState(host, "letters", "running");
    const paths = [
      ["/webhook/letters?chat=1", "/webhook/letters"],
      ["/channels/letters/webhook?chat=2", "/webhook/letters"],
      ["/channels/letters/webhook/deep/er?chat=3", "/webhook/letters/deep/er"],
    ] as const;
    for (const [path, seen] of paths) {
      const response = await post(host, path);
      expect([response.status, await response.text()]).toEqual([200, seen]);
    }
    for (const chat of ["1", "2", "3"]) await line(host, JSON.stringify({ chat }));
    expect(received).toContainEqual(["hello", "3"]);
    // Thinking and done, as on-status of the component numbers them.
    await line(host, "A");
    await line(host, "B");
    const [report] = await health(host);
    expect(report).toMatchObject({ name: "letters", displayName: "Test channel", failures: 0 });
    expect((await host.request("/wasm-channels/health", { authenticated: false })).status).toBe(
      401,
    );
    const listed = (await method(host, "wasm.list")).body as ComponentList;
    expect(listed.components).toMatchObject([{ name: "letters", kind: "channel" }]);
  });

  it("[WASM-033] [WASM-013] [WASM-040] start without those that fail, which say why", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel("letters", ENDPOINT);
    await folder.addChannel("broken", { startError: "no such bot" });
    await folder.addChannel(
      "greedy",
      { endpoints: [{ path: "/webhook/other" }] },
      { allowed_paths: [] },
    );
    await folder.addChannel("restless", { pollMs: 30_000 });
    const required_secrets = [{ name: "letters_token", prompt: "Token of the bot" }];
    await folder.addChannel("poor", {}, {}, { setup: { required_secrets } });
    await folder.add("tool");
    const host = await folder.channelHost();
    await inState(host, "letters", "running");
    for (const [name, problem] of [
      ["broken", "its on-start failed: no such bot"],
      ["greedy", "endpoint /webhook/other, but channel.allowed_paths allows none"],
      ["restless", "channel.allow_polling is not true"],
      ["poor", "openclaw wasm secret letters_token"],
    ] as const) {
      await inState(host, name, "failed");
      const found = (await health(host)).find((each) => each.name === name);
      expect(found?.problem).toContain(problem);
    }
    expect((await post(host, "/webhook/other")).status).toBe(404);
    const { problems } = (await method(host, "wasm.list")).body as ComponentList;
    expect(problems).toMatchObject([
      { name: "tool", message: expect.stringContaining("is a tool") },
    ]);
  });

  it("[WASM-035] answer unknown paths, methods, sizes and secrets with their status", async () => {
    const folder = new ComponentFolder();
    const webhook = { secret_header: "X-Letters-Token", secret_name: "letters_secret" };
    const setup = {
      required_secrets: [
        { name: "letters_secret", prompt: "Secret", auto_generate: { length: 20 } },
      ],
    };
    await folder.addChannel(
      "letters",
      {
        endpoints: [
          { path: "/webhook/letters", methods: ["POST", "PUT"], requireSecret: true },
          { path: "/webhook/open" },
        ],
        onHttpRequest: `(call $log (i32.const 2) (local.get $headers) (local.get $headers-length))
          (if (local.get $validated) (then (call $log (i32.const 2) (i32.const 4096) (i32.const 9))))`,
        fields: '(data (i32.const 4096) "validated")',
      },
      { webhook, max_message_size: 100 },
      { setup },
    );
    const host = await folder.channelHost();
    await inState(host, "letters", "running");
    const statusOf = async (path: string, headers = {}, body = "x") =>
      (await post(host, path, body, headers)).status;
    expect(await statusOf("/webhook/letters")).toBe(401);
    expect(await statusOf("/webhook/letters?secret=wrong")).toBe(401);
    expect(await statusOf("/webhook/letters", { "x-letters-token": "generated?" })).toBe(401);
    expect(await statusOf("/webhook/open", { "x-letters-token": "generated?" })).toBe(401);
    expect(await statusOf("/webhook/open")).toBe(200);
    expect(logged(host)).not.toContain("validated");
    await method(host, "wasm.secret", { name: "letters_secret", value: "a-known-secret-text" });
    const secret = "a-known-secret-text";
    expect(await statusOf("/webhook/letters", { "x-letters-token": secret })).toBe(200);
    expect(await statusOf("/webhook/letters", { "x-webhook-secret": secret })).toBe(200);
    expect(await statusOf(`/webhook/letters?secret=${secret}`)).toBe(200);
    expect(logged(host).filter((text) => text === "validated")).toHaveLength(3);
    expect(JSON.stringify(host.logs)).not.toContain(secret);
    expect(await statusOf("/webhook/letters", { "x-letters-token": secret }, "x".repeat(101))).toBe(
      413,
    );
    expect(await statusOf("/webhook/unknown")).toBe(404);
    expect(await statusOf("/channels/unknown/webhook")).toBe(404);
    const wrong = await host.request("/webhook/letters", {
      method: "DELETE",
      authenticated: false,
    });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, PUT"]);
  });

  it("[WASM-036] [WASM-015] drop messages that are too large or too many, with a count", async () => {
    const folder = new ComponentFolder();
    const emit = (length: number) =>
      `(call $emit (i32.const 4096) (i32.const ${length}) (i32.const 4090) (i32.const 0))`;
    await folder.addChannel(
      "letters",
      { ...ENDPOINT, onHttpRequest: `${emit(200)} ${emit(5).repeat(4)}` },
      { max_message_size: 100, emit_rate_limit: { messages_per_minute: 3 } },
    );
    const host = await folder.channelHost(OPEN);
    await inState(host, "letters", "running");
    expect((await post(host, "/webhook/letters")).status).toBe(200);
    expect(logged(host)).toContain("dropped 2 messages that were too large or too many");
    expect((await post(host, "/webhook/letters")).status).toBe(200);
    expect(await health(host)).toMatchObject([{ dropped: 7 }]);
  });

  it("[WASM-037] [WASM-002] send messages that answer none with on-broadcast, or to the last conversation of the user", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel("letters", ENDPOINT);
    await folder.addChannel("newer", { wit: "channel-0.3.wit" });
    const host = await folder.channelHost(OPEN);
    await inState(host, "letters", "running");
    await inState(host, "newer", "running");
    const send = (channel: string, conversationId: string) =>
      method(host, "channels.send", { channel, conversationId, text: "good news" });
    expect((await send("newer", "carol")).body).toMatchObject({ channel: "newer" });
    expect(logged(host)).toEqual(expect.arrayContaining(["carol", "good news"]));
    const unknown = await send("letters", "alice");
    expect(JSON.stringify(unknown.body)).toContain("it knows no conversation with alice");
    await post(host, "/webhook/letters?chat=9");
    await line(host, '{"chat":"9"}');
    const before = logged(host).filter((text) => text === '{"chat":"9"}').length;
    expect((await send("letters", "alice")).status).toBe(200);
    expect(logged(host).filter((text) => text === '{"chat":"9"}')).toHaveLength(before + 1);
  });

  it("[WASM-038] poll at the longest interval, one callback after another", async () => {
    const folder = new ComponentFolder();
    const polled = (pollMs: number) => ({
      pollMs,
      fields: '(data (i32.const 4096) "polled")',
      onPoll: `(call $log (i32.const 2) (i32.const 4096) (i32.const 6))
        (call $emit (i32.const 4096) (i32.const 6) (i32.const 4090) (i32.const 0))`,
    });
    await folder.addChannel("letters", polled(1000), { allow_polling: true });
    const waits: { readonly ms: number; readonly before: number }[] = [];
    const host = await folder.channelHost(
      OPEN,
      {},
      {
        wait: (ms, signal) => {
          waits.push({ ms, before: logged(host).filter((text) => text === "polled").length });
          return waits.length <= 2
            ? Promise.resolve()
            : new Promise((_, reject) =>
                signal.addEventListener("abort", () => reject(signal.reason)),
              );
        },
      },
    );
    await eventually(() => expect(waits).toHaveLength(3));
    expect(waits).toEqual([0, 1, 2].map((before) => ({ ms: 30_000, before })));
    expect(await health(host)).toMatchObject([{ pollMs: 30_000, timeouts: 0 }]);
  });

  it("[WASM-038] end a callback at its time limit, and count it", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel(
      "letters",
      { ...ENDPOINT, onHttpRequest: "(loop $again (br $again))" },
      { callback_timeout_secs: 1 },
    );
    const host = await folder.channelHost({}, { WASM_DEFAULT_FUEL_LIMIT: "1000000000000" });
    await inState(host, "letters", "running");
    expect((await post(host, "/webhook/letters")).status).toBe(500);
    expect(await health(host)).toMatchObject([{ timeouts: 1, failures: 1, state: "running" }]);
  });

  it("[WASM-039] ask the host for its pairing", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel("letters", {
      ...ENDPOINT,
      imports: [
        channelImport("pairing-upsert-request", 7),
        channelImport("pairing-is-allowed", 8),
        channelImport("pairing-read-allow-from", 3),
      ].join("\n"),
      fields: '(data (i32.const 4096) "{}noyes")',
      onHttpRequest: `
        (call $pairing-read-allow-from (i32.const 2048) (i32.const 5) (i32.const 176))
        (if (i32.load (i32.const 184)) (then (call $log (i32.const 2)
          (i32.load (i32.load (i32.const 180))) (i32.load offset=4 (i32.load (i32.const 180))))))
        (call $pairing-is-allowed (i32.const 2048) (i32.const 5) (local.get $body)
          (local.get $body-length) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 160))
        (if (i32.load8_u (i32.const 164))
          (then (call $log (i32.const 2) (i32.const 4100) (i32.const 3)))
          (else (call $log (i32.const 2) (i32.const 4098) (i32.const 2))))
        (call $pairing-upsert-request (i32.const 2048) (i32.const 5) (local.get $body)
          (local.get $body-length) (i32.const 4096) (i32.const 2) (i32.const 128))
        (if (i32.load8_u (i32.const 140))
          (then (call $log (i32.const 2) (i32.load (i32.const 132)) (i32.load (i32.const 136)))))`,
    });
    const host = await folder.channelHost();
    await inState(host, "letters", "running");
    await post(host, "/webhook/letters", "bob");
    const { pending } = (await method(host, "pairing.list")).body;
    expect(pending).toMatchObject([{ channel: "letters", senderId: "bob" }]);
    const { code } = pending[0];
    expect(logged(host)).toEqual(expect.arrayContaining(["no", code]));
    await method(host, "pairing.approve", { channel: "letters", code });
    await post(host, "/webhook/letters", "bob");
    expect(logged(host)).toEqual(expect.arrayContaining(["yes", "bob"]));
    // Told once: the sender has a code, or is admitted.
    expect(logged(host).filter((text) => text === code)).toHaveLength(1);
  });

  it("[WASM-024] write files below their prefix of the workspace only", async () => {
    const folder = new ComponentFolder();
    await folder.addChannel("letters", {
      ...ENDPOINT,
      imports: channelImport("workspace-write", 5) + channelImport("workspace-read", 3),
      onHttpRequest: `
        (call $workspace-write (local.get $body) (local.get $body-length) (local.get $body)
          (local.get $body-length) (i32.const 128))
        (if (i32.load8_u (i32.const 128))
          (then (call $log (i32.const 3) (i32.load (i32.const 132)) (i32.load (i32.const 136))))
          (else (call $workspace-read (local.get $body) (local.get $body-length) (i32.const 144))
            (call $log (i32.const 2) (i32.load (i32.const 148)) (i32.load (i32.const 152)))))`,
    });
    const host = await folder.channelHost({ files: { "a.txt": "" } });
    await inState(host, "letters", "running");
    const own = join(host.workspaceDir, "channels", "letters");
    await post(host, "/webhook/letters", "sub/state");
    expect(logged(host)).toContain("sub/state");
    expect(readFileSync(join(own, "sub", "state"), "utf8")).toBe("sub/state");
    symlinkSync(host.workspaceDir, join(own, "link"));
    for (const path of ["../other", "/absolute", "a\\b", "link/escaped"]) {
      await post(host, "/webhook/letters", path);
    }
    expect(logged(host)).toEqual(
      expect.arrayContaining(["the path ../other is not allowed", "link is not a folder"]),
    );
    expect(existsSync(join(host.workspaceDir, "escaped"))).toBe(false);
  });

  it("[WASM-043] [WASM-033] are installed, replaced and removed while the host runs", async () => {
    const source = new ComponentFolder();
    const first = await source.addChannel("letters", ENDPOINT);
    const folder = new ComponentFolder();
    const host = await folder.channelHost();
    const install = async (file: string) => {
      const { added } = (await method(host, "wasm.inspect", { source: file })).body;
      const { body } = await method(host, "wasm.install", { source: file, accepted: added });
      expect(body).toMatchObject({ name: "letters", kind: "channel" });
    };
    await install(first);
    await inState(host, "letters", "running");
    expect((await post(host, "/webhook/letters")).status).toBe(200);
    await install(await source.addChannel("letters", { ...ENDPOINT, status: 202 }));
    await eventually(async () => expect((await post(host, "/webhook/letters")).status).toBe(202));
    expect(logged(host)).toContain("shutdown");
    await method(host, "wasm.remove", { name: "letters" });
    await eventually(async () => expect((await post(host, "/webhook/letters")).status).toBe(404));
    expect(await health(host)).toEqual([]);
    expect(host.diagnostics.filter(({ code }) => code === "late-registration")).toEqual([]);
  });
});

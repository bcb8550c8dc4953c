import { describe, expect, it } from "vitest";
import { FakeServer, isRunning, mcpHost, NO_DELAY, until } from "./support/fixture.js";

async function faultyHost(options: { readonly timeoutMs?: number } = {}) {
  const server = new FakeServer();
  const host = await mcpHost({ fake: { ...server.entry, ...options } });
  const fault = (kind: string) => host.callTool("fake__fault", { kind });
  return { server, host, fault };
}

describe("a server that does not keep to the protocol", () => {
  it("[EXT-520] answers a call during which the server crashes with the reason, and later ones at once", async () => {
    const { server, host, fault } = await faultyHost();
    const crashed = await fault("crash");
    expect(crashed.isError).toBe(true);
    expect(crashed.text).toMatch(
      /"fake" ended before it answered, while it ran "fault".*may have had its effect/s,
    );
    const next = await host.callTool("fake__echo", { text: "hello" });
    expect(next.text).toMatch(/"fake" ended with exit code 7.*tried again in \d+ s/s);
    expect(server.pids()).toHaveLength(1);
  });

  it("[EXT-013] restarts a server that ended, with one attempt at a time", async () => {
    const server = new FakeServer();
    const host = await mcpHost({ fake: server.entry }, { restartDelaysMs: NO_DELAY });
    expect((await host.callTool("fake__fault", { kind: "exit after" })).text).toBe("last words");
    await until(() => server.notes.filter((line) => line === "tools/list").length === 2);
    const answers = await Promise.all(
      ["a", "b", "c"].map((text) => host.callTool("fake__echo", { text })),
    );
    expect(answers.map(({ text }) => text)).toEqual(["a", "b", "c"]);
    expect(server.pids()).toHaveLength(2);
    expect(server.pids().filter(isRunning)).toHaveLength(1);
  });

  it("[EXT-013] kills a server that hangs at the deadline of a call", async () => {
    const { server, fault } = await faultyHost({ timeoutMs: 200 });
    const hung = await fault("hang");
    expect(hung.text).toMatch(/"fake" did not answer in time/);
    await until(() => server.pids().every((pid) => !isRunning(pid)));
  });

  it("[EXT-520] keeps a server that answers other requests when one call takes too long", async () => {
    const { server, host, fault } = await faultyHost({ timeoutMs: 200 });
    expect((await fault("silence")).text).toMatch(/did not answer in time/);
    await until(() => server.notes.includes("ping"));
    expect((await host.callTool("fake__echo", { text: "still here" })).text).toBe("still here");
    expect(server.notes.some((line) => line.startsWith("cancelled "))).toBe(true);
  });

  it.each([
    ["twice", "first"],
    ["not JSON", "after a line that is not JSON"],
    ["batch", "batched"],
  ])("[EXT-520] uses the answer of a server that answers %s", async (kind, text) => {
    const { host, fault } = await faultyHost();
    expect((await fault(kind)).text).toBe(text);
    expect((await host.callTool("fake__echo", { text: "next" })).text).toBe("next");
  });

  it.each([
    ["flood", /more than 5000 notifications in a second/],
    ["huge", /a message of more than 16777216 bytes/],
    ["only not JSON", /text that is not a JSON-RPC message/],
  ])("[EXT-521] ends a server that sends too much: %s", async (kind, reason) => {
    const { server, host, fault } = await faultyHost();
    expect((await fault(kind)).isError).toBe(true);
    expect((await host.callTool("fake__echo", { text: "a" })).text).toMatch(reason);
    await until(() => server.pids().every((pid) => !isRunning(pid)));
  });

  it("[EXT-520] passes errors of the protocol and of the tool to the model", async () => {
    const { fault } = await faultyHost();
    expect((await fault("error")).text).toMatch(/answered with an error.*the database is gone/);
    const failed = await fault("tool error");
    expect([failed.isError, failed.text]).toEqual([true, "no such row"]);
    expect((await fault("not a result")).isError).toBe(true);
  });

  it.each([
    ["exits at start", "failing", /ended with exit code 3/],
    ["wrong version", "refused", /protocol version/],
    ["never initializes", "failing", /within 400 ms/],
  ])(
    "[EXT-522] shows the state of a server that cannot be used: %s",
    async (faults, state, reason) => {
      const server = new FakeServer(faults);
      const startupTimeoutMs = faults === "never initializes" ? 400 : 30_000;
      const host = await mcpHost({ fake: { ...server.entry, startupTimeoutMs } });
      await until(() => host.logs.some(({ message }) => reason.test(message)));
      const { servers } = await list(host);
      expect(servers).toMatchObject([
        { name: "fake", state, reason: expect.stringMatching(reason) },
      ]);
      await until(() => server.pids().every((pid) => !isRunning(pid)));
    },
  );

  it("[EXT-522] shows the last failure of a server while it is tried again", async () => {
    const server = new FakeServer("exits in its first attempt,never initializes");
    const host = await mcpHost({ fake: server.entry }, { restartDelaysMs: NO_DELAY });
    await until(() => server.notes.includes("initialize"));
    expect(await list(host)).toMatchObject({
      servers: [{ state: "failing", reason: "ended with exit code 3" }],
    });

    const refused = new FakeServer("wrong version at its first start,never initializes");
    const other = await mcpHost({ fake: refused.entry });
    await until(() => other.logs.some(({ message }) => message.includes("protocol version")));
    const body = '{"server":"fake"}';
    const test = other.request("/api/v1/mcp.test", { method: "POST", body }).catch(() => undefined);
    await until(() => refused.pids().length === 2);
    const reason = expect.stringContaining("protocol version");
    expect(await list(other)).toMatchObject({ servers: [{ state: "refused", reason }] });
    await other.dispose();
    await test;
  });

  it("[EXT-010] asks a server for its version once, in its own process", async () => {
    const server = new FakeServer("exits at discover");
    const host = await mcpHost({ fake: server.entry });
    expect((await host.callTool("fake__echo", { text: "a" })).text).toBe("a");
    // The first process ended at the question.
    expect(server.notes.filter((line) => line === "server/discover")).toHaveLength(1);
    expect(server.pids()).toHaveLength(2);

    const patient = new FakeServer();
    const other = await mcpHost({ fake: patient.entry });
    await other.callTool("fake__echo", { text: "a" });
    expect(patient.pids()).toHaveLength(1);
  });

  it("[EXT-010] [EXT-013] [SDK-520] leaves no process behind when the host stops", async () => {
    const server = new FakeServer("grandchild");
    const host = await mcpHost({ fake: server.entry });
    await host.callTool("fake__echo", { text: "a" });
    const pids = [...server.pids(), ...server.pids("grandchild")];
    expect(pids.filter(isRunning)).toHaveLength(2);
    await host.dispose();
    await until(() => !pids.some(isRunning));
  });
});

async function list(host: Awaited<ReturnType<typeof mcpHost>>) {
  const answer = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
  return (await answer.json()) as { servers: readonly object[] };
}

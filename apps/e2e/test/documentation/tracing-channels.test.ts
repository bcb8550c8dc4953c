import { channel, tracingChannel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startGateway } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished } from "vitest";

const PAGE = readFileSync(
  new URL("../../../../docs/operate/operating.md", import.meta.url),
  "utf8",
);
const ROW = /^\| `(openclaw:\w+)` \| ([^|]+) \| ([^|]+) \|$/gm;

const namesIn = (cell = "") => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name).sort();

/** Returns the documented fields at the start, and those that are added at the end, by channel. */
function documented() {
  const rows = [...PAGE.matchAll(ROW)];
  return new Map(
    rows.map(([, name = "", start, end]) => [name, { start: namesIn(start), end: namesIn(end) }]),
  );
}

/** Records the fields of the first message of each channel. */
function watch(names: Iterable<string>) {
  const seen = new Map<string, { start: string[]; end: string[] }>();
  for (const name of names) {
    const channels = tracingChannel<unknown, object>(name);
    const fields = { start: new Set<string>(), end: new Set<string>() };
    const start = (message: unknown) => {
      for (const key of Object.keys(Object(message))) fields.start.add(key);
      seen.set(name, { start: [...fields.start].sort(), end: [] });
    };
    const end = (message: unknown) => {
      for (const key of Object.keys(Object(message))) fields.end.add(key);
      const isNew = (key: string) => !fields.start.has(key) && key !== "durationMs";
      seen.set(name, {
        start: [...fields.start].sort(),
        end: [...fields.end].filter(isNew).sort(),
      });
    };
    channels.start.subscribe(start);
    channels.asyncEnd.subscribe(end);
    onTestFinished(() => {
      channels.start.unsubscribe(start);
      channels.asyncEnd.unsubscribe(end);
    });
  }
  return seen;
}

describe("the table of tracing channels", () => {
  it("[GW-049] has the channels and fields that the gateway publishes, and the channel of the log", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const table = documented();
    const seen = watch(table.keys());
    const lines: object[] = [];
    const log = channel("openclaw.log");
    const onLine = (line: unknown) => void lines.push(Object(line));
    log.subscribe(onLine);
    onTestFinished(() => void log.unsubscribe(onLine));

    const gateway = await startGateway({
      version: "1.0.0",
      stateDir: join(folder.path, "state"),
      configuration: await loadConfiguration(join(folder.path, "openclaw.json")),
      configurationFile: join(folder.path, "openclaw.json"),
      workspaceDir: join(folder.path, "workspace"),
      bundledExtensions: [],
      environment: { PATH: process.env.PATH },
      inlinePlugins: [
        { id: "watcher", register: (api) => void api.on("before_tool_call", () => undefined) },
      ],
    });
    const methods = await gateway.methods();
    gateway.attend({
      channel: "terminal",
      async show({ id, digest, state }) {
        if (state !== "pending") return;
        await methods.call("approvals.resolve", { id, digest, decision: "allow-once" });
      },
    });
    const outcome = await gateway.receive(
      {
        channel: "terminal",
        conversationId: "terminal",
        senderId: "operator",
        senderIsOwner: true,
        agentId: "main",
        sessionKey: "agent:main:main",
        text: "run `true`",
      },
      { surface: { send: async () => ({}) } },
    );
    await gateway.stop("command");

    expect(outcome.status).toBe("replied");
    expect([...seen.keys()].sort()).toEqual([...table.keys()].sort());
    for (const [name, fields] of seen) {
      // A second object at the end repeats the ids; fields that may be known at the start are in both columns.
      const expected = table.get(name);
      expect(fields.start, `start of ${name}`).toEqual(expected?.start);
      const added = expected?.end.filter((field) => !expected.start.includes(field));
      expect(fields.end, `end of ${name}`).toEqual(added);
    }
    expect(lines.length).toBeGreaterThan(0);
    const [, sentence = ""] = /`openclaw\.log`[^.]*?object with ([^.]+)\./s.exec(PAGE) ?? [];
    for (const line of lines) expect(Object.keys(line).sort()).toEqual(namesIn(sentence));
  });
});

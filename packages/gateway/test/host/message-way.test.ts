import { existsSync, readFileSync } from "node:fs";
import type { Store } from "@openclaw/store";
import { expect, it, vi } from "vitest";
import { createTestHost, openTestStore, serve, TOKEN } from "../support/host.js";

const PAGE = new URL("../../../../docs/project/architecture.md", import.meta.url);
/** The model of the test, which is the model of a provider otherwise. */
const SCRIPTED = /^models\/scripted\//;

/** Largest number of frames from the route to the events of the model. */
const FRAMES = 34;

type Steps = Record<
  "accepted" | "stored" | "asked" | "authorized" | "executed" | "ended",
  readonly string[]
>;

/** Returns the files of packages that are on the stack, one for each frame, the outermost first. */
function frames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  const { stack = "" } = new Error("frames");
  Error.stackTraceLimit = stackTraceLimit;
  const files = stack.matchAll(/packages\/([a-z-]+)\/src\/([^:?]+\.ts)/g);
  const found = [...files].map(([, name, file]) => `${name}/${file}`);
  return found.filter((file) => !SCRIPTED.test(file)).reverse();
}

/** Sends one streamed chat request whose turn calls a tool, and returns the frames at the steps of its message. */
async function traceRequest(): Promise<Steps> {
  const steps: { name: keyof Steps; files: string[] }[] = [];
  const note = (name: keyof Steps) => steps.push({ name, files: frames() });
  const store = await openTestStore();
  const host = await createTestHost({
    store,
    script: ({ prompt }) => {
      if (prompt.some(({ role }) => role === "tool")) return { text: "Done." };
      note("asked");
      return { toolCalls: [{ toolName: "look", params: {} }] };
    },
    register: (api) => {
      api.on("before_tool_call", () => void note("authorized"));
      api.registerTool({
        ...{ name: "look", description: "Looks around.", approval: "never" },
        parameters: { type: "object", properties: {} },
        execute() {
          note("executed");
          return "seen";
        },
      });
    },
  });
  const { hold } = host.traces;
  vi.spyOn(host.traces, "hold").mockImplementation((...args) => {
    note("accepted");
    return hold.apply(host.traces, args);
  });
  const { transaction } = store;
  vi.spyOn(store, "transaction").mockImplementation(
    <Result>(work: (unit: Store) => Promise<Result>) => {
      const files = frames();
      if (files.includes("messaging/inbound/message-turns.ts"))
        steps.push({ name: "stored", files });
      if (files.includes("messaging/turns/ending.ts")) steps.push({ name: "ended", files });
      return transaction.call(store, work) as Promise<Result>;
    },
  );
  const server = await serve(host);
  const body = { model: "openclaw", stream: true, messages: [{ role: "user", content: "hello" }] };
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(await response.text()).toContain("Done.");
  const of = (name: keyof Steps) => steps.find((step) => step.name === name)?.files ?? [];
  return {
    ...{ accepted: of("accepted"), stored: of("stored"), asked: of("asked") },
    ...{ authorized: of("authorized"), executed: of("executed"), ended: of("ended") },
  };
}

/** Returns the files in the table of a section of the page. */
function tableOf(section: string): string[] {
  const [, rest = ""] = readFileSync(PAGE, "utf8").split(`## ${section}\n`);
  const [text = ""] = rest.split("\n## ");
  return [...text.matchAll(/^\| `([a-z-]+\/[^`]+\.ts)` \|/gm)].flatMap(([, file]) => file ?? []);
}

it("[TURN-506] takes a message and its tool call through the files that the page lists, in this order", async () => {
  const { accepted, stored, asked, authorized, executed, ended } = await traceRequest();
  const message = new Set([...accepted, ...stored, ...asked, ...ended]);
  expect([...message]).toEqual(tableOf("The way of a message in files"));
  expect(accepted.length + stored.length + asked.length).toBeLessThanOrEqual(FRAMES);

  const call = new Set([...authorized, ...executed]);
  const own = [...call].filter((file) => !message.has(file));
  expect(own).toEqual(tableOf("The way of a tool call in files"));
});

it("[TURN-506] finds each file of the way of a Telegram update", () => {
  const files = tableOf("The way of a Telegram update in files");
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const [name = "", ...path] = file.split("/");
    const root = name === "telegram" ? "extensions" : "packages";
    const source = new URL(`../../../../${root}/${name}/src/${path.join("/")}`, import.meta.url);
    expect(existsSync(source), file).toBe(true);
  }
});

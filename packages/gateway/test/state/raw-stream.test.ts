import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { openRawStream } from "../../src/state/raw-stream.js";

const CALL = {
  runId: "run-1",
  sessionKey: "agent:main:main",
  callId: "call-1",
  provider: "openai",
  model: "gpt",
};
const silent = { debug() {}, info() {}, warn() {}, error() {} };

it("[GW-051] contains every event of a model stream, without secrets that several chunks contain", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "streams", "raw.jsonl");
  const streams = openRawStream(file, { rules: () => undefined, logger: silent });
  // Composed here, so that this file contains no secret that a scan would find.
  const key = `sk-${"a1B2".repeat(6)}`;
  const stream = streams.open(CALL);
  stream.event({ type: "thinking", delta: `use ${key.slice(0, 9)}` });
  stream.event({ type: "thinking", delta: `${key.slice(9)} now` });
  stream.event({ type: "text", delta: "Write to ann@exa" });
  stream.event({ type: "text", delta: "mple.com please" });
  stream.event({
    type: "tool-call",
    call: { toolCallId: "1", toolName: "http", params: { authorization: "hidden words" } },
  });
  stream.event({ type: "finish", stopReason: "tool-calls", usage: { input: 3, output: 2 } });
  stream.end();
  const other = streams.open({ ...CALL, callId: "call-2" });
  other.event({ type: "text", delta: "unfinished" });
  other.end(new Error(`refused ${key}`));
  streams.close();

  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  for (const secret of [key, "ann@example.com", "hidden words"]) expect(text).not.toContain(secret);
  const events = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const said = (type: string, callId: string) =>
    events.flatMap((event) => (event.type === type && event.callId === callId ? event.delta : []));
  expect(said("thinking", "call-1").join("")).toMatch(/^use \[REDACTED.*\] now$/);
  expect(said("text", "call-1").join("")).toBe("Write to [REDACTED_EMAIL] please");
  expect(events.filter(({ type }) => type !== "text" && type !== "thinking")).toMatchObject([
    { ...CALL, type: "tool-call", call: { toolName: "http" } },
    { ...CALL, type: "finish", usage: { input: 3, output: 2 } },
    { callId: "call-2", type: "error" },
  ]);
  expect(said("text", "call-2")).toEqual(["unfinished"]);
});

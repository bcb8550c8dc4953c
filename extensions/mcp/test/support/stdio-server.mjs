// A server of the Model Context Protocol (2025-06-18) over standard streams, without a library, for tests. The variable
// FAULTS names what it does wrong, as a list with commas.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const faults = new Set((process.env.FAULTS ?? "").split(","));
const { NOTES } = process.env;
const note = (text) => NOTES && appendFileSync(NOTES, `${text}\n`);
const earlier = NOTES && existsSync(NOTES) ? readFileSync(NOTES, "utf8") : "";
const starts = earlier.split("\n").filter((line) => line.startsWith("start ")).length;
note(`start ${process.pid}`);
process.stderr.write("fake server started\n");
if (faults.has("noisy")) process.stdout.write("Welcome to the fake server!\n");
if (faults.has("exits at start")) process.exit(3);
// The first attempt starts it twice, because it may have ended at the question for its version.
if (faults.has("exits in its first attempt") && starts < 2) process.exit(3);
if (faults.has("grandchild")) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  note(`grandchild ${child.pid}`);
}

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const object = (properties = {}, more = {}) => ({ type: "object", properties, ...more });
const text = (value) => ({ content: [{ type: "text", text: value }] });

function tools() {
  const file = process.env.TOOLS;
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  return [
    {
      name: "echo",
      description: "Returns its text.",
      inputSchema: object({ text: { type: "string" } }, { required: ["text"] }),
      annotations: { readOnlyHint: true },
    },
    {
      name: "env",
      description: "Lists variables.",
      inputSchema: object(),
      annotations: { readOnlyHint: true },
    },
    {
      name: "sum",
      description: "Adds numbers.",
      inputSchema: object({ a: { type: "number" }, b: { type: "number" } }),
      outputSchema: object({ sum: { type: "number" } }, { required: ["sum"] }),
      annotations: { readOnlyHint: true },
    },
    {
      name: "media",
      description: "All kinds of content.",
      inputSchema: object(),
      annotations: { readOnlyHint: true },
    },
    {
      name: "fault",
      description: "Does something wrong.",
      inputSchema: object({ kind: { type: "string" } }),
      annotations: { readOnlyHint: true },
    },
    {
      name: "slow",
      description: "Reports progress until it is cancelled.",
      inputSchema: object(),
      annotations: { readOnlyHint: true },
    },
    {
      name: "drop",
      description: "Deletes everything.",
      inputSchema: object(),
      annotations: { destructiveHint: true },
    },
    { name: "plain", description: "Says nothing about itself.", inputSchema: object() },
  ];
}

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** ID of the call that waits for an answer. */
let asking;

function fault(id, kind) {
  switch (kind) {
    case "crash":
      process.exit(7);
      break;
    case "silence":
      return undefined;
    case "hang": {
      const end = Date.now() + 60_000;
      while (Date.now() < end);
      return undefined;
    }
    case "twice":
      send({ id, result: text("first") });
      return send({ id, result: text("second") });
    case "flood":
      // One write, and so many that a busy machine reads more than the limit in a second.
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } })}\n`.repeat(
          100_000,
        ),
      );
      return send({ id, result: text("flooded") });
    case "huge":
      return process.stdout.write("x".repeat(100_000_000));
    case "not JSON":
      process.stdout.write("{ this is not JSON\n");
      return send({ id, result: text("after a line that is not JSON") });
    case "only not JSON":
      return process.stdout.write("not JSON\n".repeat(200));
    case "batch":
      return process.stdout.write(
        `${JSON.stringify([{ jsonrpc: "2.0", id, result: text("batched") }])}\n`,
      );
    case "exit after":
      return process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, result: text("last words") })}\n`,
        () => process.exit(0),
      );
    case "error":
      return send({ id, error: { code: -32603, message: "the database is gone" } });
    case "tool error":
      return send({ id, result: { ...text("no such row"), isError: true } });
    case "not a result":
      return send({ id, result: { content: "text" } });
    case "ask":
      asking = id;
      return send({
        id: "question",
        method: "elicitation/create",
        params: {
          message: "Which colour?",
          requestedSchema: object(
            { colour: { type: "string", enum: ["red", "blue"] } },
            { required: ["colour"] },
          ),
        },
      });
    case "change":
      send({ method: "notifications/tools/list_changed" });
      return send({ id, result: text("changed") });
    default:
      return send({ id, result: text(`no fault ${kind}`) });
  }
}

function call({ id, params }) {
  const { name, arguments: given = {}, _meta = {} } = params;
  note(`call ${name}`);
  switch (name) {
    case "echo":
      return send({ id, result: text(given.text) });
    case "env":
      return send({ id, result: text(JSON.stringify(process.env)) });
    case "sum": {
      const sum = faults.has("wrong sum") ? "much" : given.a + given.b;
      return send({ id, result: { content: [], structuredContent: { sum } } });
    }
    case "media":
      return send({
        id,
        result: {
          content: [
            { type: "text", text: "media" },
            { type: "image", data: PNG, mimeType: "image/png" },
            { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
            { type: "resource_link", uri: "file:///a.txt", name: "a", mimeType: "text/plain" },
            { type: "resource", resource: { uri: "file:///b.txt", text: "content of b" } },
            {
              type: "resource",
              resource: { uri: "file:///c.bin", blob: "AAEC", mimeType: "application/x-c" },
            },
          ],
        },
      });
    case "slow":
      send({
        method: "notifications/progress",
        params: { progressToken: _meta.progressToken, progress: 1, total: 4, message: "working" },
      });
      note("reported progress");
      return undefined;
    case "fault":
      return fault(id, given.kind);
    default:
      return send({ id, result: text(`ran ${name}`) });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  note(method ?? "answer");
  if (method === "server/discover") {
    if (faults.has("exits at discover")) process.exit(1);
    send({ id, error: { code: -32601, message: "Method not found" } });
  } else if (method === "initialize") {
    const isWrong = starts === 0 && faults.has("wrong version at its first start");
    if (faults.has("never initializes") && !isWrong) continue;
    const protocolVersion = faults.has("wrong version") || isWrong ? "1999-01-01" : "2025-06-18";
    const serverInfo = { name: "fake", version: "1.0.0" };
    send({
      id,
      result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo },
    });
  } else if (method === "tools/list") send({ id, result: { tools: tools() } });
  else if (method === "tools/call") call(message);
  else if (id === "question")
    send({ id: asking, result: text(JSON.stringify(message.result ?? message.error)) });
  else if (method === "ping") send({ id, result: {} });
  else if (method === "notifications/cancelled") note(`cancelled ${params.requestId}`);
}
note("end of input");

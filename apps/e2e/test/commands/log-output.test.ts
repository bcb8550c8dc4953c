import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startWatchingProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

it("[GW-001] [GW-048] [GW-051] a gateway prints its log as JSON lines, and records the events of models", async () => {
  using place = emptyPlace({ WORD: "open-sesame-4711" });
  place.writeState({
    "openclaw.json": JSON.stringify({ logging: { levels: { gateway: "debug" } } }),
  });
  await using gateway = startWatchingProcess(place, [
    ...["gateway", "run", "--port", "0"],
    ...["--log-level", "error", "--log-stdout", "--raw-stream", "--raw-stream-path", "raw.jsonl"],
  ]);
  await gateway.says(/"msg":"OpenClaw \S+ is ready"/);
  const lines = () =>
    gateway
      .output()
      .stdout.split("\n")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text));
  const { port } = lines().find(({ msg }) => /is ready/.test(msg));
  const token = readFileSync(join(place.state, "gateway.token"), "utf8").trim();
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: "hello" }] }),
    });
  const answer = await ask();
  expect(answer.status).toBe(200);
  const raw = join(place.workspace, "raw.jsonl");
  const events = readFileSync(raw, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text));
  expect(events.map(({ type }) => type)).toContain("text");
  expect(events.at(-1)).toMatchObject({ type: "finish", provider: "demo" });
  expect(statSync(raw).mode & 0o777).toBe(0o600);

  expect(await gateway.end("SIGTERM")).toBe(0);
  for (const line of lines()) {
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      msg: expect.any(String),
      subsystem: expect.any(String),
    });
  }
  expect(readFileSync(join(place.state, "logs/gateway.log"), "utf8")).toBe(gateway.output().stdout);
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lobsterHost } from "./support/lobster-host.js";

const EXAMPLES = new URL("../../../docs/examples/lobster/", import.meta.url);
const example = (name: string) => readFileSync(new URL(name, EXAMPLES), "utf8");
const run = (filePath: string) => ({ action: "run", filePath, timeoutMs: 10_000 });

describe("the examples of the documentation", () => {
  it("[LOB-019] [LOB-027] triage.lobster changes nothing before a person approves", async () => {
    const { host, call } = await lobsterHost({
      answer: ({ tool }) => (tool === undefined ? undefined : "allow-once"),
      model: [{ text: "hello" }, { text: "moved" }],
      files: {
        "triage.lobster": example("triage.lobster"),
        "inbox/a.done.md": "a",
        "inbox/b.md": "b",
      },
    });
    await host.turn("hi");
    const place = (path: string) => existsSync(join(host.workspaceDir, path));
    const stopped = await call(run("triage.lobster"));
    expect(stopped).toMatchObject({
      status: "needs_approval",
      requiresApproval: { prompt: "Move these drafts to archive/?" },
    });
    expect(place("inbox/a.done.md")).toBe(true);
    await host.approve(stopped.ok ? stopped.requiresApproval?.decideWith : undefined);
    await host.turn("done?");
    expect(JSON.stringify(host.modelRequests[1])).toContain("a.done.md");
    expect([place("inbox/a.done.md"), place("archive/a.done.md"), place("inbox/b.md")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("[LOB-012] [LOB-019] report.lobster asks the model of the host, and checks its answer", async () => {
    const answer = { title: "Week 47", points: ["shipped", "tested"] };
    const { host, call } = await lobsterHost({
      answer: "allow-once",
      model: [{ text: "hello" }, { text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` }],
      files: { "report.lobster": example("report.lobster"), "notes/mon.md": "We shipped." },
    });
    await host.turn("hi");
    const done = await call(run("report.lobster"));
    expect(done).toMatchObject({ ok: true, status: "ok" });
    const prompt = JSON.stringify(host.modelRequests[1]);
    expect(prompt).toContain("We shipped.");
    expect(JSON.parse(readFileSync(join(host.workspaceDir, "report.json"), "utf8"))).toMatchObject(
      JSON.parse(JSON.stringify([{ output: { data: answer } }]))[0],
    );
  });

  it("[LOB-019] checks.lobster repeats its loop until every service answers", async () => {
    const { host, call } = await lobsterHost({
      answer: "allow-once",
      files: {
        "checks.lobster": example("checks.lobster"),
        "services.json": '["web","db"]',
        "check.sh":
          'echo x >> tries; [ "$1" = db ] && [ "$(wc -l < tries)" -lt 4 ] && exit 1; echo "$1 is up"\n',
      },
    });
    const done = await call(run("checks.lobster"));
    expect(done).toMatchObject({
      ok: true,
      output: [
        { service: "web", index: 0, ping: "web is up\n" },
        { service: "db", index: 1, ping: "db is up\n" },
      ],
    });
    expect(readFileSync(join(host.workspaceDir, "tries"), "utf8")).toBe("x\n".repeat(4));
  });
});

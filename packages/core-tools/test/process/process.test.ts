import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { BackgroundProcesses } from "../../src/process/background-processes.js";
import { runProcessGroup } from "../../src/process/group.js";
import { callTool, refusalOf, textOf, toolsOf } from "../support/call-tool.js";

async function session() {
  const tree = await temporaryWorkspace();
  const processes = new BackgroundProcesses();
  onTestFinished(() => processes.close());
  const tools = createCoreTools({
    ...tree,
    environment: { PATH: process.env.PATH },
    processes,
  });
  const inSession = (sessionId: string) => {
    const own = toolsOf(tools, { sessionId });
    const run = (params: Record<string, unknown>) => callTool(own, "process", params);
    return {
      process: run,
      start: async (command: string, params: Record<string, unknown> = {}) => {
        const result = await callTool(own, "exec", { command, background: true, ...params });
        const { processId } = result.details as { processId: string };
        expect(textOf(result)).toContain(`process ${processId}`);
        return processId;
      },
      /** Polls until the output so far holds a text or the process has ended. */
      pollUntil: async (id: string, wanted: string) => {
        for (let output = ""; ; ) {
          const result = await run({ action: "poll", id });
          const details = result.details as { output: string; status: string };
          output += details.output;
          if (output.includes(wanted) || (details.status === "ended" && details.output === "")) {
            return { output, text: textOf(result), details };
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
  };
  return { processes, tools, inSession, ...inSession("one") };
}

describe("background process", () => {
  it("[TURN-059] is polled for new output, receives input and ends", async () => {
    const { start, process, pollUntil } = await session();
    const id = await start('echo ready; read -r line; echo "got $line"; exit 3');
    expect((await pollUntil(id, "ready")).output).toBe("ready\n");
    expect(textOf(await process({ action: "poll", id }))).toMatch(
      /^\[Running for .* No new output/,
    );
    await process({ action: "write", id, data: "häy\n" });
    expect((await pollUntil(id, "got häy")).output).toBe("got häy\n");
    const end = await pollUntil(id, "nothing more comes");
    expect(end.text).toMatch(/Ended with exit code 3 after \d+ ms/);
    expect(end.details).toMatchObject({ status: "ended", exitCode: 3 });
    refusalOf(await process({ action: "write", id, data: "x" }), "not-running");
  });

  it("[TURN-059] is listed, and killed with its child processes", async () => {
    const { start, process, pollUntil } = await session();
    const id = await start("sleep 1000 & echo started; wait");
    await pollUntil(id, "started");
    expect(textOf(await process({ action: "list" }))).toMatch(
      new RegExp(`^${id}: Running for \\d+ ms\\. sleep 1000 & echo started; wait$`),
    );
    expect(textOf(await process({ action: "kill", id }))).toContain("Ended by signal SIGTERM");
    expect((await process({ action: "list" })).details).toMatchObject([{ id, status: "ended" }]);
  });

  it("[TURN-059] belongs to its session, and ends with it", async () => {
    const { inSession, processes, start, process } = await session();
    const id = await start("sleep 1000");
    const other = inSession("two");
    expect(textOf(await other.process({ action: "list" }))).toBe("No background processes.");
    for (const action of ["poll", "write", "kill"]) {
      expect(refusalOf(await other.process({ action, id, data: "x" }), "not-found")).toContain(
        "Existing IDs: none",
      );
    }
    const [running] = processes.list("one");
    await processes.endSession("two");
    expect(running?.end).toBeUndefined();
    await processes.endSession("one");
    expect(running?.end).toMatchObject({ signal: "SIGTERM" });
    refusalOf(await process({ action: "poll", id }), "not-found");
  });

  it("[TURN-059] is limited to 16 running at a time", async () => {
    const { start, process, tools } = await session();
    const [first = ""] = await Promise.all(Array.from({ length: 16 }, () => start("sleep 1000")));
    const more = { command: "true", background: true };
    const own = toolsOf(tools, { sessionId: "one" });
    expect(refusalOf(await callTool(own, "exec", more), "too-large")).toContain("16 background");
    await process({ action: "kill", id: first });
    await start("true");
  });

  it("[TURN-059] keeps the newest 1 MiB of its output", async () => {
    const { start, pollUntil, process, processes } = await session();
    const id = await start("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end");
    const [running] = processes.list("one");
    while (running?.end === undefined) await new Promise((resolve) => setImmediate(resolve));
    const notice = textOf(await process({ action: "poll", id }))
      .split("\n")
      .at(-1);
    expect(notice).toContain(`${3_000_005 - 1024 * 1024} earlier bytes were discarded`);
    expect(notice).toContain("There is more output; poll again.");
    const { output } = await pollUntil(id, "end\n");
    expect(output.length).toBe(1024 * 1024 - 64 * 1024);
  });

  it("ends at its timeout", async () => {
    const { start, pollUntil } = await session();
    const id = await start("sleep 1000", { timeoutMs: 50 });
    expect((await pollUntil(id, "never")).text).toContain("Ended by signal SIGTERM");
  });

  it("returns an error when it cannot be started", async () => {
    const { processes } = await session();
    const started = processes.start("one", {
      command: "x",
      run: (streams, signal) =>
        runProcessGroup(
          {
            program: "/no/such/program",
            arguments: [],
            workdir: "/",
            environment: {},
            ...streams,
          },
          signal,
        ),
    });
    await started.kill();
    expect(started.end).toEqual({ problem: expect.stringContaining("ENOENT") });
  });

  it("is not started while the host closes", async () => {
    const { processes, tools } = await session();
    await processes.close();
    const own = toolsOf(tools, { sessionId: "one" });
    refusalOf(await callTool(own, "exec", { command: "true", background: true }), "not-running");
  });

  it.each([
    [{ action: "poll" }, "poll needs id"],
    [{ action: "kill", id: "x" }, 'Background process "x" not found'],
  ])("rejects %j", async (params, problem) => {
    const { process } = await session();
    expect(textOf(await process(params))).toContain(problem);
  });

  it("requires data to write, at most 64 KiB", async () => {
    const { start, process } = await session();
    const id = await start("sleep 1000");
    refusalOf(await process({ action: "write", id }), "invalid-value");
    const data = "x".repeat(64 * 1024 + 1);
    refusalOf(await process({ action: "write", id, data }), "too-large");
  });
});

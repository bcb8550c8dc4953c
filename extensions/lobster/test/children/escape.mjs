// A child process that tries to leave its folder, with the flags of a run.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const attempts = {
  read: () => readFileSync("/etc/hosts"),
  write: () => writeFileSync("/tmp/lobster-escaped", "x"),
  // The status is null when the program was not started.
  start: () => {
    const { error } = spawnSync("true");
    if (error !== undefined) throw error;
  },
  worker: () => new Worker("", { eval: true }),
  own: () => writeFileSync(`${process.env.HOME}/own`, "x"),
};

process.on("message", () => {
  const done = Object.entries(attempts).flatMap(([name, attempt]) => {
    try {
      attempt();
      return [name];
    } catch {
      return [];
    }
  });
  const envelope = { protocolVersion: 1, ok: true, status: "ok", output: done };
  process.send({ kind: "envelope", text: JSON.stringify(envelope) });
});
process.send({ kind: "ready" });

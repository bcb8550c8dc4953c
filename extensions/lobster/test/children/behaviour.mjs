// A child process that behaves as the pipeline of its task says.
import { spawn } from "node:child_process";

const behaviours = {
  environment: () => envelope(Object.keys(process.env)),
  crash: () => {
    process.stderr.write("the engine broke at /opt/secret/place.js token sk-live-123\n");
    process.exit(3);
  },
  silent: () => process.exit(0),
  killed: () => process.kill(process.pid, "SIGKILL"),
  garbage: () => send({ kind: "envelope", text: "{not json" }),
  prints: () => {
    const more = () => process.stdout.write("x".repeat(65_536), more);
    more();
  },
  stubborn: () => {
    process.on("SIGTERM", () => undefined);
    const sleeper = spawn("sleep", ["600"], { stdio: "ignore" });
    send({ kind: "stage", name: `sleeping:${sleeper.pid}` });
    setInterval(() => undefined, 1000);
  },
  spins: () => {
    send({ kind: "stage", name: "spins" });
    setImmediate(() => {
      for (;;);
    });
  },
};

const send = (message) => process.send(message);
const envelope = (output) =>
  send({
    kind: "envelope",
    text: JSON.stringify({ protocolVersion: 1, ok: true, status: "ok", output }),
  });

process.on("message", (message) => {
  if (message.kind === "task") behaviours[message.request.pipeline]();
});
send({ kind: "ready" });

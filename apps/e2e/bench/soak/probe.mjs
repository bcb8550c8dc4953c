// Runs inside the gateway of the soak, before its program: says what the process holds, and lets its clock jump.
import { readdirSync } from "node:fs";

const Real = globalThis.Date;
let offset = 0;

class JumpingDate extends Real {
  constructor(...fields) {
    super(...(fields.length === 0 ? [Real.now() + offset] : fields));
  }

  static now() {
    return Real.now() + offset;
  }
}
globalThis.Date = JumpingDate;

process.on("message", ({ jumpMs }) => {
  if (jumpMs !== undefined) {
    offset = jumpMs;
    return;
  }
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({
    heapUsed,
    rss,
    descriptors: readdirSync("/proc/self/fd").length,
    timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
  });
});

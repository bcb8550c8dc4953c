import { enableCompileCache, flushCompileCache } from "node:module";
import type { ConformanceCheck, ConformanceCheckId } from "./report.js";
import type { ConformanceSubject } from "./subject.js";

/** Input of the process. */
export interface CheckOrder {
  readonly subject: ConformanceSubject;
  readonly checks: readonly ConformanceCheckId[];
}

/** Messages of the process: the start of a check, and its result. */
export type CheckNews =
  | { readonly begins: ConformanceCheckId }
  | { readonly ended: ConformanceCheck };

// Checks run in a separate process, so that a plugin that ends or blocks its process fails a check and
// nothing else.
process.on("message", (order: CheckOrder) => {
  work(order).catch(() => process.disconnect());
});

async function work({ subject, checks }: CheckOrder): Promise<void> {
  enableCompileCache();
  const { runCheck } = await import("./checks.js");
  for (const id of checks) {
    tell({ begins: id });
    const ended = await runCheck(id, subject);
    // The parent may kill this process after the last result, and a killed process writes no cache.
    if (id === checks.at(-1)) flushCompileCache();
    tell({ ended });
  }
}

function tell(news: CheckNews): void {
  process.send?.(news);
}

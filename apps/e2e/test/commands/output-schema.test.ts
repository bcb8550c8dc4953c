import { join } from "node:path";
import { Compile } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import type { GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const PLUGIN = `export default { id: "guard", register(api) {
  api.on("before_tool_call", () => undefined);
  api.registerCommand({ name: "hello", description: "Greets.", handler: () => ({ text: "hello" }) });
} };`;

const SESSION = "agent:main:main";

/** Commands that change nothing, with arguments that give them something to print. */
const READING: readonly (readonly [command: string, ...args: string[]])[] = [
  ["status"],
  ["gateway status"],
  ["gateway token list"],
  ["gateway call", "host.status"],
  ["doctor"],
  ["doctor sandbox"],
  ["doctor guards"],
  ["db status"],
  ["usage"],
  ["logs"],
  ["version"],
  ["service status"],
  ["sessions list"],
  ["sessions show", SESSION],
  ["sessions export", SESSION],
  ["tool list"],
  ["tool info", "read"],
  ["tool info", "web_search"],
  ["trace", "--session", SESSION],
  ["plugins list"],
  ["plugins inspect", "guard"],
  ["plugins doctor"],
  ["plugins validate", "PLUGIN"],
  ["plugins compat", "PLUGIN"],
  ["hooks list"],
  ["hooks show", "before_tool_call"],
  ["policy explain", "write"],
  ["approvals list"],
  ["approvals history"],
  ["approvals grants"],
  ["approvals audit"],
  ["approvals audit", "--verify"],
  ["approvals check", "ls"],
  ["config validate"],
  ["config get"],
  ["config get", "gateway.port", "--explain"],
  ["config schema"],
  ["secrets list"],
  ["secrets uses"],
];

/** Commands whose output is any value or object. */
const OPEN: ReadonlySet<string> = new Set([
  ...["gateway call", "config get", "config schema", "sessions export"],
]);

/** Commands that fail where no service manager or no sandbox runs. */
const FAILING: ReadonlySet<string> = new Set(["service status"]);

let place: Place;
let gateway: GatewayProcess;

beforeAll(async () => {
  place = emptyPlace();
  place.installPlugin("guard", PLUGIN);
  place.writeState({
    "openclaw.json":
      '{ gateway: { port: 18999, auth: { tokens: [] } }, tools: { deny: ["write"], approval: { echo: "always" } } }',
  });
  await openclaw(["secrets", "set", "KEY"], { ...place, input: "s3cret-value" });
  gateway = await startGateway(place);
  await openclaw(["chat", "-m", "what time is it"], place);
  schemas = JSON.parse((await openclaw(["--json-schema"], place)).stdout);
});

afterAll(async () => {
  await gateway?.end("SIGTERM");
  place?.[Symbol.dispose]();
});

/** Schemas of all commands by name. */
let schemas: Readonly<Record<string, object>>;

function validatorOf(command: string) {
  return Compile(schemas[command] ?? false);
}

/** Runs a command, and returns the values that it printed. */
async function printed(command: string, args: readonly string[], at: Place): Promise<unknown[]> {
  const given = args.map((each) => each.replace("PLUGIN", join(place.state, "extensions/guard")));
  const { stdout } = await openclaw([...command.split(" "), ...given, "--json"], at);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}

describe("--json-schema", () => {
  it.concurrent.each(READING)(
    "[GW-044] describes what %s prints with --json",
    async (command, ...args) => {
      const validator = validatorOf(command);
      for (const value of await printed(command, args, place)) {
        if (!FAILING.has(command)) expect(value).not.toHaveProperty("error");
        expect(validator.Errors(value)).toEqual([true, []]);
      }
      expect(validator.Check({})).toBe(OPEN.has(command));
    },
  );

  it("[GW-044] describes the errors, and the state without a gateway", async () => {
    using empty = emptyPlace();
    const failed = await printed("sessions show", ["agent:main:nothing"], place);
    expect(failed).toMatchObject([{ error: { code: "SESSION_NOT_FOUND" } }]);
    expect(validatorOf("sessions show").Errors(failed[0])).toEqual([true, []]);
    const [status] = await printed("status", [], empty);
    expect(validatorOf("status").Errors(status)).toEqual([true, []]);
    // It starts a gateway, so no other one may use the state folder.
    const [started] = await printed("gateway check", [], empty);
    expect(started).toHaveProperty("ready", true);
    expect(validatorOf("gateway check").Errors(started)).toEqual([true, []]);
    const own = await openclaw(["status", "--json-schema"], place);
    expect(JSON.parse(own.stdout)).toEqual(schemas.status);
    const unknown = await openclaw(["sesions", "list", "--json-schema"], place);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('did you mean "sessions list"?');
  });
});

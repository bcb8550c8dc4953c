import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";

/** The ID of a person, which a number would keep as that of another person, 9007199254740996. */
const ID = "9007199254740995";
const TOKEN = `1:${"a".repeat(35)}`;

let place: Place;

beforeAll(() => {
  place = emptyPlace();
});

beforeEach(() => place.writeState({ "openclaw.json": "{}" }));

afterAll(() => place[Symbol.dispose]());

function stored(): string {
  const file = join(place.state, "openclaw.json");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

describe("a configuration with an ID that a number cannot hold", () => {
  it.each([
    ["owners of a channel", `{ channels: { telegram: { owners: [${ID}] } } }`, "owners.0", ID],
    ["a negative ID", `{ channels: { telegram: { allowFrom: [1, -${ID}] } } }`, ".1", `-${ID}`],
    [
      "owners of an account",
      `{ channels: { telegram: { accounts: { work: { owners: [${ID}] } } } } }`,
      "channels.telegram.accounts.work.owners.0",
      ID,
    ],
    [
      "a setting of a plugin",
      `{ plugins: { entries: { any: { config: { chat: { id: ${ID} } } } } } }`,
      "plugins.entries.any.config.chat.id",
      ID,
    ],
    ["hexadecimal digits", "{ channels: { telegram: { owners: [0x20000000000003] } } }", "", ID],
    ["an exponent", "{ channels: { telegram: { owners: [9.007199254740995e15] } } }", "", ID],
    ["2^53 itself", "{ channels: { telegram: { owners: [9007199254740992] } } }", "", "740992"],
    ["more than a number can be", "{ channels: { telegram: { owners: [1e400] } } }", "", "1e400"],
  ])(
    "[GW-220] is rejected, and the error shows how to write it: %s",
    async (_what, text, key, quoted) => {
      place.writeState({ "openclaw.json": text });
      const { exitCode, stdout } = await openclaw(["config", "validate", "--json"], place);
      expect(exitCode).toBe(78);
      const { errors: problems } = JSON.parse(stdout);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({
        key: expect.stringContaining(key),
        suggestion: expect.stringMatching(new RegExp(`^write it in quotes: ".*${quoted}"$`)),
        line: 1,
      });
    },
  );

  it("[GW-220] is rejected in an included file, with the place in that file", async () => {
    place.writeState({
      "openclaw.json": '{ channels: { $include: "channels.json5" } }',
      "channels.json5": `{\n  telegram: {\n    owners: [${ID}] } }`,
    });
    const { exitCode, stderr } = await openclaw(["gateway", "run", "--port", "0"], place);
    expect(exitCode).toBe(78);
    expect(stderr).toContain("channels.json5:3:14 channels.telegram.owners.0: the number");
  });

  it("[GW-220] is repaired by the command line", async () => {
    const telegram = `{ botToken: "${TOKEN}", owners: [${ID}] }`;
    place.writeState({ "openclaw.json": `{ channels: { telegram: ${telegram} } }` });
    const { exitCode } = await openclaw(
      ["config", "set", "channels.telegram.owners", `["${ID}"]`],
      place,
    );
    expect(exitCode).toBe(0);
    expect(stored()).toContain(`"${ID}"`);
  });
});

it.each([
  ["config set", ["config", "set", "channels.telegram.owners", `[${ID}]`]],
  ["config set of a single value", ["config", "set", "plugins.entries.any.config.id", ID]],
  ["config patch", ["config", "patch", `{ channels: { telegram: { owners: [${ID}] } } }`]],
  ["config set of an item", ["config", "set", "channels.telegram.owners.0", `-${ID}.0`]],
  ["channels add", ["channels", "add", "telegram", `owners=[${ID}]`]],
  ["channels add of a single value", ["channels", "add", "telegram", `owners=${ID}`]],
  ["gateway call", ["gateway", "call", "sessions.get", `{"any": [{"id": ${ID}}]}`]],
  ["tool run", ["tool", "run", "session_status", "--params", `{"sessionKey": ${ID}}`]],
])("[GW-220] %s rejects the number, and writes nothing", async (_what, args) => {
  const { exitCode, stderr } = await openclaw(args, place);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(new RegExp(`write it in quotes: "-?${ID}"`));
  expect(stored()).toBe("{}");
});

it("[GW-220] keeps IDs in quotes, and numbers that are exact", async () => {
  const owners = `["${ID}", 9007199254740991]`;
  const { exitCode } = await openclaw(
    ["channels", "add", "telegram", `botToken=${TOKEN}`, `owners=${owners}`],
    place,
  );
  expect(exitCode).toBe(0);
  const { stdout } = await openclaw(["config", "get", "channels.telegram.owners"], place);
  for (const id of [ID, "9007199254740991"]) expect(stdout).toContain(id);
});

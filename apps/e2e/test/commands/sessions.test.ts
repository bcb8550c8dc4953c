import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const KEY = "agent:main:main";

let place: Place;
beforeAll(async () => {
  place = emptyPlace();
  place.installPlugin(
    "witness",
    `import { appendFileSync } from "node:fs";
    export default { id: "witness", register(api) {
      api.on("session_end", ({ reason }) => appendFileSync(${JSON.stringify(
        join(place.workspace, "ends.txt"),
      )}, reason + "\\n"));
    } };`,
  );
  await openclaw(["chat", "-m", "first line"], place);
  return () => place[Symbol.dispose]();
});

describe("openclaw sessions", () => {
  it("list and show print stored sessions without loading a plugin", async () => {
    const listed = await openclaw(["sessions", "list"], place);
    expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(listed.stdout).toMatch(/^last used +messages +model +session\n/);
    expect(listed.stdout).toMatch(new RegExp(`\\d\\d:\\d\\d:\\d\\d +2 +${KEY}\\n$`));
    const shown = await openclaw(["sessions", "show", KEY], place);
    expect(shown.stdout).toContain(`${KEY}\n  agent main, 2 messages\n`);
    expect(shown.stdout).toMatch(/ user\n {2}first line\n/);
    for (const line of shown.stdout.split("\n").slice(0, 5)) {
      expect(line.length).toBeLessThanOrEqual(100);
    }
    const json = await openclaw(["sessions", "list", "--agent", "nobody", "--json"], place);
    expect(JSON.parse(json.stdout)).toEqual({ sessions: [] });
  });

  it("suggests the nearest key for an unknown session", async () => {
    const shown = await openclaw(["sessions", "show", "agent:main:mian"], place);
    expect(shown).toMatchObject({ exitCode: 4, stdout: "" });
    expect(shown.stderr).toContain(`did you mean "${KEY}"?`);
  });

  it("exports, imports and deletes sessions, also while a gateway runs, whose plugins are notified", async () => {
    const file = join(place.workspace, "session.json");
    const exported = await openclaw(["sessions", "export", KEY, "-o", file], place);
    expect(exported).toMatchObject({ exitCode: 0, stdout: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await openclaw(["sessions", "export", KEY, "-o", file], place)).exitCode).toBe(2);

    await using gateway = await startGateway(place);
    expect(await openclaw(["sessions", "import", file], place)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`session ${KEY} already exists`),
    });
    const input = readFileSync(file, "utf8");
    const as = await openclaw(["sessions", "import", "-", "--as", "agent:main:copy", "--json"], {
      ...place,
      input,
    });
    expect(JSON.parse(as.stdout)).toEqual({ sessionKey: "agent:main:copy" });
    const deleted = await openclaw(
      ["sessions", "delete", "agent:main:copy", "--yes", "--json"],
      place,
    );
    expect(JSON.parse(deleted.stdout)).toMatchObject({ sessionKey: "agent:main:copy" });
    expect(
      (await openclaw(["sessions", "delete", "agent:main:copy", "--yes"], place)).exitCode,
    ).toBe(4);
    expect(readFileSync(join(place.workspace, "ends.txt"), "utf8").split("\n")).toContain(
      "deleted",
    );
    expect(await gateway.end("SIGTERM")).toBe(0);
  });

  it("import reports the problem of a document", async () => {
    const input = '{"format":"openclaw-session"}';
    const refused = await openclaw(["sessions", "import", "-"], { ...place, input });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain("use a file that `openclaw sessions export` wrote");
    const garbled = await openclaw(["sessions", "import", "-"], { ...place, input: "{" });
    expect(garbled.exitCode).toBe(2);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startChatPlace } from "../../support/virtual-chat.js";
import { KEYS } from "../../support/virtual-terminal.js";

it("[GW-685] /init looks at the workspace and proposes an AGENTS.md, which is written after an approval", async () => {
  const place = await startChatPlace();
  place.folder.write({ "workspace/package.json": '{"scripts":{"test":"node --test"}}' });
  const chat = await place.open();
  chat.type(`/init${KEYS.enter}`);
  await chat.shows("[y]es");
  expect(chat.text).toContain("you › /init");
  expect(chat.text).not.toContain("Look at the workspace");
  const request = chat.text.split("\n").filter((line) => line.startsWith("│ "));
  expect(request).toContain("│ +++ b/AGENTS.md");
  expect(request).toContain("│ +- `npm run test` runs `node --test`");
  chat.type("y");
  await chat.shows("Enter confirms");
  chat.type(KEYS.enter);
  await chat.shows(/✓ write/);
  const written = readFileSync(join(place.workspaceDir, "AGENTS.md"), "utf8");
  expect(written).toMatch(/^# Instructions for agents\n/);
  expect(written).toContain("- `notes.txt`");
  await chat.shows("write answered");
  await chat.shows("ready · ");
  chat.type(`/init${KEYS.enter}`);
  await chat.shows("AGENTS.md exists");
});

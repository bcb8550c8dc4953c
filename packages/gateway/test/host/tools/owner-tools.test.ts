import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { SESSION } from "../../support/host.js";
import { ownerConversation } from "./support/owner-conversation.js";

const TOKEN = "a-token-that-nobody-else-knows";

const folder = temporaryFolder();
let restarts = 0;

const conversation = ownerConversation(folder, () => {
  folder.write({
    "openclaw.json": `{
  // who may listen
  gateway: { auth: { token: "${TOKEN}" } },
  // no setting waives what gateway asks
  tools: { approval: { gateway: "never" } },
}
`,
  });
  return {
    onRestart() {
      restarts += 1;
    },
  };
});
const { asked, use } = conversation;

it("[TURN-069] cron is a view of the routines, whose changes ask and whose reading does not", async () => {
  const job = { name: "tea", schedule: "every 2h", prompt: "remind me", deliver: false };
  expect(await use("cron", { action: "add", job })).toContain("Every 2 hours");
  expect(asked).toHaveLength(1);
  const methods = await conversation.gateway.methods();
  const stored = await methods.call("cron.get", { routine: "tea" });
  expect(stored).toMatchObject({
    ...{ askedIn: SESSION, prompt: "remind me" },
    notify: { onAttention: false, onFailure: false, onSuccess: false },
  });
  expect(await use("cron", { action: "list" })).toContain(`"id": "${stored.routineId}"`);
  expect(await use("cron", { action: "runs", id: "tea" })).toContain('"runs": []');
  expect(asked).toHaveLength(1);
  const moved = { schedule: "0 9 * * *", timezone: "Europe/Berlin", deliver: true };
  expect(await use("cron", { action: "update", id: "tea", job: moved })).toContain(
    "Every day at 09:00 Europe/Berlin",
  );
  expect(await use("cron", { action: "run", id: "tea" })).toContain('"origin": "manual"');
  expect(await use("cron", { action: "remove", id: "tea" })).toContain('"name": "tea"');
  expect(asked).toHaveLength(4);
  expect(await methods.call("cron.list", {})).toEqual({ routines: [] });
});

it("[TURN-069] cron says what a call lacks, and changes nothing that was denied", async () => {
  expect(await use("cron", { action: "add", job: { name: "x" } })).toContain(
    "job: name, schedule and prompt are needed",
  );
  expect(await use("cron", { action: "remove" })).toContain("id: remove needs the name or ID");
  expect(await use("cron", { action: "update", id: "x" })).toContain("at least one field");
  expect(await use("cron", { action: "runs", id: "x" })).toContain('routine "x" not found');
  conversation.decision = "deny";
  const job = { name: "x", schedule: "every 2h", prompt: "y" };
  await use("cron", { action: "add", job });
  expect(await (await conversation.gateway.methods()).call("cron.list", {})).toEqual({
    routines: [],
  });
});

it("[TURN-069] gateway reads without approval and without secrets", async () => {
  expect(await use("gateway", { action: "status" })).toContain('"version": "1.0.0"');
  const read = await use("gateway", { action: "config_get" });
  expect(read).toContain("auth");
  expect(read).not.toContain(TOKEN);
  expect(await use("gateway", { action: "config_get", path: "session" })).toContain(
    "the configuration file has no session; its default applies",
  );
  expect(await use("gateway", { action: "config_get", path: "a..b" })).toContain(
    '"a..b" is not a dotted key',
  );
  expect(asked).toEqual([]);
});

it("[TURN-069] [GW-007] gateway changes the configuration and asks each time what it would do", async () => {
  const set = { action: "config_set", path: "session.queueMode", value: "queue" };
  const text = () => readFileSync(join(folder.path, "openclaw.json"), "utf8");
  expect(await use("gateway", set)).toContain('"session.queueMode"');
  expect(text()).toContain("// who may listen");
  expect(text()).toContain("queueMode");
  expect(await use("gateway", { ...set, value: "nonsense" })).toContain("session.queueMode");
  expect(await use("gateway", { ...set, value: null })).toContain("applied");
  expect(text()).not.toContain("queueMode");
  expect(asked).toHaveLength(3);
  expect(asked[0]).toContain("Sets session.queueMode to ");
  expect(asked[2]).toContain("Removes session.queueMode from the configuration of the gateway.");
  expect(await use("gateway", { action: "config_set", path: "session.queueMode" })).toContain(
    "value: config_set needs one",
  );
  expect(await use("gateway", { action: "config_set", value: 1 })).toContain("path: ");
  conversation.decision = "deny";
  await use("gateway", set);
  expect(text()).not.toContain("queueMode");
});

it("[TURN-069] gateway restarts after an approval, where something starts it again", async () => {
  expect(await use("gateway", { action: "restart" })).toContain("restarts now");
  expect(asked[0]).toContain("Restarts the gateway.");
  conversation.decision = "deny";
  await use("gateway", { action: "restart" });
  expect(restarts).toBe(1);
});

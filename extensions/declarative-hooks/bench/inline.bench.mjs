/** Time of an inline hook for one event, on messages of 120 characters; `floor` is a handler that does nothing. */
import { performance } from "node:perf_hooks";
import { createTestHost } from "@openclaw/plugin-testkit";
import plugin from "../dist/index.js";
import manifest from "../openclaw.plugin.json" with { type: "json" };

const EVENTS = 50_000;
const ROUNDS = 7;
const CONTENT =
  "Deployment of site by Ada: the password for the staging server is hunter2, please rotate it before Friday. Thanks!";

const inbound = (fields) => ({ points: ["beforeInbound"], ...fields });
const rules = [
  inbound({ name: "plain-text", replacements: [{ pattern: "password", replacement: "[hidden]" }] }),
  inbound({ name: "expression", replacements: [{ pattern: "[a-z]+[0-9]+", replacement: "***" }] }),
  inbound({ name: "no-match", when: "(?:credit|debit) card", rejectReason: "no cards" }),
  inbound({ name: "template", template: "{{sender}} on {{channel}}: {{content}}" }),
];

const host = await createTestHost({ plugin, pluginConfig: { rules }, manifest });
const context = { sessionKey: "agent:main:main" };
const event = {
  ...{ content: CONTENT, from: "ada", senderId: "ada", channel: "telegram", isGroup: false },
  context,
};
const floor = microseconds(() => undefined);
for (const { handler, name } of host.registrations.hooks) {
  report(name.replace("config::", ""), microseconds(handler), floor);
}
await host.dispose();

/** Returns the median of several rounds, in microseconds for each event. */
function microseconds(handler) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    for (let index = 0; index < EVENTS; index += 1) handler(event, context);
    rounds.push(((performance.now() - began) * 1000) / EVENTS);
  }
  return rounds.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)];
}

function report(metric, value, floorValue) {
  const unit = "µs";
  console.log(
    JSON.stringify({
      ...{ package: "declarative-hooks", bench: "inline", metric, value, unit, n: EVENTS },
      ...{ floor: floorValue, goal: 20, better: "lower" },
    }),
  );
}

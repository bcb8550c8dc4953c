// Measures how many messages are read as submissions in a second: the parser, and the router for what it leaves.
import { performance } from "node:perf_hooks";
import { parseSubmission, routeInput } from "../dist/index.js";

const ROUNDS = 7;
const TEXTS = 200_000;
const ID = "6f1c2f0e-0d7c-4c0f-9b5e-0a1b2c3d4e5f";

/** Messages of a conversation: mostly sentences, some of them long, and every kind of command. */
const MIX = [
  "What is the weather like in Vienna tomorrow, and do I need an umbrella?",
  "yes",
  `Please summarise this text:\n\n${"All work and no play makes a dull day. ".repeat(100)}`,
  "/undo",
  "yes please",
  `/thread ${ID}`,
  "/model anthropic/claude large",
  "/usr/bin/env is a path",
  '{"UserInput":{"content":"hello"}}',
  `{"ExecApproval":{"request_id":"${ID}","approved":true,"always":false}}`,
  "/deploy to production",
  "/approve K7MPQ2 always",
  "/job build a website",
  "/HELP",
  "ok",
  "thanks",
];

function read(count) {
  let commands = 0;
  for (let index = 0; index < count; index += 1) {
    const text = MIX[index % MIX.length];
    const submission = parseSubmission(text, { approvalPending: index % 2 === 0 });
    if (submission.kind !== "UserInput") commands += 1;
    else if (routeInput(text) !== undefined) commands += 1;
  }
  return commands;
}

if (read(TEXTS) === 0) throw new Error("no command was read");
const rates = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const start = performance.now();
  read(TEXTS);
  rates.push(TEXTS / ((performance.now() - start) / 1000));
}
rates.sort((left, right) => left - right);
console.log(
  JSON.stringify({
    package: "messaging",
    bench: "parse",
    metric: "submissions a second",
    value: Math.round(rates[Math.floor(ROUNDS / 2)]),
    unit: "/s",
    n: ROUNDS * TEXTS,
    goal: 100_000,
    better: "higher",
  }),
);

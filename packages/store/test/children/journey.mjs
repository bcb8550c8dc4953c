// Takes one message from the inbox to its delivered reply and kills itself before step `crashAt`.
// Prints the name of each transaction once it is committed.
import { writeSync } from "node:fs";
import { openStore } from "../../src/index.ts";

const [place, crashAt] = process.argv.slice(2);
let step = 0;

function beforeNextStep() {
  if (step === Number(crashAt)) process.kill(process.pid, "SIGKILL");
  step += 1;
}

function committed(name) {
  writeSync(1, `${name}\n`);
}

function text(role, content) {
  const message = { role, content: [{ type: "text", text: content }], timestamp: 1 };
  return role === "user" ? message : { ...message, provider: "p", model: "m", stopReason: "stop" };
}

const store = await openStore(JSON.parse(place));

beforeNextStep();
await store.messages.inbox.accept({
  id: "message",
  channel: "test",
  accountId: "account",
  conversationId: "conversation",
  senderId: "sender",
  content: "question",
  attachments: [],
  receivedAt: 1,
  metadata: {},
});
committed("accepted");

beforeNextStep();
const sessionId = await store.transaction(async (inside) => {
  beforeNextStep();
  const { session } = await inside.sessions.open("session", { agentId: "agent" });
  beforeNextStep();
  await inside.messages.inbox.settle("message", {
    state: "queued",
    sessionKey: "session",
    runId: "run",
  });
  beforeNextStep();
  await inside.turns.enqueue({
    runId: "run",
    sessionKey: "session",
    sessionId: session.sessionId,
    agentId: "agent",
    inboxId: "message",
    trigger: "user",
  });
  beforeNextStep();
  return session.sessionId;
});
committed("queued");

beforeNextStep();
await store.turns.begin("run");
committed("begun");

beforeNextStep();
const { row } = await store.transaction(async (inside) => {
  beforeNextStep();
  await inside.messages.transcript.append({
    sessionId,
    runId: "run",
    message: text("user", "question"),
  });
  beforeNextStep();
  await inside.messages.transcript.append({
    sessionId,
    runId: "run",
    message: text("assistant", "answer"),
  });
  beforeNextStep();
  const reply = await inside.messages.outbox.add({
    runId: "run",
    part: 0,
    inboxId: "message",
    sessionKey: "session",
    target: { channel: "test", to: "sender" },
    content: "answer",
  });
  beforeNextStep();
  await inside.turns.finish("run", { state: "completed", stopReason: "stop" });
  beforeNextStep();
  return reply;
});
committed("answered");

beforeNextStep();
await store.messages.outbox.delivered(row.id, { messageId: "sent" });
committed("delivered");
beforeNextStep();

// Accepts pairs of messages, each pair in one transaction, and prints each pair's number once it is
// committed. Ends only when it is killed.
import { writeSync } from "node:fs";
import { openStore } from "../../src/index.ts";

const [place, durability] = process.argv.slice(2);
const store = await openStore({ ...JSON.parse(place), durability });

function message(id) {
  return {
    id,
    channel: "test",
    accountId: "account",
    conversationId: "conversation",
    senderId: "sender",
    content: "text ".repeat(100),
    attachments: [],
    receivedAt: 1,
    metadata: {},
  };
}

for (let pair = 0; ; pair += 1) {
  await store.transaction(async (inside) => {
    await inside.messages.inbox.accept(message(`${pair}/first`));
    await inside.messages.inbox.accept(message(`${pair}/second`));
  });
  writeSync(1, `${pair}\n`);
}

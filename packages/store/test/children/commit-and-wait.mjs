// Opens a database as a host does, commits messages until the file of marks covers them, prints "marked", and waits to be
// killed.
import { readFileSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openStore } from "../../src/index.ts";

const [file] = process.argv.slice(2);
const store = await openStore({ file, exclusive: true });
const numberOf = () => JSON.parse(readFileSync(`${file}.mark`, "utf8")).number;
const atStart = numberOf();
for (let index = 0; index < 20; index += 1) {
  await store.messages.inbox.accept({
    id: `${atStart}/${index}`,
    channel: "test",
    accountId: "account",
    conversationId: "conversation",
    senderId: "sender",
    content: "text ".repeat(100),
    attachments: [],
    receivedAt: 1,
    metadata: {},
  });
}
while (numberOf() === atStart) await delay(20);
writeSync(1, "marked\n");
setInterval(() => {}, 60_000);

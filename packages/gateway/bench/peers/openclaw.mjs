// A turn of OpenClaw in process, without HTTP on the way in, with durability `process`.
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../../dist/index.js";
import { openBenchHost } from "../bench-host.ts";
import { instantProvider } from "../bench-provider.ts";
import { measure, QUESTION } from "./measure.mjs";

const [folder] = process.argv.slice(2);
const host = await openBenchHost({
  state: openStateFolder(join(folder, "state")),
  store: await openStore({ file: join(folder, "store.db"), durability: "process" }),
  provider: instantProvider(),
});

await measure(async (session) => {
  const { text } = await host.receive({
    channel: "bench",
    accountId: "default",
    conversationId: session,
    senderId: "me",
    senderIsOwner: true,
    text: QUESTION,
    sessionKey: `agent:main:${session}`,
    agentId: "main",
  });
  return text;
});

// Makes a believable state of a gateway through its methods, and through the store for the days before today.
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { openStore } from "../../packages/store/dist/index.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** File of the workspace that a request changes. */
export const INVOICE =
  "export const net = 1;\nexport const tax = 2;\n\nexport function total(lines) {\n  return lines.reduce((sum, line) => sum + Math.round(line.net * (1 + line.rate)), 0);\n}\n";
const GUARD = resolve(import.meta.dirname, "../../docs/examples/tool-guard");

/**
 * Returns the configuration of the state.
 * @param modelUrl - URL of the scripted model
 */
export function seedConfiguration(modelUrl) {
  const models = { large: { contextTokens: 200_000, price: { input: "3", output: "15" } } };
  return {
    models: {
      providers: { atlas: { type: "openai-compatible", baseUrl: modelUrl, models } },
      retry: { retries: 0 },
      // A call of the scripted model may wait as long as a person looks.
      failover: { firstResponseMs: 3_600_000 },
      budget: { maxCostPerDayCents: 1000 },
    },
    agents: {
      defaults: { model: "atlas/large" },
      main: { default: true },
      research: {},
      ops: {},
    },
    plugins: {
      load: { paths: [GUARD] },
      entries: {
        approvals: {
          config: {
            rules: [
              {
                prefix: ["npm", "publish"],
                decision: "ask",
                match: ["npm publish"],
                note: "Publishing cannot be undone.",
              },
            ],
          },
        },
      },
    },
  };
}

/**
 * Stores model calls of the two weeks before a day.
 * @param file - new database
 * @param today - a time of that day
 */
export async function storePast(file, today) {
  let now = today;
  const store = await openStore({ file, now: () => now });
  for (let day = 13; day >= 1; day -= 1) {
    now = today - day * DAY_MS;
    const share = [0.4, 1.1, 0.7, 1.6, 0.9, 0.3, 0.2][day % 7];
    for (const [agentId, part] of [
      ["main", 0.4],
      ["research", 0.5],
      ["ops", 0.1],
    ]) {
      const usage = {
        input: Math.round(1_400_000 * share * part),
        output: Math.round(60_000 * share * part),
      };
      const cost = BigInt(Math.round(usage.input * 3 + usage.output * 15)) * 1_000_000n;
      const call = { callId: randomUUID(), agentId, provider: "atlas", model: "large" };
      await store.spending.record(call, { usage, cost, isEstimated: false });
    }
  }
  await store.close();
}

/**
 * Sends the messages of the state, and decides some of its requests.
 * @param client - connection of an operator
 */
export async function seed(client) {
  const send = (sessionKey, text) => client.call("chat.send", { sessionKey, text });
  const until = async (names, sessionKey, text) => {
    const events = client.events({ names: ["approval.requested", "chat.final", "chat.error"] });
    await send(sessionKey, text);
    for await (const { name, payload } of events) {
      if (payload.sessionKey !== sessionKey) continue;
      if (names.includes(name)) return payload;
      throw new Error(`"${text}" led to ${name} instead of ${names}`);
    }
    throw new Error(`the connection ended before the end of "${text}"`);
  };
  const ended = (sessionKey, text) => until(["chat.final", "chat.error"], sessionKey, text);
  const asked = (sessionKey, text) => until(["approval.requested"], sessionKey, text);
  const decide = ({ id, digest }, answer) =>
    client.call("approvals.resolve", { id, digest, ...answer });

  for (const [key, text] of [
    ["agent:main:calendar", "What is in the calendar tomorrow?"],
    ["agent:main:travel", "Find a train to Hamburg on Friday morning"],
    ["agent:research:papers", "Compare the three papers about retrieval that I sent"],
    ["agent:research:market", "Who sells vector databases as a service in Europe?"],
    ["agent:ops:disk", "How full is the disk of the build machine?"],
    ["agent:main:invoice-questions", "Explain how the tax of an invoice is calculated"],
  ]) {
    await ended(key, text);
  }
  await decide(await asked("agent:ops:branch", "Tell me which branch is checked out"), {
    decision: "allow-once",
  });
  await decide(await asked("agent:main:notes", "Write the release notes of 2.4"), {
    decision: "allow-always",
    scope: "session",
  });
  await decide(await asked("agent:ops:standup-monday", "Post the daily notes of Monday"), {
    decision: "deny",
    note: "Send them to the channel of the team instead.",
  });
  await ended("agent:research:handbook", "Translate the handbook into French");
  await ended("agent:research:handbook-2", "Translate the handbook into Polish");
  await ended("agent:ops:cache", "Remove the old cache");

  await asked("agent:ops:standup", "Post the daily notes of today");
  await asked("agent:main:billing", "Fix the rounding of the invoice total");
  await asked("agent:ops:release", "Deploy billing 2.4 to production");
  await send("agent:research:support", "Summarise 214 support threads");
  await send("agent:research:support", "Then send me the ten most frequent ones");
  const stopped = "agent:research:wiki";
  await send(stopped, "Index the wiki export");
  await client.call("chat.abort", { sessionKey: stopped });

  await client.call("sessions.patch", {
    sessionKey: "agent:ops:release",
    label: "Release 2.4",
    pinned: true,
  });
  await client.call("sessions.patch", {
    sessionKey: "agent:main:billing",
    label: "Billing",
    pinned: true,
  });
  await client.call("sessions.patch", { sessionKey: "agent:main:travel", archived: true });
  await seedMemory(client);
  await seedWork(client);
}

/** Stores documents, connections and facts. */
async function seedMemory(client) {
  for (const [target, content] of [
    ["projects/billing/decisions.md", "# Rounding\n\nAmounts are rounded **half-even**, once."],
    ["projects/billing/tax.md", "The tax of an invoice is the sum of the tax of its lines."],
    ["people/ada.md", "Ada decides about releases. She reads mail in the morning."],
    ["notes/tea.md", "Ada likes green tea."],
  ]) {
    await client.call("memory.write", { target, content, append: false });
  }
  await client.call("memory.connect", {
    ...{ source: "projects/billing/decisions.md", target: "projects/billing/tax.md" },
    type: "extends",
  });
  await client.call("memory.createSpace", { space: "billing" });
  await client.call("memory.setFact", { key: "time zone", value: "Europe/Zurich" });
}

/** Creates routines and jobs. */
async function seedWork(client) {
  for (const [name, cron, prompt] of [
    ["morning-report", "30 8 * * 1-5", "Report what changed since yesterday"],
    ["invoice-check", "0 17 * * 5", "Check the invoices of the week"],
    ["disk-space", "15 */6 * * *", "Report when the disk of the build machine is over 80 % full"],
  ]) {
    await client.call("cron.add", { name, cron, prompt, tz: "UTC" });
  }
  for (const [title, state] of [
    ["Check the links of the handbook", "completed"],
    ["Check the certificate of the shop", "failed"],
    ["Index the wiki export again", "in_progress"],
  ]) {
    const changes = client.events({ names: ["job.changed"] });
    const { jobId } = await client.call("jobs.create", { title });
    for await (const { payload } of changes) {
      if (payload.jobId === jobId && payload.state === state) break;
    }
  }
}

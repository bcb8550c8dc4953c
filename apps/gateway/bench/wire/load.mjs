// WebSocket clients that start turns at a fixed rate, each subscribed to one session.
import { connectClient } from "./socket-client.mjs";

/**
 * Creates a session for each client.
 * @param gateway - running gateway
 * @param count - number of sessions
 */
export async function createSessions(gateway, count) {
  const writer = await connectClient(gateway);
  for (let index = 0; index < count; index += 1) {
    const { messageId } = await writer.send(sessionOf(index), "Hello?");
    await writer.final(messageId);
  }
  writer.close();
}

/**
 * Connects clients, each subscribed to its session.
 * @param gateway - running gateway
 * @param count - number of clients
 */
export async function connectClients(gateway, count) {
  const clients = [];
  for (let index = 0; index < count; index += 1) {
    clients.push(await connectClient(gateway, { subscribe: [sessionOf(index)] }));
  }
  return clients;
}

/**
 * Starts turns at a fixed rate, whether or not those before them have ended, and waits for their replies. Throws when a
 * client lost or repeated an event.
 * @param clients - connected clients
 * @param load - rate, and duration in seconds
 * @returns number of turns, seconds, milliseconds until each was acknowledged and replied to, and turns per second that were
 * replied to while turns were started
 */
export async function runLoad(clients, { turnsPerSecond, seconds }) {
  const acknowledged = [];
  const replied = [];
  const sends = [];
  const startedAt = performance.now();
  const total = Math.round(turnsPerSecond * seconds);
  for (let index = 0; index < total; index += 1) {
    const due = startedAt + (index * 1000) / turnsPerSecond;
    if (due > performance.now()) await wait(due - performance.now());
    const client = clients[index % clients.length];
    const sentAt = performance.now();
    sends.push(
      client
        .send(sessionOf(index % clients.length), `Question ${index} of some words?`)
        .then(async ({ messageId }) => {
          acknowledged.push(performance.now() - sentAt);
          await client.final(messageId);
          replied.push(performance.now() - sentAt);
        }),
    );
  }
  const repliedPerSecond = (replied.length * 1000) / (performance.now() - startedAt);
  await Promise.all(sends);
  const failures = clients.flatMap((client) => client.check());
  if (failures.length > 0) throw new Error(`events are wrong: ${failures.slice(0, 5).join("; ")}`);
  const duration = (performance.now() - startedAt) / 1000;
  return { total, seconds: duration, acknowledged, replied, repliedPerSecond };
}

/**
 * Lets each client start a turn when its previous one has ended.
 * @param clients - connected clients
 * @param seconds - duration
 * @returns number of turns and turns per second
 */
export async function runAtCapacity(clients, seconds) {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let turns = 0;
  const runClient = async (client, index) => {
    while (performance.now() < until) {
      const { messageId } = await client.send(sessionOf(index), "A question of some words?");
      await client.final(messageId);
      turns += 1;
    }
  };
  await Promise.all(clients.map(runClient));
  const turnsPerSecond = (turns * 1000) / (performance.now() - startedAt);
  for (const client of clients) client.check();
  return { turns, turnsPerSecond };
}

/**
 * Returns a quantile.
 * @param values - measured values
 * @param part - 0 to 1
 */
export function share(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}

function sessionOf(index) {
  return `agent:main:load:${index}`;
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
